// What a step passes: the cubic through two values and their slopes, and which of two instants is first.
#pragma once
#include <algorithm>
#include <cmath>

namespace denoc::simulation {

// u = u0 + s0 x + b x^2 + c x^3 goes from u0 at x = 0 to u1 at x = 1, with the slopes s0 and s1: where between them it is
// lowest, if it is below zero there by more than rounding; else 0.
inline double dip(double u0, double s0, double u1, double s1) {
  if (!(s0 < 0 && s1 > 0)) return 0;
  const double b = 3 * (u1 - u0) - 2 * s0 - s1, c = s0 + s1 - 2 * (u1 - u0);
  const double root = std::sqrt(std::max(0.0, b * b - 3 * c * s0)), x = -s0 / (b + root);
  const double rounding = 1e-12 * std::max(std::abs(u0), std::abs(u1));
  return x > 0 && x < 1 && u0 + x * (s0 + x * (b + x * c)) < -rounding ? x : 0;
}

// Of two instants the earlier, where 0 is none.
inline double earlier(double a, double b) { return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b); }

}  // namespace denoc::simulation
