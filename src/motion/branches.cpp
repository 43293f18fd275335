#include "branches.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace denoc::motion {

bool passes_singular(const Eigen::MatrixXd& J, const Eigen::MatrixXd& K) {
  if (J.cols() == 0) return false;
  const Eigen::MatrixXd turned = J.colPivHouseholderQr().solve(K);
  // Eigenvalues are no farther from 1 than this.
  if ((turned - Eigen::MatrixXd::Identity(J.cols(), J.cols())).norm() < 1) return false;
  // Of two that rounding makes a pair of complex numbers the real parts are looked at, too.
  return !(turned.eigenvalues().real().minCoeff() > 0);
}

}  // namespace denoc::motion
