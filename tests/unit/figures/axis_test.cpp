#include "output/figures/axis.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "output/figures/text.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

// A range anywhere from 1e-30 to 1e30, up to a million times as far from zero as it is long.
struct Span {
  double low, high;
};
Span any_span() {
  const double size = std::pow(10, *rc::gen::inRange(-300, 300) / 10.0);
  const double from = *rc::gen::inRange(-1000000, 1000000) * (*rc::gen::element(1e-6, 1e-3, 1.0));
  const double length = *rc::gen::inRange(1, 10000) * 1e-3;
  return {from * size, (from + length) * size};
}
Axis any_axis() {
  const Span span = any_span();
  Range range;
  range.cover(span.high);
  range.cover(span.low);
  Axis axis = axis_over(range, Scale::linear, 0.05);
  axis.from = 300;
  axis.to = 20;
  return axis;
}

RC_GTEST_PROP(Ticks, ThreeToEightRisingInsideAtRoundSteps, ()) {
  const Span span = any_span();
  const Ticks ticks = linear_ticks(span.low, span.high);
  RC_ASSERT(ticks.major.size() >= 3U);
  RC_ASSERT(ticks.major.size() <= 8U);
  RC_ASSERT(ticks.major.front() >= span.low);
  RC_ASSERT(ticks.major.back() <= span.high);
  for (std::size_t i = 1; i < ticks.major.size(); ++i) RC_ASSERT(ticks.major[i] > ticks.major[i - 1]);
  const double digit = ticks.step / std::pow(10, std::floor(std::log10(ticks.step) + 1e-9));
  RC_ASSERT(std::abs(digit - 1) < 1e-9 || std::abs(digit - 2) < 1e-9 || std::abs(digit - 5) < 1e-9);
}

RC_GTEST_PROP(Ticks, MinorOnesLieBetween, ()) {
  const Span span = any_span();
  const Ticks ticks = linear_ticks(span.low, span.high);
  const double slack = 1e-6 * ticks.step;
  for (const double minor : ticks.minor) {
    RC_ASSERT(minor > span.low - slack);
    RC_ASSERT(minor < span.high + slack);
    for (const double major : ticks.major) RC_ASSERT(std::abs(minor - major) > ticks.step / 6);
  }
}

RC_GTEST_PROP(Ticks, LogarithmicOnesAreInsideAndRise, ()) {
  const double low = std::pow(10, *rc::gen::inRange(-300, 300) / 10.0);
  const double high = low * (1 + std::pow(10, *rc::gen::inRange(-20, 300) / 10.0));
  const Ticks ticks = log_ticks(low, high);
  RC_ASSERT(ticks.major.size() >= 3U);
  RC_ASSERT(ticks.major.size() <= 10U);
  for (std::size_t i = 0; i < ticks.major.size(); ++i) {
    RC_ASSERT(ticks.major[i] >= low * (1 - 1e-8) && ticks.major[i] <= high * (1 + 1e-8));
    if (i > 0) RC_ASSERT(ticks.major[i] > ticks.major[i - 1]);  // RapidCheck looks at both sides of an ||
  }
}

RC_GTEST_PROP(AxisLabels, AreTheTicksAndAllDiffer, ()) {
  const Axis axis = any_axis();
  std::set<std::string> seen;
  for (const double tick : axis.ticks.major) {
    std::string label = axis.label(tick);
    RC_ASSERT(seen.insert(label).second);
    if (label.starts_with("\u2212")) label.replace(0, std::string("\u2212").size(), "-");
    RC_ASSERT(std::abs(std::stod(label) * std::pow(10, axis.exponent) - tick) <= 1e-6 * axis.ticks.step);
    RC_ASSERT(label.size() <= 10U);
  }
}

RC_GTEST_PROP(AxisPlaces, EndsAreTheEndsAndOrderIsKept, ()) {
  const Axis axis = any_axis();
  RC_ASSERT(std::abs(axis.at(axis.low) - axis.from) < 1e-6);
  RC_ASSERT(std::abs(axis.at(axis.high) - axis.to) < 1e-6);
  for (std::size_t i = 1; i < axis.ticks.major.size(); ++i)
    RC_ASSERT(axis.at(axis.ticks.major[i]) < axis.at(axis.ticks.major[i - 1]));
}

TEST(Axis, RangesOfOneNumberOrNoneHaveWidth) {
  for (const double only : {0.0, 1.0, -3e7, 1e-300, 5e-324, 1e279}) {
    Range range;
    range.cover(only);
    const Axis axis = axis_over(range, Scale::linear, 0.05);
    EXPECT_LT(axis.low, only) << only;
    EXPECT_GT(axis.high, only) << only;
    EXPECT_GE(axis.ticks.major.size(), 3U) << only;
    EXPECT_NEAR(axis.high - only, only - axis.low, 1e-12 * std::abs(axis.high)) << "in the middle";
    EXPECT_TRUE(std::abs(only) < 1e-280 || axis.low * only > 0) << only << ": on its own side of zero";
  }
  EXPECT_GE(axis_over({}, Scale::linear, 0.05).ticks.major.size(), 3U);
  EXPECT_GE(axis_over({}, Scale::logarithmic, 0.05).ticks.major.size(), 3U);
}

