#include "denoc/mechanism/linearize.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/manifold.hpp"
#include "loops/closure_system.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int most_steps = 100;
constexpr double longest_step = 0.3;  // rad, or lengths of the robot, over all joints
constexpr double at_rest = 1e-9;      // an acceleration, in parts of what a unit step changes
constexpr double no_step = 1e-13;

Eigen::Map<const ByRows> matrix(const MatrixView& m) { return {m.entries().data(), m.rows(), m.columns()}; }
VectorXd vector(std::span<const double> x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

// ad(v): d is carried by axes that turn and move with v.
MatrixXd ad(const Model& model, std::span<const double> v) {
  MatrixXd result = MatrixXd::Zero(model.nv(), model.nv());
  const auto put = [&](int row, int column, const Vec3<double>& w) {
    const Mat3<double> W = skew(w);
    result.block<3, 3>(row, column) << W.xx, W.xy, W.xz, W.yx, W.yy, W.yz, W.zx, W.zy, W.zz;
  };
  const auto at = [&](int k) {
    const auto i = static_cast<std::size_t>(k);
    return Vec3<double>{v[i], v[i + 1], v[i + 2]};
  };
  detail::for_joints<double>(
      model, [](int, int) {}, [&](int, int k) { put(k, k, at(k)); },
      [&](int, int k) {
        put(k + 3, k + 3, at(k));
        put(k + 3, k, at(k + 3));
      });
  return result;
}

// Wrenches that turn against their bodies as the robot moves from where they were given.
class WrenchesAlong {
 public:
  WrenchesAlong(Dynamics& dynamics, std::span<const double> q, std::span<const BodyWrench<double>> given,
                std::span<const Axes> constant_in)
      : dynamics_(&dynamics), in_world_(given.size()), here_(given.begin(), given.end()) {
    for (std::size_t i = 0; i < constant_in.size(); ++i) {
      in_world_[i] = constant_in[i] == Axes::world;
      if (!in_world_[i]) continue;
      const Mat3<double> R = dynamics.pose(q, here_[i].body).R;
      here_[i].wrench = {R * here_[i].wrench.n, R * here_[i].wrench.f};
    }
    given_ = here_;
  }
  std::span<const BodyWrench<double>> at(std::span<const double> q) {
    for (std::size_t i = 0; i < here_.size(); ++i) {
      if (!in_world_[i]) continue;
      const Mat3<double> R = dynamics_->pose(q, here_[i].body).R;
      here_[i].wrench = {back(R, given_[i].wrench.n), back(R, given_[i].wrench.f)};
    }
    return here_;
  }

 private:
  Dynamics* dynamics_;
  std::vector<bool> in_world_;
  std::vector<BodyWrench<double>> here_, given_ = {};
};

}  // namespace

LinearModel linearize(Dynamics& dynamics, std::span<const double> q, std::span<const double> v,
                      std::span<const double> tau, std::span<const int> inputs,
                      std::span<const BodyWrench<double>> wrenches, std::span<const Axes> constant_in) {
  const Model& model = dynamics.mechanism().tree();
  for (const int k : inputs) model.require_dof(k);
  const auto [dq, dv, dtau] = dynamics.forward_derivatives(q, v, tau, wrenches, constant_in);
  const Index n = model.nv(), m = static_cast<Index>(inputs.size());
  LinearModel result{{inputs.begin(), inputs.end()}, std::vector<double>(static_cast<std::size_t>(4 * n * n)), {}};
  result.B.resize(static_cast<std::size_t>(2 * n * m));
  Eigen::Map<ByRows> A(result.A.data(), 2 * n, 2 * n), B(result.B.data(), 2 * n, m);
  A << MatrixXd::Zero(n, n) - ad(model, v), MatrixXd::Identity(n, n), matrix(dq), matrix(dv);
  B.setZero();
  for (Index i = 0; i < m; ++i) B.block(n, i, n, 1) = matrix(dtau).col(inputs[static_cast<std::size_t>(i)]);
  return result;
}

std::vector<double> equilibrium(Dynamics& dynamics, std::span<const double> start, std::span<const double> tau,
                                std::span<const BodyWrench<double>> wrenches, std::span<const Axes> constant_in) {
  const Mechanism& mechanism = dynamics.mechanism();
  const Model& model = mechanism.tree();
  const Index n = model.nv();
  if (!constant_in.empty()) require_size(constant_in, static_cast<int>(wrenches.size()), "constant_in");
  const std::vector<double> rest(static_cast<std::size_t>(n));
  const auto assembled = [&](std::span<const double> posture) {
    const Dynamics::Vector closed = dynamics.assemble(posture);
    return std::vector<double>(closed.begin(), closed.end());
  };
  std::vector<double> q = assembled(start);
  if (n == 0) return q;  // what cannot move is at rest
  WrenchesAlong acting(dynamics, start, wrenches, constant_in);
  ClosureSystem loops(model);
  Configuration<double> at(model);
  VectorXd a(n);
  double allowed = 0, met = 0;
  for (int step = 0; step < most_steps; ++step) {
    const auto here = acting.at(q);
    a = vector(dynamics.forward(q, rest, tau, here)).cwiseQuotient(loops.units);
    met = std::max(met, a.cwiseAbs().maxCoeff());
    // da/dq d = -a and J d = 0, by least squares, in units so that lengths compare with angles
    place<double>(model, q, at);
    loops.evaluate(at, q, rest);
    loops.differentiate(at);
    MatrixXd system(n + loops.size(), n);
    system << loops.units.cwiseInverse().asDiagonal() *
                  matrix(dynamics.forward_derivatives(q, rest, tau, here, constant_in).dq),
        loops.row_units.cwiseInverse().asDiagonal() * loops.gradients.transpose();
    system *= loops.units.asDiagonal();
    VectorXd right = VectorXd::Zero(system.rows());
    right.head(n) = -a;
    allowed = at_rest * (1 + system.topRows(n).cwiseAbs().maxCoeff());
    VectorXd d = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(system).solve(right);
    const double length = d.norm();
    if (length <= no_step * (1 + vector(q).norm()) || a.cwiseAbs().maxCoeff() == 0) break;
    if (length > longest_step) d *= longest_step / length;
    d.array() *= loops.units.array();
    std::vector<double> next(q.size());
    integrate<double>(model, q, {d.data(), static_cast<std::size_t>(n)}, next);
    q = mechanism.has_loops() ? assembled(next) : next;
  }
  Index most = 0;
  const double left = a.cwiseAbs().maxCoeff(&most);
  // At a dead point accelerations jump: what a unit step would change is no measure there, what was met on the way is.
  const auto is_dead_point = [&] { return mechanism.has_loops() && ClosedChain(model).mobility(q).is_dead_point(); };
  if (left <= allowed && (left <= at_rest * (1 + met) || !is_dead_point())) return q;
  throw NoEquilibrium(fmt::format(
      "no equilibrium was found near this posture: joint '{}' still accelerates by {:.3g}; start elsewhere, "
      "or give the tau that holds the robot",
      model.joint_name(model.body_of_dof(static_cast<int>(most))), left * loops.units[most]));
}

}  // namespace denoc
