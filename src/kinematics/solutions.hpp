// Inverse kinematics under conditions of whoever knows more of the robot than its tree.
#pragma once
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "pose_search.hpp"

namespace denoc::kinematics {

// As inverse_kinematics; where something holds besides, the nearest posture to `start` that is found, all joints moving.
std::vector<Solution> solutions(const Model& model, const Target& target, const Pose<double>& pose,
                                const std::vector<double>& start, const std::shared_ptr<Conditions>& beside);

}  // namespace denoc::kinematics
