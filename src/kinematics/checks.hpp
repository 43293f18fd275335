// The arguments of inverse kinematics, checked once.
#pragma once
#include <string>
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc::kinematics {

// Size and numbers of q, its quaternions brought to unit length. Throws ArgumentError: `what` is the name of q.
std::vector<double> coordinates_of(const Model& model, std::vector<double> q, const std::string& what);
// Throws ArgumentError unless it is one of the model's that may move.
int body_of(const Model& model, int body);
// The pose with its rotation made orthogonal to rounding. Throws ArgumentError where it is off by 1e-6 or more.
Pose<double> rigid(const Pose<double>& pose);

}  // namespace denoc::kinematics
