// Whether methods agree: the worst that each of them did, relative to what rounding explains, and the verdict.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "session.hpp"

namespace denoc::app {

struct Agreement {
  std::string_view problem, method;
  double difference = 0, times = 0;
  std::size_t dof = 0, state = 0;

  void meet(double found, double allowed, std::size_t at_dof, std::size_t at_state) {
    const double ratio = found == 0 ? 0 : found / allowed;
    if (ratio <= times) return;
    difference = found, times = ratio, dof = at_dof, state = at_state;
  }
  // Entry by entry; a matrix has a row for each degree of freedom.
  void meet(std::span<const double> x, std::span<const double> expected, std::span<const double> allowed,
            std::size_t at_state, std::size_t columns = 1) {
    for (std::size_t k = 0; k < x.size(); ++k) meet(std::abs(x[k] - expected[k]), allowed[k], k / columns, at_state);
  }
  bool holds() const { return times <= 1; }
};

struct Verdict {
  Agreement worst;
  bool agree;
  Status status() const { return agree ? Status::done : Status::numbers; }
};
// Of at least one.
inline Verdict verdict_of(const std::vector<Agreement>& all) {
  return {*std::max_element(all.begin(), all.end(),
                            [](const Agreement& a, const Agreement& b) { return a.times < b.times; }),
          std::all_of(all.begin(), all.end(), [](const Agreement& a) { return a.holds(); })};
}

}  // namespace denoc::app
