#include "denoc/control/drive_limits.hpp"
#include "laws.hpp"

namespace denoc::io {

// It sums its error sample by sample, at this rate (Hz) unless the file says another.
constexpr double usual_rate = 1000;

void read_pid(const Fields& fields, const LawPlace& place, ControlReader& control) {
  const Tracking tracking = read_tracking(fields, place, {"kp", "ki", "kd"}, false, control);
  if (!fields.has("rate")) place.setup.control_rate = usual_rate;
  control.make = [model = place.model, tracking,
                  most = drive_limits(*place.model, place.setup.effort_limits)](const SharedMotion& motion) {
    return pid(model, motion, {tracking.gains[0], tracking.gains[2]}, tracking.gains[1], tracking.driven, most);
  };
}

}  // namespace denoc::io
