// The inertia matrix as the second derivative of the kinetic energy, O(n^3): I_jk = d^2 T / dv_j dv_k, exactly. A
// reference, slow.                                                                                   [Angeles7 (7.19)]
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/reference/varied.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct KineticEnergyHessian {
  static constexpr Method method{"kinetic-energy", "n^3"};
  VariedRobot<T> robot;
  explicit KineticEnergyHessian(const ModelOf<T>& model) : robot(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia);
};

template <Scalar T>
void KineticEnergyHessian<T>::run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia) {
  const int n = model.nv();
  require_size(inertia, n * n, "inertia");
  VariedRobot<T>& r = robot;
  const T none(0), one(1);
  for (Varied<T>& x : r.x) x = Varied<T>(0);
  for (Varied<T>& x : r.rates) x = Varied<T>(0);
  displace<T>(model, at, r);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k <= j; ++k) {  // T at v = e1 e_j + e2 e_k
      r.rates[j] += varied<T>(none, one, none, none);
      r.rates[k] += varied<T>(none, none, one, none);
      velocities<Varied<T>>(model, r.rates, r.kin);
      inertia[j * n + k] = inertia[k * n + j] = kinetic_energy<Varied<T>>(model, r.kin).d.d;
      r.rates[j] = r.rates[k] = Varied<T>(0);
    }
}

}  // namespace denoc
