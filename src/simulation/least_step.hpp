// What the digits of t tell apart.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <string>

namespace denoc::simulation {

// Steps below this are lost in the digits of t.
constexpr double least_step(double duration) { return 16 * std::numeric_limits<double>::epsilon() * duration; }

// What is wrong with samples of a law at that rate in a run of that length; nothing if it is empty.
inline std::string samples_too_close(double rate, double duration) {
  if (rate * least_step(duration) <= 1) return "";
  return fmt::format("the digits of t do not tell its samples apart in a run of {} s", duration);
}

}  // namespace denoc::simulation
