#include "denoc/io/polygons.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace denoc::io {
namespace {

// Of the largest extent: what lies nearer than this lies on a line. Corners have the seven digits of single precision.
constexpr double thin = 1e-6;

Cut fan(std::span<const std::size_t> around) {
  Cut cut;
  for (std::size_t i = 2; i < around.size(); ++i) cut.push_back({around[0], around[i - 1], around[i]});
  return cut;
}

struct InPlane {
  double x = 0, y = 0;
  bool operator==(const InPlane&) const = default;
};
double distance(const InPlane& a, const InPlane& b) { return std::hypot(b.x - a.x, b.y - a.y); }
// Twice the area of a triangle, positive if it turns to the left.
double turn(const InPlane& a, const InPlane& b, const InPlane& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
bool is_within(const InPlane& p, const InPlane& a, const InPlane& b, const InPlane& c) {
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}
// The ends of each lie on both sides of the other, and not nearly on it.
bool cross_each_other(const InPlane& a, const InPlane& b, const InPlane& c, const InPlane& d) {
  const auto parts = [](const InPlane& a, const InPlane& b, const InPlane& c, const InPlane& d) {
    const double near = thin * distance(a, b), left = turn(a, b, c), right = turn(a, b, d);
    return (left > near && right < -near) || (left < -near && right > near);
  };
  return parts(a, b, c, d) && parts(c, d, a, b);
}
// Edges by their least x, each with those that begin before it ends.
bool has_crossing_edges(const std::vector<InPlane>& points) {
  const auto next = [&](std::size_t i) { return (i + 1) % points.size(); };
  const auto first = [&](std::size_t i) { return std::min(points[i].x, points[next(i)].x); };
  const auto last = [&](std::size_t i) { return std::max(points[i].x, points[next(i)].x); };
  std::vector<std::size_t> edges(points.size());
  std::iota(edges.begin(), edges.end(), std::size_t{0});
  std::sort(edges.begin(), edges.end(), [&](std::size_t i, std::size_t k) { return first(i) < first(k); });
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t k = i + 1; k < edges.size() && first(edges[k]) <= last(edges[i]); ++k)
      if (cross_each_other(points[edges[i]], points[next(edges[i])], points[edges[k]], points[next(edges[k])]))
        return true;
  return false;
}

// A polygon in its plane, seen counterclockwise, and what is left of it while ears are cut off: corners whose triangle
// with both neighbours lies within.
class Ears {
 public:
  explicit Ears(const std::vector<InPlane>& points) : points_(points), before_(points.size()), after_(points.size()) {
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i) before_[i] = (i + n - 1) % n, after_[i] = (i + 1) % n;
    for (std::size_t i = 0; i < n; ++i)
      if (!is_convex(i)) hollow_.insert(i);
    for (std::size_t i = 0; i < n; ++i) find(i);
  }
  std::optional<Cut> cut() {
    Cut cut;
    for (std::size_t left = points_.size(); left > 3; --left) {
      if (ears_.empty() && !is_thin()) return std::nullopt;
      if (ears_.empty()) break;
      const auto [length, i] = *ears_.begin();
      const std::size_t a = before_[i], b = after_[i];
      cut.push_back({a, i, b});
      for (const std::size_t gone : {a, i, b}) ears_.erase({length_[gone], gone});
      after_[start_ = a] = b;
      before_[b] = a;
      for (const std::size_t changed : {a, b})
        if (is_convex(changed)) hollow_.erase(changed);
      for (const std::size_t changed : {a, b}) find(changed);
    }
    return rest(std::move(cut));
  }

 private:
  bool is_convex(std::size_t i) const { return turn(points_[before_[i]], points_[i], points_[after_[i]]) > 0; }
  void find(std::size_t i) {
    const InPlane &a = points_[before_[i]], &b = points_[i], &c = points_[after_[i]];
    if (!is_convex(i)) return;
    for (const std::size_t k : hollow_) {
      const InPlane& p = points_[k];
      if (p != a && p != b && p != c && is_within(p, a, b, c)) return;
    }
    length_[i] = distance(a, c);
    ears_.insert({length_[i], i});
  }
  // No corner of what is left has a triangle to speak of.
  bool is_thin() const {
    std::size_t i = start_;
    do {
      if (!(std::abs(turn(points_[before_[i]], points_[i], points_[after_[i]])) <= thin)) return false;
      i = after_[i];
    } while (i != start_);
    return true;
  }
  Cut rest(Cut cut) const {
    for (std::size_t i = after_[start_]; after_[i] != start_; i = after_[i]) cut.push_back({start_, i, after_[i]});
    return cut;
  }

