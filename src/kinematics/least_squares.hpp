// The linear least squares problem that Newton's steps solve.
#pragma once
#include <Eigen/Core>

namespace denoc::kinematics {

// The shortest x among those with the least |A x - b|. Rows that depend on others as far as rounding of as many terms
// as A has columns tells count once. (In a file of its own: it takes long to compile.)
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace denoc::kinematics
