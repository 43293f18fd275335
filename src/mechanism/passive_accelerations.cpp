#include "passive_accelerations.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "loops/closure_system.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Entries are of order 1: what is small beside that is small, however it compares with the rest.
double threshold(double largest) { return rank_threshold * std::max(1.0, 1 / largest); }
// The x with A x = 0, each with one of the entries that are free and those that follow it.
MatrixXd kernel(const MatrixXd& A) {
  const double largest = A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
  if (largest <= rank_threshold) return MatrixXd::Identity(A.cols(), A.cols());
  Eigen::FullPivLU<MatrixXd> decomposition;
  decomposition.setThreshold(threshold(largest));
  decomposition.compute(A);
  return decomposition.dimensionOfKernel() == 0 ? MatrixXd(A.cols(), 0) : MatrixXd(decomposition.kernel());
}
// The shortest x with A x nearest to b.
VectorXd shortest_fit(const MatrixXd& A, const VectorXd& b) {
  const double largest = A.size() == 0 ? 0 : A.colwise().norm().maxCoeff();
  if (largest <= rank_threshold) return VectorXd::Zero(A.cols());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(threshold(largest));
  return decomposition.compute(A).solve(b);
}
// A = Q^T I N without the entries that are rounding of the terms they are summed from, |I_ij| <= sqrt(I_ii I_jj): joints
// that do not feel each other would ask for something when their rows are brought to the length of others.
MatrixXd without_rounding(MatrixXd A, const VectorXd& of_rows, const VectorXd& of_columns) {
  constexpr double rounding = 4096 * std::numeric_limits<double>::epsilon();
  const MatrixXd terms = of_rows * of_columns.transpose();
  return (A.array().abs() > rounding * terms.array()).select(A, 0);
}
VectorXd to_unit_length(const VectorXd& lengths) {
  return lengths.unaryExpr([](double x) { return x > 0 ? 1 / x : 1; });
}

}  // namespace

PassiveAccelerations passive_accelerations(const PassiveProblem& problem, std::span<const double> a,
                                           std::span<const int> unknown) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = Index(a.size()), m = Index(problem.jv.size());
  const auto vector = [](std::span<const double> x) { return Eigen::Map<const VectorXd>(x.data(), Index(x.size())); };
  // All in units, and rows of couplings with large ratios as long as others.
  const VectorXd units = vector(problem.units);
  const Eigen::Map<const Rows> closing(problem.closing.data(), m, n);
  const VectorXd per_row = closing.rowwise().norm().cwiseMax(1).cwiseInverse();
  const MatrixXd I = units.asDiagonal() * Eigen::Map<const Rows>(problem.inertia.entries().data(), n, n) *
                     units.asDiagonal(),
                 J = per_row.asDiagonal() * closing;
  const VectorXd bias = vector(problem.bias).cwiseProduct(units),
                 jv = vector(problem.jv).cwiseQuotient(vector(problem.row_units)).cwiseProduct(per_row);
  VectorXd known = vector(a).cwiseQuotient(units);
  for (const int k : unknown) known[k] = 0;
  std::vector<int> passive, free(unknown.begin(), unknown.end());
  for (int k = 0; k < int(n); ++k)
    if (std::find(problem.driven.begin(), problem.driven.end(), k) == problem.driven.end()) passive.push_back(k);
  PassiveAccelerations found{{a.begin(), a.end()}};
  if (free.empty()) return found;

  // Of the passive rows u and the columns U of the unknown:
  //   I_uU a_U - J_u^T l = -(bias + I a)_u,   J_U a_U = -(jv + J a).
  // What follows by the loops is a matter of geometry, whatever the masses: a_U = p + N z with J_U N = 0. Masses have
  // their say in what is left, in the equations without the forces of loops: with Q^T J_u^T = 0
  //   Q^T I_uU N z = -Q^T (bias + I a + I_uU p)_u,
  // rows and columns brought to unit length, so that masses compare.
  const MatrixXd of_unknown = J(Eigen::all, free), N = kernel(of_unknown), Q = kernel(J(Eigen::all, passive)),
                 inertia = I(passive, free);
  const VectorXd p = shortest_fit(of_unknown, -(jv + J * known)), load = (bias + I * known)(passive) + inertia * p;
  const VectorXd sizes = I.diagonal().cwiseSqrt();
  MatrixXd A = without_rounding(Q.transpose() * inertia * N, Q.cwiseAbs().transpose() * sizes(passive),
                                N.cwiseAbs().transpose() * sizes(free));
  const VectorXd rows = to_unit_length(A.rowwise().norm());
  A = (rows.asDiagonal() * A).eval();
  const VectorXd columns = to_unit_length(A.colwise().norm());
  A = (A * columns.asDiagonal()).eval();
  const VectorXd all = p - N * columns.cwiseProduct(shortest_fit(A, rows.cwiseProduct(Q.transpose() * load)));
  for (std::size_t k = 0; k < free.size(); ++k) found.a[size_t(free[k])] = all[Index(k)] * units[free[k]];

  if (const MatrixXd any = kernel(A); any.cols() > 0 && N.cols() > 0) {
    Index most = 0;
    (N * columns.cwiseProduct(any.col(0))).cwiseAbs().maxCoeff(&most);
    found.undetermined = free[size_t(most)];
  }
  return found;
}

}  // namespace denoc
