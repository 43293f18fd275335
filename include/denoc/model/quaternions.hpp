// The quaternions among the coordinates of a robot.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc {

/// Where a quaternion w x y z stands in q, and whose it is.
struct QuaternionPlace {
  int first;
  std::string joint;
};
/// All quaternions in q, in order.
std::vector<QuaternionPlace> quaternions_of(const Robot& robot);

/// How far off unit length a quaternion is taken for one that was rounded, and brought to it.
inline constexpr double unit_length_error = 1e-6;
/// Brings it to unit length if it is off by less than that; else the rule that it breaks.
std::string normalise(const QuaternionPlace& place, std::span<double> q);

/// The same for all of a q that comes from outside. Throws ArgumentError, also for entries that are no finite numbers:
/// `name` is what q is called.
void bring_to_manifold(std::span<const QuaternionPlace> places, std::span<double> q, const char* name = "q");

/// The posture that the file draws: q = 0 and quaternions of no turning, unless a joint says otherwise
/// (Joint::neutral).
std::vector<double> neutral_posture(const Robot& robot);

}  // namespace denoc
