// Compliant end stops of a joint.                                                          [Hunt & Crossley 1975]
#pragma once
#include <algorithm>

#include "denoc/model/robot.hpp"

namespace denoc::simulation {

// At the depth x they push back by stiffness x (1 + damping x') >= 0.
struct EndStop {
  double force = 0, stored = 0, dissipated = 0;

  EndStop(const Limits& limits, double q, double v) {
    if (limits.stiffness == 0) return;
    const double above = q - limits.upper, below = limits.lower - q;
    if (above > 0) {
      push(limits, above, v);
      force = -force;
    } else if (below > 0) {
      push(limits, below, -v);
    }
  }

 private:
  void push(const Limits& limits, double x, double rate) {
    const double elastic = limits.stiffness * x;
    force = std::max(0.0, elastic * (1 + limits.damping * rate));
    stored = elastic * x / 2;
    dissipated = (force - elastic) * rate;
  }
};

}  // namespace denoc::simulation
