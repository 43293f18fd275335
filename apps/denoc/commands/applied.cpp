#include "commands/applied.hpp"

namespace denoc::app {

Applied::Applied(const Model& model, bool with_forces) : joint_forces_(static_cast<std::size_t>(model.nv())) {
  if (with_forces) forces_.emplace(model);
}

void Applied::evaluate(const State& state, const Configuration<double>& at) {
  wrenches_.clear();
  if (forces_) {
    const Loads<double>& loads = forces_->act(at, state.q, state.v);
    joint_forces_ = loads.tau;
    wrenches_ = loads.wrenches;
  }
  for (const StateWrench& w : state.wrenches) wrenches_.push_back({w.body, {w.moment, w.force}});
}

}  // namespace denoc::app
