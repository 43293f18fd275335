#include <fmt/format.h>

#include "denoc/motion/joint_motion.hpp"
#include "motions.hpp"

namespace denoc::io {
namespace {

void check_times(const Fields& fields, const std::vector<double>& times, std::size_t points) {
  if (times.size() < 2 || times.size() != points)
    return fields.refuse("times", fmt::format("a spline has two points or more and a time for each, not {} points and "
                                              "{} times",
                                              points, times.size()));
  if (times[0] != 0) fields.refuse("times", fmt::format("they begin at 0, not at {}", times[0]));
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i] > times[i - 1]))
      return fields.refuse("times", fmt::format("they increase: {} does not come after {}", times[i], times[i - 1]));
  }
}

}  // namespace

Ends read_ends(const Fields& fields, const std::string& usual, const MotionPlace& place) {
  using Kind = SplineEnd::Kind;
  const std::string word = fields.word("ends", {"rest", "natural", "not_a_knot"}, usual);
  const Kind kind = word == "natural" ? Kind::natural : word == "not_a_knot" ? Kind::not_a_knot : Kind::rate;
  Ends ends{{kind}, {kind}};
  for (const auto& [key, end] : {std::pair("start_rate", &ends.first), std::pair("end_rate", &ends.last)})
    if (fields.has(key)) *end = {Kind::rate, place.vectors.rates(fields, key)};
  return ends;
}

MakeMotion read_spline(const Fields& fields, const MotionPlace& place) {
  for (const std::string_view key : {"times", "points"}) fields.require(key);
  const std::size_t count = fields.list("times").size();
  const std::vector<double> times = fields.numbers("times", count);
  const std::vector<std::vector<double>> points = place.vectors.postures(fields, "points");
  if (times.size() == count && fields.has("times") && fields.has("points")) check_times(fields, times, points.size());
  return [=, model = place.model, ends = read_ends(fields, "rest", place)](const std::vector<double>&) {
    return spline(model, times, points, ends.first, ends.last);
  };
}

}  // namespace denoc::io
