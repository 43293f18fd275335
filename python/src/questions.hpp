// What can be asked of a robot at a state: a row for each question. One state is an array, many are many rows.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "denoc/mechanism/dynamics.hpp"

namespace denoc::python {

// What a question is about, besides the state.
struct Choice {
  int body = 0;
  Vec3<double> point{0, 0, 0};
  Axes axes = Axes::world;
  Loops loops = Loops::closed;    // of what is the tree's alone
  Axes wrench_axes = Axes::body;  // that given wrenches keep, of derivatives
  std::vector<int> unknown = {};  // degrees of freedom, of passive accelerations
};

// One vector of a state, as messages call it: as long as q, or as v.
struct Given {
  const char* name;
  bool is_posture;
};
using Vectors = std::array<Dynamics::Vector, 3>;
// Of an answer: a vector, or a matrix by rows (columns > 0).
struct Extent {
  int rows, columns = 0;
  int size() const { return columns > 0 ? rows * columns : rows; }
};

struct Question {
  std::string_view name;
  std::vector<Given> given;
  Extent (*extent)(const Mechanism&);
  // x: the vectors in the order of `given`
  void (*answer)(Dynamics&, const Choice&, const Vectors& x, Dynamics::GivenWrenches, std::span<double> answer);
};

const std::vector<Question>& questions();

}  // namespace denoc::python
