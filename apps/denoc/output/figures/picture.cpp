#include "output/figures/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "output/figures/svg.hpp"
#include "output/figures/text.hpp"
#include "output/figures/view.hpp"

namespace denoc::figures {
namespace {

using Out = std::back_insert_iterator<std::string>;
constexpr std::size_t most_instants = 5, least_on_path = 2000;
constexpr std::size_t most_placed = 40'000;  // bodies and points watched, of all samples together
constexpr double picture_edge = 30, foot = 24, picture_key = 96, least_height = 120;
constexpr std::string_view joint_axis_colour = "#d55e00";

// From the world to the page.
struct Projection {
  Point right, above;
  double scale = 1, x0 = 0, y0 = 0;
  Size size;  // no higher than needed

  Projection(const View& view, const std::vector<std::vector<Point>>& frames, const Size& most)
      : right(view.right()), above(view.above()), size(most) {
    Range xs, ys;
    for (const auto& frame : frames)
      for (const Point& p : frame) xs.cover(dot(p, right)), ys.cover(dot(p, above));
    const double width = most.width - 2 * picture_edge - picture_key, height = most.height - 2 * picture_edge - foot;
    scale = std::min(width / (xs.high - xs.low + 1e-9), height / (ys.high - ys.low + 1e-9));
    const double used = std::max(least_height, scale * (ys.high - ys.low));
    size.height = used + 2 * picture_edge + foot;
    x0 = picture_edge + width / 2 - scale * (xs.low + xs.high) / 2;
    y0 = picture_edge + used / 2 + scale * (ys.low + ys.high) / 2;
  }
  PagePoint operator()(const Point& p) const { return {x0 + scale * dot(p, right), y0 - scale * dot(p, above)}; }
};

// First black, then ever paler blue.
std::string shade(std::size_t i, std::size_t count) {
  if (i == 0) return "#1a1a1a";
  const double part = count > 2 ? static_cast<double>(i - 1) / static_cast<double>(count - 2) : 0;
  const auto mix = [part](int dark, int pale) { return static_cast<int>(std::lround(dark + part * (pale - dark))); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0x2f, 0xb4), mix(0x74, 0xd2), mix(0xb0, 0xe8));
}

void draw_sticks(Out out, const Skeleton& skeleton, const std::vector<Point>& at, const Projection& page,
                 std::string_view colour, std::size_t i, double width) {
  std::string path;
  for (const auto& [from, to, body] : skeleton.sticks) path += path_of({page(at[from]), page(at[to])});
  for (const auto& joint : skeleton.joints) path += path_of({page(at[joint.at])}) + "m-1 0h2";
  fmt::format_to(out, "<path class='s{}' d='{}' fill='none' stroke='{}' stroke-width='{}' stroke-linecap='round'/>\n",
                 i, path, colour, width);
}

void draw_springs(Out out, const Skeleton& skeleton, const std::vector<Point>& at, const Projection& page) {
  for (const auto& [from, to, body] : skeleton.springs)
    fmt::format_to(out, "<path d='{}' fill='none' stroke='#009e73' stroke-width='1.6' stroke-dasharray='2 2'/>\n",
                   path_of({page(at[from]), page(at[to])}));
}

void draw_ground(Out out, const PagePoint& p) {
  fmt::format_to(out,
                 "<path class='soft' d='M{0:.2f} {1:.2f}l-8 12h16zm-15 12h30m-27 0l-5 6m11 -6l-5 6m11 -6l-5 6m11 -6l-5 "
                 "6m11 -6l-5 6' fill='none' stroke='#666' stroke-width='1'/>\n",
                 p.x, p.y);
}

void draw_joint(Out out, const Skeleton::Joint& joint, const std::vector<Point>& at, const Projection& page,
                bool small) {
  const PagePoint c = page(at[joint.at]), a = page(at[joint.from]), b = page(at[joint.to]);
  const auto circle = [&](double r, std::string_view fill) {
    fmt::format_to(
        out, "<circle class='s0{}' cx='{:.2f}' cy='{:.2f}' r='{}' fill='{}' stroke='#1a1a1a' stroke-width='1.3'/>\n",
        fill == "white" ? " open" : "", c.x, c.y, r, fill);
  };
  if (joint.symbol == Skeleton::Symbol::ball) {
    if (small)
      fmt::format_to(out, "<circle class='dot' cx='{:.2f}' cy='{:.2f}' r='1.7' fill='#1a1a1a'/>\n", c.x, c.y);
    else
      circle(4.5, "#56b4e9");
    return;
  }
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  const double true_length = page.scale * norm(at[joint.to] - at[joint.from]);
  if (joint.symbol == Skeleton::Symbol::sliding) {
    fmt::format_to(out,
                   "<rect class='s0 open' x='-5' y='-5' width='10' height='10' transform='translate({:.2f} {:.2f}) "
                   "rotate({:.1f})' fill='white' stroke='#1a1a1a' stroke-width='1.3'/>\n",
                   c.x, c.y, std::atan2(dy, dx) * 180 / std::numbers::pi);
  } else if (length < 0.3 * true_length) {
    circle(4.5, "white");  // the axis points at the reader
  } else {
    fmt::format_to(out, "<path d='{}' stroke='{}' stroke-width='5.5'/>\n", path_of({a, b}), joint_axis_colour);
  }
}

void draw_key(Out out, const Record& record, const std::vector<std::size_t>& chosen, const Size& size) {
  const double x = size.width - picture_key - 4;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const double y = picture_edge + 18.0 * static_cast<double>(i);
    fmt::format_to(out,
                   "<path class='s{}' d='M{:.2f} {:.2f}h20' stroke='{}' stroke-width='{}' stroke-linecap='round'/>\n"
                   "<text x='{:.2f}' y='{:.2f}'>{} s</text>\n",
                   i, x, y, shade(i, chosen.size()), i == 0 ? 3.2 : 2.2, x + 28, y + 4,
                   fmt::format("{:.3g}", record.t[chosen[i]]));
  }
}

