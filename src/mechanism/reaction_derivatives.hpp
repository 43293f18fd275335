// How the wrenches that joints transmit change with the state: joint_reactions over Dual, with the accelerations and the
// multipliers of the loops varied as they depend on the state.
#pragma once
#include "denoc/dynamics/reactions.hpp"
#include "denoc/loops/closure.hpp"
#include "differentiation.hpp"
#include "varied_state.hpp"

namespace denoc {

class ReactionDerivatives {
 public:
  ReactionDerivatives(const Model& tree, bool with_forces, bool with_loops);

  // By q, v and a: dx is that by a.
  void inverse(const DifferentiatedMotion& m);
  // By q, v and tau (dx), where m.a and the multipliers (none of a tree) are what tau gives, and `by` is how they change.
  void forward(const DifferentiatedMotion& m, std::span<const double> multipliers, const Differentiation& by);

  std::vector<double> dq, dv, dx;  // (6 bodies) x n by rows: moment, then force

 private:
  using D = Dual<double>;
  // dx/dy_k of one column k: of a, and of the multipliers.
  struct Following {
    const std::vector<double>*a = nullptr, *multipliers = nullptr;
  };
  void start(const DifferentiatedMotion& m, std::span<const double> multipliers);
  void keep(int k, const Following& by, std::vector<double>& matrix);
  void add_loops();

  const Model* tree_;
  VariedState varied_;
  ReactionScratch<D> scratch_;
  std::vector<Wrench<D>> reactions_;
  std::vector<BodyWrench<D>> acting_ = {};
  // Of the loops.
  std::vector<ClosureRow> rows_ = {};
  LoopKinematics<D> kin_;
  std::vector<D> multipliers_ = {};
  std::vector<BodyWrench<D>> of_loops_ = {};  // on a, on b of each loop
};

}  // namespace denoc
