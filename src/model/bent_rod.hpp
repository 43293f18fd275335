// Links put together from rods and point masses, worked out in long double.
#pragma once
#include "denoc/model/robot.hpp"

namespace denoc {

// The rod of Mohan07, in the link's own frame at its far end: |b| along the joint axis, then |a| along the common
// normal, the mass spread evenly over both; and a point mass at the far end.
Inertial bent_rod(double mass, const Pose<double>& far_end, double load);
// A body with a point mass at the origin of its frame.
Inertial with_payload(const Inertial& said, double load);

}  // namespace denoc
