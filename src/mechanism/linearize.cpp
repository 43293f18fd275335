#include "denoc/mechanism/linearize.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <optional>
#include <random>

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
constexpr double at_rest = 1e-9;      // an acceleration, in parts of gravity
constexpr double no_step = 1e-13;     // what ten of them change is rest, too
constexpr int most_damped = 60;
constexpr int other_starts = 24;          // ever further away:
constexpr double first_away = 0.1;        // rad, or lengths of the robot
constexpr double effort_of_starts = 4e6;  // their number times the cube of the degrees of freedom

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

// The search for a posture at rest. Accelerations are counted in units: rad, or lengths of the robot, a second squared.
class Resting {
 public:
  Resting(Dynamics& dynamics, std::span<const double> start, std::span<const double> tau,
          std::span<const BodyWrench<double>> wrenches, std::span<const Axes> constant_in)
      : dynamics_(dynamics),
        model_(dynamics.mechanism().tree()),
        tau_(tau),
        constant_in_(constant_in),
        rest_(static_cast<std::size_t>(model_.nv())),
        acting_(dynamics, start, wrenches, constant_in),
        loops_(model_),
        leading_(leading_freedoms(model_)),
        at_(model_),
        weight_(norm(model_.robot().gravity) / loops_.length) {}

  // da/dq d = -a and J d = 0, step by step, wherever that leads.
  bool newton(std::vector<double>& q) {
    begin();
    for (int step = 0;; ++step) {
      differentiate(q);
      VectorXd d = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(system_).solve(right());
      if (d.norm() <= no_step || a_.isZero(0) || step == most_steps) return is_at_rest(q);
      q = moved(q, std::move(d));
    }
  }
  // The same, damped until a shrinks: (A^T A + mu |a|^2) d = -A^T a              [Yamashita & Fukushima 2001]
  bool damped(std::vector<double>& q) {
    constexpr double least = 1e-6, most = 1e12;
    begin();
    double mu = 1;
    for (int step = 0; step < most_damped && mu < most; ++step) {
      differentiate(q);
      if (a_.isZero(0)) break;
      const double size = a_.norm();
      const Index rows = system_.rows(), n = model_.nv();
      MatrixXd A = MatrixXd::Zero(rows + n, n);
      VectorXd b = VectorXd::Zero(rows + n);
      A.topRows(rows) = system_;
      b.head(rows) = right();
      std::vector<double> next;
      for (bool is_nearer = false; !is_nearer && mu < most; mu *= 4) {
        A.bottomRows(n).diagonal().setConstant(std::sqrt(mu) * b.norm());
        try {
          next = moved(q, A.householderQr().solve(b));
          is_nearer = accelerations(next).norm() < size;
        } catch (const NotAssembled&) {  // too far
        }
      }
      if (mu < most) q = next;
      mu = mu < most ? std::max(mu / 16, least) : most;  // the last one was good
    }
    differentiate(q);
    return is_at_rest(q);
  }
  std::vector<double> around(const std::vector<double>& q, double reach) {
    std::uniform_real_distribution<double> uniform(-reach, reach);
    VectorXd d(model_.nv());
    for (double& x : d) x = uniform(random_);
    return moved(q, std::move(d), reach * model_.nv());
  }
  // Of the posture looked at last: the joint that accelerates most, and by how much.
  std::pair<int, double> most_accelerated() const {
    Index k = 0;
    const double most = a_.cwiseAbs().maxCoeff(&k);
    return {static_cast<int>(k), most * loops_.units[k]};
  }

