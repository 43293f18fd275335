// Friction that grows with the speed u against the surface: tau = -viscous u,  u = v - surface_speed.
#pragma once
#include "denoc/forces/force.hpp"

namespace denoc {

/// Viscous friction in the joints of a robot: tau = -viscous (v - surface_speed).
template <Scalar T> class ViscousFriction {
  using R = Real<T>;

 public:
  static constexpr std::string_view name = "viscous friction";

  explicit ViscousFriction(const ModelOf<T>& model) {
    for_each_dof(model, [&](int dof, const Joint& joint, int) {
      const Friction& friction = joint.friction;
      if (friction.viscous != 0) all_.push_back({dof, R(friction.viscous), R(friction.surface_speed)});
    });
  }
  bool empty() const { return all_.empty(); }
  int wrenches() const { return 0; }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    for (const auto& [dof, viscous, surface_speed] : all_) {
      const T u = at.v[dof] - surface_speed, drag = u * viscous;
      loads.tau[dof] -= drag;
      loads.dissipated += drag * u;
      loads.input -= drag * surface_speed;
    }
  }

 private:
  struct Damper {
    int dof;
    R viscous, surface_speed;
  };
  std::vector<Damper> all_ = {};
};

}  // namespace denoc
