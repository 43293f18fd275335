// What laws of a robot are asked with, looked at once.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "denoc/control/controller.hpp"
#include "denoc/model/arguments.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::control {

class RobotLaw : public Controller {
 public:
  explicit RobotLaw(std::shared_ptr<const Model> model)
      : model_(std::move(model)), quaternions_(quaternions_of(model_->robot())), taken_(size_t(model_->nq())) {}
  // Throws ArgumentError for sizes that do not agree, what is no number, and quaternions that are not of unit length.
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) final {
    require_size(q, model_->nq(), "q");
    std::copy(q.begin(), q.end(), taken_.begin());
    bring_to_manifold(quaternions_, taken_);
    require_numbers(v, model_->nv(), "v");
    require_size(tau, model_->nv(), "tau");
    respond(t, taken_, v, tau);
  }

 protected:
  virtual void respond(double t, In<double> q, In<double> v, Out<double> tau) = 0;

  std::shared_ptr<const Model> model_;

 private:
  std::vector<QuaternionPlace> quaternions_;
  std::vector<double> taken_;
};

}  // namespace denoc::control
