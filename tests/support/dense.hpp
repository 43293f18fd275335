// Eigen's decompositions that tests hold the library against, each compiled once: they take seconds in every file.
#pragma once
#include <Eigen/Core>

namespace denoc::test {

// The shortest x among those with the least |A x - b|. Pivots below `threshold` of the largest are zero (0: what rounding leaves).
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold = 0);
// From the largest to the smallest.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A);

}  // namespace denoc::test
