// Derivatives that Dynamics gives: of forces, accelerations, what loops and joints transmit, and closed postures.
#include "dynamics_parts.hpp"

namespace denoc {

// At q, v, a, with everything that acts: where derivatives of inverse dynamics are taken.
DifferentiatedMotion Dynamics::Parts::motion_of_tree(Loops loops, std::string_view what, Vector given_q, Vector v,
                                                     Vector given_a, GivenWrenches wrenches,
                                                     std::span<const Axes> constant_in) {
  require_tree(loops, what);
  place(given_q);
  require_numbers(given_a, tree.nv(), "a");
  std::fill(total.begin(), total.end(), 0.0);
  act(v, wrenches, total);
  std::copy(given_a.begin(), given_a.end(), moving_a.begin());
  return moving(v, moving_a, wrenches, constant_in);
}

Dynamics::InverseDerivatives Dynamics::inverse_derivatives(Vector q, Vector v, Vector a, GivenWrenches wrenches,
                                                           std::span<const Axes> constant_in) {
  return inverse_derivatives(q, v, a, Loops::closed, wrenches, constant_in);
}
Dynamics::InverseDerivatives Dynamics::inverse_derivatives(Vector q, Vector v, Vector a, Loops loops,
                                                           GivenWrenches wrenches, std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  Differentiation& d = Parts::made(p.inverse_derivatives, p, false);
  d.inverse(p.motion_of_tree(loops, "derivative of inverse dynamics", q, v, a, wrenches, constant_in));
  for (const auto* matrix : {&d.dq, &d.dv, &d.da}) p.require_finite_rows(*matrix, "a derivative of tau");
  const int n = p.tree.nv();
  return {{d.dq, n, n}, {d.dv, n, n}, {d.da, n, n}};
}

DifferentiatedMotion Dynamics::Parts::differentiate_forward(Vector given_q, Vector v, Vector given_tau,
                                                            GivenWrenches wrenches, std::span<const Axes> constant_in) {
  Differentiation& d = made(forward_derivatives, *this, is_closed);
  if (is_closed) {
    find_a(given_q, v, given_tau, wrenches);
  } else {
    place(given_q);
    require_numbers(given_tau, tree.nv(), "tau");
    std::copy(given_tau.begin(), given_tau.end(), total.begin());
    act(v, wrenches, total);
  }
  const DifferentiatedMotion motion = moving(v, a, wrenches, constant_in);
  if (is_closed) {
    d.closed(motion, multipliers);
  } else {
    d.forward(motion, total, a);
  }
  for (const auto* matrix : {&d.dq, &d.dv, &d.da}) require_finite_rows(*matrix, "a derivative of the acceleration");
  return motion;
}

Dynamics::ForwardDerivatives Dynamics::forward_derivatives(Vector q, Vector v, Vector tau, GivenWrenches wrenches,
                                                           std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  p.differentiate_forward(q, v, tau, wrenches, constant_in);
  const Differentiation& d = *p.forward_derivatives;
  const int n = p.tree.nv();
  return {{d.dq, n, n}, {d.dv, n, n}, {d.da, n, n}};
}

Dynamics::ForwardDerivatives Dynamics::multiplier_derivatives() const {
  const Parts& p = *parts_;
  if (!p.is_closed) throw ArgumentError("the robot has no loops that act, and so no multipliers");
  if (!p.forward_derivatives || p.forward_derivatives->of_multipliers().dq.empty())
    throw ArgumentError("derivatives of multipliers are those of the last call of forward_derivatives: there was none");
  const auto& [dq, dv, dtau] = p.forward_derivatives->of_multipliers();
  const int n = p.tree.nv(), rows = p.chain->rows();
  return {{dq, rows, n}, {dv, rows, n}, {dtau, rows, n}};
}

namespace {
// Of one function, or of n.
Dynamics::SecondDerivatives views_of(const SecondDerivatives& found, int rows, int n) {
  return {{found.qq, rows * n, n}, {found.qv, rows * n, n}, {found.qa, rows * n, n}, {found.vv, rows * n, n}};
}
}  // namespace

Dynamics::SecondDerivatives Dynamics::inverse_second_order(Vector q, Vector v, Vector a, Vector lambda,
                                                           GivenWrenches wrenches, std::span<const Axes> constant_in) {
  return inverse_second_order(q, v, a, lambda, Loops::closed, wrenches, constant_in);
}
Dynamics::SecondDerivatives Dynamics::inverse_second_order(Vector q, Vector v, Vector a, Vector lambda, Loops loops,
                                                           GivenWrenches wrenches, std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  require_numbers(lambda, p.tree.nv(), "lambda");
  denoc::SecondDerivatives& d = p.second(p.second_order);
  d.contract(p.motion_of_tree(loops, "second derivative of inverse dynamics", q, v, a, wrenches, constant_in), lambda);
  for (const auto* all : {&d.qq, &d.qv, &d.qa, &d.vv}) require_all_finite(*all, "a second derivative of tau");
  return views_of(d, 1, p.tree.nv());
}

Dynamics::SecondDerivatives Dynamics::inverse_second_order_tensor(Vector q, Vector v, Vector a, GivenWrenches wrenches,
                                                                  std::span<const Axes> constant_in) {
  return inverse_second_order_tensor(q, v, a, Loops::closed, wrenches, constant_in);
}
Dynamics::SecondDerivatives Dynamics::inverse_second_order_tensor(Vector q, Vector v, Vector a, Loops loops,
                                                                  GivenWrenches wrenches,
                                                                  std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  denoc::SecondDerivatives& d = p.second(p.second_order_tensor);
  d.expand(p.motion_of_tree(loops, "second derivative of inverse dynamics", q, v, a, wrenches, constant_in));
  for (const auto* all : {&d.qq, &d.qv, &d.qa, &d.vv}) require_all_finite(*all, "a second derivative of tau");
  return views_of(d, p.tree.nv(), p.tree.nv());
}

Dynamics::InverseDerivatives Dynamics::inverse_reaction_derivatives(Vector q, Vector v, Vector a,
                                                                    GivenWrenches wrenches,
                                                                    std::span<const Axes> constant_in) {
  return inverse_reaction_derivatives(q, v, a, Loops::closed, wrenches, constant_in);
}
Dynamics::InverseDerivatives Dynamics::inverse_reaction_derivatives(Vector q, Vector v, Vector a, Loops loops,
                                                                    GivenWrenches wrenches,
                                                                    std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  ReactionDerivatives& d = p.reacting(p.inverse_reactions, false);
  d.inverse(p.motion_of_tree(loops, "derivative of reactions by a", q, v, a, wrenches, constant_in));
  for (const auto* all : {&d.dq, &d.dv, &d.dx}) require_all_finite(*all, "a derivative of a reaction");
  const int n = p.tree.nv(), rows = 6 * int(p.reactions.size());
  return {{d.dq, rows, n}, {d.dv, rows, n}, {d.dx, rows, n}};
}

Dynamics::ForwardDerivatives Dynamics::forward_reaction_derivatives(Vector q, Vector v, Vector tau,
                                                                    GivenWrenches wrenches,
                                                                    std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  const DifferentiatedMotion motion = p.differentiate_forward(q, v, tau, wrenches, constant_in);
  ReactionDerivatives& d = p.reacting(p.forward_reactions, p.is_closed);
  d.forward(motion, p.multipliers, *p.forward_derivatives);
  for (const auto* all : {&d.dq, &d.dv, &d.dx}) require_all_finite(*all, "a derivative of a reaction");
  const int n = p.tree.nv(), rows = 6 * int(p.reactions.size());
  return {{d.dq, rows, n}, {d.dv, rows, n}, {d.dx, rows, n}};
}

Dynamics::AssemblyDerivatives Dynamics::assembly_derivatives(Vector q, std::span<const int> independent) {
  Parts& p = *parts_;
  if (!p.is_closed) throw ArgumentError("the robot has no loops that act: its posture follows nothing");
  p.place(q);
  p.close(p.zero);
  p.following = p.chain->assembly_derivatives(p.q, {independent.begin(), independent.end()});
  const int n = p.tree.nv(), m = int(p.following.independent.size());
  return {p.following.independent, {p.following.first, n, m}, {p.following.second, n * m, m}};
}

}  // namespace denoc
