// Derivatives that Dynamics gives: of forces, accelerations, what loops and joints transmit, and closed postures.
#include "dynamics_parts.hpp"
#include "finite_answers.hpp"

namespace denoc {

DifferentiatedMotion Dynamics::Parts::moving(Vector v, Vector a, GivenWrenches wrenches, std::span<const Axes> axes) {
  if (!axes.empty()) require_size(axes, int(wrenches.size()), "constant_in");
  Derivatives& d = derivatives;
  d.fixed_in_body.assign(acting.standing.begin(), acting.standing.end());
  d.fixed_in_world.clear();
  const GivenWrenches as_they_acted = std::span(acting.all).subspan(acting.standing.size(), wrenches.size());
  for (size_t i = 0; i < wrenches.size(); ++i)
    (!axes.empty() && axes[i] == Axes::world ? d.fixed_in_world : d.fixed_in_body).push_back(as_they_acted[i]);
  std::copy(v.begin(), v.end(), d.v.begin());
  return {here.at, here.q, d.v, a, acting.all, d.fixed_in_body, d.fixed_in_world};
}

DifferentiatedMotion Dynamics::Parts::motion_of_tree(Loops loops, std::string_view what, Vector q, Vector v, Vector a,
                                                     GivenWrenches wrenches, std::span<const Axes> constant_in) {
  require_tree(loops, what);
  place(q);
  require_numbers(a, tree.nv(), "a");
  act(zero, v, wrenches);
  std::copy(a.begin(), a.end(), derivatives.a.begin());
  return moving(v, derivatives.a, wrenches, constant_in);
}

Dynamics::InverseDerivatives Dynamics::inverse_derivatives(Vector q, Vector v, Vector a, GivenWrenches wrenches,
                                                           std::span<const Axes> constant_in) {
  return inverse_derivatives(q, v, a, Loops::closed, wrenches, constant_in);
}
Dynamics::InverseDerivatives Dynamics::inverse_derivatives(Vector q, Vector v, Vector a, Loops loops,
                                                           GivenWrenches wrenches, std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  Differentiation& d = p.made(p.derivatives.inverse, nullptr);
  d.inverse(p.motion_of_tree(loops, "derivative of inverse dynamics", q, v, a, wrenches, constant_in));
  for (const auto* matrix : {&d.dq, &d.dv, &d.da}) p.require_finite_rows(*matrix, "a derivative of tau");
  const int n = p.tree.nv();
  return {{d.dq, n, n}, {d.dv, n, n}, {d.da, n, n}};
}

DifferentiatedMotion Dynamics::Parts::differentiate_forward(Vector q, Vector v, Vector tau, GivenWrenches wrenches,
                                                            std::span<const Axes> constant_in) {
  Differentiation& d = made(derivatives.forward, closed_rows());
  if (is_closed) {
    find_a(q, v, tau, wrenches);
  } else {
    place(q);
    require_numbers(tau, tree.nv(), "tau");
    act(tau, v, wrenches);
  }
  const DifferentiatedMotion motion = moving(v, found.a, wrenches, constant_in);
  if (is_closed) {
    d.closed(motion, closing.multipliers);
  } else {
    d.forward(motion, acting.load, found.a);
  }
  for (const auto* matrix : {&d.dq, &d.dv, &d.da}) require_finite_rows(*matrix, "a derivative of the acceleration");
  return motion;
}

Dynamics::ForwardDerivatives Dynamics::forward_derivatives(Vector q, Vector v, Vector tau, GivenWrenches wrenches,
                                                           std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  p.differentiate_forward(q, v, tau, wrenches, constant_in);
  const Differentiation& d = *p.derivatives.forward;
  const int n = p.tree.nv();
  return {{d.dq, n, n}, {d.dv, n, n}, {d.da, n, n}};
}

Dynamics::ForwardDerivatives Dynamics::multiplier_derivatives() const {
  const Parts& p = *parts_;
  if (!p.is_closed) throw ArgumentError("the robot has no loops that act, and so no multipliers");
  if (!p.derivatives.forward || p.derivatives.forward->of_multipliers().dq.empty())
    throw ArgumentError("derivatives of multipliers are those of the last call of forward_derivatives: there was none");
  const auto& [dq, dv, dtau] = p.derivatives.forward->of_multipliers();
  const int n = p.tree.nv(), rows = p.closing.chain->rows();
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
  denoc::SecondDerivatives& d = p.made(p.derivatives.second_order);
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
  denoc::SecondDerivatives& d = p.made(p.derivatives.second_order_tensor);
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
  ReactionDerivatives& d = p.made(p.derivatives.inverse_reactions, false);
  d.inverse(p.motion_of_tree(loops, "derivative of reactions by a", q, v, a, wrenches, constant_in));
  for (const auto* all : {&d.dq, &d.dv, &d.dx}) require_all_finite(*all, "a derivative of a reaction");
  const int n = p.tree.nv(), rows = 6 * int(p.given.reactions.size());
  return {{d.dq, rows, n}, {d.dv, rows, n}, {d.dx, rows, n}};
}

Dynamics::ForwardDerivatives Dynamics::forward_reaction_derivatives(Vector q, Vector v, Vector tau,
                                                                    GivenWrenches wrenches,
                                                                    std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  const DifferentiatedMotion motion = p.differentiate_forward(q, v, tau, wrenches, constant_in);
  ReactionDerivatives& d = p.made(p.derivatives.forward_reactions, p.is_closed);
  d.forward(motion, p.closing.multipliers, *p.derivatives.forward);
  for (const auto* all : {&d.dq, &d.dv, &d.dx}) require_all_finite(*all, "a derivative of a reaction");
  const int n = p.tree.nv(), rows = 6 * int(p.given.reactions.size());
  return {{d.dq, rows, n}, {d.dv, rows, n}, {d.dx, rows, n}};
}

Dynamics::AssemblyDerivatives Dynamics::assembly_derivatives(Vector q, std::span<const int> independent) {
  Parts& p = *parts_;
  if (!p.is_closed) throw ArgumentError("the robot has no loops that act: its posture follows nothing");
  p.place(q);
  p.close(p.zero);
  p.given.following = p.closing.chain->assembly_derivatives(p.here.q, {independent.begin(), independent.end()});
  const int n = p.tree.nv(), m = int(p.given.following.independent.size());
  return {p.given.following.independent, {p.given.following.first, n, m}, {p.given.following.second, n * m, m}};
}

}  // namespace denoc
