// What is doubted of a robot beyond what its file says of each part.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

/// The joint whose pivot in I = U D U^T, at the neutral posture, is so small beside the largest one that accelerations
/// keep no digits: max d / min d, a lower bound of the condition number, beyond 1 / (16 eps). Nothing where the digits
/// do, or where I is singular, which forward dynamics says by itself.
std::vector<Fault> doubts_of_condition(const Model& tree);
/// That, and the postures with names that leave a loop open.
std::vector<Fault> doubts_of(const Model& tree);
/// For those who read strictly: throws RobotError with what is doubted.
void require_no_doubts(const Model& tree);

}  // namespace denoc
