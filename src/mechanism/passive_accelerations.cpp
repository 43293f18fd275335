#include "passive_accelerations.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "loops/closure_system.hpp"

namespace denoc {
namespace {

// How far the kernel of a matrix is turned by what its rank leaves out, rounding included: the norm of that over the
// smallest pivot that counts.                                                                          [Wedin 1972]
double kernel_noise(const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>& A) {
  const Eigen::Index rank = A.rank(), rows = A.rows(), columns = A.cols();
  if (rank == 0) return 0;  // anything is in the kernel
  const Eigen::MatrixXd left = A.matrixQTZ().bottomRightCorner(rows - rank, columns - rank);
  const double rounding = double(std::max(rows, columns)) * std::numeric_limits<double>::epsilon() * A.maxPivot(),
               out = Eigen::MatrixXd(left.triangularView<Eigen::Upper>()).norm();
  return 8 * (rounding + out) / std::abs(A.matrixQTZ()(rank - 1, rank - 1));
}

}  // namespace

PassiveAccelerations passive_accelerations(const PassiveProblem& problem, std::span<const double> a,
                                           std::span<const int> unknown) {
  using Eigen::Index;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = Index(a.size()), m = Index(problem.jv.size()), count = Index(unknown.size());
  const Eigen::Map<const Rows> I(problem.inertia.entries().data(), n, n), J(problem.jacobian.data(), m, n);
  const Eigen::Map<const Eigen::VectorXd> bias(problem.bias.data(), n), jv(problem.jv.data(), m);
  Eigen::VectorXd known = Eigen::Map<const Eigen::VectorXd>(a.data(), n);
  for (const int k : unknown) known[k] = 0;
  std::vector<int> passive;
  for (int k = 0; k < int(n); ++k)
    if (std::find(problem.driven.begin(), problem.driven.end(), k) == problem.driven.end()) passive.push_back(k);

  // Of the passive rows u and the columns U of the unknown:
  //   I_uU a_U - J_u^T l = -(bias + I a)_u,   J_U a_U = -(jv + J a),
  // in units in which the diagonal of I is 1, so that masses and lengths compare.
  Eigen::VectorXd unit(n);
  for (Index k = 0; k < n; ++k) unit[k] = I(k, k) > 0 ? 1 / std::sqrt(I(k, k)) : 1;
  const auto rows = Index(passive.size());
  if (count + m == 0) return {{a.begin(), a.end()}};  // nothing to solve for
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows + m, count + m);
  Eigen::VectorXd b(rows + m);
  const Eigen::VectorXd load = bias + I * known;
  for (Index i = 0; i < rows; ++i) {
    const int u = passive[size_t(i)];
    for (Index k = 0; k < count; ++k) A(i, k) = unit[u] * I(u, unknown[size_t(k)]) * unit[unknown[size_t(k)]];
    for (Index j = 0; j < m; ++j) A(i, count + j) = -unit[u] * J(j, u);
    b[i] = -unit[u] * load[u];
  }
  for (Index j = 0; j < m; ++j)
    for (Index k = 0; k < count; ++k) A(rows + j, k) = J(j, unknown[size_t(k)]) * unit[unknown[size_t(k)]];
  b.tail(m) = -(jv + J * known);

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_threshold);
  decomposition.compute(A);
  const Eigen::VectorXd x = decomposition.solve(b);
  PassiveAccelerations found{{a.begin(), a.end()}};
  for (Index k = 0; k < count; ++k) found.a[size_t(unknown[size_t(k)])] = x[k] * unit[unknown[size_t(k)]];

  // What may be added to x without a change: forces in redundant loops may, accelerations must not.
  const Index kernel = A.cols() - decomposition.rank();
  if (kernel == 0) return found;
  const Eigen::MatrixXd Z = decomposition.colsPermutation() * Eigen::MatrixXd(decomposition.matrixZ().transpose());
  const double noise = kernel_noise(decomposition);
  for (Index k = 0; k < count && found.undetermined < 0; ++k)
    if (Z.row(k).tail(kernel).cwiseAbs().maxCoeff() > noise) found.undetermined = unknown[size_t(k)];
  return found;
}

}  // namespace denoc
