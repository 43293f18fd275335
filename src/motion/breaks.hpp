// Where the accelerations of a motion, a law or a wrench jump, and on which side of such an instant it is asked.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "denoc/motion/trajectory.hpp"

namespace denoc::motion {

// Infinity if there is none.
inline double first_after(const std::vector<double>& instants, double t) {
  const auto next = std::upper_bound(instants.begin(), instants.end(), t);
  return next == instants.end() ? std::numeric_limits<double>::infinity() : *next;
}

// From such an instant on it is asked for what follows.
class Breaks {
 public:
  explicit Breaks(std::vector<double> in_order) : all_(std::move(in_order)) {}
  // The start, the breaks and the end of a motion: after that it rests.
  explicit Breaks(const Trajectory& motion) : all_(motion.breaks()) {
    all_.insert(all_.begin(), 0.0);
    all_.push_back(motion.duration());
  }

  double first_after(double t) const { return motion::first_after(all_, t); }
  // t, moved off a break by what rounding explains: a motion computes such instants once more, from its own start, and a
  // formula whatever it holds against zero. Asked on one of them, or a bit beside, they may take the other side, as
  // step(1 - t) does at 1.
  double beside(double t) const {
    const auto next = std::upper_bound(all_.begin(), all_.end(), t);
    if (next != all_.begin()) t = std::max(t, *(next - 1) + rounding(*(next - 1)));
    return next == all_.end() ? t : std::min(t, *next - rounding(*next));
  }
  // The same of an instant that rounding may have put on either side of a break: what follows there.
  double after(double t) const {
    const auto next = std::lower_bound(all_.begin(), all_.end(), t - rounding(t));
    return next == all_.end() || *next > t + rounding(t) ? t : *next + rounding(*next);
  }
  // ... and, at the end of what is looked at, what was before.
  double before(double t) const {
    const auto next = std::lower_bound(all_.begin(), all_.end(), t - rounding(t));
    return next == all_.end() || *next > t + rounding(t) ? t : *next - rounding(*next);
  }

 private:
  // More than nothing at 0, too.
  static double rounding(double t) {
    using Limits = std::numeric_limits<double>;
    return 8 * Limits::epsilon() * std::abs(t) + Limits::min();
  }

  std::vector<double> all_;
};

}  // namespace denoc::motion
