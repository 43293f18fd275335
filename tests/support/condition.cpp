#include "condition.hpp"

#include <Eigen/Eigenvalues>

namespace denoc::test {

template <class R> R condition(const std::vector<R>& matrix, int n) {
  using Matrix = Eigen::Matrix<R, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix dense = Eigen::Map<const Matrix>(matrix.data(), n, n);
  const auto values = Eigen::SelfAdjointEigenSolver<Matrix>(dense, Eigen::EigenvaluesOnly).eigenvalues();
  return values[n - 1] / values[0];
}
template double condition(const std::vector<double>&, int);
template long double condition(const std::vector<long double>&, int);

}  // namespace denoc::test
