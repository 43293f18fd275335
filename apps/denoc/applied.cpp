#include "applied.hpp"

#include "denoc/forces/joint_forces.hpp"
#include "denoc/forces/point_springs.hpp"

namespace denoc::app {

Applied::Applied(const Model& model, bool with_forces)
    : model_(model),
      with_forces_(with_forces),
      kinematics_(model),
      wrenches_(with_forces ? 2 * model.robot().springs.size() : 0),
      joint_forces_(static_cast<std::size_t>(model.nv()), 0.0) {}

void Applied::evaluate(const State& state, const Configuration<double>& at) {
  if (with_forces_) {
    positions<double>(model_, at, kinematics_);
    velocities<double>(model_, state.v, kinematics_);
    wrenches_.resize(2 * model_.robot().springs.size());
    spring_wrenches<double>(model_, kinematics_, wrenches_);
    denoc::joint_forces<double>(model_, state.q, state.v, joint_forces_);
  } else {
    wrenches_.clear();
  }
  for (const StateWrench& w : state.wrenches) wrenches_.push_back({w.body, {w.moment, w.force}});
}

}  // namespace denoc::app
