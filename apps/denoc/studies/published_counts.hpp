// What the papers say their algorithms cost, for a serial chain of n revolute joints.
#pragma once
#include <span>
#include <string_view>

namespace denoc::app {

// c0 + c1 n + c2 n^2 + c3 n^3
struct CountPolynomial {
  double c[4];
  double operator()(int n) const { return c[0] + n * (c[1] + n * (c[2] + n * c[3])); }
};

inline constexpr std::string_view phi_given = "factorize + solve";  // phi = tau - bias is there already

struct PublishedCount {
  std::string_view problem, method;  // ours that does the same
  std::string_view where;
  CountPolynomial mul, add;  // a division is a multiplication
  int only_at = 0;           // the paper prints this n only
};
std::span<const PublishedCount> published_counts();

}  // namespace denoc::app
