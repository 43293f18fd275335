// First derivatives of forward dynamics: I a = tau - bias, differentiated at the a that tau gives, is
//   da/dtau = I^-1,   da/dq = -I^-1 dtau/dq,   da/dv = -I^-1 dtau/dv
// with the derivatives of inverse dynamics at that a, among which I stands already.
#pragma once
#include "denoc/dynamics/derivatives/branch_factor.hpp"
#include "denoc/dynamics/derivatives/inverse.hpp"
#include "denoc/dynamics/forward/denoc.hpp"

namespace denoc {

template <Scalar T> struct ForwardDerivativesScratch {
  ForwardScratch<T> forward;
  InverseDerivativesScratch<T> inverse;
  BranchFactor<T> factor;
  std::vector<T> a;
  explicit ForwardDerivativesScratch(const ModelOf<T>& model)
      : forward(model), inverse(model), factor(model), a(size_t(model.nv())) {}
};

// From dtau/dq and dtau/dv (n x n by rows) to da/dq and da/dv, and da/dtau: `inverse` has just
// computed them, with I.
template <Scalar T>
void solve_for_accelerations(InverseDerivativesScratch<T>& inverse, BranchFactor<T>& factor, Out<T> dq, Out<T> dv,
                             Out<T> dtau) {
  const Branches& on = inverse.branches;
  factorize_branches<T>(on, inverse.triangles.inertia.at(), factor);
  solve_negative<T>(on, factor, dq.data());
  solve_negative<T>(on, factor, dv.data());
  inverse_of_factor<T>(on, factor, dtau.data());
}

// da/dq, da/dv, da/dtau (n x n by rows) at q (in `at`), v, tau; the accelerations are in s.a afterwards. Throws
// SingularInertia, and ArgumentError when a size is wrong.
template <Scalar T>
void forward_derivatives(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau,
                         ForwardDerivativesScratch<T>& s, Out<T> dq, Out<T> dv, Out<T> dtau,
                         Wrenches<T> wrenches = {}) {
  forward_dynamics<T>(model, at, v, tau, s.forward, s.a, wrenches);
  inverse_derivatives<T>(model, at, v, s.a, s.inverse, dq, dv, dtau, wrenches);
  solve_for_accelerations<T>(s.inverse, s.factor, dq, dv, dtau);
}

}  // namespace denoc
