// Degrees of freedom without a force: their accelerations follow from those of the others.
#pragma once
#include <vector>

#include "denoc/dynamics/inertia/composite.hpp"

namespace denoc::motion {

// All degrees of freedom but the given ones, in order.
std::vector<int> others(const Model& model, const std::vector<int>& driven);
// Those of free joints without a drive that no loop ties to the ground or to other bodies: of bases that float.
std::vector<int> floating(const Model& model, const std::vector<int>& driven);

// The bodies of joints of which some degrees of freedom are among `dofs` and others are not. Throws ArgumentError for one
// that is none.
std::vector<int> joints_in_part(const Model& model, const std::vector<int>& dofs);

// With u the degrees of freedom that no drive moves, tau and a split as the rows and columns of I:
//   tau_u = 0:  I_uu a_u = -tau0_u,   tau = tau0 + I_.u a_u,   tau0: what inverse dynamics says for a_u = 0
class FreeMotion {
 public:
  explicit FreeMotion(const Model& model);

  // Sets a_u of `a`, and turns tau from tau0 into what the drives give; tau_u is 0. `at`: the posture. Throws
  // SingularInertia where a joint without a drive moves without inertia.
  void release(const Configuration<double>& at, const std::vector<int>& undriven, Out<double> tau, Out<double> a);

 private:
  const Model& model_;
  CompositeScratch<double> scratch_;
  std::vector<double> inertia_;
};

// The same with I by rows, wherever it is from.
void release(const Model& model, std::span<const double> inertia, const std::vector<int>& undriven,
             std::span<double> tau, std::span<double> a);

}  // namespace denoc::motion
