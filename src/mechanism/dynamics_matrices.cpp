// The inertia matrix, its inverse and its factors.
#include "dynamics_parts.hpp"

namespace denoc {

MatrixView Dynamics::inertia(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "inertia matrix");
  p.find_inertia(q, p.given.inertia);
  return {p.given.inertia, p.tree.nv(), p.tree.nv()};
}
void Dynamics::Parts::find_inertia(Vector q, std::vector<double>& matrix) {
  place(q);
  matrix.resize(zero.size() * zero.size());
  prepare_inertia();
  methods.inertia(here.at, matrix);
  require_finite_rows(matrix, "an inertia");
}
MatrixView Dynamics::inertia_inverse(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "inverse of the inertia matrix");
  p.place(q);
  p.given.inertia_inverse.resize(p.zero.size() * p.zero.size());
  factorize<double>(p.tree, p.here.at, p.scratch.factor);
  if (!p.scratch.inverting) p.scratch.inverting.emplace(p.tree);
  denoc::inertia_inverse<double>(p.tree, p.here.at, p.scratch.factor, *p.scratch.inverting, p.given.inertia_inverse);
  p.require_finite_rows(p.given.inertia_inverse, "an entry of the inverse inertia");
  return {p.given.inertia_inverse, p.tree.nv(), p.tree.nv()};
}

Dynamics::Factors Dynamics::factors(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "factored inertia matrix");
  p.place(q);
  p.given.upper.resize(p.zero.size() * p.zero.size());
  factorize<double>(p.tree, p.here.at, p.scratch.factor);
  unit_upper<double>(p.tree, p.here.at, p.scratch.factor, p.scratch.dense, p.given.upper);
  denoc::pivots<double>(p.scratch.factor, p.given.pivots);
  p.require_finite_rows(p.given.upper, "a factor of the inertia");
  p.require_finite(p.given.pivots, "a factor of the inertia");
  return {{p.given.upper, p.tree.nv(), p.tree.nv()}, p.given.pivots};
}

}  // namespace denoc
