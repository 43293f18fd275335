#include "denoc/scalar/jet.hpp"

#include <gtest/gtest.h>

#include "denoc/scalar/exp.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Value, first and second derivative by nested duals, which differentiate everything twice by the same rules.
using Second = Dual<Dual<double>>;
Second second(double x, double d, double dd) { return {Dual<double>(x, d), Dual<double>(d, dd)}; }
void expect_same(const Jet& found, const Second& expected, const char* what) {
  const auto near = [&](double a, double b, const char* which) {
    EXPECT_LE(std::abs(a - b), 1e-14 * (1 + std::abs(b))) << what << ": " << which;
  };
  near(found.x, expected.x.x, "value");
  near(found.d, expected.x.d, "first derivative");
  near(found.dd, expected.d.d, "second derivative");
}
void expect_same(const Jet& a, const Jet& b, const char* what) { expect_same(a, second(b.x, b.d, b.dd), what); }

TEST(Jet, AgreesWithNestedDuals) {
  const Jet a{0.7, -1.3, 2.1}, b{1.9, 0.4, -0.8};
  const Second x = second(a.x, a.d, a.dd), y = second(b.x, b.d, b.dd);
  expect_same(a + b, x + y, "+");
  expect_same(a - b, x - y, "-");
  expect_same(-a, -x, "negative");
  expect_same(a * b, x * y, "*");
  expect_same(a / b, x / y, "/");
  expect_same(sqrt(a), sqrt(x), "sqrt");
  Second s, c;
  sincos(x, s, c);
  expect_same(sin(a), s, "sin");
  expect_same(cos(a), c, "cos");
  expect_same(tan(a), s / c, "tan");
  const Dual<double> grown = exp(x.x);
  expect_same(exp(a), Second{grown, Dual<double>(grown * x.d)}, "exp");
}

// What Dual has not, by identities.
TEST(Jet, KeepsTheRulesOfPowersAndLogarithms) {
  const Jet a{0.7, -1.3, 2.1}, b{1.9, 0.4, -0.8};
  expect_same(exp(log(a)), a, "exp log");
  expect_same(log(exp(a)), a, "log exp");
  expect_same(pow(a, Jet{3}), a * a * a, "cube");
  expect_same(pow(a, Jet{-2}), Jet{1} / (a * a), "inverse square");
  expect_same(pow(a, Jet{0.5}), sqrt(a), "root");
  expect_same(pow(a, b), exp(b * log(a)), "general power");
  expect_same(pow(a, b) * pow(a, -b), Jet{1}, "a^b a^-b");
  // At zero, and of negative bases, powers with whole exponents have their derivatives.
  const Jet t{0, 1, 0}, minus{-2, 1, 0};
  expect_same(pow(t, Jet{2}), Jet{0, 0, 2}, "t^2 at 0");
  expect_same(pow(t, Jet{1}), Jet{0, 1, 0}, "t at 0");
  expect_same(pow(t, Jet{0}), Jet{1, 0, 0}, "1");
  expect_same(pow(minus, Jet{3}), Jet{-8, 12, -12}, "t^3 at -2");
}

TEST(Jet, TakesTheBranchThatFollows) {
  const Jet rising{0, 2, 1}, falling{0, -3, 1}, other{0, 1, 5};
  expect_same(abs(rising), rising, "abs, rising");
  expect_same(abs(falling), -falling, "abs, falling");
  expect_same(abs(Jet{0, 0, -4}), Jet{0, 0, 4}, "abs, at a maximum");
  expect_same(least(rising, other), other, "least");
  expect_same(most(rising, other), rising, "most");
  EXPECT_EQ(sign_after(Jet{}), 0);
}

// The least of two functions is, just after t, the one that is smaller there: x + d h + dd h^2/2 with a small h tells
// which, of all pairs of small whole numbers. Of two that stay alike either is it.
TEST(Jet, LeastMostAndAbsAreTheBranchJustAfter) {
  std::vector<Jet> all;
  for (const double x : {-1, 0, 1})
    for (const double d : {-1, 0, 1})
      for (const double dd : {-1, 0, 1}) all.push_back({x, d, dd});
  const auto after = [](const Jet& a) { return a.x + 1e-3 * (a.d + 0.5e-3 * a.dd); };
  for (const Jet& a : all) {
    expect_same(abs(a), after(a) < 0 ? -a : a, "abs");
    for (const Jet& b : all) {
      const Jet &smaller = after(a) < after(b) ? a : b, &larger = after(a) < after(b) ? b : a;
      expect_same(least(a, b), smaller, "least");
      expect_same(most(a, b), larger, "most");
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
