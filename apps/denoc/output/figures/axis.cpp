#include "output/figures/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/figures/text.hpp"

namespace denoc::figures {
namespace {

constexpr int most_ticks = 8;
// Less is not told apart from a constant: its labels would have more digits than anyone reads.
constexpr double least_relative_span = 1e-4;
// Between these, differences and quotients of an axis neither overflow nor vanish.
constexpr double smallest_drawn = 1e-280, largest_drawn = 1e280;

double magnitude(double low, double high) { return std::max(std::abs(low), std::abs(high)); }

// Multiples k of step with low <= k step <= high, up to rounding at the ends.
struct Multiples {
  double first, last;
  Multiples(double low, double high, double step) {
    constexpr double slack = 1e-9;
    first = std::ceil(low / step - slack);
    last = std::floor(high / step + slack);
  }
  double count() const { return last - first + 1; }
};

int decimals_of(double step) { return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-6))); }

}  // namespace

// The smallest_drawn step with at most 8 ticks. The step before it, at least 1/2.5 as large, gave 9 or more, so the range is
// at least 8/2.5 of these steps: 3 ticks or more.
Ticks linear_ticks(double low, double high) {
  struct Step {
    double factor;
    int parts;  // between minor ticks
  };
  constexpr Step steps[] = {{1, 5}, {2, 4}, {5, 5}};
  for (int decade = static_cast<int>(std::floor(std::log10((high - low) / most_ticks))) - 1;; ++decade) {
    for (const Step& kind : steps) {
      // a power of ten below one is the quotient: 3 / 10 is 0.3, 3 * 0.1 is not
      const double power = std::pow(10, std::abs(decade));
      const auto multiple = [&](double k) { return decade < 0 ? k * kind.factor / power : k * kind.factor * power; };
      const double step = multiple(1);
      const Multiples majors(low, high, step);
      if (majors.count() > most_ticks) continue;
      Ticks ticks{.major = {}, .minor = {}, .step = step};
      for (double k = majors.first; k <= majors.last; ++k) ticks.major.push_back(std::clamp(multiple(k), low, high));
      const Multiples minors(low, high, step / kind.parts);
      for (double k = minors.first; k <= minors.last; ++k)
        if (std::fmod(k, kind.parts) != 0) ticks.minor.push_back(k * (step / kind.parts));
      return ticks;
    }
  }
}

Ticks log_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const auto inside = [&](double x) { return x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9); };
  std::vector<double> decades, sparse, all;
  for (int k = first; k <= last; ++k) {
    for (int m = 1; m <= 9; ++m) {
      const double x = m * std::pow(10, k);
      if (!inside(x)) continue;
      all.push_back(x);
      if (m == 1) decades.push_back(x);
      if (m == 1 || m == 2 || m == 5) sparse.push_back(x);
    }
  }
  if (decades.size() > most_ticks) {
    const std::size_t every = (decades.size() + most_ticks - 1) / most_ticks;
    Ticks ticks{.major = {}, .minor = {}, .step = std::pow(10, every)};
    for (std::size_t i = 0; i < decades.size(); ++i) (i % every == 0 ? ticks.major : ticks.minor).push_back(decades[i]);
    return ticks;
  }
  if (decades.size() >= 3) return {decades, all, 10};
  if (sparse.size() >= 3) return {sparse, all, 10};
  return linear_ticks(low, high);
}

double round_below(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
}

double Axis::at(double x) const {
  const double part = scale == Scale::linear ? (x - low) / (high - low) : std::log(x / low) / std::log(high / low);
  return from + part * (to - from);
}

bool Axis::has(double x) const { return std::abs(x) < largest_drawn && (scale == Scale::linear || x > smallest_drawn); }

std::string Axis::label(double tick) const {
  const double unit = std::pow(10, exponent);
  if (scale == Scale::linear) return fixed(tick / unit, decimals_of(ticks.step / unit));
  const bool plain = low >= 1e-4 && high <= 2e5;
  const double decade = std::log10(tick);
  if (!plain && std::abs(decade - std::round(decade)) < 1e-9) return power_of_ten(static_cast<int>(std::round(decade)));
  return plain ? fmt::format("{:.6g}", tick) : readable(tick, 2);
}

void Range::cover(double x) {
  const bool first = empty();
  low = first ? x : std::min(low, x);
  high = first ? x : std::max(high, x);
}

Axis axis_over(const Range& range, Scale scale, double margin) {
  Axis axis{.scale = scale};
  if (!range.empty()) axis.low = range.low, axis.high = range.high;
  if (range.empty() && scale == Scale::logarithmic) axis.low = 1, axis.high = 10;
  double size = magnitude(axis.low, axis.high);
  if (scale == Scale::linear && size < smallest_drawn) size = axis.low = axis.high = 0;
  if (scale == Scale::logarithmic) {
    const double widen = std::pow(axis.high / axis.low, margin) * (axis.high > axis.low ? 1 : 2);
    axis.low /= widen;
    axis.high *= widen;
    axis.ticks = log_ticks(axis.low, axis.high);
    return axis;
  }
  const double least = size > 0 ? size * least_relative_span : 2;
  const double span = axis.high - axis.low;
  // What is constant stands in the middle.
  const double widen = span == 0 && size > 0 ? size / 2 : span < least ? (least - span) / 2 : span * margin;
  axis.low -= widen;
  axis.high += widen;
  axis.ticks = linear_ticks(axis.low, axis.high);
  double most = 0;
  for (const double tick : axis.ticks.major) most = std::max(most, std::abs(tick));
  const int decade = static_cast<int>(std::floor(std::log10(most) + 1e-9));
  if (decade < -2 || decade > 3) axis.exponent = 3 * static_cast<int>(std::floor(decade / 3.0));
  return axis;
}

}  // namespace denoc::figures
