#include "dense.hpp"

#include <Eigen/Dense>

namespace denoc::test {

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  if (threshold > 0) decomposition.setThreshold(threshold);
  return decomposition.compute(A).solve(b);
}
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A) { return A.jacobiSvd().singularValues(); }
Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A) { return A.inverse(); }

}  // namespace denoc::test
