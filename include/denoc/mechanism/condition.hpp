// Whether the digits of a double are enough for the inertia matrix of a robot.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

/// The joint whose pivot in I = U D U^T, at the neutral posture, is so small beside the largest one that accelerations
/// keep no digits: max d / min d, a lower bound of the condition number, beyond 1 / (16 eps). Nothing where the digits
/// do, or where I is singular, which forward dynamics says by itself.
std::vector<Fault> doubts_of_condition(const Model& tree);
/// For those who read strictly: throws RobotError with what is doubted.
void require_condition(const Model& tree);

}  // namespace denoc
