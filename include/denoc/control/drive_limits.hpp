// What the drives of a robot give at most.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

/// For each degree of freedom: max_torque of its actuator through the gear, and `limits: effort` of its joint where that
/// counts; infinity where there is neither.
std::vector<double> drive_limits(const Model& model, bool with_effort);

}  // namespace denoc
