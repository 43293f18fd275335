#include "denoc/motion/joint_motion.hpp"
#include "motions.hpp"

namespace denoc::io {

MakeMotion read_hold(const Fields& fields, const MotionPlace& place) {
  const bool is_here = !fields.has("posture") && place.has_start;
  return [=, model = place.model, posture = place.vectors.posture(fields, "posture"),
          time = read_duration(fields, place.run)](const std::vector<double>& here) {
    return hold(model, is_here ? here : posture, time);
  };
}

}  // namespace denoc::io
