#include "denoc/motion/line.hpp"

#include "motions.hpp"

namespace denoc::io {

Guide read_guide(const Fields& fields, const MotionPlace& place) {
  Guide guide{read_body(fields, place.model->robot())};
  guide.point = fields.vec3("point", guide.point);
  guide.keeps_attitude = fields.word("attitude", {"kept", "free"}, "kept") == "kept";
  fields.refuse_empty("joints", "no joint takes part: name those that do, or leave it out for all that move the body");
  if (fields.has("joints")) guide.moving = read_joints(fields, "joints", *place.model, place.report);
  return guide;
}

MakeMotion read_line(const Fields& fields, const MotionPlace& place) {
  const auto start = read_beginning(fields, "start", place);
  fields.require("displacement");
  return
      [=, model = place.model, guide = read_guide(fields, place), displacement = fields.vec3("displacement", {0, 0, 0}),
       time = read_duration(fields), shape = read_profile(fields)](const std::vector<double>& here) {
        return straight_line(model, guide, start(here), displacement, time, shape);
      };
}

}  // namespace denoc::io
