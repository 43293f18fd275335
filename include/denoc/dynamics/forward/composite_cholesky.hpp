// Forward dynamics, O(n^3): the inertia matrix by composite bodies [Mohan07 (28), (29)], the bias by inverse dynamics,
// and I a = tau - bias solved by Cholesky's method. What the recursive solution is compared with.
#pragma once
#include "denoc/dynamics/forward/cholesky.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"

namespace denoc {

template <Scalar T> struct CompositeCholeskyScratch {
  CompositeScratch<T> composite;
  CholeskyScratch<T> cholesky;
  InverseScratch<T> inverse;
  explicit CompositeCholeskyScratch(const ModelOf<T>& model) : composite(model), cholesky(model), inverse(model) {}
};

template <Scalar T>
void composite_cholesky(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau,
                        CompositeCholeskyScratch<T>& s, Out<T> a, Wrenches<T> wrenches = {}) {
  require_size(tau, model.nv(), "tau");
  require_size(a, model.nv(), "a");
  inertia_matrix<T>(model, at, s.composite, s.cholesky.inertia);
  bias_forces<T>(model, at, v, s.inverse, s.cholesky.bias, wrenches);
  solve_by_cholesky<T>(model, tau, s.cholesky, a);
}

}  // namespace denoc