// A length to compare with, and where x, y and z point unless they point at the reader.
void draw_scale(Out out, const Projection& page) {
  const Size& size = page.size;
  const double step = round_below(130 / page.scale), length = step * page.scale;
  const double y = size.height - 16;
  fmt::format_to(out,
                 "<path class='soft' d='M{0} {1:.2f}v6M{0} {2:.2f}h{3:.2f}m0 -3v6' fill='none' stroke='#444' "
                 "stroke-width='1.2'/>\n"
                 "<text x='{4:.2f}' y='{5:.2f}'>{6} m</text>\n",
                 picture_edge, y - 3, y, length, picture_edge + length + 8, y + 4, fmt::format("{:g}", step));
  const double cx = size.width - picture_key / 2 - 12, cy = size.height - 42;
  const std::pair<const char*, Point> axes[] = {{"x", {1, 0, 0}}, {"y", {0, 1, 0}}, {"z", {0, 0, 1}}};
  for (const auto& [name, axis] : axes) {
    const double dx = 26 * dot(axis, page.right), dy = -26 * dot(axis, page.above), seen = std::hypot(dx, dy);
    if (seen < 3) continue;
    fmt::format_to(out,
                   "<path class='soft' d='M{:.2f} {:.2f}l{:.2f} {:.2f}' stroke='#444' stroke-width='1.2'/>\n"
                   "<text x='{:.2f}' y='{:.2f}' text-anchor='middle' font-style='italic'>{}</text>\n",
                   cx, cy, dx, dy, cx + dx + 9 * dx / seen, cy + dy + 9 * dy / seen + 4, name);
  }
}

constexpr std::string_view path_colour = "#d55e00";

