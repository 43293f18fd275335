#include "denoc/io/polygons.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace denoc::io {
namespace {
namespace THIS_FILE {

using Points = std::vector<Vec3<double>>;

Vec3<double> area(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return cross(b - a, c - a) * 0.5;
}
// At most n - 2 triangles, and their areas add up to the polygon's, none against the others.
void expect_whole(const Points& corners, double expected) {
  for (std::size_t start = 0; start < corners.size(); ++start) {
    Points turned = corners;
    std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(start), turned.end());
    const auto cut = cut_polygon(turned);
    ASSERT_TRUE(cut) << start;
    EXPECT_LE(cut->size(), corners.size() - 2);
    double sum = 0;
    for (const auto& [a, b, c] : *cut) sum += norm(area(turned[a], turned[b], turned[c]));
    EXPECT_NEAR(sum, expected, 1e-12 * expected) << start;
  }
}
// A plane that is not one of the axes'.
Points tilted(Points points) {
  for (auto& p : points) p = {p.x * 0.6 + 3, p.y * 0.8 + p.x * 0.48 - 2, p.x * 0.64 - p.y * 0.6 + 1};
  return points;
}

TEST(Polygons, AreCutWithinWhereverTheyBegin) {
  expect_whole({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 1);
  expect_whole(tilted({{0, 0, 0}, {3, 0, 0}, {0.5, 0.5, 0}, {0, 3, 0}}), 1.5);                     // an arrowhead
  expect_whole(tilted({{0, 0, 0}, {6, 0, 0}, {6, 1, 0}, {1, 1, 0}, {1, 6, 0}, {0, 6, 0}}), 11);    // an L
  expect_whole({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}, {0, 1, 0}}, 3);  // on a line
  expect_whole({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 1);                        // one twice
  expect_whole(
      {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0}, {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}},
      8);  // with a hole, by way of a slit
}

// r(phi) = 1 + random about a point that sees all corners: A = sum of r_i r_i+1 sin / 2.
TEST(Polygons, StarsOfManyCorners) {
  std::mt19937 random(1);
  for (const int n : {5, 8, 30, 200}) {
    const double step = 2 * std::acos(-1.0) / n;
    Points points;
    std::vector<double> r;
    for (int i = 0; i < n; ++i) {
      r.push_back(std::uniform_real_distribution(0.2, 3.0)(random));
      points.push_back({r.back() * std::cos(i * step), r.back() * std::sin(i * step), 0});
    }
    double expected = 0;
    for (int i = 0; i < n; ++i)
      expected += std::sin(step) / 2 * r[static_cast<std::size_t>(i)] * r[static_cast<std::size_t>((i + 1) % n)];
    expect_whole(tilted(points), expected);
  }
}

TEST(Polygons, FourCornersAreCutAlongTheShorterDiagonal) {
  const auto cuts_second = [](const Points& corners) {
    const auto cut = cut_polygon(corners);
    return std::none_of(cut->begin(), cut->end(), [](const auto& triangle) {
      return std::count(triangle.begin(), triangle.end(), 0U) + std::count(triangle.begin(), triangle.end(), 2U) == 2;
    });
  };
  EXPECT_FALSE(cuts_second({{0, 0, 0}, {2, 0, 0}, {1.5, 1, 0.3}, {-0.5, 1, 0}}));
  EXPECT_TRUE(cuts_second({{-0.5, 1, 0}, {0, 0, 0}, {2, 0, 0}, {1.5, 1, 0.3}}));
  EXPECT_TRUE(cuts_second({{0, 0, 0.1}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}}));
}

TEST(Polygons, WhoseEdgesCrossHaveNoInside) {
  EXPECT_FALSE(cut_polygon(tilted({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}})));
  EXPECT_FALSE(cut_polygon(tilted({{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 1, 0}})));
  Points star;  // round twice
  for (int i = 0; i < 5; ++i)
    star.push_back({std::cos(i * 0.8 * std::acos(-1.0)), std::sin(i * 0.8 * std::acos(-1.0)), 0});
  EXPECT_FALSE(cut_polygon(star));
  EXPECT_FALSE(cut_polygon(Points{{1, 2, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 0, 0}}));  // they touch, and fold
  // a ribbon that overlaps itself: every turn to the left
  EXPECT_FALSE(cut_polygon(Points{{0, 0, 0},
                                  {10, 0, 0},
                                  {10, 10, 0},
                                  {4, 10, 0},
                                  {4, -4, 0},
                                  {5, -4, 0},
                                  {5, 9, 0},
                                  {9, 9, 0},
                                  {9, 1, 0},
                                  {0, 1, 0}}));
}

TEST(Polygons, OfNoAreaAddNone) {
  for (const Points& corners : {Points{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
                                Points{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 1, 1}}}) {
    const auto cut = cut_polygon(corners);
    ASSERT_TRUE(cut);
    for (const auto& [a, b, c] : *cut) EXPECT_EQ(norm(area(corners[a], corners[b], corners[c])), 0);
  }
  EXPECT_TRUE(cut_polygon(Points{{1, 2, 3}, {1, 2, 4}})->empty());
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::io
