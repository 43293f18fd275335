// What the ground does to a point that touches it.
#pragma once
#include <cmath>

#include "denoc/simulation/simulation.hpp"
#include "end_stop.hpp"

namespace denoc::simulation {

// n: the plane's normal. The point is at the depth x = -n . (p - plane), slides with u along the plane:
//   f = F n - friction F u / sqrt(|u|^2 + slip_speed^2),  F = stiffness x (1 + damping x') >= 0
struct GroundForce {
  Vec3<double> force{0, 0, 0};  // in world axes
  double stored = 0, dissipated = 0;

  GroundForce(const GroundContact& ground, const Vec3<double>& p, const Vec3<double>& v) {
    const Vec3<double>& n = ground.normal;
    const double rate = -dot(n, v);
    const Push push(ground.stiffness, ground.damping, -dot(n, p - ground.point), rate);
    if (push.stored == 0) return;
    const Vec3<double> u = v + n * rate;
    const double uu = dot(u, u);
    const double drag = ground.friction * push.force / std::sqrt(uu + ground.slip_speed * ground.slip_speed);
    force = n * push.force - u * drag;
    stored = push.stored;
    dissipated = push.dissipated + drag * uu;
  }
};

}  // namespace denoc::simulation
