#include "reaction_derivatives.hpp"

#include "dynamics/world_reaction.hpp"

namespace denoc {

ReactionDerivatives::ReactionDerivatives(const Model& tree, bool with_forces, bool with_loops)
    : dq(6 * tree.bodies().size() * static_cast<std::size_t>(tree.nv())),
      dv(dq),
      dx(dq),
      tree_(&tree),
      varied_(tree, with_forces),
      scratch_(tree),
      reactions_(tree.bodies().size()),
      kin_(tree) {
  acting_.reserve(128);
  if (!with_loops) return;
  rows_ = closure_rows(tree.robot());
  multipliers_.resize(rows_.size());
  for (const Loop& loop : tree.robot().loops)
    for (const Attachment* end : {&loop.a, &loop.b}) of_loops_.push_back({end->body, zero_wrench<D>});
}

void ReactionDerivatives::inverse(const DifferentiatedMotion& m) {
  start(m, {});
  for (int k = 0; k < tree_->nv(); ++k) {
    varied_.vary_q(k);
    keep(k, {}, dq);
    varied_.vary_v(k);
    keep(k, {}, dv);
    varied_.vary_nothing();
    D& a = varied_.a[static_cast<std::size_t>(k)];
    a.d = 1;
    keep(k, {}, dx);
    a.d = 0;
  }
}

void ReactionDerivatives::forward(const DifferentiatedMotion& m, std::span<const double> multipliers,
                                  const Differentiation& by) {
  start(m, multipliers);
  const ClosedDerivatives::OfMultipliers none = {}, &f = rows_.empty() ? none : by.of_multipliers();
  for (int k = 0; k < tree_->nv(); ++k) {
    varied_.vary_q(k);
    keep(k, {&by.dq, &f.dq}, dq);
    varied_.vary_v(k);
    keep(k, {&by.dv, &f.dv}, dv);
    varied_.vary_nothing();
    keep(k, {&by.da, &f.dtau}, dx);
  }
}

void ReactionDerivatives::start(const DifferentiatedMotion& m, std::span<const double> multipliers) {
  varied_.start(m);
  for (std::size_t i = 0; i < rows_.size(); ++i) multipliers_[i] = D(multipliers[i]);
}

void ReactionDerivatives::keep(int k, const Following& by, std::vector<double>& matrix) {
  const auto n = static_cast<std::size_t>(tree_->nv()), column = static_cast<std::size_t>(k);
  if (by.a != nullptr) {
    for (std::size_t i = 0; i < n; ++i) varied_.a[i].d = (*by.a)[i * n + column];
    for (std::size_t i = 0; i < rows_.size(); ++i) multipliers_[i].d = (*by.multipliers)[i * n + column];
  }
  acting_.assign(varied_.acting().begin(), varied_.acting().end());
  if (!rows_.empty()) add_loops();
  joint_reactions<D>(*tree_, varied_.at(), varied_.v(), varied_.a, scratch_, reactions_, acting_);
  add_world_reaction<D>(std::span(acting_).subspan(varied_.from_outside()), reactions_);
  std::size_t row = 0;
  for (const auto& [moment, force] : reactions_)
    for (const Vec3<D>* x : {&moment, &force})
      for (const double d : {x->x.d, x->y.d, x->z.d}) matrix[row++ * n + column] = d;
}

void ReactionDerivatives::add_loops() {
  kin_.move(*tree_, varied_.at(), varied_.v());
  for (BodyWrench<D>& w : of_loops_) w.wrench = zero_wrench<D>;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto l = static_cast<std::size_t>(rows_[i].loop);
    const LoopFrames<D>& frames = kin_.frames(rows_[i].loop);
    const ClosureValue<D> value = closure_value<D>(*tree_, frames, varied_.q(), varied_.v(), rows_[i]);
    add_loop_wrench<D>(*tree_, frames, rows_[i], value, multipliers_[i], of_loops_[2 * l], of_loops_[2 * l + 1]);
  }
  acting_.insert(acting_.end(), of_loops_.begin(), of_loops_.end());
}

}  // namespace denoc
