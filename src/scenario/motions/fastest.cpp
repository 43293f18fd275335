#include <algorithm>
#include <cmath>

#include "denoc/control/drive_limits.hpp"
#include "denoc/error.hpp"
#include "denoc/motion/minimum_time.hpp"
#include "motions.hpp"

namespace denoc::io {

// From posture to posture in the shortest time that the limits allow.                       [Angeles7 Example 7.5.1]
MakeMotion read_fastest(const Fields& fields, const MotionPlace& place) {
  const auto from = read_beginning(fields, "from", place);
  fields.require("to");
  const std::vector<double> limits =
      fields.has("limits") ? place.vectors.gains(fields, "limits") : drive_limits(*place.model, true);
  if (fields.has("limits") && std::any_of(limits.begin(), limits.end(), [](double x) { return !(x > 0); }))
    fields.refuse("limits", "what a drive gives at most is above 0");
  if (!fields.has("limits") && !std::all_of(limits.begin(), limits.end(), [](double x) { return std::isfinite(x); }))
    fields.refuse("limits", "it is needed: not all joints of the robot have `limits: effort`");
  return [=, model = place.model, to = place.vectors.posture(fields, "to"),
          shape = read_profile(fields)](const std::vector<double>& here) {
    const std::vector<double> start = from(here);
    const double time = minimum_time(*model, *point_to_point(model, start, to, 1, shape), limits).duration;
    if (time == 0) throw ArgumentError("it ends where it begins: nothing moves");
    return point_to_point(model, start, to, time, shape);
  };
}

}  // namespace denoc::io
