// Inverse dynamics by the decoupled natural orthogonal complement, N = N_l N_d:
//   tau = N_d^T N_l^T w,   w_i = M_i t'_i + (gyroscopic part)   [Shah13 (11)]
// N_l is in model.outward and model.inward, N_d in what a pass does with a link's columns.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/link_wrenches.hpp"

namespace denoc {

/// w_i, base to tip; the ground accelerates by -g. v and `a` are read once, link after link; `a` is a span or Zero.
template <Scalar T, class Isa = AnyIsa, class V, class A>
void body_wrenches(const ModelOf<T>& model, const Configuration<T>& at, const V& v, const A& a, InverseScratch<T>& s) {
  const MotionOf ground{detail::none, detail::none, model.ground_acceleration(), Mat3<Zero, Zero, Zero, Zero>{}};
  model.moving().outward(at, ground, s.motion, [&](auto link, const auto& carried) DENOC_INLINED {
    auto m = link.moved(carried, at.z[link.i].d, link.rates(v), link.rates(a));
    s.w[link.i] = full<T>(link.inertia().wrench(m));
    return full<T>(m);
  });
}

/// The generalised forces tau that give the accelerations a at q (in `at`), v, under gravity and the given wrenches.
/// Throws ArgumentError when a size is wrong.
template <Scalar T>
void inverse_dynamics(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, InverseScratch<T>& s,
                      Out<T> tau, Wrenches<T> wrenches = {}) {
  require_size(v, model.nv(), "v");
  require_size(a, model.nv(), "a");
  require_size(tau, model.nv(), "tau");
  body_wrenches<T>(model, at, v, a, s);
  relieve_joints<T>(model, wrenches, s);
  project_to_joints<T>(model, at, s, tau);
  add_rotors<T>(model, a, tau);
}

/// What the joints must give when q'' = 0: Coriolis, centrifugal and gravity terms, less the given wrenches.
template <Scalar T>
void bias_forces(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, InverseScratch<T>& s, Out<T> tau,
                 Wrenches<T> wrenches = {}) {
  require_size(v, model.nv(), "v");
  require_size(tau, model.nv(), "tau");
  body_wrenches<T>(model, at, v, Zero{}, s);
  relieve_joints<T>(model, wrenches, s);
  project_to_joints<T>(model, at, s, tau);
}

/// What the joints must give to hold the robot at rest: the gradient of the potential energy.
template <Scalar T>
void gravity_forces(const ModelOf<T>& model, const Configuration<T>& at, InverseScratch<T>& s, Out<T> tau) {
  bias_forces<T>(model, at, s.rest, s, tau);
}

/// The formulation with its memory.
template <Scalar T> struct DenocInverse {
  static constexpr Method method{"denoc", "n"};
  InverseScratch<T> scratch;
  explicit DenocInverse(const ModelOf<T>& model) : scratch(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, Out<T> tau, Wrenches<T> wrenches) {
    inverse_dynamics<T>(model, at, v, a, scratch, tau, wrenches);
  }
};

#define DENOC_INVERSE(TEMPLATE, T)                                                                                   \
  TEMPLATE void body_wrenches<T>(const ModelOf<T>&, const Configuration<T>&, const std::span<const T>&,              \
                                 const std::span<const T>&, InverseScratch<T>&);                                     \
  TEMPLATE void body_wrenches<T>(const ModelOf<T>&, const Configuration<T>&, const std::span<const T>&, const Zero&, \
                                 InverseScratch<T>&);
DENOC_COMPILED(DENOC_INVERSE)

}  // namespace denoc
