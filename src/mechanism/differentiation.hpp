// Derivatives of a mechanism's equations of motion with everything it has: what Dynamics keeps for them.
#pragma once
#include <optional>

#include "denoc/dynamics/derivatives/forward.hpp"
#include "differentiated_motion.hpp"
#include "force_derivatives.hpp"
#include "loops/closed_derivatives.hpp"
#include "world_wrenches.hpp"

namespace denoc {

class Differentiation {
 public:
  // loops: the rows of those that it closes, if any.
  Differentiation(const Model& tree, bool with_forces, std::shared_ptr<const ClosureRows> loops);

  // dq, dv and da (n x n by rows) of tau at m.a.
  void inverse(const DifferentiatedMotion& m);
  // The same of a, where da is by tau: at the accelerations that tau gives, which are stored where m.a is.
  void forward(const DifferentiatedMotion& m, std::span<const double> tau, std::span<double> a);
  // The same of a closed chain, at its accelerations m.a and multipliers, and those of the multipliers.
  void closed(const DifferentiatedMotion& m, std::span<const double> multipliers);

  std::vector<double> dq, dv, da;
  const ClosedDerivatives::OfMultipliers& of_multipliers() const { return loops_->of_multipliers; }

 private:
  const Model* tree_;
  ForwardScratch<double> forward_;
  InverseDerivativesScratch<double> inverse_;
  BranchSystem<double> system_;
  WorldWrenches<double> turning_;
  std::optional<ForceDerivatives<double>> forces_ = {};
  std::optional<ClosedDerivatives> loops_ = {};
};

}  // namespace denoc
