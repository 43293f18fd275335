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

}  // namespace denoc::motion
