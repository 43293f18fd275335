#include "denoc/control/lqr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "riccati.hpp"
#include "robot_law.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

VectorXd vector(const std::vector<double>& x) { return Eigen::Map<const VectorXd>(x.data(), Index(x.size())); }

class Lqr final : public control::RobotLaw {
 public:
  Lqr(std::shared_ptr<const Model> model, std::vector<double> posture, VectorXd held, MatrixXd gain)
      : RobotLaw(std::move(model)),
        posture_(std::move(posture)),
        held_(std::move(held)),
        gain_(std::move(gain)),
        error_(size_t(model_->nv())),
        x_(2 * model_->nv()) {}
  void respond(double, In<double> q, In<double> v, Out<double> tau) override {
    difference<double>(*model_, posture_, q, error_);
    std::copy(error_.begin(), error_.end(), x_.begin());
    std::copy(v.begin(), v.end(), x_.begin() + model_->nv());
    Eigen::Map<VectorXd> result(tau.data(), Index(tau.size()));
    result = held_;
    result.noalias() -= gain_ * x_;
  }

 private:
  std::vector<double> posture_;
  VectorXd held_;
  MatrixXd gain_;  // nv x 2 nv; rows without a drive are zero
  std::vector<double> error_;
  VectorXd x_;
};

// What holds the robot at the posture, if the drives can.
VectorXd holding(Dynamics& dynamics, const std::vector<double>& posture, const std::vector<int>& driven) {
  constexpr double balanced = 1e-6;  // postures are written with a few digits
  const Mechanism& mechanism = dynamics.mechanism();
  const std::vector<double> still(size_t(mechanism.nv()));
  const auto bias = dynamics.bias(posture, still);
  VectorXd tau = Eigen::Map<const VectorXd>(bias.data(), Index(bias.size()));
  // In parts of what a unit step changes, and of what gravity could do (Cauchy and Schwarz), of that joint.
  double mass = 0;
  for (const Body& body : mechanism.robot().bodies) mass += body.inertial.mass;
  const auto inertia = dynamics.inertia(posture);
  const VectorXd weights =
      Eigen::Map<const RowMajor>(inertia.entries().data(), tau.size(), tau.size()).diagonal().cwiseSqrt() *
      std::sqrt(mass) * norm(mechanism.robot().gravity);
  const auto stiffness = dynamics.inverse_derivatives(posture, still, still).dq;
  const std::vector<double> units = units_of(mechanism.tree());
  const VectorXd changes = Eigen::Map<const RowMajor>(stiffness.entries().data(), tau.size(), tau.size()).cwiseAbs() *
                           Eigen::Map<const VectorXd>(units.data(), tau.size());
  for (int k = 0; k < mechanism.nv(); ++k) {
    if (std::find(driven.begin(), driven.end(), k) != driven.end()) continue;
    if (std::abs(tau[k]) > balanced * (changes[k] + weights[k]))
      throw ArgumentError(fmt::format(
          "lqr: the posture is no equilibrium: joint '{}' would need {:.6g} (N m or N) to stay there, and has no drive",
          mechanism.tree().joint_of_dof(k), tau[k]));
    tau[k] = 0;
  }
  return tau;
}

// A = [0 1; -I^-1 (K D)] without the entries that are rounding and no more: of the terms of the product, and of
// gravity, whose rates are those of pendulums as long as the robot. (An axis along gravity has no stiffness. A number
// of 1e-17 there would be a motion of its own, at 1e-8/s.)
MatrixXd without_rounding(MatrixXd A, Dynamics& dynamics, const std::vector<double>& posture) {
  constexpr double rounding = 100 * std::numeric_limits<double>::epsilon();
  const Index n = A.rows() / 2;
  const Robot& robot = dynamics.mechanism().robot();
  const auto inertia = dynamics.inertia(posture);
  const MatrixXd I = Eigen::Map<const RowMajor>(inertia.entries().data(), n, n), inverse = I.inverse();
  const VectorXd sizes = I.diagonal().cwiseSqrt();
  MatrixXd terms = (I * A.bottomRows(n)).cwiseAbs();
  terms.leftCols(n) += norm(robot.gravity) / length_of(robot) * sizes * sizes.transpose();
  // I errs by its sizes s s^T, and I^-1 by |I^-1| s s^T |I^-1|: where their entries are zero, too.
  const VectorXd of_inverse = inverse.cwiseAbs() * sizes;
  const MatrixXd least = rounding * of_inverse * (of_inverse.transpose() * terms);
  A.bottomRows(n) = (A.bottomRows(n).array().abs() > least.array()).select(A.bottomRows(n), 0);
  return A;
}

