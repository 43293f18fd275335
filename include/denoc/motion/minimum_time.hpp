// The shortest duration of a motion whose path and shape are given, under limits of the joint forces.
//   tau(x; T) = f(x) / T^2 + G(x),   |tau_k| <= limit_k for all x                             [Angeles7 7.5.1]
#pragma once
#include <vector>

#include "denoc/error.hpp"
#include "denoc/model/model.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

/// The limits do not even hold the robot at rest somewhere along its path. what() names the joint and the place.
class InfeasibleLimits : public Error {
 public:
  using Error::Error;
};

/// Where along the motion (0 to 1) a degree of freedom asks for most, and the duration it asks for. The duration is
/// good to rounding, x to its square root, as for any maximum.
struct JointMinimum {
  double x, duration;
};
/// The shortest duration, in s, and what each degree of freedom asks for.
struct MinimumTime {
  double duration;
  int dof;  // the one that decides
  std::vector<JointMinimum> per_dof;
};
/// The shortest duration of a motion from rest to rest under limits of the forces; its own duration does not matter. f:
/// inertia, rates and the rotors of the drives; G: gravity. Friction and springs are left out. `limits` are positive,
/// one for each degree of freedom. Throws InfeasibleLimits; ArgumentError for limits or a motion that make no sense,
/// for robots with loops and for those on a base that floats.
MinimumTime minimum_time(const Model& model, const Trajectory& shape, const std::vector<double>& limits);

}  // namespace denoc
