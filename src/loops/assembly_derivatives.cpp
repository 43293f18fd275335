// How a closed posture follows its independent degrees of freedom. While these move by u, phi(q + d) = 0 with
//   d = T u + S(u, u)/2 + ...:    J T = 0,    J S(u, u) + H(T u, T u) = 0
// T is 1 and S is 0 in the independent ones, and H(v, v) = J'v: the second derivative of phi along q + t v, where v is
// constant. J'v over Dual gives H(v, w) without a difference: d J'v (v + e w) = 2 H(v, w).
#include <algorithm>

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
    kin_.frames(frames_);
    VectorXd h(closure_->size());
    for (Index i = 0; i < h.size(); ++i) {
      const ClosureRow& row = closure_->row(i);
      h[i] = closure_value<D>(*model_, frames_[static_cast<std::size_t>(row.loop)], q_, rates_, row).bias.d / 2;
    }
    return closure_->that_change(std::move(h));
  }

 private:
  const Model* model_;
  const ClosureSystem* closure_;
  Configuration<D> at_;
  LoopKinematics<D> kin_;
  std::vector<LoopFrames<D>> frames_ = {};
  std::vector<D> q_ = {}, rates_ = {};
};

}  // namespace

ClosedChain::AssemblyDerivatives ClosedChain::assembly_derivatives(In<double> q, const std::vector<int>& independent) {
  Parts& p = *parts_;
  require_dofs(p.model, independent);
  p.stand(q, p.zero);
  const Index n = p.model.nv();
  const VectorXd &units = p.closure.units, &row_units = p.closure.row_units;  // in which all is measured until the end
  const MatrixXd gradients = p.measured();
  const Pseudoinverse all = p.closure.inverse();
  AssemblyDerivatives result{independent.empty() ? all.independent() : independent, {}, {}};
  const auto m = static_cast<Index>(result.independent.size());
  const MatrixXd others = p.measured(result.independent);
  const Pseudoinverse dependent = p.closure.inverse(result.independent);
  const auto joint = [&](Index k) { return p.model.joint_of_dof(static_cast<int>(k)); };
  const auto count = [&](Index k) {
    return std::count(result.independent.begin(), result.independent.end(), static_cast<int>(k));
  };
  for (const int k : independent)
    if (count(k) > 1) throw ArgumentError(fmt::format("joint '{}' is among the independent ones twice", joint(k)));
  if (dependent.rank() < n - m) {
    for (Index k = 0; k < n; ++k) {
      if (count(k) > 0 || dependent.beside(VectorXd::Unit(n, k)).norm() < no_motion) continue;
      throw ArgumentError(
          fmt::format("joint '{}' can move while the independent ones do not: they do not determine it", joint(k)));
    }
  }
  MatrixXd T(n, m);
  for (Index j = 0; j < m; ++j) {
    const auto k = static_cast<Index>(result.independent[static_cast<std::size_t>(j)]);
    const VectorXd opened = gradients.transpose() * VectorXd::Unit(n, k);
    VectorXd column = -dependent.transposed(opened);
    if ((opened + others.transpose() * column).norm() > no_motion * (1 + opened.norm()))
      throw ArgumentError(fmt::format("joint '{}' cannot move while the other independent ones do not", joint(k)));
    column[k] = 1;
    T.col(j) = column;
  }
  const auto unit_of = [&](Index j) { return units[result.independent[static_cast<std::size_t>(j)]]; };
  Curvature curvature(p.model, p.closure, p.posture);
  result.first.resize(static_cast<std::size_t>(n * m));
  result.second.resize(static_cast<std::size_t>(n * m * m));
  const auto entry = [&](Index i, Index j, Index k) -> double& {
    return result.second[static_cast<std::size_t>((i * m + j) * m + k)];
  };
  for (Index j = 0; j < m; ++j) {
    const double unit = unit_of(j);
    for (Index i = 0; i < n; ++i) result.first[static_cast<std::size_t>(i * m + j)] = T(i, j) * units[i] / unit;
    for (Index k = 0; k <= j; ++k) {
      const VectorXd h = curvature(T.col(j).cwiseProduct(units), T.col(k).cwiseProduct(units)).cwiseQuotient(row_units);
      const VectorXd S = -dependent.transposed(h);
      const double missing = (h + others.transpose() * S).norm();
      if (missing > smooth * (1 + h.norm()))
        throw NotCovered(fmt::format("the loops do not let joint '{}' move on smoothly: this posture is a dead point",
                                     joint(result.independent[static_cast<std::size_t>(j)])));
      for (Index i = 0; i < n; ++i) entry(i, j, k) = entry(i, k, j) = S[i] * units[i] / (unit * unit_of(k));
    }
  }
  return result;
}

}  // namespace denoc
