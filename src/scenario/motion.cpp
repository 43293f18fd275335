#include <fmt/format.h>

#include "denoc/motion/joint_motion.hpp"
#include "denoc/motion/line.hpp"
#include "parts.hpp"

namespace denoc::io {
namespace {

using SharedModel = std::shared_ptr<const Model>;

Profile profile(const Fields& fields) {
  Words names;
  for (int p = 0; p <= static_cast<int>(Profile::trapezoidal); ++p) names.push_back(name_of(static_cast<Profile>(p)));
  return profile_named(fields.word("profile", names, "cycloidal")).value_or(Profile::cycloidal);
}

double duration(const Fields& fields) {
  fields.require("duration");
  return positive(fields, "duration", 1);
}

MakeMotion read_point_to_point(const Fields& fields, const SharedModel& model, const Vectors& vectors) {
  for (const std::string_view key : {"from", "to"}) fields.require(key);
  return [=, from = vectors.posture(fields, "from"), to = vectors.posture(fields, "to"), time = duration(fields),
          shape = profile(fields)] { return point_to_point(model, from, to, time, shape); };
}

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

MakeMotion read_spline(const Fields& fields, const SharedModel& model, const Vectors& vectors) {
  for (const std::string_view key : {"times", "points"}) fields.require(key);
  const std::size_t count = fields.list("times").size();
  std::vector<double> times = fields.numbers("times", count);
  std::vector<std::vector<double>> points = vectors.postures(fields, "points");
  if (times.size() == count && fields.has("times") && fields.has("points")) check_times(fields, times, points.size());
  return [=] { return spline(model, times, points); };
}

MakeMotion read_line(const Fields& fields, const SharedModel& model, const Vectors& vectors) {
  for (const std::string_view key : {"start", "displacement"}) fields.require(key);
  return [=, body = read_body(fields, model->robot()), start = vectors.posture(fields, "start"),
          displacement = fields.vec3("displacement", {0, 0, 0}), time = duration(fields),
          shape = profile(fields)] { return straight_line(model, body, start, displacement, time, shape); };
}

}  // namespace

int read_body(const Fields& fields, const Robot& robot) {
  const std::string name = fields.text("body");
  if (name.empty()) return 0;  // reported
  const int body = robot.find(name);
  if (body > 0) return body;
  Words names;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) names.push_back(robot.bodies[b].name);
  fields.refuse("body", body == 0 ? "the ground does not move" : unknown("body", name, names));
  return 0;
}

MakeMotion read_motion(const Fields& file, const SharedModel& model, const Vectors& vectors) {
  if (!file.has("motion")) return {};
  const auto motion = variant(file, "motion", "type",
                              {{"point_to_point", {"from", "to", "duration", "profile"}},
                               {"spline", {"times", "points"}},
                               {"line", {"body", "start", "displacement", "duration", "profile"}}});
  if (!motion) return {};
  if (motion->word == "spline") return read_spline(motion->fields, model, vectors);
  if (motion->word == "line") return read_line(motion->fields, model, vectors);
  return read_point_to_point(motion->fields, model, vectors);
}

}  // namespace denoc::io
