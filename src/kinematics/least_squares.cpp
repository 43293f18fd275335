#include "least_squares.hpp"

#include <Eigen/QR>
#include <limits>

namespace denoc::kinematics {

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  if (A.size() == 0) return Eigen::VectorXd::Zero(A.cols());  // which the decomposition does not survive
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(16 * double(A.cols() + 1) * std::numeric_limits<double>::epsilon());
  return decomposition.compute(A).solve(b);
}

}  // namespace denoc::kinematics
