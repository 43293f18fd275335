// Compliant contact: end stops of a joint, points on the ground.                           [Hunt & Crossley 1975]
#pragma once
#include <algorithm>

#include "denoc/model/robot.hpp"

namespace denoc::simulation {

// At the depth x it pushes back by stiffness x (1 + damping x') >= 0.
struct Push {
  double force = 0, stored = 0, dissipated = 0;
  Push() = default;
  Push(double stiffness, double damping, double x, double rate) {
    if (!(x > 0)) return;
    const double elastic = stiffness * x;
    force = std::max(0.0, elastic * (1 + damping * rate));
    stored = elastic * x / 2;
    dissipated = (force - elastic) * rate;
  }
};

// What the stops do to a joint at q, v: `force` in the sense of q.
inline Push end_stop(const Limits& limits, double q, double v) {
  if (limits.stiffness == 0) return {};
  if (q > limits.upper) {
    Push push(limits.stiffness, limits.damping, q - limits.upper, v);
    push.force = -push.force;
    return push;
  }
  return Push(limits.stiffness, limits.damping, limits.lower - q, -v);
}

}  // namespace denoc::simulation
