#include "least_squares.hpp"

#include <Eigen/QR>

namespace denoc::kinematics {

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

}  // namespace denoc::kinematics
