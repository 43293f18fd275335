// What acts on a robot besides gravity and its drives: the wrenches of a state, and on request the forces of its file.
#pragma once
#include <optional>
#include <vector>

#include "denoc/forces/forces.hpp"
#include "denoc/io/state.hpp"

namespace denoc::app {

class Applied {
 public:
  Applied(const Model& model, bool with_forces);
  void evaluate(const State& state, const Configuration<double>& at);

  const std::vector<BodyWrench<double>>& wrenches() const { return wrenches_; }
  const std::vector<double>& joint_forces() const { return joint_forces_; }  // zero without the file's

 private:
  std::optional<ForcesOf<double>> forces_ = {};
  std::vector<BodyWrench<double>> wrenches_ = {};
  std::vector<double> joint_forces_;
};

}  // namespace denoc::app
