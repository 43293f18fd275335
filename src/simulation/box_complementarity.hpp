// Which of several frictions at rest hold, and which are at their limits.
#pragma once
#include <Eigen/Dense>
#include <vector>

namespace denoc::simulation {

// Orthonormal directions, one for each column taken.
class Span {
 public:
  // Whether the column is a sum of those taken, to rounding.
  bool holds(const Eigen::VectorXd& x) const;
  // Takes it unless it is; says whether it did.
  bool take(const Eigen::VectorXd& x);

 private:
  Eigen::VectorXd beside(Eigen::VectorXd x) const;
  std::vector<Eigen::VectorXd> directions_ = {};
};

// Finds f with |f_i| <= limit_i for a = R^T R (f - held) + left: a_i = 0 inside the limits, a_i <= 0 at +limit, a_i >= 0
// at -limit. `held` is what would hold all of them, but for the accelerations `left`: where columns of R depend on each
// other, not all may be held. a is unique; f is not then: the first of them give what is needed, and each takes over only
// where those before it are at their limits.
struct BoxedForces {
  Eigen::VectorXi side;  // 0 inside, +-1 at +-limit
  Eigen::VectorXd force;
};
BoxedForces box_complementarity(const Eigen::MatrixXd& R, const Eigen::VectorXd& held, const Eigen::VectorXd& limit,
                                const Eigen::VectorXd& left);

}  // namespace denoc::simulation
