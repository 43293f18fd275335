// Dry friction in the joints, Coulomb's with what Stribeck saw:
//   tau = -(coulomb + epsilon exp(-gamma |u|)) sgn(u),  u = v - surface_speed,  sgn(0) = 0     [Angeles7 (7.136)]
// At rest it holds whatever its limit allows: that is for those who know what else acts there (simulation/).
#pragma once
#include <cmath>

#include "denoc/forces/force.hpp"
#include "denoc/scalar/exp.hpp"

namespace denoc {

/// coulomb + epsilon exp(-gamma u): what dry friction opposes to sliding at the speed u >= 0; at u = 0 the most it
/// holds.
template <Scalar T> T dry_friction(const Friction& friction, const T& speed) {
  using R = Real<T>;
  T dry(R(friction.coulomb));
  if (friction.stribeck_epsilon != 0) {
    dry += exp(speed * R(-friction.stribeck_gamma)) * R(friction.stribeck_epsilon);
  }
  return dry;
}
/// What it opposes to a joint that slides one way, at the speed u that way over its surface. In a trial step that
/// overshoots the standstill (u < 0), where exp(-gamma u) would grow without bound, it goes on smoothly, by no more than
/// coulomb + 4 epsilon, with the law's derivatives at the standstill up to the third: by the terms up to r^3 of
///   exp(s) = 1 / (1 - r) = 1 + r + r^2 + ...,  r = 1 - exp(-s),  s = -gamma u
inline double friction_sliding_on(const Friction& friction, double u) {
  if (u >= 0) return dry_friction<double>(friction, u);
  const double r = -std::expm1(friction.stribeck_gamma * u);
  return friction.coulomb + friction.stribeck_epsilon * (1 + r * (1 + r * (1 + r)));
}
/// Whether there is any.
inline bool has_dry_friction(const Friction& friction) {
  return friction.coulomb != 0 || friction.stribeck_epsilon != 0;
}

/// Dry friction of every joint of a robot that has some, while it slides.
template <Scalar T> class SlidingFriction {
 public:
  static constexpr std::string_view name = "dry friction";

  explicit SlidingFriction(const ModelOf<T>& model) {
    for_each_dof(model, [&](int dof, const Joint& joint, int) {
      if (has_dry_friction(joint.friction)) all_.push_back({dof, joint.friction});
    });
  }
  bool empty() const { return all_.empty(); }
  int wrenches() const { return 0; }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    for (const auto& [dof, law] : all_) {
      const Real<T> surface_speed(law.surface_speed);
      const T u = at.v[dof] - surface_speed;
      const auto backward = u < T(0), forward = T(0) < u;
      const T dry = dry_friction<T>(law, select(backward, -u, u));
      const T force = select(backward, dry, select(forward, -dry, T(0)));
      loads.tau[dof] += force;
      loads.dissipated -= force * u;
      loads.input += force * surface_speed;
    }
  }

 private:
  struct Sliding {
    int dof;
    Friction law;
  };
  std::vector<Sliding> all_ = {};
};

}  // namespace denoc
