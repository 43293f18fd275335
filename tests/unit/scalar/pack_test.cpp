// A pack does to each of its lanes what the plain number does.
#include "denoc/scalar/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace denoc {
namespace {
namespace THIS_FILE {

template <class E, int W> void expect_lanes() {
  using P = Pack<E, W>;
  P x(E(0)), y(E(0));
  for (int l = 0; l < W; ++l) x.v[l] = E(0.3) * E(l + 1) - E(1), y.v[l] = E(2.5) - E(0.7) * E(l);
  const auto each = [&](const P& found, auto expected, const char* what) {
    for (int l = 0; l < W; ++l) {
      const E known = expected(x.v[l], y.v[l]);
      EXPECT_NEAR(double(found.v[l]), double(known), 4 * std::numeric_limits<E>::epsilon()) << what << " of lane " << l;
    }
  };
  each(
      x + y, [](E a, E b) { return a + b; }, "sum");
  each(
      x - y, [](E a, E b) { return a - b; }, "difference");
  each(
      x * y, [](E a, E b) { return a * b; }, "product");
  each(
      x / y, [](E a, E b) { return a / b; }, "quotient");
  each(
      -x, [](E a, E) { return -a; }, "minus");
  each(
      sqrt(x * x), [](E a, E) { return std::abs(a); }, "root");
  each(
      atan2(x, y), [](E a, E b) { return std::atan2(a, b); }, "angle");
  each(
      select(x < y, x, y), [](E a, E b) { return std::min(a, b); }, "choice");
  P s, c;
  sincos(x, s, c);
  each(
      s, [](E a, E) { return std::sin(a); }, "sine");
  each(
      c, [](E a, E) { return std::cos(a); }, "cosine");
  EXPECT_TRUE(P::any(x < y));
  EXPECT_FALSE(P::any(x < x));
}
TEST(Pack, DoesInEachLaneWhatANumberDoes) {
  expect_lanes<double, 2>();
  expect_lanes<double, 4>();
  expect_lanes<float, 4>();
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
