// Forward dynamics by the equations of Gibbs and Appell, O(n^3): D a = tau - bias, with D the Hessian of Gibbs's
// function and the bias its gradient at a = 0, by Cholesky's method.                                   [Mata02 (17)]
#pragma once
#include "denoc/dynamics/forward/cholesky.hpp"
#include "denoc/dynamics/inertia/gibbs_appell.hpp"
#include "denoc/dynamics/inverse/gibbs_appell.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct GibbsAppellCholesky {
  static constexpr Method method{"gibbs-appell-cholesky", "n^3"};
  GibbsHessian<T> inertia;
  GibbsAppell<T> bias;
  CholeskyScratch<T> cholesky;
  explicit GibbsAppellCholesky(const ModelOf<T>& model) : inertia(model), bias(model), cholesky(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches);
};

template <Scalar T>
void GibbsAppellCholesky<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a,
                                 Wrenches<T> wrenches) {
  require_size(tau, model.nv(), "tau");
  require_size(a, model.nv(), "a");
  inertia.run(model, at, cholesky.inertia);
  bias.run(model, at, v, bias.wrenches.rest, cholesky.bias, wrenches);
  solve_by_cholesky<T>(model, tau, cholesky, a);
}

}  // namespace denoc
