#include "laws.hpp"

namespace denoc::io {

void read_pd(const Fields& fields, const LawPlace& place, ControlReader& control) {
  const Tracking tracking = read_tracking(fields, place, {"kp", "kd"}, false, control);
  control.make = [model = place.model, tracking](const SharedMotion& motion) {
    return pd(model, motion, {tracking.gains[0], tracking.gains[1]}, tracking.driven);
  };
}

}  // namespace denoc::io
