#include "differentiation.hpp"

namespace denoc {

Differentiation::Differentiation(const Model& tree, bool with_forces, bool with_loops)
    : dq(static_cast<std::size_t>(tree.nv()) * static_cast<std::size_t>(tree.nv())),
      dv(dq),
      da(dq),
      tree_(&tree),
      forward_(tree),
      inverse_(tree),
      system_(inverse_.branches, with_forces),
      kin_(tree) {
  movers_.reserve(static_cast<std::size_t>(tree.nv()));
  if (with_forces) forces_.emplace(tree);
  if (with_loops) loops_.emplace(tree);
}

void Differentiation::inverse(const Motion& m) {
  inverse_derivatives<double>(*tree_, m.at, m.v, m.a, inverse_, dq, dv, da, m.wrenches);
  if (forces_) forces_->add(m.at, m.q, m.v, dq, dv);
  if (!m.fixed_in_world.empty()) turn_world_wrenches(m);
}

void Differentiation::forward(const Motion& m, std::span<const double> tau, std::span<double> a) {
  forward_dynamics<double>(*tree_, m.at, m.v, tau, forward_, a, m.wrenches);
  inverse(m);
  const Branches& on = inverse_.branches;
  set_system<double>(inverse_, system_);
  set_columns<double>(on, dq, dv, system_);
  solve_branches<double>(on, system_);
  unfold_system<double>(on, system_, dq.data(), dv.data(), da.data());
}

void Differentiation::closed(const Motion& m, std::span<const double> multipliers) {
  inverse(m);
  factorize<double>(*tree_, m.at, forward_.factor);
  loops_->close(m.at, forward_.factor, m.q, m.v, m.a, multipliers, dq, dv, da);
}

// A body that turns by w sees a wrench (n, f) of the world change by -(w x n, w x f). With J_k a column of the body's
// Jacobian, tau = -J^T (n, f) then changes by
//   dtau_i/dq_k += w(J_k) . (n x w(J_i) + f x v(J_i))
void Differentiation::turn_world_wrenches(const Motion& m) {
  const auto n = static_cast<std::size_t>(tree_->nv());
  positions<double>(*tree_, m.at, kin_);
  for (const auto& [body, w] : m.fixed_in_world) {
    movers_.clear();
    detail::columns_in_body<double>(*tree_, kin_, body, [&](int k, const Twist<double>& p) {
      movers_.push_back({k, p});
    });
    for (const auto& [i, p] : movers_) {
      const Vec3<double> felt = cross(w.n, p.w) + cross(w.f, p.v);
      for (const auto& [k, by] : movers_)
        dq[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(k)] += dot(by.w, felt);
    }
  }
}

}  // namespace denoc