// The same of factors: what is constant has as much below it as above.
TEST(Axis, LogarithmicRangesOfOneNumberHaveWidth) {
  for (const double only : {1.0, 0.3, 7e5, 1e-12, 1e-279, 1e279})
    for (const double margin : {0.0, 0.05}) {
      Range range;
      range.cover(only);
      Axis axis = axis_over(range, Scale::logarithmic, margin);
      axis.from = 300;
      axis.to = 20;
      EXPECT_LT(axis.low, only) << only;
      EXPECT_GT(axis.high, only) << only;
      EXPECT_NEAR(axis.at(only), 160, 1e-9) << only << ": in the middle";
      EXPECT_GE(axis.ticks.major.size(), 3U) << only;
      for (const double tick : axis.ticks.major) EXPECT_TRUE(axis.at(tick) < 300.01 && axis.at(tick) > 19.99) << tick;
    }
}
// What has a width has its margin, in parts of that.
RC_GTEST_PROP(AxisPlaces, MarginsArePartsOfTheWidth, ()) {
  const double low = std::pow(10, *rc::gen::inRange(-300, 300) / 10.0), factor = std::pow(10, *rc::gen::inRange(1, 50));
  Range range;
  range.cover(low);
  range.cover(low * factor);
  const Axis axis = axis_over(range, Scale::logarithmic, 0.05);
  RC_ASSERT(std::abs(std::log(low / axis.low) / std::log(factor) - 0.05) < 1e-9);
  RC_ASSERT(std::abs(std::log(axis.high / low / factor) / std::log(factor) - 0.05) < 1e-9);
}

TEST(Axis, DoesNotCountZeroIntoNegativeNumbers) {
  Range range;
  for (const double x : {-30.0, -50.0}) range.cover(x);
  EXPECT_EQ(range.low, -50);
  EXPECT_EQ(range.high, -30);
}

TEST(Axis, TakesOutACommonPowerOfTen) {
  Range range;
  for (const double x : {0.0, 4.2e-9}) range.cover(x);
  const Axis axis = axis_over(range, Scale::linear, 0);
  EXPECT_EQ(axis.exponent, -9);
  EXPECT_EQ(axis.label(axis.ticks.major[1]), "1");
}

// By thousands, so that no label has more than three digits before its point; from 0.01 to 9999 there is none.
TEST(Axis, TakesPowersOfTenByThousands) {
  for (const auto& [most, exponent] : {std::pair{4.2e-12, -12},
                                       {4.2e-10, -12},
                                       {4.2e-4, -6},
                                       {4.2e-3, -3},
                                       {4.2e-2, 0},
                                       {4.2e3, 0},
                                       {4.2e4, 3},
                                       {4.2e6, 6},
                                       {4.2e8, 6}}) {
    Range range;
    for (const double x : {0.0, most}) range.cover(x);
    EXPECT_EQ(axis_over(range, Scale::linear, 0).exponent, exponent) << most;
  }
}

TEST(Axis, HasNoPlaceForWhatIsNotANumber) {
  const Axis linear{}, logarithmic{.scale = Scale::logarithmic};
  EXPECT_FALSE(linear.has(NAN));
  EXPECT_FALSE(linear.has(INFINITY));
  EXPECT_TRUE(linear.has(-1));
  EXPECT_FALSE(logarithmic.has(0));
  EXPECT_FALSE(logarithmic.has(-1));
  EXPECT_TRUE(logarithmic.has(1e-200));
}

RC_GTEST_PROP(RoundBelow, IsNotAboveAndNotFarBelow, ()) {
  const double x = std::pow(10, *rc::gen::inRange(-3000, 3000) / 100.0), r = round_below(x);
  RC_ASSERT(r <= x * (1 + 1e-12));
  RC_ASSERT(r >= x / 2.5 * (1 - 1e-12));
}

TEST(Text, NumbersReadAsPeopleWriteThem) {
  EXPECT_EQ(readable(1.25), "1.250");
  EXPECT_EQ(readable(0), "0");
  EXPECT_EQ(readable(-12.3456), "\u221212.35");
  EXPECT_EQ(readable(9.9996), "10.00");
  EXPECT_EQ(readable(3.14e-9, 2), "3.1\u00A0\u00D7\u00A010\u207B\u2079");
  EXPECT_EQ(readable(NAN), "\u2013");
  EXPECT_EQ(fixed(-0.001, 1), "0.0");
}

TEST(Text, ShortNamesKeepBothEnds) {
  EXPECT_EQ(shortened("elbow", 5), "elbow");
  EXPECT_EQ(shortened("left_elbow_joint_7", 9), "left\u2026nt_7");
  EXPECT_EQ(shortened("\u00E4\u00F6\u00FC\u00E4\u00F6\u00FC", 5), "\u00E4\u00F6\u2026\u00F6\u00FC");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
