#include "output/figures/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "output/figures/palette.hpp"
#include "output/figures/svg.hpp"
#include "output/figures/text.hpp"

namespace denoc::figures {
namespace {

using Out = std::back_insert_iterator<std::string>;
constexpr double line_height = 15.5, leader = 12, sample = 22, key_gap = 5, bar_width = 10;
constexpr double thinned_column = 0.5, thinned_error = 0.06;  // px
constexpr std::size_t longest_name = 26;

bool in_ramp(const std::vector<Curve>& curves) { return curves.size() > palette_size; }
std::string short_name(const Curve& curve) { return shortened(curve.name, longest_name); }

struct Look {
  std::string colour;
  std::string_view dash;
  double width;
  std::string kind;  // for figure.css; a ramp has none, it shows on dark and light
};
Look look_of(const std::vector<Curve>& curves, std::size_t k) {
  if (!in_ramp(curves)) return {std::string(colour(k)), dash(k), 1.6, fmt::format("c{}", k % palette_size)};
  return {ramp(static_cast<double>(k) / static_cast<double>(curves.size() - 1)), "", 0.9, ""};
}
std::string stroke(const Look& look) {
  const std::string dashes = look.dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", look.dash);
  return fmt::format("fill='none' stroke='{}' stroke-width='{}'{}", look.colour, look.width, dashes);
}

// Pieces between the gaps.
std::vector<std::vector<PagePoint>> pieces(const Curve& curve, const Axis& x, const Axis& y) {
  std::vector<std::vector<PagePoint>> all(1);
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (x.has(curve.x[i]) && y.has(curve.y[i]))
      all.back().push_back({x.at(curve.x[i]), y.at(curve.y[i])});
    else if (!all.back().empty())
      all.emplace_back();
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

// Open symbols that differ by shape as well as by colour.
void draw_symbol(Out out, const PagePoint& p, std::size_t k, const Look& look) {
  constexpr std::string_view shapes[] = {"m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z", "m-3 -3h6v6h-6z",
                                         "m0 -4l3.6 6.4h-7.2z", "m0 -4l4 4l-4 4l-4 -4z"};
  fmt::format_to(out, "<path class='{} open' d='M{:.2f} {:.2f}{}' fill='white' stroke='{}' stroke-width='1.2'/>\n",
                 look.kind, p.x, p.y, shapes[k % std::size(shapes)], look.colour);
}

// A sample of each line, with its name, as near as can be to where the curve ends.
void draw_names(Out out, const std::vector<Curve>& curves, const std::vector<PagePoint>& ends, const Axis& x,
                const Axis& y) {
  std::vector<std::size_t> order(curves.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return ends[a].y < ends[b].y; });
  std::vector<double> wanted;
  wanted.reserve(order.size());
  for (const std::size_t k : order) wanted.push_back(ends[k].y);
  const std::vector<double> places = spread(wanted, line_height, y.to + 4, y.from - 4);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Curve& curve = curves[order[i]];
    const Look look = look_of(curves, order[i]);
    const double from = x.to + leader, at = places[i];
    if (std::abs(ends[order[i]].x - x.to) < 0.03 * (x.to - x.from))
      fmt::format_to(out, "<path class='{}' d='M{:.2f} {:.2f}L{:.2f} {:.2f}' stroke='{}' stroke-width='0.6'/>\n",
                     look.kind, ends[order[i]].x + 2, ends[order[i]].y, from - 1, at, look.colour);
    if (curve.draw != Curve::Draw::points)
      fmt::format_to(out, "<path class='{}' d='M{:.2f} {:.2f}h{}' {}/>\n", look.kind, from, at, sample, stroke(look));
    if (curve.draw != Curve::Draw::line) draw_symbol(out, {from + sample / 2, at}, order[i], look);
    fmt::format_to(out, "<text x='{:.2f}' y='{:.2f}'><title>{}</title>{}</text>\n", from + sample + key_gap, at + 4,
                   escaped(curve.name), escaped(short_name(curve)));
  }
}

// The curves named beside the ramp.
std::vector<std::size_t> named_in_ramp(const std::vector<Curve>& curves) {
  constexpr std::size_t labels = 5;
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < labels; ++i) named.push_back(i * (curves.size() - 1) / (labels - 1));
  return named;
}

