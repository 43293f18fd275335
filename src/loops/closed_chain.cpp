#include "denoc/loops/closed_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "closure_system.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_newton_steps = 200;
constexpr double longest_newton_step = 0.3;  // rad or m, over all joints: far postures are approached, not jumped to
constexpr double closed = 1e-13;             // m or rad
constexpr double fits = 1e-9;                // of the terms, for accelerations and forces that shall fit

VectorXd vector(std::span<const double> x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}
std::vector<double> list(const VectorXd& x) { return {x.begin(), x.end()}; }
std::span<const double> entries(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

}  // namespace

struct ClosedChain::Parts {
  const Model& model;
  ClosureSystem closure;
  Configuration<double> at;
  ForwardScratch<double> forward;
  InverseScratch<double> inverse;
  std::vector<double> zero;

  explicit Parts(const Model& m)
      : model(m), closure(m), at(m), forward(m), inverse(m), zero(static_cast<std::size_t>(m.nv())) {}

  void evaluate(std::span<const double> q, std::span<const double> v) {
    require_size(v, model.nv(), "v");
    place<double>(model, q, at);
    closure.evaluate(at, q, v);
  }
  std::string loop_of(Index row) const {
    const Loop& loop = model.robot().loops[static_cast<std::size_t>(closure.row(row).loop)];
    return loop.source.element.empty() ? fmt::format("loop of type {}", loop.type) : loop.source.element;
  }
  Gap gap() const {
    Index worst = 0;
    const double size = closure.size() == 0 ? 0 : closure.residual.cwiseAbs().maxCoeff(&worst);
    return {size, closure.size() == 0 ? "" : loop_of(worst)};
  }
};

