// From where a robot is looked at: gravity points down the page.
#pragma once
#include <vector>

#include "output/figures/skeleton.hpp"

namespace denoc::figures {

struct View {
  Point a, b, up;             // right-handed; up is against gravity (z without it)
  double yaw = 0, pitch = 0;  // at zero: a to the right, up upward, seen along b
  bool is_square_on = false;  // to the plane of the motion

  Point right() const;
  Point above() const;
  Point towards() const;  // the eye
};

// Square on where everything moves in parallel planes (or, at rest, lies in one), else from above at an angle, turned
// to where the robot spreads widest on the page.
View view_of(const std::vector<std::vector<Point>>& frames, const Point& gravity);

}  // namespace denoc::figures
