// What acts on a robot besides gravity and its drives: the wrenches of a state, and on request springs and friction.
#pragma once
#include <vector>

#include "denoc/io/state.hpp"
#include "denoc/kinematics/kinematics.hpp"

namespace denoc::app {

class Applied {
 public:
  Applied(const Model& model, bool with_forces);
  void evaluate(const State& state, const Configuration<double>& at);

  const std::vector<BodyWrench<double>>& wrenches() const { return wrenches_; }
  const std::vector<double>& joint_forces() const { return joint_forces_; }  // zero without springs and friction

 private:
  const Model& model_;
  bool with_forces_;
  Kinematics<double> kinematics_;
  std::vector<BodyWrench<double>> wrenches_;
  std::vector<double> joint_forces_;
};

}  // namespace denoc::app
