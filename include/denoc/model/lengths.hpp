// How long things are in a robot: what its gaps and its steps are measured by, so that answers do not depend on the unit
// of length.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

/// The lengths of the loops (m), in powers of 32: the way around each from joint to joint, to the nearest power, so
/// that robots of about a metre are measured in metres and dividing by it rounds nothing. Where loops couple
/// coordinates, or have no way around them, that of the robot: how far its joints reach from the first ones, and where
/// they are nowhere apart its masses from their joints.
std::vector<double> lengths_of_loops(const Robot& robot);
/// That of the longest loop; of a tree that of the robot. 1 where nothing is apart.
double length_of(const Robot& robot);
/// What is no longer than this (m) is rounding of the robot's frames: 0.1 + 0.2 is not 0.3.
double rounded_length(const Robot& robot);
/// What the degrees of freedom are measured in: 1 rad, or the length of the robot.
std::vector<double> units_of(const Model& model);

}  // namespace denoc
