#include "passive_accelerations.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace denoc {

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
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows + m, count + m);
  Eigen::VectorXd b(rows + m);
  const Eigen::VectorXd load = bias + I * known;
  for (Index i = 0; i < rows; ++i) {
    const int u = passive[size_t(i)];
    for (Index k = 0; k < count; ++k) A(i, k) = unit[u] * I(u, unknown[size_t(k)]) * unit[unknown[size_t(k)]];
    A.row(i).tail(m) = -unit[u] * J.col(u).transpose();
    b[i] = -unit[u] * load[u];
  }
  for (Index k = 0; k < count; ++k) A.col(k).tail(m) = J.col(unknown[size_t(k)]) * unit[unknown[size_t(k)]];
  b.tail(m) = -(jv + J * known);

  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(A);
  const Eigen::VectorXd x = decomposition.solve(b);
  PassiveAccelerations found{{a.begin(), a.end()}};
  for (Index k = 0; k < count; ++k) found.a[size_t(unknown[size_t(k)])] = x[k] * unit[unknown[size_t(k)]];

  // What may be added to x without a change: forces in redundant loops may, accelerations must not.
  const Index kernel = A.cols() - decomposition.rank();
  if (kernel == 0) return found;
  const Eigen::MatrixXd Z = decomposition.colsPermutation() * Eigen::MatrixXd(decomposition.matrixZ().transpose());
  constexpr double noise = 1e-8;  // of the unit vectors of the kernel
  for (Index k = 0; k < count && found.undetermined < 0; ++k)
    if (Z.row(k).tail(kernel).cwiseAbs().maxCoeff() > noise) found.undetermined = unknown[size_t(k)];
  return found;
}

}  // namespace denoc