void require_sense(const Model& model, const LqrWeights& weights, const std::vector<int>& driven) {
  if (driven.empty()) throw ArgumentError("lqr: one joint or more has a drive");
  const auto require = [&](const std::vector<double>& all, const char* name, bool may_be_zero) {
    require_size(std::span(all), model.nv(), name);
    for (const double w : all)
      if (!std::isfinite(w) || w < 0 || (w == 0 && !may_be_zero))
        throw ArgumentError(fmt::format("lqr: a weight of {} is {}", name, w));
  };
  require(weights.q, "q", true);
  require(weights.v, "v", true);
  require(weights.tau, "tau", false);
}

}  // namespace

std::shared_ptr<Controller> lqr(const std::shared_ptr<const Model>& model, const std::vector<double>& posture,
                                const LqrWeights& weights, const std::vector<int>& driven) {
  require_sense(*model, weights, driven);
  const Mechanism mechanism(model->robot());
  if (mechanism.has_loops())
    throw NotCovered(fmt::format("{}: lqr does not close loops", model->robot().loops.front().source.element));
  Dynamics dynamics(mechanism, Forces::all);
  const VectorXd held = holding(dynamics, posture, driven);
  const std::vector<double> still(size_t(model->nv()));
  const LinearModel at = linearize(dynamics, posture, still, {held.data(), size_t(held.size())}, driven);

  const Index n = model->nv();
  const MatrixXd A = without_rounding(Eigen::Map<const RowMajor>(at.A.data(), 2 * n, 2 * n), dynamics, posture),
                 B = Eigen::Map<const RowMajor>(at.B.data(), 2 * n, Index(driven.size()));
  VectorXd R(B.cols()), Q(2 * n);
  for (Index j = 0; j < B.cols(); ++j) R[j] = weights.tau[size_t(driven[size_t(j)])];
  Q << vector(weights.q), vector(weights.v);

  const auto joint_of = [&](const VectorXd& x) {
    Index most = 0;
    x.maxCoeff(&most);
    return model->joint_of_dof(int(most % n));
  };
  // Drives at all joints reach every motion, weights of all coordinates see it.
  const auto lost = B.cols() < n ? control::out_of_reach(A, B) : std::nullopt;
  if (lost)
    throw NotStabilisable(fmt::format(
        "lqr: no drive reaches a motion of joint '{}' that does not die out by itself: drive it, or a joint that moves "
        "it",
        joint_of(*lost)));
  const auto unseen = Q.head(n).minCoeff() > 0
                          ? std::nullopt
                          : control::out_of_reach(A.transpose(), MatrixXd(Q.cwiseSqrt().asDiagonal()));
  if (unseen)
    throw NotStabilisable(fmt::format(
        "lqr: the weights do not see a motion of joint '{}' that does not die out by itself: give it a weight",
        joint_of(*unseen)));
  const auto P = control::riccati(A, B, Q.asDiagonal(), R);
  if (!P)
    throw NotStabilisable("lqr: the Riccati equation is not solved to rounding: weights or inertias are too far apart");
  const MatrixXd K = R.cwiseInverse().asDiagonal() * B.transpose() * *P;
  MatrixXd gain = MatrixXd::Zero(n, 2 * n);
  for (Index j = 0; j < K.rows(); ++j) gain.row(driven[size_t(j)]) = K.row(j);
  return std::make_shared<Lqr>(model, posture, held, gain);
}

}  // namespace denoc
