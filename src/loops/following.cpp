#include "following.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "closure_system.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<int> others(int n, const std::vector<int>& independent) {
  std::vector<int> rest;
  for (int k = 0; k < n; ++k)
    if (std::find(independent.begin(), independent.end(), k) == independent.end()) rest.push_back(k);
  return rest;
}

}  // namespace

Following assembly_following(const Model& model, ClosedChain& chain, std::span<const double> q,
                             std::vector<int> independent) {
  if (independent.empty()) independent = chain.independent(q);
  require_dofs(model, independent);
  std::sort(independent.begin(), independent.end());
  independent.erase(std::unique(independent.begin(), independent.end()), independent.end());
  const std::vector<int> dependent = others(model.nv(), independent);
  const std::vector<double> entries = chain.jacobian(q);
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const ByRows> J(entries.data(), chain.rows(), model.nv());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
  solver.setThreshold(rank_threshold);
  solver.compute(J(Eigen::all, dependent));
  const auto n = static_cast<Index>(model.nv()), m = static_cast<Index>(independent.size());
  if (solver.rank() < n - m || chain.mobility(q).freedom() != m)
    throw ArgumentError(
        fmt::format("{} degrees of freedom are given as independent, but they do not say what the other {} do here: "
                    "this posture has {}",
                    m, n - m, chain.mobility(q).freedom()));
  MatrixXd W = MatrixXd::Zero(n, m);
  for (Index i = 0; i < m; ++i) W(independent[static_cast<std::size_t>(i)], i) = 1;
  W(dependent, Eigen::all) = -solver.solve(J(Eigen::all, independent));
  Following result{std::move(independent), std::vector<double>(static_cast<std::size_t>(n * m)), {}};
  Eigen::Map<ByRows>(result.first.data(), n, m) = W;

  const auto bias = [&](const VectorXd& v) -> VectorXd {
    const std::vector<double> b = chain.bias(q, {v.data(), static_cast<std::size_t>(n)});
    return Eigen::Map<const VectorXd>(b.data(), static_cast<Index>(b.size()));
  };
  std::vector<VectorXd> alone;
  for (Index i = 0; i < m; ++i) alone.push_back(bias(W.col(i)));
  result.second.assign(static_cast<std::size_t>(n * m * m), 0.0);
  for (Index i = 0; i < m; ++i)
    for (Index j = i; j < m; ++j) {
      const VectorXd &of_i = alone[static_cast<std::size_t>(i)], &of_j = alone[static_cast<std::size_t>(j)];
      const VectorXd together = i == j ? of_i : VectorXd((bias(W.col(i) + W.col(j)) - of_i - of_j) / 2);
      const VectorXd h = -solver.solve(together);
      for (std::size_t d = 0; d < dependent.size(); ++d) {
        const Index k = dependent[d];
        for (const Index at : {(k * m + i) * m + j, (k * m + j) * m + i})
          result.second[static_cast<std::size_t>(at)] = h[static_cast<Index>(d)];
      }
    }
  return result;
}

}  // namespace denoc
