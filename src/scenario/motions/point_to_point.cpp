#include "denoc/motion/joint_motion.hpp"
#include "motions.hpp"

namespace denoc::io {

MakeMotion read_point_to_point(const Fields& fields, const MotionPlace& place) {
  const auto from = read_beginning(fields, "from", place);
  fields.require("to");
  return [=, model = place.model, to = place.vectors.posture(fields, "to"), time = read_duration(fields),
          shape = read_profile(fields)](const std::vector<double>& here) {
    return point_to_point(model, from(here), to, time, shape);
  };
}

}  // namespace denoc::io
