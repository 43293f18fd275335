// A body led along a straight line in space.                                                       [Mata02 5.2]
#pragma once
#include <memory>

#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/motion/guide.hpp"
#include "denoc/motion/profile.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

/// From the posture `start` the guided point moves by `displacement` (world axes); the joints follow without jumps.
/// Throws Unreachable and SingularPosture with the place along the line (and whether position or attitude cannot be
/// had), and ArgumentError where more degrees of freedom move the body than the line has a say in.
std::shared_ptr<const Trajectory> straight_line(std::shared_ptr<const Model> model, const Guide& guide,
                                                std::vector<double> start, const Vec3<double>& displacement,
                                                double duration, Profile profile);
/// The origin of a body that does not turn.
std::shared_ptr<const Trajectory> straight_line(std::shared_ptr<const Model> model, int body, std::vector<double> start,
                                                const Vec3<double>& displacement, double duration, Profile profile);

}  // namespace denoc
