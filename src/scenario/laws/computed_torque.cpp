#include "laws.hpp"

namespace denoc::io {

void read_computed_torque(const Fields& fields, const LawPlace& place, ControlReader& control) {
  const Tracking tracking = read_tracking(fields, place, {"kp", "kd"}, true, control);
  control.make = [model = place.model, tracking](const SharedMotion& motion) {
    return computed_torque(model, motion, {tracking.gains[0], tracking.gains[1]}, tracking.driven);
  };
}

}  // namespace denoc::io