  const std::vector<InPlane>& points_;
  std::vector<std::size_t> before_, after_;
  std::vector<double> length_ = std::vector<double>(points_.size());  // of the cut at each corner
  std::set<std::size_t> hollow_ = {};                                 // not convex: what an ear may not hold
  std::set<std::pair<double, std::size_t>> ears_ = {};                // the shortest cut first
  std::size_t start_ = 0;                                             // one that is left
};

// Those that do not stand where the one before does.
std::vector<std::size_t> distinct(std::span<const Vec3<double>> corners) {
  const auto are_one = [&](std::size_t i, std::size_t k) {
    const Vec3<double>&a = corners[i], &b = corners[k];
    return a.x == b.x && a.y == b.y && a.z == b.z;
  };
  std::vector<std::size_t> around;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (around.empty() || !are_one(around.back(), i)) around.push_back(i);
  while (around.size() > 1 && are_one(around.front(), around.back())) around.pop_back();
  return around;
}

// The corners in the plane of the area, the first in the origin; the largest extent is 1. Empty: they lie on a line.
// Nothing: there is no area.
std::optional<std::vector<InPlane>> in_plane(std::span<const Vec3<double>> corners,
                                             const std::vector<std::size_t>& around) {
  std::vector<Vec3<double>> arms;
  double extent = 0;
  for (const std::size_t i : around) {
    arms.push_back(corners[i] - corners[around[0]]);
    extent = std::max({extent, std::abs(arms.back().x), std::abs(arms.back().y), std::abs(arms.back().z)});
  }
  for (Vec3<double>& arm : arms) arm = arm * (1 / extent);
  // Twice the area, along the normal: the sum of p_i x p_i+1  (Newell)
  Vec3<double> area{0, 0, 0};
  double largest = 0;
  for (std::size_t i = 2; i < arms.size(); ++i) {
    const Vec3<double> part = cross(arms[i - 1], arms[i]);
    area += part;
    largest = std::max(largest, norm(part));
  }
  std::vector<InPlane> points;
  if (largest <= thin) return points;
  const double size = norm(area);
  if (!(size > 1e-12)) return std::nullopt;
  const Vec3<double> normal = area * (1 / size), a = {std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
  const Vec3<double> aside = a.x <= a.y && a.x <= a.z ? Vec3<double>{1, 0, 0}
                             : a.y <= a.z             ? Vec3<double>{0, 1, 0}
                                                      : Vec3<double>{0, 0, 1};
  Vec3<double> ex = cross(aside, normal);
  ex = ex * (1 / norm(ex));
  const Vec3<double> ey = cross(normal, ex);
  for (const Vec3<double>& arm : arms) points.push_back({dot(arm, ex), dot(arm, ey)});
  return points;
}

// No triangle lies upon another, or on its back.
bool is_flat(const Cut& cut, const std::vector<InPlane>& points) {
  double sum = 0, sum_of_sizes = 0;
  for (const auto& [a, b, c] : cut) {
    const double size = turn(points[a], points[b], points[c]);
    sum += size;
    sum_of_sizes += std::abs(size);
  }
  return sum_of_sizes - sum <= thin;
}

}  // namespace

std::optional<Cut> cut_polygon(std::span<const Vec3<double>> corners) {
  const std::vector<std::size_t> around = distinct(corners);
  if (around.size() <= 3) return fan(around);
  const auto points = in_plane(corners, around);
  if (!points) return std::nullopt;
  if (points->empty()) return fan(around);
  if (has_crossing_edges(*points)) return std::nullopt;
  std::optional<Cut> cut = Ears(*points).cut();
  if (!cut || !is_flat(*cut, *points)) return std::nullopt;
  for (auto& triangle : *cut)
    for (std::size_t& corner : triangle) corner = around[corner];
  return cut;
}

}  // namespace denoc::io
