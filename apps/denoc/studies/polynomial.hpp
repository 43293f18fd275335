// Operations as polynomials of the number of joints.
#pragma once
#include <string>

namespace denoc::app {

// c[0] + c[1] n + c[2] n^2 + c[3] n^3
struct Polynomial {
  double c[4] = {};
  constexpr double operator()(double n) const { return c[0] + n * (c[1] + n * (c[2] + n * c[3])); }
  std::string text() const;  // "1/6n^3+7n^2-46"
};

}  // namespace denoc::app
