// Which of several frictions at rest hold, and which are at their limits.
#pragma once
#include <Eigen/Dense>

namespace denoc::simulation {

// Finds f with |f_i| <= limit_i for a = A (f - held): a_i = 0 inside the limits, a_i <= 0 at +limit, a_i >= 0 at
// -limit. A is positive definite, `held` is what would hold all of them. Returns 0 inside, +-1 at +-limit.
Eigen::VectorXi box_complementarity(const Eigen::MatrixXd& A, const Eigen::VectorXd& held,
                                    const Eigen::VectorXd& limit);

}  // namespace denoc::simulation
