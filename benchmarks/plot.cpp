#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace denoc::benchmarks {
namespace {

constexpr double width = 760, height = 460, left = 80, right = 200, top = 50, bottom = 60;

// Numbers along a logarithmic axis, over whole decades.
struct Axis {
  int low = 99, high = -99;
  double from, to;  // on the page
  void cover(double x) {
    low = std::min(low, int(std::floor(std::log10(x))));
    high = std::max(high, int(std::ceil(std::log10(x))));
  }
  double at(double x) const { return from + (std::log10(x) - low) / (high - low) * (to - from); }
};

}  // namespace

std::string log_log_plot(const std::string& title, const std::string& x_name, const std::string& y_name,
                         const std::vector<Curve>& curves) {
  Axis x{.from = left, .to = width - right}, y{.from = height - bottom, .to = top};
  for (const Curve& c : curves)
    for (const auto& [u, v] : c.points) x.cover(u), y.cover(v);

  std::string svg;
  const auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
                 "font-family='sans-serif' font-size='13'>\n<rect width='{0}' height='{1}' fill='white'/>\n"
                 "<text x='{2}' y='28' font-size='16'>{3}</text>\n",
                 width, height, left, title);
  for (int decade = x.low; decade <= x.high; ++decade) {
    const double at = x.at(std::pow(10, decade));
    fmt::format_to(out,
                   "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#ddd'/>\n"
                   "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4:g}</text>\n",
                   at, y.from, y.to, y.from + 20, std::pow(10, decade));
  }
  for (int decade = y.low; decade <= y.high; ++decade) {
    const double at = y.at(std::pow(10, decade));
    fmt::format_to(out,
                   "<line x1='{0}' x2='{1}' y1='{2:.1f}' y2='{2:.1f}' stroke='#ddd'/>\n"
                   "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5:g}</text>\n",
                   x.from, x.to, at, x.from - 8, at + 4, std::pow(10, decade));
  }
  fmt::format_to(out,
                 "<text x='{:.1f}' y='{}' text-anchor='middle'>{}</text>\n"
                 "<text transform='translate(22 {:.1f}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                 (x.from + x.to) / 2, height - 15, x_name, (y.from + y.to) / 2, y_name);

  // Names at the curves' ends, kept apart.
  std::vector<const Curve*> by_height;
  for (const Curve& c : curves)
    if (!c.points.empty()) by_height.push_back(&c);
  std::sort(by_height.begin(), by_height.end(),
            [](auto* a, auto* b) { return a->points.back().second > b->points.back().second; });
  double lowest = 0;
  for (const Curve* c : by_height) {
    std::string points;
    for (const auto& [u, v] : c->points) {
      points += fmt::format("{:.1f},{:.1f} ", x.at(u), y.at(v));
      fmt::format_to(out, "<circle cx='{:.1f}' cy='{:.1f}' r='2.5' fill='{}'/>\n", x.at(u), y.at(v), c->colour);
    }
    const double at = std::max(y.at(c->points.back().second) + 4, lowest + 16);
    lowest = at;
    fmt::format_to(out,
                   "<polyline points='{}' fill='none' stroke='{}' stroke-width='1.8'/>\n"
                   "<text x='{:.1f}' y='{:.1f}' fill='{}'>{}</text>\n",
                   points, c->colour, x.to + 10, at, c->colour, c->name);
  }
  return svg + "</svg>\n";
}

}  // namespace denoc::benchmarks
