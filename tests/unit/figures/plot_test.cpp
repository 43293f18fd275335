#include "output/figures/plot.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "output/figures/curves.hpp"
#include "output/figures/decimate.hpp"
#include "output/figures/svg.hpp"
#include "output/figures/text.hpp"
#include "unit/figures/markup.hpp"

namespace denoc::figures {
namespace {
namespace THIS_FILE {

std::vector<PagePoint> any_points() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 3000);
  const auto heights = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(-100000, 100000));
  std::vector<PagePoint> points;
  for (std::size_t i = 0; i < count; ++i)
    points.push_back({500.0 * static_cast<double>(i) / static_cast<double>(count), heights[i] * 1e-3});
  return points;
}
bool lower(const PagePoint& a, const PagePoint& b) { return a.y < b.y; }

RC_GTEST_PROP(Decimation, KeepsExtremesAndEnds, ()) {
  const std::vector<PagePoint> points = any_points(), kept = decimated(points, 1, 0.1);
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), lower);
  const auto [kept_low, kept_high] = std::minmax_element(kept.begin(), kept.end(), lower);
  RC_ASSERT(kept_low->y == low->y);
  RC_ASSERT(kept_high->y == high->y);
  RC_ASSERT(kept.front().x == points.front().x && kept.front().y == points.front().y);
  RC_ASSERT(kept.back().x == points.back().x && kept.back().y == points.back().y);
  RC_ASSERT(kept.size() <= std::min<std::size_t>(points.size(), 4 * 501));
  for (std::size_t i = 1; i < kept.size(); ++i) RC_ASSERT(kept[i].x > kept[i - 1].x);  // none twice
}

// What is left out is within the tolerance of the lines drawn, in the columns where all points were kept.
RC_GTEST_PROP(Decimation, LeavesOutOnlyWhatCannotBeSeen, ()) {
  const double tolerance = 0.1;
  const auto count = *rc::gen::inRange<std::size_t>(3, 400);
  std::vector<PagePoint> points;
  const double bend = *rc::gen::inRange(0, 50);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = 500.0 * static_cast<double>(i) / static_cast<double>(count);  // more than a column apart
    points.push_back({x, bend * std::sin(x / 40)});
  }
  const std::vector<PagePoint> kept = decimated(points, 1, tolerance);
  for (const PagePoint& p : points) {
    const auto next =
        std::lower_bound(kept.begin(), kept.end(), p.x, [](const PagePoint& a, double x) { return a.x < x; });
    if (next->x == p.x) continue;
    const PagePoint a = *std::prev(next), b = *next;
    const double distance =
        std::abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / std::hypot(b.x - a.x, b.y - a.y);
    RC_ASSERT(distance <= tolerance * (1 + 1e-9));
  }
}

TEST(Decimation, ManyPointsOfASmoothCurveBecomeFew) {
  std::vector<PagePoint> points;
  for (int i = 0; i <= 100000; ++i) points.push_back({i * 5e-3, 100 * std::sin(i * 1e-4)});
  EXPECT_LT(decimated(points, 0.5, 0.06).size(), 300U);
}

RC_GTEST_PROP(Spread, KeepsOrderAndGapInsideTheRoom, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 11);
  auto wanted = *rc::gen::container<std::vector<double>>(
      count, rc::gen::map(rc::gen::inRange(0, 2000), [](int i) { return i * 0.1; }));
  std::sort(wanted.begin(), wanted.end());
  const std::vector<double> places = spread(wanted, 15, 0, 200);
  RC_ASSERT(places.front() >= 0 && places.back() <= 200);
  for (std::size_t i = 1; i < count; ++i) RC_ASSERT(places[i] - places[i - 1] >= 15 - 1e-9);
}
TEST(Spread, LeavesAloneWhatIsFarApart) {
  EXPECT_EQ(spread({10, 50, 120}, 15, 0, 200), (std::vector<double>{10, 50, 120}));
  EXPECT_EQ(spread({100, 100}, 20, 0, 200), (std::vector<double>{90, 110}));
}

Plot plot_of(std::size_t curves) {
  Plot plot{.title = "Angles <of> \"joints\" & 'more'", .x = {"time", "s"}, .y = {"a < b", "N m"}};
  for (std::size_t k = 0; k < curves; ++k) {
    Curve curve{.name = "joint<" + std::to_string(k) + ">&'\"", .x = {}, .y = {}};
    for (int i = 0; i < 500; ++i) {
      curve.x.push_back(i * 0.01);
      curve.y.push_back(std::sin(i * 0.02 + static_cast<double>(k)));
    }
    plot.curves.push_back(curve);
  }
  return plot;
}

// The key leaves room for the longest name, and none where there is no name.
TEST(Plot, KeyIsAsWideAsItsLongestName) {
  const auto key = [](const std::vector<std::string>& names) {
    std::vector<Curve> curves;
    for (const std::string& name : names) curves.push_back({name, {}, {}});
    return key_width(curves);
  };
  for (const char* name : {"q", "shoulder"})
    EXPECT_NEAR(key({"", name, "j"}) - key({""}), width_of(name, svg_font_size), 1e-12) << name;
}

TEST(Plot, IsWellFormedForAnyNumberOfCurves) {
  for (const std::size_t curves : {0, 1, 6, 10, 11, 100}) {
    const std::string text = svg(plot_of(curves));
    expect_well_formed(text);
    EXPECT_FALSE(contains(text, "nan") || contains(text, "inf")) << curves;
    EXPECT_EQ(text, svg(plot_of(curves)));
  }
}

TEST(Plot, EscapesNames) {
  const std::string text = svg(plot_of(2));
  EXPECT_TRUE(contains(text, "joint&lt;0&gt;&amp;&#39;&quot;"));
  EXPECT_FALSE(contains(text, "joint<0>"));
  EXPECT_TRUE(contains(text, "a &lt; b (N m)"));
}

TEST(Plot, LeavesAGapForWhatIsNotFinite) {
  Plot plot = plot_of(1);
  for (int i = 100; i < 200; ++i) plot.curves[0].y[static_cast<std::size_t>(i)] = i % 2 == 0 ? NAN : -INFINITY;
  plot.curves.push_back({"none at all", plot.curves[0].x, std::vector<double>(500, NAN)});
  const std::string text = svg(plot);
  expect_well_formed(text);
  EXPECT_FALSE(contains(text, "nan") || contains(text, "inf"));
}

TEST(Plot, DrawsLogarithmicAxesMarksPointsAndPanels) {
  Plot plot{.title = "growth",
            .x = {"n", ""},
            .y = {"time", "ns"},
            .curves = {{"ours", {1, 10, 100, 1000}, {3, 30, 300, 0}, Curve::Draw::both},
                       {"published", {1, 1000}, {5, 5000}, Curve::Draw::points}},
            .x_scale = Scale::logarithmic,
            .y_scale = Scale::logarithmic,
            .marks = {{20, true, "slip & stick"}, {30, false, "rest"}, {5000, false, "outside"}}};
  const std::string text = svg(std::vector<Plot>{plot, plot});
  expect_well_formed(text);
  EXPECT_TRUE(contains(text, ">1000</text>"));
  EXPECT_TRUE(contains(text, "slip &amp; stick"));
  EXPECT_FALSE(contains(text, "outside"));
  EXPECT_FALSE(contains(text, "nan") || contains(text, "inf"));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::figures
