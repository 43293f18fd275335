#include "output/figures/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "output/figures/curves.hpp"
#include "output/figures/svg.hpp"
#include "output/figures/text.hpp"

namespace denoc::figures {
namespace {

constexpr double font_size = svg_font_size, title_height = 26, foot_height = 46, gap = 16, edge = 10;
constexpr std::string_view axis_colour = "#555", grid_colour = "#e4e4e4", mark_colour = "#888";
constexpr double margin = 0.05;  // above and below the curves

using Out = std::back_insert_iterator<std::string>;

std::string label_of(const Quantity& quantity, const Axis& axis) {
  if (axis.exponent == 0)
    return quantity.unit.empty() ? quantity.name : fmt::format("{} ({})", quantity.name, quantity.unit);
  const std::string power = power_of_ten(axis.exponent);
  return quantity.unit.empty() ? fmt::format("{} ({})", quantity.name, power)
                               : fmt::format("{} ({} {})", quantity.name, power, quantity.unit);
}

// What one axis of all the panels, or of one, has to show.
Axis x_axis(std::span<const Plot> panels) {
  const Scale scale = panels.back().x_scale;
  const Axis any{.scale = scale};
  Range range;
  for (const Plot& plot : panels)
    for (const Curve& curve : plot.curves)
      for (const double x : curve.x)
        if (any.has(x)) range.cover(x);
  return axis_over(range, scale, scale == Scale::linear ? 0 : 0.02);
}
Axis y_axis(const Plot& plot) {
  const Axis any{.scale = plot.y_scale};
  Range range = plot.also;
  for (const Curve& curve : plot.curves)
    for (const double y : curve.y)
      if (any.has(y)) range.cover(y);
  return axis_over(range, plot.y_scale, margin);
}

double widest_label(const Axis& axis) {
  double widest = 0;
  for (const double tick : axis.ticks.major) widest = std::max(widest, width_of(axis.label(tick), font_size));
  return widest;
}

void draw_grid(Out out, const Axis& x, const Axis& y) {
  std::string path;
  for (const double tick : x.ticks.major) path += fmt::format("M{:.2f} {:.2f}V{:.2f}", x.at(tick), y.from, y.to);
  for (const double tick : y.ticks.major) path += fmt::format("M{:.2f} {:.2f}H{:.2f}", x.from, y.at(tick), x.to);
  fmt::format_to(out, "<path class='grid' d='{}' stroke='{}' stroke-width='0.8' fill='none'/>\n", path, grid_colour);
  if (y.scale == Scale::linear && y.low < 0 && y.high > 0)
    fmt::format_to(out, "<path class='zero' d='M{:.2f} {:.2f}H{:.2f}' stroke='#aaa' stroke-width='0.8'/>\n", x.from,
                   y.at(0), x.to);
}

void draw_axes(Out out, const Axis& x, const Axis& y, bool x_labels) {
  std::string path = fmt::format("M{:.2f} {:.2f}V{:.2f}H{:.2f}", x.from, y.to, y.from, x.to);
  const auto strokes = [&](const std::vector<double>& xs, const std::vector<double>& ys, double length) {
    for (const double tick : xs) path += fmt::format("M{:.2f} {:.2f}v{}", x.at(tick), y.from, length);
    for (const double tick : ys) path += fmt::format("M{:.2f} {:.2f}h{}", x.from, y.at(tick), -length);
  };
  strokes(x.ticks.minor, y.ticks.minor, 2.5);
  strokes(x.ticks.major, y.ticks.major, 5);
  fmt::format_to(out, "<path class='axis' d='{}' stroke='{}' stroke-width='1' fill='none'/>\n", path, axis_colour);
  for (const double tick : y.ticks.major)
    fmt::format_to(out, "<text x='{:.2f}' y='{:.2f}' text-anchor='end'>{}</text>\n", x.from - 8, y.at(tick) + 4,
                   y.label(tick));
  if (!x_labels) return;
  for (const double tick : x.ticks.major)
    fmt::format_to(out, "<text x='{:.2f}' y='{:.2f}' text-anchor='middle'>{}</text>\n", x.at(tick), y.from + 19,
                   x.label(tick));
}

// Lines closer than a third of a pixel are one.
void draw_marks(Out out, const std::vector<Mark>& marks, const Axis& x, const Axis& y) {
  double last[] = {-1, -1};
  for (const Mark& mark : marks) {
    if (!(mark.x >= x.low && mark.x <= x.high)) continue;
    const double at = x.at(mark.x);
    if (at - last[mark.dashed] < 1.0 / 3) continue;
    last[mark.dashed] = at;
    fmt::format_to(out, "<path d='M{:.2f} {:.2f}V{:.2f}' stroke='{}' stroke-width='0.7'{}><title>{}</title></path>\n",
                   at, y.from, y.to, mark_colour, mark.dashed ? " stroke-dasharray='2 2'" : "", escaped(mark.name));
  }
}

void draw_panel(Out out, const Plot& plot, const Axis& x, const Axis& y, double label_x, bool last) {
  fmt::format_to(out,
                 "<g class='panel' data-left='{:.2f}' data-right='{:.2f}' data-top='{:.2f}' data-bottom='{:.2f}' "
                 "data-from='{:.10g}' data-to='{:.10g}' data-low='{:.10g}' data-high='{:.10g}' data-scale='{}' "
                 "data-unit='{}'>\n",
                 x.from, x.to, y.to, y.from, x.low, x.high, y.low, y.high, y.scale == Scale::linear ? "linear" : "log",
                 escaped(plot.y.unit));
  if (!plot.title.empty())
    fmt::format_to(out, "<text x='{:.2f}' y='{:.2f}' font-size='{}' font-weight='bold'>{}</text>\n", x.from, y.to - 11,
                   font_size + 1, escaped(plot.title));
  draw_grid(out, x, y);
  draw_marks(out, plot.marks, x, y);
  draw_curves(out, plot.curves, x, y);
  draw_axes(out, x, y, last);
  fmt::format_to(out, "<text transform='translate({:.2f} {:.2f}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                 label_x, (y.from + y.to) / 2, escaped(label_of(plot.y, y)));
  if (last)
    fmt::format_to(out, "<text x='{:.2f}' y='{:.2f}' text-anchor='middle'>{}</text>\n", (x.from + x.to) / 2,
                   y.from + 38, escaped(label_of(plot.x, x)));
  fmt::format_to(out, "</g>\n");
}

}  // namespace

std::string svg(std::span<const Plot> panels, const Size& size) {
  std::vector<Axis> ys;
  double left = width_of("\u22120.00", font_size), right = 0;  // most plots of a page then have their axes in line
  for (const Plot& plot : panels) {
    ys.push_back(y_axis(plot));
    left = std::max(left, widest_label(ys.back()));
    right = std::max(right, key_width(plot.curves));
  }
  left += edge + font_size + 14;
  Axis x = x_axis(panels);
  x.from = left;
  x.to = std::max(size.width - edge - right, left + 100);

  double height = edge;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (!panels[i].title.empty()) height += title_height;
    ys[i].to = height;
    height += size.height - title_height - foot_height;
    ys[i].from = height;
    height += i + 1 < panels.size() ? gap : foot_height;
  }
  std::string text = svg_opening(size.width, height, panels.front().title);
  const Out out = std::back_inserter(text);
  for (std::size_t i = 0; i < panels.size(); ++i)
    draw_panel(out, panels[i], x, ys[i], edge + font_size - 2, i + 1 == panels.size());
  return text + "</svg>\n";
}
std::string svg(const Plot& plot, const Size& size) { return svg(std::span(&plot, 1), size); }

}  // namespace denoc::figures
