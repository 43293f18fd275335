#include "output/figures/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/figures/axis.hpp"
#include "output/figures/view.hpp"

namespace denoc::figures {
namespace {

constexpr std::size_t most_frames = 600;
constexpr double resolution = 4000;  // parts of the largest distance from the middle

template <class Items, class Text> std::string array(const Items& items, Text&& text) {
  std::string all = "[";
  for (const auto& item : items) {
    if (all.size() > 1) all += ',';
    all += text(item);
  }
  return all + "]";
}
std::string numbers(const std::vector<int>& all) {
  return array(all, [](int i) { return std::to_string(i); });
}

}  // namespace

std::string film_of(const Model& model, const Record& record) {
  const Skeleton skeleton = skeleton_of(model);
  const std::vector<std::size_t> samples = instants(record, most_frames);
  std::vector<double> times;
  times.reserve(samples.size());
  for (const std::size_t k : samples) times.push_back(record.t[k]);
  std::vector<std::vector<Point>> frames = places(model, skeleton, selected(record.q, samples));
  const View view = view_of(frames, model.robot().gravity);

  Range x, y, z;
  for (auto& frame : frames) {
    for (Point& p : frame) {
      p = {dot(p, view.a), dot(p, view.b), dot(p, view.up)};
      x.cover(p.x), y.cover(p.y), z.cover(p.z);
    }
  }
  const Point middle{(x.low + x.high) / 2, (y.low + y.high) / 2, (z.low + z.high) / 2};
  const double radius = std::max(1e-9, norm(Point{x.high - x.low, y.high - y.low, z.high - z.low}) / 2);
  const double unit = radius / resolution;
  const auto whole = [unit](double u) { return static_cast<int>(std::lround(u / unit)); };
  const auto coordinates = [&](const std::vector<Point>& frame) {
    std::vector<int> all;
    for (const Point& p : frame)
      for (const double u : {p.x - middle.x, p.y - middle.y, p.z - middle.z}) all.push_back(whole(u));
    return numbers(all);
  };
  const auto line = [](const Skeleton::Stick& s) { return numbers({s.from, s.to}); };
  const auto joint = [](const Skeleton::Joint& j) { return numbers({static_cast<int>(j.symbol), j.at, j.from, j.to}); };
  // A floor under everything, in squares of a round size, where there is a down.
  const double square = norm(model.robot().gravity) > 0 ? round_below(radius / 2) : 0;
  const auto squares = [square](const Range& range) {
    return square > 0 ? static_cast<int>(std::ceil((range.high - range.low) / 2 / square + 0.5)) : 0;
  };
  return fmt::format(
      "{{\"unit\":{:.6g},\"yaw\":{:.5f},\"pitch\":{:.5f},\"floor\":{{\"square\":{},\"level\":{},\"nx\":{},\"ny\":{}}},"
      "\"sticks\":{},\"springs\":{},\"joints\":{},\"ground\":{},\"tips\":{},\"t\":{},\n\"frames\":{}}}",
      unit, view.yaw, view.pitch, whole(square), whole(z.low - middle.z - 0.03 * radius), squares(x), squares(y),
      array(skeleton.sticks, line), array(skeleton.springs, line), array(skeleton.joints, joint),
      numbers(skeleton.ground), numbers(skeleton.tips), array(times, [](double t) { return fmt::format("{:.9g}", t); }),
      array(frames, coordinates));
}

}  // namespace denoc::figures
