// Forward dynamics, O(n): I q'' = tau - bias solved with I = U D U^T, in one sweep to the base and one back. The bias
// wrenches travel together with eta, so bias, factorise and solve [Mohan07 (27), (30)-(37)] cost less than one after
// the other.
#pragma once
#include "denoc/dynamics/inertia/udut.hpp"

namespace denoc {

/// The memory of forward dynamics. One for each thread.
template <Scalar T> struct ForwardScratch {
  InverseScratch<T> inverse;
  Factor<T> factor;  // of the inertia matrix, for further solves at the same q
  SolveScratch<T> solve;
  std::vector<FullSubtree<T>> subtrees;
  explicit ForwardScratch(const ModelOf<T>& model)
      : inverse(model), factor(model), solve(model), subtrees(model.links().size(), zero_subtree<T>) {}
};

/// Tip to base: eliminate each joint from the articulated inertia and from the load that arrives with it.
template <Scalar T, class Isa = AnyIsa>
void eliminate_loaded_joints(const ModelOf<T>& model, const Configuration<T>& at, In<T> tau, ForwardScratch<T>& s) {
  const Subtree nothing{Zero{}, detail::no_wrench};
  model.eliminated().inward(
      at, nothing, zero_subtree<T>, s.subtrees, [&](auto link, const auto& children) DENOC_INLINED {
        const Subtree whole{blocks(children.m + link.inertia()), children.w + s.inverse.w[link.i]};
        return link.columns().inward(whole, [&](auto p, const auto& hat) DENOC_INLINED {
          const int k = link.dof(p);
          auto [psi, d_inv, m_bar] = eliminate(p, hat.m);
          const T load = tau[k], phi_hat = load - dot(p, hat.w);
          s.factor.psi[k] = full<T>(psi);
          s.factor.d_inv[k] = d_inv;
          s.solve.phi_hat[k] = phi_hat;
          return Subtree{m_bar, loaded(p, hat.w, psi, phi_hat, load)};
        });
      });
}

/// The sweep to the base: the factor of I, and s.solve.phi_hat = U^-1 (tau - bias), which waits for solve_lower. Throws
/// SingularInertia with the joint's name, ArgumentError when a size is wrong.
template <Scalar T>
void sweep_to_base(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, ForwardScratch<T>& s,
                   Wrenches<T> wrenches = {}) {
  require_size(v, model.nv(), "v");
  require_size(tau, model.nv(), "tau");
  body_wrenches<T>(model, at, v, Zero{}, s.inverse);
  relieve_joints<T>(model, wrenches, s.inverse);
  eliminate_loaded_joints<T>(model, at, tau, s);
  require_regular<T>(model, at, s.factor);
}

/// The accelerations a that the generalised forces tau give at q (in `at`), v, under gravity and the given wrenches.
/// Throws as sweep_to_base does.
template <Scalar T>
void forward_dynamics(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, ForwardScratch<T>& s,
                      Out<T> a, Wrenches<T> wrenches = {}) {
  require_size(a, model.nv(), "a");
  sweep_to_base<T>(model, at, v, tau, s, wrenches);
  solve_lower<T>(model, at, s.factor, s.solve.phi_hat, s.solve, a);
}

/// The formulation with its memory.
template <Scalar T> struct DenocForward {
  static constexpr Method method{"denoc", "n"};
  ForwardScratch<T> scratch;
  explicit DenocForward(const ModelOf<T>& model) : scratch(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches) {
    forward_dynamics<T>(model, at, v, tau, scratch, a, wrenches);
  }
};
/// Featherstone's three passes are those of denoc: velocities and bias outward, Mhat (his I^A) and eta (his p^A)
/// inward, accelerations outward. One code, and the same numbers.
template <Scalar T> struct ArticulatedBody : DenocForward<T> {
  static constexpr Method method{"articulated-body", "n",
                                 "all joint types, trees, fixed and free bases; the code of denoc"};
  using DenocForward<T>::DenocForward;
};

#define DENOC_FORWARD(TEMPLATE, T) \
  TEMPLATE void eliminate_loaded_joints<T>(const ModelOf<T>&, const Configuration<T>&, In<T>, ForwardScratch<T>&);
DENOC_COMPILED(DENOC_FORWARD)

}  // namespace denoc
