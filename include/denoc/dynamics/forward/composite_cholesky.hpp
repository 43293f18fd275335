// Forward dynamics, O(n^3): the inertia matrix by composite bodies [Mohan07 (28), (29)], the bias by inverse dynamics,
// and I a = tau - bias solved by Cholesky's method. What the recursive solution is compared with.
#pragma once
#include "denoc/dynamics/forward/cholesky.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct CompositeCholesky {
  static constexpr Method method{"composite-cholesky", "n^3"};
  CompositeScratch<T> composite;
  CholeskyScratch<T> cholesky;
  InverseScratch<T> inverse;
  explicit CompositeCholesky(const ModelOf<T>& model) : composite(model), cholesky(model), inverse(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches);
};

template <Scalar T>
void CompositeCholesky<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a,
                               Wrenches<T> wrenches) {
  require_size(tau, model.nv(), "tau");
  require_size(a, model.nv(), "a");
  inertia_matrix<T>(model, at, composite, cholesky.inertia);
  bias_forces<T>(model, at, v, inverse, cholesky.bias, wrenches);
  solve_by_cholesky<T>(model, tau, cholesky, a);
}

}  // namespace denoc
