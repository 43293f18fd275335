// Inverse dynamics by Newton and Euler's equations, link by link about the mass centres, O(n): both recursions of
// [Angeles7 7.4]. What the joints transmit is kept.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct NewtonEuler {
  static constexpr Method method{"newton-euler", "n"};
  MassCentres<T> centres;
  std::vector<Wrench<T>> load;   // on each link about its mass centre, its children's included
  std::vector<Wrench<T>> joint;  // (n^P, f^P): what the parent exerts on the link, about the link's origin
  explicit NewtonEuler(const ModelOf<T>& model)
      : centres(model), load(model.links().size()), joint(model.links().size()) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau,
           Wrenches<T> wrenches = {});
};

/// Tip to base.                                                                          [Angeles7 (7.38)-(7.40)]
template <Scalar T> void joint_wrenches(const ModelOf<T>& model, NewtonEuler<T>& s, Out<T> tau) {
  s.load = s.centres.w;
  for (int i = model.link_count(); i > 0; --i) {
    const auto& [n, f] = s.load[i];  // f^P = m c'' + (children)
    s.joint[i] = {n + cross(s.centres.rho(i), f), f};
    model.project(i, s.joint[i], [&](int k, const T& x) { tau[k] = x; });
    const Mat3<T>& Q = s.centres.pose[i].R;
    const Vec3<T> phi = Q * f;
    s.load[model.links()[i].parent] += {Q * s.joint[i].n + cross(s.centres.delta(model, i), phi), phi};
  }
}

template <Scalar T>
void NewtonEuler<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau,
                         Wrenches<T> wrenches) {
  require_size(tau, model.nv(), "tau");
  mass_centre_wrenches<T>(model, at, v, a, wrenches, centres);
  joint_wrenches<T>(model, *this, tau);
  add_rotors<T>(model, a, tau);
}

}  // namespace denoc
