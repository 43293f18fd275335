// Where the accelerations of a motion jump, and on which side of such an instant it is asked.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "denoc/motion/trajectory.hpp"

namespace denoc::motion {

// Infinity if there is none.
inline double first_after(const std::vector<double>& instants, double t) {
  const auto next = std::upper_bound(instants.begin(), instants.end(), t);
  return next == instants.end() ? std::numeric_limits<double>::infinity() : *next;
}

// The start, the breaks and the end of a motion. From such an instant on it is asked for what follows: after the end it
// rests.
class Breaks {
 public:
  explicit Breaks(const Trajectory& motion) : all_(motion.breaks()) {
    all_.insert(all_.begin(), 0.0);
    all_.push_back(motion.duration());
  }
  double first_after(double t) const { return motion::first_after(all_, t); }
  // t, moved off a break by what rounding explains: a motion computes such instants once more, from its own start, and
  // asked on one of them, or a bit beside, may take the other side.
  double beside(double t) const {
    constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
    const auto next = std::upper_bound(all_.begin(), all_.end(), t);
    if (next != all_.begin()) t = std::max(t, *(next - 1) * (1 + rounding));
    return next == all_.end() ? t : std::min(t, *next * (1 - rounding));
  }

 private:
  std::vector<double> all_;
};

}  // namespace denoc::motion
