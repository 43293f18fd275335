// Joints from the pose of a body, of the whole robot: its loops stay closed.
#pragma once
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/mechanism/mechanism.hpp"

namespace denoc {

/// As inverse_kinematics of its tree (kinematics/inverse_kinematics.hpp) where the joints that carry the body open no
/// loop; else the nearest posture to `start` that is found among those that close all loops. Throws Unreachable.
std::vector<Solution> inverse_kinematics(const Mechanism& robot, const Target& target, const Pose<double>& pose,
                                         const std::vector<double>& start);

}  // namespace denoc
