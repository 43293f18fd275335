// A robot with symbols for its joints, placed: what the parts of an algorithm are counted at, as the papers count.
#pragma once
#include "denoc/dynamics/symbolic.hpp"

namespace denoc::app {

using Symbols = std::vector<Symbol>;

struct Recorded {
  explicit Recorded(const Model& of) : model(of), at(of) {
    place<Symbol>(model, inputs(model.nq()), at);
    for (const auto& z : at.z) placed.insert(placed.end(), {z.theta.c, z.theta.s, z.d});
  }
  Symbols inputs(int n) {
    Symbols all;
    for (int k = 0; k < n; ++k) all.push_back(graph.input("x"));
    return all;
  }
  // Sines and cosines cost nothing here: the book's Q_i has them, too.
  OperationCount cost(const Symbols& results, Symbols given = {}) const {
    given.insert(given.end(), placed.begin(), placed.end());
    return graph.operations(results, given);
  }

  Graph graph = {};
  const Model& model;
  Configuration<Symbol> at;
  Symbols placed = {};
};
inline void append(Symbols& to, const Vec3<Symbol>& v) { to.insert(to.end(), {v.x, v.y, v.z}); }

}  // namespace denoc::app
