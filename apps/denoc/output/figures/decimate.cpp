#include "output/figures/decimate.hpp"

#include <algorithm>
#include <cmath>

namespace denoc::figures {
namespace {

bool lower(const PagePoint& a, const PagePoint& b) { return a.y < b.y; }
bool further_left(const PagePoint& a, const PagePoint& b) { return a.x < b.x; }

std::vector<PagePoint> by_column(const std::vector<PagePoint>& points, double width) {
  std::vector<PagePoint> kept;
  for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
    const double column = std::floor(points[first].x / width);
    while (end < points.size() && std::floor(points[end].x / width) == column) ++end;
    const auto from = points.begin() + static_cast<long>(first), to = points.begin() + static_cast<long>(end);
    const auto [low, high] = std::minmax_element(from, to, lower);
    std::vector<std::size_t> keep = {first, static_cast<std::size_t>(low - points.begin()),
                                     static_cast<std::size_t>(high - points.begin()), end - 1};
    std::sort(keep.begin(), keep.end());
    keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
    for (const std::size_t i : keep) kept.push_back(points[i]);
  }
  return kept;
}

double distance(const PagePoint& p, const PagePoint& a, const PagePoint& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
  return std::abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length;
}

// Douglas and Peucker: keep the point furthest from the chord, and so on in both halves.
void mark_needed(const std::vector<PagePoint>& points, std::size_t first, std::size_t last, double tolerance,
                 std::vector<char>& needed) {
  std::vector<std::pair<std::size_t, std::size_t>> chords = {{first, last}};
  while (!chords.empty()) {
    const std::pair<std::size_t, std::size_t> chord = chords.back();
    chords.pop_back();
    std::size_t furthest = chord.first;
    double most = tolerance;
    for (std::size_t i = chord.first + 1; i < chord.second; ++i) {
      const double d = distance(points[i], points[chord.first], points[chord.second]);
      if (d > most) most = d, furthest = i;
    }
    if (furthest == chord.first) continue;
    needed[furthest] = 1;
    chords.emplace_back(chord.first, furthest);
    chords.emplace_back(furthest, chord.second);
  }
}

}  // namespace

std::vector<PagePoint> decimated(const std::vector<PagePoint>& points, double column_width, double tolerance) {
  if (points.size() < 3) return points;
  const bool rising = std::is_sorted(points.begin(), points.end(), further_left);
  const std::vector<PagePoint> thinned = rising ? by_column(points, column_width) : points;
  const auto [low, high] = std::minmax_element(thinned.begin(), thinned.end(), lower);
  std::vector<std::size_t> corners = {0, static_cast<std::size_t>(low - thinned.begin()),
                                      static_cast<std::size_t>(high - thinned.begin()), thinned.size() - 1};
  std::sort(corners.begin(), corners.end());
  std::vector<char> needed(thinned.size(), 0);
  for (const std::size_t corner : corners) needed[corner] = 1;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i)
    mark_needed(thinned, corners[i], corners[i + 1], tolerance, needed);
  std::vector<PagePoint> kept;
  for (std::size_t i = 0; i < thinned.size(); ++i)
    if (needed[i]) kept.push_back(thinned[i]);
  return kept;
}

}  // namespace denoc::figures
