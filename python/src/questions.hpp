// What can be asked of a robot at a state: a row for each question. One state is an array, many are many rows.
#pragma once
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "hand.hpp"

namespace denoc::python {

// What a question is about, besides the state.
struct Choice {
  int body = 0;
  Vec3<double> point{0, 0, 0};
  Axes axes = Axes::world;
  Loops loops = Loops::closed;    // of what is the tree's alone
  Axes wrench_axes = Axes::body;  // that given wrenches are in, and keep
  std::vector<int> unknown = {};  // degrees of freedom, of passive accelerations
};

// One vector of a state, as messages call it: as long as q, or as v.
struct Given {
  const char* name;
  bool is_posture;
};
constexpr std::size_t most_vectors = 4;
using Vectors = std::array<Dynamics::Vector, most_vectors>;
// Of an answer: a vector, or a matrix by rows, or several of them. Of many states, the first of all states come before the
// second ones.
struct Extent {
  static constexpr int none = -1;
  int rows, columns = none, parts = 1;
  bool is_matrix() const { return columns != none; }
  int of_part() const { return is_matrix() ? rows * columns : rows; }
  int size() const { return parts * of_part(); }
  int axes() const { return 1 + int(is_matrix()) + int(parts > 1); }
};

struct Question {
  std::string_view name;
  std::vector<Given> given;
  Extent (*extent)(const Mechanism&);
  // x: the vectors in the order of `given`
  void (*answer)(Hand&, const Choice&, const Vectors& x, Dynamics::GivenWrenches, std::span<double> answer);
};

const std::vector<Question>& questions();

// q with quaternions of unit length. Throws ArgumentError for one that is too far off.
std::vector<double> on_manifold(const Robot& robot, Dynamics::Vector q);

}  // namespace denoc::python
