// Inverse dynamics by Lagrange's equations, O(n^2): the energies differentiated exactly. A reference, slow: it shares
// nothing with the recursions but the kinematics.                                                    [Angeles7 (7.20)]
//   tau_k = d/dt dL/dx'_k - dL/dx_k,   L = T - V
// One evaluation gives both: at x = e2 v - e1 e2 e_k, x' = v + e2 a + e1 e_k it is the coefficient of e1 e2 in L. For
// spherical and free joints this is Boltzmann and Hamel's equation.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/reference/varied.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct EulerLagrange {
  static constexpr Method method{"euler-lagrange", "n^2"};
  VariedRobot<T> robot;
  explicit EulerLagrange(const ModelOf<T>& model) : robot(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T> wrenches);
};

template <Scalar T>
void EulerLagrange<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau,
                           Wrenches<T> wrenches) {
  const int n = model.nv();
  require_size(v, n, "v");
  require_size(a, n, "a");
  require_size(tau, n, "tau");
  require_bodies<T>(model, wrenches);
  VariedRobot<T>& r = robot;
  const T none(0), one(1);
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      r.x[j] = varied<T>(none, none, v[j], j == k ? -one : none);
      r.rates[j] = varied<T>(v[j], j == k ? one : none, a[j], none);
    }
    displace<T>(model, at, r);
    vary_twists<T>(model, r);
    const Varied<T> lagrangian = kinetic_energy<Varied<T>>(model, r.kin) - potential_energy<Varied<T>>(model, r.kin);
    tau[k] = lagrangian.d.d;
    for (const BodyWrench<T>& e : wrenches) {  // the power they have in the variation alone
      const Twist<Varied<T>> t = twist_in_body<Varied<T>>(model, r.kin, e.body);
      const Twist<T> variation{{t.w.x.d.x, t.w.y.d.x, t.w.z.d.x}, {t.v.x.d.x, t.v.y.d.x, t.v.z.d.x}};
      tau[k] -= dot(variation, e.wrench);
    }
  }
}

}  // namespace denoc