// Where a point goes.
void draw_path(Out out, int point, const std::vector<std::vector<Point>>& frames, const Projection& page) {
  std::vector<PagePoint> points;
  points.reserve(frames.size());
  for (const auto& frame : frames) points.push_back(page(frame[point]));
  fmt::format_to(out, "<path d='{}' fill='none' stroke='{}' stroke-width='0.8' stroke-opacity='0.75'/>\n",
                 path_of(decimated(points, 0.5, 0.1)), path_colour);
}
// ... and what it is called.
void draw_mark(Out out, const std::string& name, const PagePoint& p) {
  fmt::format_to(out,
                 "<circle cx='{0:.2f}' cy='{1:.2f}' r='2.5' fill='{2}'/>\n"
                 "<text x='{3:.2f}' y='{4:.2f}'>{5}</text>\n",
                 p.x, p.y, path_colour, p.x + 6, p.y - 5, escaped(name));
}

double apart(const std::vector<Point>& a, const std::vector<Point>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

// Of a motion that comes back to where it began, the number of frames until it does so first (to a tenth of how far it
// goes); else 0.
std::size_t cycle_of(const std::vector<std::vector<Point>>& path) {
  std::vector<double> away;
  for (const auto& frame : path) away.push_back(apart(frame, path.front()));
  const double most = *std::max_element(away.begin(), away.end());
  if (most <= 0) return 0;
  bool was_away = false;
  for (std::size_t i = 0; i + 1 < away.size(); ++i) {
    was_away = was_away || away[i] > most / 2;
    if (was_away && away[i] < most / 10 && away[i] <= away[i + 1]) return i;
  }
  return 0;
}

// The frames of the first `cycle` that differ most: after the start always the one furthest from all chosen.
std::vector<std::size_t> unlike(const std::vector<std::vector<Point>>& path, std::size_t cycle) {
  std::vector<std::size_t> chosen = {0};
  std::vector<double> nearest(cycle);
  for (std::size_t i = 0; i < cycle; ++i) nearest[i] = apart(path[i], path[0]);
  while (chosen.size() < std::min(most_instants, cycle)) {
    const auto furthest = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    chosen.push_back(furthest);
    for (std::size_t i = 0; i < cycle; ++i) nearest[i] = std::min(nearest[i], apart(path[i], path[furthest]));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::size_t most_on_path(const Model& model, const Record& record) {
  return std::max(least_on_path, most_placed / (model.robot().bodies.size() + record.watched.size()));
}

std::string picture_of(const Model& model, const Record& record, const Size& size) {
  Skeleton skeleton = skeleton_of(model);
  watch(record, skeleton);
  const std::vector<std::size_t> samples = instants(record, most_on_path(model, record));
  const auto path = places(model, skeleton, selected(record.q, samples));
  std::vector<std::size_t> chosen = instants(record, most_instants);
  if (const std::size_t cycle = cycle_of(path); cycle > 0) {
    chosen.clear();
    for (const std::size_t i : unlike(path, cycle)) chosen.push_back(samples[i]);
  }
  const auto shown = places(model, skeleton, selected(record.q, chosen));
  const Projection page(view_of(path, model.robot().gravity), path, size);

  std::string text = svg_opening(page.size.width, page.size.height, model.robot().name);
  const Out out = std::back_inserter(text);
  for (const int tip : skeleton.watched.empty() ? skeleton.tips : skeleton.watched) draw_path(out, tip, path, page);
  for (std::size_t i = shown.size(); i-- > 0;)
    draw_sticks(out, skeleton, shown[i], page, shade(i, shown.size()), i, i == 0 ? 3.2 : 2.2);
  draw_springs(out, skeleton, shown.front(), page);
  for (const int p : skeleton.ground) draw_ground(out, page(shown.front()[p]));
  for (const auto& joint : skeleton.joints) draw_joint(out, joint, shown.front(), page, skeleton.joints.size() > 16);
  for (std::size_t i = 0; i < record.watched.size(); ++i)
    draw_mark(out, record.watched[i].name, page(shown.front()[skeleton.watched[i]]));
  draw_key(out, record, chosen, page.size);
  draw_scale(out, page);
  return text + "</svg>\n";
}

}  // namespace denoc::figures
