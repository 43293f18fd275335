#include "checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc::motion {

double positive_duration(double duration) {
  if (!(duration > 0) || !std::isfinite(duration))
    throw ArgumentError(fmt::format("a motion takes a positive time, not {} s", duration));
  return duration;
}

void require_sizes(int nq, int nv, std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  require_size(q, nq, "q");
  require_size(v, nv, "v");
  require_size(a, nv, "a");
}

std::string too_many_samples(double every, double duration) {
  constexpr double most = 1e9;
  if (duration / every <= most) return "";
  return fmt::format("a sample every {} s for {} s gives more than {:g}", every, duration, most);
}

}  // namespace denoc::motion
