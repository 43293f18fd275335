// What friction and springs in the joints do: generalised forces on the robot, to be added to those of the drives.
#pragma once
#include "denoc/model/arguments.hpp"
#include "denoc/scalar/exp.hpp"

namespace denoc {

// coulomb + epsilon exp(-gamma u): what dry friction opposes to sliding at the speed u >= 0; at u = 0 the most it
// holds.
template <Scalar T> T dry_friction(const Friction& friction, const T& speed) {
  using R = Real<T>;
  T dry(R(friction.coulomb));
  if (friction.stribeck_epsilon != 0) {
    dry += exp(speed * R(-friction.stribeck_gamma)) * R(friction.stribeck_epsilon);
  }
  return dry;
}

// tau = -(viscous u + (coulomb + epsilon exp(-gamma |u|)) sgn(u)),  u = v - surface_speed,  sgn(0) = 0
// [Angeles7 (7.136)]
template <Scalar T> T friction_force(const Friction& friction, const T& v) {
  using R = Real<T>;
  const T u = v - R(friction.surface_speed);
  const auto backward = u < T(0), forward = T(0) < u;
  const T dry = dry_friction<T>(friction, select(backward, -u, u));
  return select(backward, dry, select(forward, -dry, T(0))) - u * R(friction.viscous);
}

// The forces of friction and springs in all joints at q, v. In a joint with several degrees of freedom they act on each
// of them; springs do not act where q is a quaternion. Throws std::invalid_argument when a size is wrong.
template <Scalar T> void joint_forces(const ModelOf<T>& model, In<T> q, In<T> v, Out<T> tau) {
  using R = Real<T>;
  require_size(q, model.nq(), "q");
  require_size(v, model.nv(), "v");
  require_size(tau, model.nv(), "tau");
  for (int k = 0; k < model.nv(); ++k) {
    const int b = model.body_of_dof(k);
    const Joint& joint = model.robot().bodies[size_t(b)].joint;
    tau[k] = friction_force<T>(joint.friction, v[k]);
    if (coordinates(joint.type) != degrees_of_freedom(joint.type)) continue;
    // -stiffness (q - rest)
    const auto& body = model.bodies()[b];
    tau[k] -= (q[body.q + k - body.v] - R(joint.spring.rest)) * R(joint.spring.stiffness);
  }
}

// What the springs in the joints have stored: sum stiffness (q - rest)^2 / 2.
template <Scalar T> T joint_spring_energy(const ModelOf<T>& model, In<T> q) {
  using R = Real<T>;
  require_size(q, model.nq(), "q");
  T twice(0);
  for (int k = 0; k < model.nv(); ++k) {
    const int b = model.body_of_dof(k);
    const Joint& joint = model.robot().bodies[size_t(b)].joint;
    if (coordinates(joint.type) != degrees_of_freedom(joint.type)) continue;
    const auto& body = model.bodies()[b];
    const T stretch = q[body.q + k - body.v] - R(joint.spring.rest);
    twice += stretch * stretch * R(joint.spring.stiffness);
  }
  return twice * R(0.5);
}

}  // namespace denoc
