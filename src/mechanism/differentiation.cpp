#include "differentiation.hpp"

namespace denoc {

Differentiation::Differentiation(const Model& tree, bool with_forces, std::shared_ptr<const ClosureRows> loops)
    : dq(static_cast<std::size_t>(tree.nv()) * static_cast<std::size_t>(tree.nv())),
      dv(dq),
      da(dq),
      tree_(&tree),
      forward_(tree),
      inverse_(tree),
      system_(inverse_.branches, with_forces),
      turning_(tree) {
  if (with_forces) forces_.emplace(tree);
  if (loops) loops_.emplace(tree, std::move(loops));
}

void Differentiation::inverse(const DifferentiatedMotion& m) {
  inverse_derivatives<double>(*tree_, m.at, m.v, m.a, inverse_, dq, dv, da, m.acting);
  if (forces_) forces_->add(m.at, m.q, m.v, dq, dv);
  turning_.add(m.at, m.fixed_in_world, dq);
}

void Differentiation::forward(const DifferentiatedMotion& m, std::span<const double> tau, std::span<double> a) {
  forward_dynamics<double>(*tree_, m.at, m.v, tau, forward_, a, m.acting);
  inverse(m);
  const Branches& on = inverse_.branches;
  set_system<double>(inverse_, system_);
  set_columns<double>(on, dq, dv, system_);
  solve_branches<double>(on, system_);
  unfold_system<double>(on, system_, dq.data(), dv.data(), da.data());
}

void Differentiation::closed(const DifferentiatedMotion& m, std::span<const double> multipliers) {
  inverse(m);
  const ClosedDerivatives::State state{m.at, forward_.factor, m.q, m.v, m.a, multipliers};
  try {
    factorize<double>(*tree_, m.at, forward_.factor);
  } catch (const SingularInertia&) {  // as ClosedChain::forward_dynamics does
    if (!loops_->close_stiffened(state, dq, dv, da)) throw;
    return;
  }
  loops_->close(state, dq, dv, da);
}

}  // namespace denoc
