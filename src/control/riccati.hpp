// Optimal gains of linear systems: x' = A x + B u with the least integral of x^T Q x + u^T R u.
#pragma once
#include <Eigen/Core>
#include <optional>

namespace denoc::control {

// A motion of x' = A x that does not die out and that no u reaches, if there is one: the part each x has in it.
// [Hautus 1969]
std::optional<Eigen::VectorXd> out_of_reach(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

// The P of A^T P + P A - P B R^-1 B^T P + Q = 0 for which A - B R^-1 B^T P is stable, R diagonal; nothing if it is not
// found to rounding.
std::optional<Eigen::MatrixXd> riccati(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& Q,
                                       const Eigen::VectorXd& R);

}  // namespace denoc::control
