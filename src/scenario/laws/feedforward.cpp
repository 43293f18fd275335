#include "laws.hpp"

namespace denoc::io {

void read_feedforward(const Fields& fields, const LawPlace& place, ControlReader& control) {
  const Tracking tracking = read_tracking(fields, place, {}, true, control);
  control.make = [model = place.model, tracking](const SharedMotion& motion) {
    return feed_forward(model, motion, tracking.driven);
  };
}

}  // namespace denoc::io
