#include "commands/noise.hpp"

#include <Eigen/QR>

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/rounding.hpp"
#include "denoc/eigen.hpp"

namespace denoc::app {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index largest_system = 300;  // nobody looks for zeros in longer tables

Noise noise_of(const VectorXd& x) { return {x.begin(), x.end()}; }

// The rows of the loops at q, and what rounding leaves unknown of their entries, which are sums along the chain.
struct LoopRows {
  RowMajor J;
  double noise = 0;

  LoopRows(const Model& model, const std::vector<double>& q) : J(0, model.nv()) {
    if (model.robot().loops.empty()) return;
    ClosedChain chain(model);
    const std::vector<double> rows = chain.jacobian(q);
    J = Eigen::Map<const RowMajor>(rows.data(), chain.rows(), model.nv());
    const double size = std::max(1.0, J.size() == 0 ? 0 : J.cwiseAbs().maxCoeff());
    noise = Rounding<double>::factor * model.nv() * std::numeric_limits<double>::epsilon() * size;
  }
};

Rounding<double> rounding_at(const Model& model, const State& state, Configuration<double>& at) {
  Rounding<double> rounding(model);
  place<double>(model, state.q, at);
  rounding.evaluate(at, state.v, wrenches_of(state));
  return rounding;
}

// x of A x = b, where b is off by as much as `noise`: |A^+| noise.
VectorXd through(const MatrixXd& A, const VectorXd& noise) {
  if (A.size() == 0) return VectorXd::Zero(A.cols());
  const MatrixXd inverse = A.completeOrthogonalDecomposition().pseudoInverse();
  return inverse.cwiseAbs() * noise;
}

}  // namespace

// With S picking the driven: S tau + J^T l = tau of the tree, whose left side J's own rounding moves, too.
Noise inverse_noise(const Dynamics& dynamics, const State& state, const std::vector<double>& a) {
  const Model& model = dynamics.mechanism().tree();
  Configuration<double> at(model);
  const Noise of_tree = rounding_at(model, state, at).inverse(a);
  if (!dynamics.mechanism().has_loops()) return of_tree;
  const LoopRows loops(model, state.q);
  const std::span<const int> driven = dynamics.driven();
  const Index n = model.nv(), m = loops.J.rows(), count = static_cast<Index>(driven.size());
  if (n + m > largest_system) return {};
  MatrixXd A = MatrixXd::Zero(n, count + m);
  for (Index j = 0; j < count; ++j) A(driven[static_cast<std::size_t>(j)], j) = 1;
  A.rightCols(m) = loops.J.transpose();
  const VectorXd right = map(of_tree).array() + loops.noise * map(dynamics.multipliers()).cwiseAbs().sum();
  const VectorXd x = through(A, right);
  Noise noise(static_cast<std::size_t>(n));
  for (Index j = 0; j < count; ++j) noise[static_cast<std::size_t>(driven[static_cast<std::size_t>(j)])] = x[j];
  return noise;
}

// I a - J^T l = tau - bias and J a = -J'v, in whose terms rates meet squared.
Noise forward_noise(const Dynamics& dynamics, const State& state, const std::vector<double>& a) {
  const Model& model = dynamics.mechanism().tree();
  const LoopRows loops(model, state.q);
  const Index n = model.nv(), m = loops.J.rows();
  if (n + m > largest_system) return {};
  Configuration<double> at(model);
  const Noise residual = rounding_at(model, state, at).residual(a);
  CompositeScratch<double> scratch(model);
  RowMajor I(n, n);
  inertia_matrix<double>(model, at, scratch, std::span(I.data(), static_cast<std::size_t>(I.size())));
  MatrixXd A = MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = I;
  A.topRightCorner(n, m) = -loops.J.transpose();
  A.bottomLeftCorner(m, n) = loops.J;
  VectorXd right(n + m);
  const double pulls = m == 0 ? 0 : map(dynamics.multipliers()).cwiseAbs().sum(), rates = map(state.v).cwiseAbs().sum();
  right.head(n) = map(residual).array() + loops.noise * pulls;
  right.tail(m).setConstant(loops.noise * (map(a).cwiseAbs().sum() + rates * rates));
  return noise_of(through(A, right).head(n));
}

Noise inertia_noise(const Model& model, const State& state) {
  Configuration<double> at(model);
  return rounding_at(model, state, at).inertia();
}

}  // namespace denoc::app
