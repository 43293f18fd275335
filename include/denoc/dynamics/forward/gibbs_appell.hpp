// Forward dynamics by the equations of Gibbs and Appell, O(n^3): D a = tau - bias, with D the Hessian of Gibbs's
// function and the bias its gradient at a = 0, by Cholesky's method.                                   [Mata02 (17)]
#pragma once
#include "denoc/dynamics/forward/cholesky.hpp"
#include "denoc/dynamics/inertia/gibbs_appell.hpp"
#include "denoc/dynamics/inverse/gibbs_appell.hpp"

namespace denoc {

template <Scalar T> struct GibbsCholeskyScratch {
  GibbsInertiaScratch<T> inertia;
  GibbsAppellScratch<T> bias;
  CholeskyScratch<T> cholesky;
  explicit GibbsCholeskyScratch(const ModelOf<T>& model) : inertia(model), bias(model), cholesky(model) {}
};

template <Scalar T>
void gibbs_appell_cholesky(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau,
                           GibbsCholeskyScratch<T>& s, Out<T> a, Wrenches<T> wrenches = {}) {
  require_size(tau, model.nv(), "tau");
  require_size(a, model.nv(), "a");
  gibbs_hessian<T>(model, at, s.inertia, s.cholesky.inertia);
  gibbs_appell<T>(model, at, v, s.bias.wrenches.rest, s.bias, s.cholesky.bias, wrenches);
  solve_by_cholesky<T>(model, tau, s.cholesky, a);
}

}  // namespace denoc