// A bar of the ramp, from the first curve's name at the top to the last one's.
void draw_ramp(Out out, const std::vector<Curve>& curves, const Axis& x, const Axis& y) {
  const double from = x.to + leader, height = y.from - y.to;
  constexpr int steps = 50;
  for (int i = 0; i < steps; ++i)
    fmt::format_to(out, "<path d='M{:.2f} {:.2f}h{}' stroke='{}' stroke-width='{:.2f}'/>\n", from,
                   y.to + (i + 0.5) / steps * height, bar_width, ramp(i / (steps - 1.0)), height / steps + 0.3);
  for (const std::size_t k : named_in_ramp(curves)) {
    const double at = y.to + static_cast<double>(k) / static_cast<double>(curves.size() - 1) * (height - 8) + 4;
    fmt::format_to(out, "<text x='{:.2f}' y='{:.2f}'>{}</text>\n", from + bar_width + key_gap, at + 4,
                   escaped(short_name(curves[k])));
  }
}

}  // namespace

double key_width(const std::vector<Curve>& curves) {
  double widest = 0;
  const auto fit = [&](const Curve& curve) { widest = std::max(widest, width_of(short_name(curve), svg_font_size)); };
  if (in_ramp(curves)) {
    for (const std::size_t k : named_in_ramp(curves)) fit(curves[k]);
    return leader + bar_width + key_gap + widest;
  }
  for (const Curve& curve : curves) fit(curve);
  return leader + sample + key_gap + widest;
}

std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high) {
  // Groups that touch stand around the mean of what their members want.
  struct Group {
    double sum;
    std::size_t size;
  };
  std::vector<Group> groups;
  const auto start = [&](const Group& g) {
    const double length = gap * static_cast<double>(g.size - 1);
    const double centred = g.sum / static_cast<double>(g.size) - length / 2;
    return std::max(low, std::min(centred, high - length));
  };
  for (const double place : wanted) {
    groups.push_back({place, 1});
    while (groups.size() > 1) {
      const Group last = groups.back(), before = groups[groups.size() - 2];
      if (start(before) + gap * static_cast<double>(before.size) <= start(last)) break;
      groups.pop_back();
      groups.back() = {before.sum + last.sum, before.size + last.size};
    }
  }
  std::size_t next = 0;
  for (const Group& g : groups)
    for (std::size_t i = 0; i < g.size; ++i) wanted[next++] = start(g) + gap * static_cast<double>(i);
  return wanted;
}

void draw_curves(Out out, const std::vector<Curve>& curves, const Axis& x, const Axis& y) {
  const double coarse = in_ramp(curves) ? 2 : 1;  // a curve among many shows less of itself
  std::vector<PagePoint> ends;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const Look look = look_of(curves, k);
    const auto all = pieces(curves[k], x, y);
    ends.push_back(all.empty() ? PagePoint{x.from, y.to} : all.back().back());
    if (curves[k].draw != Curve::Draw::points && !all.empty()) {
      std::string path;
      for (const auto& piece : all) path += path_of(decimated(piece, coarse * thinned_column, coarse * thinned_error));
      fmt::format_to(
          out, "<path class='curve {}' data-name='{}' d='{}' {} stroke-linejoin='round'><title>{}</title></path>\n",
          look.kind, escaped(curves[k].name), path, stroke(look), escaped(curves[k].name));
    }
    if (curves[k].draw != Curve::Draw::line)
      for (const auto& piece : all)
        for (const PagePoint& p : piece) draw_symbol(out, p, k, look);
  }
  if (in_ramp(curves))
    draw_ramp(out, curves, x, y);
  else if (curves.size() > 1 || (curves.size() == 1 && !curves[0].name.empty()))
    draw_names(out, curves, ends, x, y);
}

}  // namespace denoc::figures
