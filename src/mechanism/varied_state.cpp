#include "varied_state.hpp"

namespace denoc {

VariedState::VariedState(const Model& tree, bool with_forces)
    : a(static_cast<std::size_t>(tree.nv())),
      tree_(&tree),
      at_(tree),
      kin_(tree),
      start_(static_cast<std::size_t>(tree.nq())),
      q_(start_),
      v_(a),
      step_(a) {
  if (with_forces) forces_.emplace(tree);
  for (auto* wrenches : {&in_body_, &in_world_, &fixed_, &acting_}) wrenches->reserve(64);
  if (forces_) acting_.reserve(64 + static_cast<std::size_t>(wrenches_of(forces_->list())));
}

void VariedState::start(const DifferentiatedMotion& m) {
  for (std::size_t k = 0; k < start_.size(); ++k) start_[k] = D(m.q[k]);
  for (std::size_t k = 0; k < v_.size(); ++k) {
    v_[k] = D(m.v[k]);
    a[k] = D(m.a[k]);
    step_[k] = D(0.0);
  }
  varied_v_ = -1;
  in_body_.clear();
  in_world_.clear();
  for (const auto& [body, w] : m.fixed_in_body) in_body_.push_back({body, full<D>(w)});
  if (!m.fixed_in_world.empty()) {
    place<D>(*tree_, start_, at_);
    positions<D>(*tree_, at_, kin_);
  }
  for (const auto& [body, w] : m.fixed_in_world) {
    const Mat3<D> R = pose_in_world<D>(*tree_, kin_, body).R;
    in_world_.push_back({body, {R * full<D>(w.n), R * full<D>(w.f)}});
  }
}

void VariedState::vary_q(int k) {
  along_v(-1);
  step_[static_cast<std::size_t>(k)].d = 1;
  evaluate();
  step_[static_cast<std::size_t>(k)].d = 0;
}
void VariedState::vary_v(int k) {
  along_v(k);
  evaluate();
}
void VariedState::vary_nothing() {
  along_v(-1);
  evaluate();
}
void VariedState::along_v(int k) {
  if (varied_v_ >= 0) v_[static_cast<std::size_t>(varied_v_)].d = 0;
  varied_v_ = k;
  if (varied_v_ >= 0) v_[static_cast<std::size_t>(varied_v_)].d = 1;
}

void VariedState::evaluate() {
  integrate<D>(*tree_, start_, step_, q_);
  place<D>(*tree_, q_, at_);
  acting_.assign(in_body_.begin(), in_body_.end());
  fixed_.clear();
  if (!in_world_.empty()) positions<D>(*tree_, at_, kin_);
  for (const auto& [body, w] : in_world_) {
    const Mat3<D> R = pose_in_world<D>(*tree_, kin_, body).R;
    fixed_.push_back({body, {back(R, w.n), back(R, w.f)}});
  }
  acting_.insert(acting_.end(), fixed_.begin(), fixed_.end());
  if (!forces_) return;
  const Loads<D>& loads = forces_->act(at_, q_, v_);
  acting_.insert(acting_.end(), loads.wrenches.begin(), loads.wrenches.end());
}

}  // namespace denoc
