// A body led along a straight line in space without turning.                                       [Mata02 5.2]
#pragma once
#include <memory>

#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/motion/profile.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

// From the posture `start` the origin of the body moves by `displacement` (world axes); the joints follow without
// jumps. Throws Unreachable and SingularPosture with the place along the line, and ArgumentError where more
// than six degrees of freedom move the body: the line does not say how.
std::shared_ptr<const Trajectory> straight_line(std::shared_ptr<const Model> model, int body, std::vector<double> start,
                                                const Vec3<double>& displacement, double duration, Profile profile);

}  // namespace denoc
