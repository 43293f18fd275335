// The inertia matrix, its inverse and its factors.
#include "dynamics_parts.hpp"

namespace denoc {

MatrixView Dynamics::inertia(Vector q) { return inertia(q, Loops::closed); }
MatrixView Dynamics::inertia(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "inertia matrix");
  p.find_inertia(q, p.inertia);
  return {p.inertia, p.tree.nv(), p.tree.nv()};
}
void Dynamics::Parts::find_inertia(Vector given_q, std::vector<double>& matrix) {
  place(given_q);
  matrix.resize(tau.size() * tau.size());
  prepare_inertia();
  inertia_method(at, matrix);
  require_finite_rows(matrix, "an inertia");
}
MatrixView Dynamics::inertia_inverse(Vector q) { return inertia_inverse(q, Loops::closed); }
MatrixView Dynamics::inertia_inverse(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "inverse of the inertia matrix");
  p.place(q);
  p.inertia_inverse.resize(p.tau.size() * p.tau.size());
  factorize<double>(p.tree, p.at, p.factor);
  if (!p.inverting) p.inverting.emplace(p.tree);
  denoc::inertia_inverse<double>(p.tree, p.at, p.factor, *p.inverting, p.inertia_inverse);
  p.require_finite_rows(p.inertia_inverse, "an entry of the inverse inertia");
  return {p.inertia_inverse, p.tree.nv(), p.tree.nv()};
}

Dynamics::Factors Dynamics::factors(Vector q) { return factors(q, Loops::closed); }
Dynamics::Factors Dynamics::factors(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "factored inertia matrix");
  p.place(q);
  p.upper.resize(p.tau.size() * p.tau.size());
  factorize<double>(p.tree, p.at, p.factor);
  unit_upper<double>(p.tree, p.at, p.factor, p.dense, p.upper);
  denoc::pivots<double>(p.factor, p.pivots);
  p.require_finite_rows(p.upper, "a factor of the inertia");
  p.require_finite(p.pivots, "a factor of the inertia");
  return {{p.upper, p.tree.nv(), p.tree.nv()}, p.pivots};
}

}  // namespace denoc
