#include "checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "denoc/error.hpp"

namespace denoc::motion {

double positive_duration(double duration) {
  if (!(duration > 0) || !std::isfinite(duration))
    throw ArgumentError(fmt::format("a motion takes a positive time, not {} s", duration));
  return duration;
}

std::string too_many_samples(double every, double duration) {
  constexpr double most = 1e9;
  if (duration / every <= most) return "";
  return fmt::format("a sample every {} s for {} s gives more than {:g}", every, duration, most);
}

}  // namespace denoc::motion
