// What each problem costs for a robot, counted on the shipped code.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "denoc/model/model.hpp"
#include "denoc/scalar/counted.hpp"

namespace denoc {

/// What one problem costs by one method.
struct ProblemCount {
  std::string problem, method;
  OperationCount executed;
  std::optional<OperationCount> folded;
};

/// place; then inverse, bias, inertia, factorize, solve and forward, by every method of formulations.hpp, at placed
/// joints: of what `place` does, only the sines and cosines are theirs. `solve` starts from the factor.
///   executed: every operation, those with zeros and ones too
///   folded:   what is left when zeros, ones and arithmetic among the robot's constants are done off-line, what comes
///             twice is computed once, and what no result needs is dropped: the way the papers count. It is left out
///             beyond two million executed operations.
/// Methods that are not affordable (formulation.hpp) are left out. Throws SingularInertia if the robot has a joint that
/// moves without inertia.
std::vector<ProblemCount> operation_counts(const Model& model);

}  // namespace denoc
