// Derivatives of a mechanism's equations of motion with everything it has: what Dynamics keeps for them.
#pragma once
#include <optional>

#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "force_derivatives.hpp"
#include "loops/closed_derivatives.hpp"

namespace denoc {

class Differentiation {
 public:
  Differentiation(const Model& tree, bool with_forces, bool with_loops);

  // A state, what acts there besides the forces of the file, and those of the wrenches that are constant in world axes.
  struct Motion {
    const Configuration<double>& at;
    std::span<const double> q, v, a;
    std::span<const BodyWrench<double>> wrenches, fixed_in_world;
  };
  // dq, dv and da (n x n by rows) of tau at m.a.
  void inverse(const Motion& m);
  // The same of a, where da is by tau: at the accelerations that tau gives, which are stored where m.a is.
  void forward(const Motion& m, std::span<const double> tau, std::span<double> a);
  // The same of a closed chain, at its accelerations m.a.
  void closed(const Motion& m, std::span<const double> multipliers);

  std::vector<double> dq, dv, da;

 private:
  void turn_world_wrenches(const Motion& m);

  const Model* tree_;
  ForwardScratch<double> forward_;
  InverseDerivativesScratch<double> inverse_;
  BranchSystem<double> system_;
  Kinematics<double> kin_;
  struct Mover {
    int dof;
    Twist<double> column;  // in the body's frame
  };
  std::vector<Mover> movers_ = {};
  std::optional<ForceDerivatives<double>> forces_ = {};
  std::optional<ClosedDerivatives> loops_ = {};
};

}  // namespace denoc
