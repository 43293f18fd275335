// Inverse dynamics by Newton and Euler's equations, link by link about the mass centres, O(n): both recursions of
// [Angeles7 7.4]. What the joints transmit is kept.
#pragma once
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

template <Scalar T> struct NewtonEulerScratch {
  MassCentres<T> centres;
  std::vector<Wrench<T>> load;   // on each link about its mass centre, its children's included
  std::vector<Wrench<T>> joint;  // (n^P, f^P): what the parent exerts on the link, about the link's origin
  explicit NewtonEulerScratch(const ModelOf<T>& model)
      : centres(model), load(model.links().size()), joint(model.links().size()) {}
};

// Tip to base.                                                                          [Angeles7 (7.38)-(7.40)]
template <Scalar T> void joint_wrenches(const ModelOf<T>& model, NewtonEulerScratch<T>& s, Out<T> tau) {
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
void newton_euler(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, NewtonEulerScratch<T>& s,
                  Out<T> tau, Wrenches<T> wrenches = {}) {
  require_size(tau, model.nv(), "tau");
  mass_centre_wrenches<T>(model, at, v, a, wrenches, s.centres);
  joint_wrenches<T>(model, s, tau);
  add_rotors<T>(model, a, tau);
}

#define DENOC_NEWTON_EULER(KEYWORD, T) \
  KEYWORD template void joint_wrenches<T>(const ModelOf<T>&, NewtonEulerScratch<T>&, Out<T>);
#define DENOC_EXTERN(T) DENOC_NEWTON_EULER(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
