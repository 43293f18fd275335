#include "denoc/control/controllers.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/model/manifold.hpp"
#include "motion/drive_forces.hpp"

namespace denoc {
namespace {

double first_after(const std::vector<double>& instants, double t) {
  const auto next = std::upper_bound(instants.begin(), instants.end(), t);
  return next == instants.end() ? std::numeric_limits<double>::infinity() : *next;
}

class GivenTorques final : public Controller {
 public:
  GivenTorques(TorqueFunction tau, std::vector<double> breaks) : tau_(std::move(tau)), breaks_(std::move(breaks)) {}
  void torques(double t, std::span<const double>, std::span<const double>, std::span<double> tau) override {
    tau_(t, tau);
  }
  double next_break(double t) const override { return first_after(breaks_, t); }

 private:
  TorqueFunction tau_;
  std::vector<double> breaks_;
};

// A controller that knows where the robot should be.
class Following : public Controller {
 public:
  Following(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
            const std::vector<int>& driven)
      : model_(std::move(model)),
        motion_(std::move(motion)),
        driven_(driven.empty() ? driven_freedoms(*model_) : driven),
        drives_(*model_, driven_),
        q_(model_->nq()),
        v_(model_->nv()),
        a_(model_->nv()),
        breaks_(motion_->breaks()) {
    desire(0);  // a motion of another robot is refused here
    breaks_.insert(breaks_.begin(), 0.0);
    breaks_.push_back(motion_->duration());
  }
  double next_break(double t) const override { return first_after(breaks_, t); }

 protected:
  void desire(double t) { motion_->at(t, q_, v_, a_); }

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Trajectory> motion_;
  std::vector<int> driven_;
  motion::DriveForces drives_;
  std::vector<double> q_, v_, a_;  // desired

 private:
  std::vector<double> breaks_;
};

constexpr double open = 1e-6;  // m or rad: a posture that is not meant to be closed

class FeedForward final : public Following {
 public:
  FeedForward(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
              const std::vector<int>& driven)
      : Following(std::move(model), std::move(motion), driven) {
    const ClosedChain::Gap gap = ClosedChain(*model_).gap(q_);
    if (!(gap.size <= open))
      throw ArgumentError(
          fmt::format("{}: the motion starts where it is open by {:.3g} m (or rad): make a closed motion of it",
                      gap.loop, gap.size));
    drives_.require_lead(q_);
  }
  void torques(double t, std::span<const double>, std::span<const double>, std::span<double> tau) override {
    desire(t);
    drives_.moving(q_, v_, a_, tau);
  }
};

void require_gains(const Model& model, const std::vector<double>& gains, const char* name) {
  require_size(std::span(gains), model.nv(), name);
  for (size_t k = 0; k < gains.size(); ++k)
    if (!std::isfinite(gains[k])) throw ArgumentError(fmt::format("{}: entry {} is not a number", name, k + 1));
}

class Correcting : public Following {
 public:
  Correcting(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains,
             const std::vector<int>& driven)
      : Following(std::move(model), std::move(motion), driven), gains_(std::move(gains)), error_(model_->nv()) {
    require_gains(*model_, gains_.kp, "kp");
    require_gains(*model_, gains_.kd, "kd");
    for (int k = 0; k < model_->nv(); ++k) {
      const bool has_gain = gains_.kp[size_t(k)] != 0 || gains_.kd[size_t(k)] != 0;
      if (has_gain && std::find(driven_.begin(), driven_.end(), k) == driven_.end())
        throw ArgumentError(
            fmt::format("joint '{}' has a gain but no drive: name it among the driven joints, or "
                        "leave its gain out",
                        model_->joint_name(model_->body_of_dof(k))));
    }
  }

 protected:
  // correction = kp e + kd e'
  void correct(double t, In<double> q, In<double> v, Out<double> correction) {
    require_size(v, model_->nv(), "v");
    require_size(correction, model_->nv(), "tau");
    desire(t);
    difference<double>(*model_, q, q_, error_);
    for (size_t k = 0; k < error_.size(); ++k) correction[k] = gains_.kp[k] * error_[k] + gains_.kd[k] * (v_[k] - v[k]);
  }

 private:
  Gains gains_;
  std::vector<double> error_;
};

class Pd final : public Correcting {
 public:
  using Correcting::Correcting;
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    correct(t, q, v, tau);
  }
};

class PdWithGravity final : public Correcting {
 public:
  PdWithGravity(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains,
                const std::vector<int>& driven)
      : Correcting(std::move(model), std::move(motion), std::move(gains), driven), gravity_(model_->nv()) {
    drives_.require_lead(q_);
  }
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    correct(t, q, v, tau);
    drives_.holding(q, gravity_);
    for (size_t k = 0; k < gravity_.size(); ++k) tau[k] += gravity_[k];
  }

 private:
  std::vector<double> gravity_;
};

class ComputedTorque final : public Correcting {
 public:
  ComputedTorque(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains,
                 const std::vector<int>& driven)
      : Correcting(std::move(model), std::move(motion), std::move(gains), driven), wanted_(model_->nv()) {
    drives_.require_lead(q_);
  }
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    correct(t, q, v, wanted_);
    for (size_t k = 0; k < wanted_.size(); ++k) wanted_[k] += a_[k];
    drives_.moving(q, v, wanted_, tau);
  }

 private:
  std::vector<double> wanted_;
};

}  // namespace

std::shared_ptr<Controller> given_torques(TorqueFunction tau, std::vector<double> breaks) {
  if (!tau) throw ArgumentError("given torques: there is no function that gives them");
  if (!std::is_sorted(breaks.begin(), breaks.end()))
    throw ArgumentError("given torques: their breaks are not in order");
  return std::make_shared<GivenTorques>(std::move(tau), std::move(breaks));
}
std::shared_ptr<Controller> feed_forward(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                         const std::vector<int>& driven) {
  return std::make_shared<FeedForward>(std::move(model), std::move(motion), driven);
}
std::shared_ptr<Controller> pd(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                               Gains gains, const std::vector<int>& driven) {
  return std::make_shared<Pd>(std::move(model), std::move(motion), std::move(gains), driven);
}
std::shared_ptr<Controller> pd_with_gravity(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven) {
  return std::make_shared<PdWithGravity>(std::move(model), std::move(motion), std::move(gains), driven);
}
std::shared_ptr<Controller> computed_torque(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven) {
  return std::make_shared<ComputedTorque>(std::move(model), std::move(motion), std::move(gains), driven);
}

}  // namespace denoc
