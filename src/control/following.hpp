// What the laws have in common that follow a motion.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/error.hpp"
#include "denoc/model/manifold.hpp"
#include "motion/breaks.hpp"
#include "motion/drive_forces.hpp"
#include "robot_law.hpp"

namespace denoc::control {

// A controller that knows where the robot should be.
class Following : public RobotLaw {
 public:
  Following(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
            const std::vector<int>& driven)
      : RobotLaw(std::move(model)),
        motion_(std::move(motion)),
        driven_(driven.empty() ? driven_freedoms(*model_) : driven),
        drives_(*model_, driven_),
        q_(model_->nq()),
        v_(model_->nv()),
        a_(model_->nv()),
        breaks_(*motion_),
        knots_(motion_->knots()) {
    desire(0);  // a motion of another robot is refused here
  }
  double next_break(double t) const override { return breaks_.first_after(t); }
  double next_knot(double t) const override { return motion::first_after(knots_, t); }

 protected:
  void desire(double t) { motion_->at(breaks_.beside(t), q_, v_, a_); }

  std::shared_ptr<const Trajectory> motion_;
  std::vector<int> driven_;
  motion::DriveForces drives_;
  std::vector<double> q_, v_, a_;  // desired

 private:
  motion::Breaks breaks_;
  std::vector<double> knots_;
};

inline void require_gains(const Model& model, const std::vector<double>& gains, const char* name) {
  require_size(std::span(gains), model.nv(), name);
  for (size_t k = 0; k < gains.size(); ++k)
    if (!std::isfinite(gains[k])) throw ArgumentError(fmt::format("{}: entry {} is not a number", name, k + 1));
}

// ... and adds a force for what the robot lacks of it: kp e + kd e'.
class Correcting : public Following {
 public:
  Correcting(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains,
             const std::vector<int>& driven)
      : Following(std::move(model), std::move(motion), driven), gains_(std::move(gains)), error_(model_->nv()) {
    require_gains(*model_, gains_.kp, "kp");
    require_gains(*model_, gains_.kd, "kd");
    require_drives(gains_.kp);
    require_drives(gains_.kd);
  }

 protected:
  // Throws ArgumentError where a joint has a gain but no drive.
  void require_drives(const std::vector<double>& gains) const {
    for (int k = 0; k < model_->nv(); ++k)
      if (gains[size_t(k)] != 0 && std::find(driven_.begin(), driven_.end(), k) == driven_.end())
        throw ArgumentError(
            fmt::format("joint '{}' has a gain but no drive: name it among the driven joints, or "
                        "leave its gain out",
                        model_->joint_of_dof(k)));
  }
  // correction = kp e + kd e'
  void correct(double t, In<double> q, In<double> v, Out<double> correction) {
    desire(t);
    difference<double>(*model_, q, q_, error_);
    for (size_t k = 0; k < error_.size(); ++k) correction[k] = gains_.kp[k] * error_[k] + gains_.kd[k] * (v_[k] - v[k]);
  }

 private:
  Gains gains_;

 protected:
  std::vector<double> error_;  // e of the last correction
};

}  // namespace denoc::control
