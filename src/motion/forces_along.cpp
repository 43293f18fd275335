#include "denoc/motion/forces_along.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "breaks.hpp"
#include "checks.hpp"
#include "free_motion.hpp"
#include "free_run.hpp"
#include "on_motion.hpp"

namespace denoc {
namespace {

AlongOptions complete(const Mechanism& mechanism, const Trajectory& motion, AlongOptions options) {
  if (options.duration == 0) options.duration = motion.duration();
  for (const auto& [x, name] : {std::pair(options.duration, "duration"), {options.every, "every"}})
    if (!(x > 0) || !std::isfinite(x)) throw ArgumentError(fmt::format("{} = {} is not positive", name, x));
  if (const std::string words = motion::too_many_samples(options.every, options.duration); !words.empty())
    throw ArgumentError(fmt::format("duration: {}", words));
  if (options.driven.empty()) options.driven = mechanism.driven();
  for (const int b : motion::joints_in_part(mechanism.tree(), options.driven)) {
    const JointType type = mechanism.robot().bodies[size_t(b)].joint.type;
    const bool is_plain = has_plain_coordinates(type);
    if (is_plain && !mechanism.has_loops()) continue;
    throw ArgumentError(fmt::format("joint '{}' is driven in part: {}; drive all of it, or none",
                                    mechanism.tree().joint_name(b),
                                    is_plain ? "the robot has loops" : "its q is a quaternion"));
  }
  return options;
}

}  // namespace

void forces_along(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& given,
                  const std::function<void(const AlongSample&)>& f) {
  const AlongOptions options = complete(mechanism, motion, given);
  motion::OnMotion on(mechanism, motion, options);
  motion::FreeRun run(mechanism.tree(), motion, on, options);
  std::vector<double> q(size_t(mechanism.nq())), v(size_t(mechanism.nv()));
  on.start(q, v);
  const auto samples = static_cast<long>(std::ceil(options.duration / options.every * (1 - 1e-12)));
  const motion::Breaks breaks(motion);
  // A row at an instant where the motion jumps, but for rounding, shows what follows, the last one what was before.
  const auto asked = [&](double instant, bool is_last) {
    if (instant == 0 || (is_last && instant >= motion.duration())) return instant;
    return is_last ? breaks.before(instant) : breaks.after(instant);
  };
  double t = 0;
  for (long i = 0; i <= samples; ++i) {
    const double next = i == samples ? options.duration : double(i) * options.every;
    if (!on.undriven().empty()) run.follow(t, next, q, v);
    t = next;
    const motion::OnMotion::Answer& now = on.at(asked(t, i == samples), q, v);
    const Dynamics::Energy energy = on.energy(q, v);
    f({t, q, v, now.a, now.tau, energy.kinetic, energy.potential});
  }
}

}  // namespace denoc
