// How long things are in a robot: what its gaps and its steps are measured by, so that answers do not depend on the unit
// of length.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

/// The length of a loop (m), in powers of 32: the way around it from joint to joint, to the nearest power, so that
/// robots of about a metre are measured in metres and dividing by it rounds nothing.
double length_of(const Robot& robot, const Loop& loop);
/// ... of the longest loop; of a tree how far its bodies reach from their first joints. 1 where nothing is apart.
double length_of(const Robot& robot);
/// What the degrees of freedom are measured in: 1 rad, or the length of the robot.
std::vector<double> units_of(const Model& model);

}  // namespace denoc