 private:
  void begin() {
    met_ = 0;
    change_at_first_.reset();
  }
  VectorXd accelerations(const std::vector<double>& q) {
    return vector(dynamics_.forward(q, rest_, tau_, acting_.at(q))).cwiseQuotient(loops_.units);
  }
  // In units so that lengths compare with angles; accelerations, in parts of what a unit step changes, with the loops.
  void differentiate(const std::vector<double>& q) {
    a_ = accelerations(q);
    met_ = std::max(met_, a_.cwiseAbs().maxCoeff());
    place<double>(model_, q, at_);
    loops_.evaluate(at_, q, rest_);
    loops_.differentiate(at_);
    const Index n = model_.nv();
    system_ = MatrixXd(n + loops_.size(), n);
    system_ << loops_.units.cwiseInverse().asDiagonal() *
                   matrix(dynamics_.forward_derivatives(q, rest_, tau_, acting_.at(q), constant_in_).dq),
        loops_.row_units.cwiseInverse().asDiagonal() * loops_.gradients.transpose();
    system_ *= loops_.units.asDiagonal();
    changes_ = system_.topRows(n).cwiseAbs().rowwise().maxCoeff();
    change_ = changes_.maxCoeff();
    if (!change_at_first_) change_at_first_ = change_;
    if (change_ > 0) system_.topRows(n) /= change_;
  }
  VectorXd right() const {
    VectorXd all = VectorXd::Zero(system_.rows());
    if (change_ > 0) all.head(a_.size()) = -a_ / change_;
    return all;
  }
  std::vector<double> moved(const std::vector<double>& q, VectorXd d, double longest = longest_step) {
    // Of those that lead: what follows by a gear may go far in a step.
    if (const double length = d(leading_).norm(); length > longest) d *= longest / length;
    d.array() *= loops_.units.array();
    std::vector<double> next(q.size());
    integrate<double>(model_, q, {d.data(), static_cast<std::size_t>(d.size())}, next);
    if (!dynamics_.mechanism().has_loops()) return next;
    const Dynamics::Vector closed = dynamics_.assemble(next);
    return {closed.begin(), closed.end()};
  }
  // At the distance d from a dead point what closed loops leave open, 1e-13, moves what follows by 1e-13/d^2: nearer than
  // here accelerations are no longer those of the posture, some are zero by chance. (On it pivots are none.)
  bool is_beside_dead_point() const {
    constexpr double near = 1e-4;
    if (loops_.size() == 0) return false;
    const Eigen::ColPivHouseholderQR<MatrixXd> J(loops_.measured());
    const VectorXd pivots = J.matrixQR().diagonal().cwiseAbs();
    return (pivots.array() > rank_threshold && pivots.array() < near).any();
  }
  // Each acceleration in parts of gravity and of what a step changes of it: a stiff joint says nothing of others.
  // Where accelerations jump (a spring of no length, a dead point) that is no measure; what was met on the way is.
  bool is_at_rest(const std::vector<double>& q) const {
    if (is_beside_dead_point()) return false;
    const double usual = std::max(met_, *change_at_first_);
    for (Index k = 0; k < a_.size(); ++k) {
      const double rest = at_rest * weight_ + 10 * no_step * std::min(changes_[k], usual);
      if (std::abs(a_[k]) > (rest > 0 ? rest : at_rest)) return false;  // where there is neither, of the unit
    }
    const double left = a_.cwiseAbs().maxCoeff();
    return left <= at_rest * (weight_ + met_) || !dynamics_.mechanism().has_loops() ||
           !ClosedChain(model_, loops_.rows()).mobility(q).is_dead_point();
  }

  Dynamics& dynamics_;
  const Model& model_;
  std::span<const double> tau_;
  std::span<const Axes> constant_in_;
  std::vector<double> rest_;
  WrenchesAlong acting_;
  ClosureSystem loops_;
  std::vector<int> leading_;
  Configuration<double> at_;
  double weight_;  // gravity's, which may have cancelled
  double change_ = 0, met_ = 0;
  std::optional<double> change_at_first_ = {};
  VectorXd a_ = {}, changes_ = {};
  MatrixXd system_ = {};
  std::mt19937 random_{1};  // the same answers every time
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
  const Dynamics::Vector closed = dynamics.assemble(start);
  std::vector<double> first(closed.begin(), closed.end());
  if (n == 0) return first;  // what cannot move is at rest
  Resting search(dynamics, start, tau, wrenches, constant_in);
  // Newton's method may go round and round, or stand where nothing changes (arms held out level): elsewhere it does not.
  const double size = static_cast<double>(n);
  const int attempts = static_cast<int>(std::min<double>(other_starts, effort_of_starts / (size * size * size)));
  std::pair<int, double> left;
  for (int attempt = 0; attempt <= attempts; ++attempt) {
    try {
      const std::vector<double> near = search.around(first, first_away * attempt);
      std::vector<double> q = near;
      if (search.newton(q)) return q;
      if (attempt == 0) left = search.most_accelerated();
      if (q = near; search.damped(q)) return q;
    } catch (const NotAssembled&) {  // the way led where the loops do not close
      if (attempt == 0) left = search.most_accelerated();
    }
  }
  throw NoEquilibrium(fmt::format(
      "no equilibrium was found near this posture: joint '{}' still accelerates by {:.3g}; start elsewhere, "
      "or give the tau that holds the robot",
      model.joint_of_dof(left.first), left.second));
}

}  // namespace denoc
