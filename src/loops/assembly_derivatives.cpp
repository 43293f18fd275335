// How a closed posture follows its independent degrees of freedom. While these move by u, phi(q + d) = 0 with
//   d = T u + S(u, u)/2 + ...:    J T = 0,    J S(u, u) + H(T u, T u) = 0
// T is 1 and S is 0 in the independent ones, and H(v, v) = J'v: the second derivative of phi along q + t v, where v is
// constant. J'v over Dual gives H(v, w) without a difference: d J'v (v + e w) = 2 H(v, w).
#include <algorithm>
#include <optional>

#include "closed_chain_parts.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using D = Dual<double>;

constexpr double no_motion = 1e-6;  // of 1: what is left of a degree of freedom that the loops hold
constexpr double smooth = 1e-8;     // of the terms, for curvatures that shall fit

// H(v, w) of every row of the loops at one posture.
class Curvature {
 public:
  Curvature(const Model& model, const ClosureSystem& closure, std::span<const double> q)
      : model_(&model), closure_(&closure), at_(model), kin_(model) {
    for (const double x : q) q_.emplace_back(x);
    place<D>(model, q_, at_);
  }
  VectorXd operator()(const VectorXd& v, const VectorXd& w) {
    rates_.clear();
    for (Index k = 0; k < v.size(); ++k) rates_.emplace_back(v[k], w[k]);
    kin_.move(*model_, at_, rates_);
    VectorXd h(closure_->size());
    for (Index i = 0; i < h.size(); ++i) {
      const ClosureRow& row = closure_->row(i);
      h[i] = closure_value<D>(*model_, kin_.frames(row.loop), q_, rates_, row).bias.d / 2;
    }
    return closure_->that_change(std::move(h));
  }

 private:
  const Model* model_;
  const ClosureSystem* closure_;
  Configuration<D> at_;
  LoopKinematics<D> kin_;
  std::vector<D> q_ = {}, rates_ = {};
};

// How the other degrees of freedom follow the independent ones, in units.
struct Dependent {
  MatrixXd gradients;  // of the rows by them
  Pseudoinverse inverse;
  // How they take this opening of the rows back; nothing if more than such a part of it is left.
  std::optional<VectorXd> closing(const VectorXd& opened, double part) const {
    VectorXd d = -inverse.transposed(opened);
    if ((opened + gradients.transpose() * d).norm() > part * (1 + opened.norm())) return std::nullopt;
    return d;
  }
};

// Throws ArgumentError unless each is there once and, together, they determine the posture.
void require_independent(const Model& model, const std::vector<int>& independent, const Pseudoinverse& dependent) {
  const auto count = [&](int k) { return std::count(independent.begin(), independent.end(), k); };
  for (const int k : independent)
    if (count(k) > 1)
      throw ArgumentError(fmt::format("joint '{}' is among the independent ones twice", model.joint_of_dof(k)));
  const int n = model.nv();
  if (dependent.rank() >= n - std::ssize(independent)) return;
  for (int k = 0; k < n; ++k) {
    if (count(k) > 0 || dependent.beside(VectorXd::Unit(n, k)).norm() < no_motion) continue;
    throw ArgumentError(fmt::format("joint '{}' can move while the independent ones do not: they do not determine it",
                                    model.joint_of_dof(k)));
  }
}

// T in units, from the gradients of the rows. Throws ArgumentError where an independent one cannot move.
MatrixXd tangent(const Model& model, const std::vector<int>& independent, const MatrixXd& gradients,
                 const Dependent& dependent) {
  MatrixXd T(model.nv(), std::ssize(independent));
  for (Index j = 0; j < T.cols(); ++j) {
    const int k = nth(independent, j);
    auto column = dependent.closing(gradients.transpose() * VectorXd::Unit(model.nv(), k), no_motion);
    if (!column)
      throw ArgumentError(
          fmt::format("joint '{}' cannot move while the other independent ones do not", model.joint_of_dof(k)));
    (*column)[k] = 1;
    T.col(j) = *column;
  }
  return T;
}

}  // namespace

ClosedChain::AssemblyDerivatives ClosedChain::assembly_derivatives(In<double> q, const std::vector<int>& independent) {
  Parts& p = *parts_;
  require_dofs(p.model, independent);
  p.stand(q, p.zero);
  const VectorXd &units = p.closure.units, &row_units = p.closure.row_units;  // in which all is measured until the end
  AssemblyDerivatives result{independent.empty() ? p.closure.inverse().independent() : independent, {}, {}};
  const Dependent dependent{p.closure.measured(result.independent), p.closure.inverse(result.independent)};
  require_independent(p.model, result.independent, dependent.inverse);
  const MatrixXd T = tangent(p.model, result.independent, p.closure.measured(), dependent);
  const Index n = T.rows(), m = T.cols();
  const auto unit_of = [&](Index j) { return units[nth(result.independent, j)]; };
  Curvature curvature(p.model, p.closure, p.posture);
  result.first.resize(static_cast<std::size_t>(n * m));
  result.second.resize(static_cast<std::size_t>(n * m * m));
  const auto entry = [&](Index i, Index j, Index k) -> double& { return nth(result.second, (i * m + j) * m + k); };
  for (Index j = 0; j < m; ++j) {
    const double unit = unit_of(j);
    for (Index i = 0; i < n; ++i) nth(result.first, i * m + j) = T(i, j) * units[i] / unit;
    for (Index k = 0; k <= j; ++k) {
      const VectorXd h = curvature(T.col(j).cwiseProduct(units), T.col(k).cwiseProduct(units)).cwiseQuotient(row_units);
      const auto S = dependent.closing(h, smooth);
      if (!S)
        throw NotCovered(fmt::format("the loops do not let joint '{}' move on smoothly: this posture is a dead point",
                                     p.model.joint_of_dof(nth(result.independent, j))));
      for (Index i = 0; i < n; ++i) entry(i, j, k) = entry(i, k, j) = (*S)[i] * units[i] / (unit * unit_of(k));
    }
  }
  return result;
}

}  // namespace denoc
