// What closes the loops of a robot, through the factor of its tree: O(n) for a few loops, and for many as far as the
// band allows in which loops share links.
#pragma once
#include "climbing_rows.hpp"
#include "closure_system.hpp"
#include "profile_cholesky.hpp"

namespace denoc {

// B = U^-1 J^T is formed by letting the rows' unit wrenches climb to the ground, each joint taking its part: entries
// only where a loop's forces pass. Then
//   (B^T D^-1 B) f = c - B^T D^-1 phihat,   phihat += B f
// where phihat = U^-1 (tau - bias) of the tree and c = J a.
class LoopForces {
 public:
  LoopForces(const Model& model, const ClosureSystem& closure);
  // phihat of the tree becomes that of the closed chain. False, and phihat as it was, where rows nearly depend on each
  // other: squaring would lose what is left of them.
  bool close(const ClosureSystem& closure, const Configuration<double>& at, const Factor<double>& factor,
             const Eigen::VectorXd& c, std::span<double> phi_hat);
  const Eigen::VectorXd& multipliers() const { return f_; }

 private:
  // More rows than degrees of freedom, or sums of them that say nothing: then nothing is kept for them. (The square of a
  // thousand copies of a loop would be millions of numbers.)
  bool cannot_be_independent(const ClosureSystem& closure) const {
    return closure.size() > model_->nv() || closure.has_still_sums();
  }

  struct Strand {  // the rows of one loop
    int loop, begin, end;
    std::vector<int> entries;  // where its part of B stands, in the order in which the joints of its path take it
    // Of those around the loop, which a row moves unless it vanishes, units by place; of couplings none.
    struct Moved {
      int entry;
      double unit;
    };
    std::vector<Moved> around = {};
  };
  void propagate(const ClosureSystem& closure, const Configuration<double>& at, const Factor<double>& factor);
  UnitForces unit_forces(const ClosureSystem& closure, const Strand& s, int begin, int rows) const;
  // Whether a row moves nothing around its loop: what its force and that on the other end leave for the joints that carry
  // both is rounding then, and no direction.
  bool has_vanishing_rows(const ClosureSystem& closure) const;
  template <class F> void for_passed(F&& f);
  void square(const Factor<double>& factor, std::span<const double> phi_hat);  // B^T D^-1 B
  void add(const Eigen::VectorXd& f, const Factor<double>& factor, std::span<double> phi_hat);

  const Model* model_;
  std::vector<Strand> strands_;
  // B by degrees of freedom: the rows from the first to the last whose forces pass there, and where they stand among
  // the entries.
  struct Passing {
    int begin, end, first;
  };
  std::vector<Passing> passing_;
  std::vector<double> entry_;
  ProfileCholesky squared_;
  Eigen::VectorXd f_, step_, rest_;  // rest_: c - B^T D^-1 phihat of the forces added so far
};

}  // namespace denoc
