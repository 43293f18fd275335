#include "studies/polynomial_fit.hpp"

#include <Eigen/QR>

namespace denoc::app {

std::vector<double> polynomial_fit(const std::vector<double>& y, int first, int degree) {
  const auto rows = static_cast<Eigen::Index>(y.size());
  Eigen::MatrixXd powers(rows, degree + 1);
  for (Eigen::Index i = 0; i < rows; ++i) {
    powers(i, 0) = 1;
    for (int k = 1; k <= degree; ++k) powers(i, k) = powers(i, k - 1) * (first + static_cast<double>(i));
  }
  const Eigen::VectorXd c = powers.colPivHouseholderQr().solve(Eigen::Map<const Eigen::VectorXd>(y.data(), rows));
  return {c.begin(), c.end()};
}

}  // namespace denoc::app
