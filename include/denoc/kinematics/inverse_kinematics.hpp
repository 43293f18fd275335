// Joints from the pose of a body. Limits of the joints play no part.
#pragma once
#include <string>
#include <vector>

#include "denoc/error.hpp"
#include "denoc/model/model.hpp"

namespace denoc {

/// No posture was found: out of reach, or the search did not settle. what() says which, and by how much it misses.
class Unreachable : public Error {
 public:
  using Error::Error;
};

/// One posture of an arm with a spherical wrist. `branch` names it:
/// - where the axes 2 and 3 are parallel, "left|right above|below noflip|flip". Who stands with the head along axis 1
///   and looks at the wrist has the arm at that side (where it is at neither, axis 2 pointing to that side); the elbow
///   lies above or below the line from the shoulder to the wrist;
/// - of other arms, "arm1|arm2|arm3|arm4 noflip|flip", counted by the angle of joint 3.
/// noflip: axis 5 points along the cross product of the axes 4 and 6, not against it.
struct ArmPosture {
  std::string branch;
  std::vector<double> q;
};
/// All postures of a 6R arm whose last three axes meet in a point (up to eight, each refined to rounding; angles in
/// (-pi, pi]) that bring the body's frame to `pose` in the world, in the order of their branches. Where a posture is
/// singular, one of its family. Empty: out of reach. Joints that do not carry the body stay as they are in `elsewhere`,
/// a q; empty: the neutral one. Throws ArgumentError for an arm that is not of this kind.
std::vector<ArmPosture> wrist_partitioned_postures(const Model& model, int body, const Pose<double>& pose,
                                                   const std::vector<double>& elsewhere = {});
/// Whether the joints that carry the body are six revolute ones whose last three axes meet in a point.
bool is_wrist_partitioned(const Model& model, int body);

/// A posture near `seed` that brings the body's frame to `pose`, by damped least squares, for any robot; the joints
/// move no farther than they must. Throws Unreachable.
std::vector<double> posture_near(const Model& model, int body, const Pose<double>& pose,
                                 const std::vector<double>& seed);

/// What of a body is to be brought to a pose: a point of it (in its own frame) to the pose's origin, and its axes to
/// the pose's unless the attitude is left free.
struct Target {
  int body;
  Vec3<double> point{0, 0, 0};
  bool with_attitude = true;
};
/// How far it is from the pose at q: the larger of metres and radians.
double gap(const Model& model, const Target& target, const Pose<double>& pose, const std::vector<double>& q);

/// One way to reach a pose.
struct Solution {
  std::vector<double> q;
  double gap;               // m or rad that rounding leaves
  double distance;          // from the start: the length of difference(start, q), in rad and lengths of the robot
  bool is_within_limits;    // of the joints
  std::string branch = {};  // of an arm with a spherical wrist
};
/// Every posture of a 6R arm with a spherical wrist, the nearest to `start` first; of other robots, or where the
/// attitude is free, the nearest that searches from `start` and from some other postures find. Joints that do not carry
/// the body stay as they start. Hinges turn by whole turns to come near to the start and into their limits; otherwise
/// limits play no part. Throws Unreachable, which says whether position or attitude is the reason.
std::vector<Solution> inverse_kinematics(const Model& model, const Target& target, const Pose<double>& pose,
                                         const std::vector<double>& start);

}  // namespace denoc
