// Which forces in the driven joints and in the loops give a motion.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "closure_system.hpp"

namespace denoc {

// The trees that stand on the ground when the loops are cut: each has as many equations as degrees of freedom, and as
// unknowns its driven forces and the multipliers that act on it. Where the equations suffice it is determinate, and its
// multipliers are known loads for those after it; the indeterminate ones are left together.       [Shah13, section 2.2]
struct Subsystem {
  std::vector<int> dofs, driven, rows;
  bool is_determinate;
};
// At the gradients of `closure`.
std::vector<Subsystem> subsystems(const Model& model, const ClosureSystem& closure, const std::vector<int>& driven);

// tau + J^T f = load, tau in the driven degrees of freedom alone: the determinate subsystems one after the other, then
// the rest, where the shortest tau comes first and then the shortest f.
struct DrivingForces {
  Eigen::VectorXd tau, f;
  bool is_unique;  // f
};
DrivingForces driving_forces(const Model& model, const ClosureSystem& closure, const std::vector<int>& driven,
                             const Eigen::VectorXd& load);

}  // namespace denoc