ClosedChain::ClosedChain(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
ClosedChain::~ClosedChain() = default;
ClosedChain::ClosedChain(ClosedChain&&) noexcept = default;

int ClosedChain::rows() const { return static_cast<int>(parts_->closure.all()); }

std::vector<double> ClosedChain::residual(In<double> q) {
  parts_->evaluate(q, parts_->zero);
  return list(parts_->closure.for_all(parts_->closure.residual));
}
std::vector<double> ClosedChain::rate(In<double> q, In<double> v) {
  parts_->evaluate(q, v);
  return list(parts_->closure.for_all(parts_->closure.rate));
}
std::vector<double> ClosedChain::jacobian(In<double> q) {
  parts_->evaluate(q, parts_->zero);
  std::vector<double> result;
  MatrixXd by_rows = MatrixXd::Zero(rows(), parts_->model.nv());
  for (Index k = 0; k < by_rows.cols(); ++k) by_rows.col(k) = parts_->closure.for_all(parts_->closure.gradients.row(k));
  for (Index i = 0; i < by_rows.rows(); ++i)
    for (Index k = 0; k < by_rows.cols(); ++k) result.push_back(by_rows(i, k));
  return result;
}
ClosedChain::Gap ClosedChain::gap(In<double> q) {
  parts_->evaluate(q, parts_->zero);
  return parts_->gap();
}

ClosedChain::Forward ClosedChain::forward_dynamics(In<double> q, In<double> v, In<double> tau,
                                                   Wrenches<double> wrenches) {
  Parts& p = *parts_;
  p.evaluate(q, v);
  VectorXd a(p.model.nv());
  denoc::forward_dynamics<double>(p.model, p.at, v, tau, p.forward, {a.data(), static_cast<std::size_t>(a.size())},
                                  wrenches);
  FactoredHalves halves(p.model, p.at, p.forward.factor, p.forward.solve);
  const Conditioned result = condition(
      p.closure.gradients, -p.closure.bias, [&](const VectorXd& g) { return halves.half(g); },
      [&](const VectorXd& z) { return halves.back_half(z); }, a);
  return {list(a), list(p.closure.for_all(result.multipliers)), result.rank == p.closure.all()};
}

ClosedChain::Inverse ClosedChain::inverse_dynamics(In<double> q, In<double> v, In<double> a,
                                                   const std::vector<int>& driven, Wrenches<double> wrenches) {
  Parts& p = *parts_;
  p.evaluate(q, v);
  const MatrixXd& G = p.closure.gradients;
  const VectorXd leaves = G.transpose() * vector(a) + p.closure.bias;
  const double size = (G.cwiseAbs().transpose() * vector(a).cwiseAbs() + p.closure.bias.cwiseAbs()).sum();
  for (Index i = 0; i < leaves.size(); ++i) {
    if (std::abs(leaves[i]) > fits * (1 + size)) {
      throw NotDriveable(
          fmt::format("{}: the accelerations do not keep it closed, they part it by {:.3g} a second squared",
                      p.loop_of(i), std::abs(leaves[i])));
    }
  }
  VectorXd tree(p.model.nv());
  denoc::inverse_dynamics<double>(p.model, p.at, v, a, p.inverse, {tree.data(), static_cast<std::size_t>(tree.size())},
                                  wrenches);
  // tau + J^T f = tree: the driven tau first, as short as can be; then f
  MatrixXd selected = MatrixXd::Zero(p.model.nv(), static_cast<Index>(driven.size()));
  for (std::size_t j = 0; j < driven.size(); ++j) selected(driven[j], static_cast<Index>(j)) = 1;
  const Pseudoinverse loops(G);
  const auto without_loops = [&](const VectorXd& x) -> VectorXd { return x - G * loops.solve(x); };
  MatrixXd felt(p.model.nv(), selected.cols());
  for (Index j = 0; j < felt.cols(); ++j) felt.col(j) = without_loops(selected.col(j));
  const VectorXd tau_driven = Pseudoinverse(felt).solve(without_loops(tree));
  const VectorXd tau = selected * tau_driven, rest = tree - tau, f = loops.solve(rest), missing = rest - G * f;
  Index k = 0;
  const double most = missing.size() == 0 ? 0 : missing.cwiseAbs().maxCoeff(&k);
  if (most > fits * (1 + tree.cwiseAbs().maxCoeff())) {
    throw NotDriveable(fmt::format("the driven joints cannot give this motion: joint '{}' lacks {:.6g} N m (or N)",
                                   p.model.joint_name(p.model.body_of_dof(static_cast<int>(k))), most));
  }
  return {list(tau), list(p.closure.for_all(f))};
}

std::vector<double> ClosedChain::assemble(In<double> given) {
  Parts& p = *parts_;
  std::vector<double> q(given.begin(), given.end()), next = q;
  double gap = 0;
  for (int step = 0; step < most_newton_steps; ++step) {
    p.evaluate(q, p.zero);
    gap = p.gap().size;
    if (gap <= closed) return q;
    VectorXd d = -Pseudoinverse(p.closure.gradients).transposed(p.closure.residual);
    const double length = d.norm();
    // The last digits: a step that no longer shortens the gap has done what rounding allows.
    if (length > longest_newton_step) d *= longest_newton_step / length;
    integrate<double>(p.model, q, entries(d), next);
    p.evaluate(next, p.zero);
    if (gap < 1e-10 && p.gap().size >= gap) return q;
    q.swap(next);
  }
  const Gap left = this->gap(q);
  throw NotAssembled(
      fmt::format("{}: it cannot be closed from this posture, a gap of {:.3g} m (or rad) is left; start "
                  "nearer to a closed posture, or check the lengths",
                  left.loop, left.size));
}

std::vector<double> ClosedChain::closed_rates(In<double> q, In<double> v) {
  Parts& p = *parts_;
  p.evaluate(q, v);
  return list(vector(v) - Pseudoinverse(p.closure.gradients).transposed(p.closure.rate));
}

std::vector<std::vector<double>> ClosedChain::assemblies(In<double> q, int most) {
  Parts& p = *parts_;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  struct Found {
    double distance;
    std::vector<double> q;
  };
  std::vector<Found> found;
  const auto length_to = [&](std::span<const double> from, std::span<const double> to) {
    VectorXd d(p.model.nv());
    difference<double>(p.model, from, to, {d.data(), static_cast<std::size_t>(d.size())});
    // A turn more or less is the same posture.
    detail::for_joints<double>(
        p.model,
        [&](int, int k) {
          const JointType type = p.model.robot().bodies[static_cast<std::size_t>(p.model.body_of_dof(k))].joint.type;
          if (type == JointType::revolute || type == JointType::continuous || type == JointType::universal) {
            d[k] = std::remainder(d[k], 2 * M_PI);
          }
        },
        [](int, int) {}, [](int, int) {});
    return d.norm();
  };
  for (int attempt = 0; attempt < 16 * most; ++attempt) {
    VectorXd d(p.model.nv());
    for (double& x : d) x = attempt == 0 ? 0 : 3 * uniform(random);
    std::vector<double> start(q.size());
    integrate<double>(p.model, q, entries(d), start);
    try {
      std::vector<double> closed_q = assemble(start);
      const bool is_new =
          std::none_of(found.begin(), found.end(), [&](const Found& f) { return length_to(f.q, closed_q) < 1e-6; });
      // With freedom left, postures differ everywhere: only the nearest is an answer.
      if (is_new) found.push_back({length_to(q, closed_q), std::move(closed_q)});
    } catch (const NotAssembled&) {
    }
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.distance < b.distance; });
  std::vector<std::vector<double>> result;
  for (Found& f : found) {
    if (static_cast<int>(result.size()) < most) result.push_back(std::move(f.q));
  }
  return result;
}

Mobility ClosedChain::mobility(In<double> q) {
  Parts& p = *parts_;
  const auto rank_at = [&](std::span<const double> posture) {
    p.evaluate(posture, p.zero);
    return static_cast<int>(Pseudoinverse(p.closure.gradients).rank());
  };
  const int here = rank_at(q);
  int anywhere = here;
  // Postures near by along the motions that are left.
  const MatrixXd J = p.closure.gradients.transpose();
  const MatrixXd free = Eigen::FullPivLU<MatrixXd>(J).kernel();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int attempt = 0; attempt < 4 && p.closure.size() > 0; ++attempt) {
    VectorXd d = VectorXd::Zero(p.model.nv());
    for (Index j = 0; j < free.cols(); ++j) d += free.col(j) * (0.05 * uniform(random));
    std::vector<double> near(q.size());
    integrate<double>(p.model, q, entries(d), near);
    try {
      anywhere = std::max(anywhere, rank_at(assemble(near)));
    } catch (const NotAssembled&) {
    }
  }
  return {p.model.nv(), rows(), here, anywhere};
}

}  // namespace denoc
