// First derivatives of the wrenches that joints transmit, by evaluating them over Dual, one coordinate after the other.
// The forces f in the loops and tau in the driven joints follow from
//   J^T f + S tau = I a + bias - (forces of the file)
// whose change, with f held on the right, is solved for theirs:  J^T df + S dtau = d(I a + bias - forces - J^T f).
#pragma once
#include <optional>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/loops/closure.hpp"

namespace denoc {

class ReactionDifferentiation {
 public:
  ReactionDifferentiation(const Model& tree, bool with_forces, bool with_loops);

  // A state, and the wrenches that act there besides the forces of the file, constant in body axes.
  struct Motion {
    std::span<const double> q, v, a;
    std::span<const BodyWrench<double>> wrenches;
  };
  // dq, dv and da: 6 rows for each body, the ground included, by the degrees of freedom. multipliers: f at the state.
  void evaluate(const Motion& m, std::span<const double> multipliers, std::span<const int> driven);

  std::vector<double> dq = {}, dv = {}, da = {};

 private:
  using D = Dual<double>;
  void evaluate_at(std::span<const double> multipliers);
  void evaluate_loops(std::span<const double> multipliers);

  const Model* tree_;
  Configuration<D> at_;
  InverseScratch<D> inverse_;
  ReactionScratch<D> scratch_;
  std::optional<ForcesOf<D>> forces_ = {};
  std::vector<ClosureRow> rows_ = {};  // of loops that act
  std::vector<LoopPath> paths_ = {};
  LoopKinematics<D> kin_;
  std::vector<LoopFrames<D>> frames_ = {};
  std::vector<ClosureValue<D>> values_ = {};
  std::vector<D> gradients_ = {};  // J, by rows
  std::vector<D> start_, q_, step_, v_, a_, tau_;
  std::vector<BodyWrench<D>> given_ = {}, acting_ = {};
  std::vector<Wrench<D>> reactions_;
};

}  // namespace denoc
