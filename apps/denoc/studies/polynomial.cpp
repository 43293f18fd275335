#include "studies/polynomial.hpp"

#include <fmt/format.h>

#include <cmath>

namespace denoc::app {
namespace {

// 1.5, 11/6: coefficients are sixths of whole numbers.
std::string coefficient(double c) {
  for (const int part : {1, 2, 3, 6}) {
    const double times = std::round(c * part);
    if (std::abs(times - c * part) > 1e-6) continue;
    return part == 1 ? fmt::format("{:.0f}", times) : fmt::format("{:.0f}/{}", times, part);
  }
  return fmt::format("{:.4g}", c);
}

}  // namespace

std::string Polynomial::text() const {
  std::string all;
  for (int k = 3; k >= 0; --k) {
    if (std::abs(c[k]) < 1e-6) continue;
    const std::string size = coefficient(std::abs(c[k])), power = k == 0 ? "" : k == 1 ? "n" : fmt::format("n^{}", k);
    const bool is_fraction = size.find('/') != std::string::npos;
    all += fmt::format("{}{}{}{}",
                       c[k] < 0      ? "-"
                       : all.empty() ? ""
                                     : "+",
                       size == "1" && k > 0 ? "" : size, is_fraction && k > 0 ? " " : "", power);
  }
  return all.empty() ? "0" : all;
}

}  // namespace denoc::app
