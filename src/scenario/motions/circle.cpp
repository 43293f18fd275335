#include "denoc/motion/circle.hpp"

#include <numbers>

#include "motions.hpp"

namespace denoc::io {

MakeMotion read_circle(const Fields& fields, const MotionPlace& place) {
  const auto start = read_beginning(fields, "start", place);
  fields.require("centre");
  return [=, model = place.model, guide = read_guide(fields, place), centre = fields.vec3("centre", {0, 0, 0}),
          axis = direction(fields, "axis", {0, 0, 1}), angle = fields.number("angle", 2 * std::numbers::pi),
          time = read_duration(fields), shape = read_profile(fields)](const std::vector<double>& here) {
    return circle(model, guide, start(here), centre, axis, angle, time, shape);
  };
}

}  // namespace denoc::io
