#include "studies/condition.hpp"

#include <Eigen/Eigenvalues>

namespace denoc::app {
namespace {

double largest_eigenvalue(std::span<const double> matrix, int n) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> m(matrix.data(), n, n);
  const Eigen::MatrixXd symmetric = (m + m.transpose()) / 2;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()(n - 1);
}

}  // namespace

double condition(std::span<const double> inertia, std::span<const double> inverse, int n) {
  return n == 0 ? 1 : largest_eigenvalue(inertia, n) * largest_eigenvalue(inverse, n);
}

}  // namespace denoc::app
