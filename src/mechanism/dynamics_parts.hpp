// What a Dynamics owns, and the steps that its questions share: the joints placed, the forces of the robot added up, the
// loops required to be closed, the accelerations solved for, the result required to be finite.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/error.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/chart.hpp"
#include "denoc/model/quaternions.hpp"
#include "differentiation.hpp"
#include "finite_answers.hpp"
#include "reaction_derivatives.hpp"
#include "second_order.hpp"

namespace denoc {

// Up to here the n x n scratch is taken with the rest; beyond, when first asked for: a rope of ten thousand links has
// no room for it.
inline constexpr int many_freedoms = 256;

struct Dynamics::Parts {
  const Mechanism& mechanism;
  const Model& tree;
  bool is_closed;  // there are loops, and they act
  std::vector<int> driven;
  bool drives_all;

  Configuration<double> at;
  const InverseFormulation<double>* inverse_row = &inverse_formulations<double>().front();
  InverseProblem<double>::Prepared inverse_method;
  ForwardScratch<double> forward;                   // of the first method, which leaves the factor of I behind
  ForwardProblem<double>::Prepared forward_method;  // another, or none
  const InertiaFormulation<double>* inertia_row = &inertia_formulations<double>().front();
  InertiaProblem<double>::Prepared inertia_method;  // prepared when asked for, as the next
  std::optional<InertiaInverseScratch<double>> inverting;
  Factor<double> factor;
  DenseScratch<double> dense;
  Kinematics<double> kin;
  ReactionScratch<double> reaction_scratch;
  std::optional<ForcesOf<double>> forces;
  std::optional<Model> cut_open;  // the tree of a robot whose loops are not to be closed, for the next
  std::optional<ClosedChain> chain;
  std::vector<QuaternionPlace> quaternions;
  // Wrenches that stay, all of one call, and those given to a call that acts several times: they may be loop_wrenches,
  // which change meanwhile.
  std::vector<BodyWrench<double>> standing, acting, taken;
  std::vector<double> q, tau, a, bias, assembled, zero, total;
  std::vector<double> inertia, inertia_inverse, upper, pivots, jacobian, centre_jacobian, momentum_matrix, momenta;
  // What was given to the caller, who has it until the next call of the same name: no other call writes here.
  struct Given {
    std::vector<double> tau, a, passive, bias, gravity;
    explicit Given(const std::vector<double>& zero) : tau(zero), a(zero), passive(zero), bias(zero), gravity(zero) {}
  } given;
  std::vector<Wrench<double>> reactions;
  std::vector<RigidInertia<double>> composite;
  struct Stages {  // of a step
    Chart chart;
    std::vector<double> x, x_rate, q, v, sum_x, sum_v;
    Stages(const Model& model, const std::vector<double>& centre)
        : chart(model, centre), x(size_t(model.nv())), x_rate(x), q(centre), v(x), sum_x(x), sum_v(x) {}
  } stages;
  std::optional<Differentiation> inverse_derivatives, forward_derivatives;
  std::optional<denoc::SecondDerivatives> second_order, second_order_tensor;
  std::optional<ReactionDerivatives> inverse_reactions, forward_reactions;
  ClosedChain::AssemblyDerivatives following;
  // Of one call that differentiates: its v and a may be rows of the matrices that it writes.
  std::vector<BodyWrench<double>> fixed_in_body, fixed_in_world;
  std::vector<double> moving_v, moving_a;
  std::vector<double> multipliers;
  std::vector<BodyWrench<double>> loop_wrenches;
  bool is_unique = true;
  bool rows_depend = false;  // of the loops, on each other, at the last accelerate()

  Parts(const Mechanism& m, Forces which, Loops loops)
      : mechanism(m),
        tree(m.tree()),
        is_closed(m.has_loops() && loops == Loops::closed),
        driven(m.leading()),
        drives_all(true),
        at(tree),
        inverse_method(inverse_row->prepare(tree)),
        forward(tree),
        factor(tree),
        dense(tree),
        kin(tree),
        reaction_scratch(tree),
        quaternions(quaternions_of(m.robot())),
        q(size_t(m.nq())),
        tau(size_t(m.nv())),
        a(tau),
        bias(tau),
        assembled(q),
        zero(tau),
        total(tau),
        pivots(tau),
        jacobian(6 * tau.size()),
        given(tau),
        reactions(m.robot().bodies.size()),
        composite(tree.links().size()),
        stages(tree, q),
        moving_v(tau),
        moving_a(tau) {
    if (which == Forces::all) forces.emplace(tree);
    if (is_closed) chain.emplace(tree);
    standing.reserve(16);
    acting.reserve(64);
    taken.reserve(64);
    fixed_in_body.reserve(64);
    fixed_in_world.reserve(64);
    if (m.nv() <= many_freedoms) {
      prepare_inertia();
      inverting.emplace(tree);
      inertia.resize(tau.size() * tau.size());
      inertia_inverse.resize(tau.size() * tau.size());
      upper.resize(tau.size() * tau.size());
      centre_jacobian.resize(3 * tau.size());
      momentum_matrix.resize(6 * tau.size());
      momenta.resize(6 * tau.size());
      inverse_derivatives.emplace(tree, forces.has_value(), false);
      forward_derivatives.emplace(tree, forces.has_value(), is_closed);
    }
  }

  void prepare_inertia() {
    if (!inertia_method) inertia_method = inertia_row->prepare(tree);
  }
  // q at the door: quaternions of unit length, everything finite; then the joints stand there.
  void place(Vector given) {
    require_size(given, tree.nq(), "q");
    std::copy(given.begin(), given.end(), q.begin());
    bring_to_manifold(quaternions, q);
    denoc::place<double>(tree, q, at);
  }
  void require_finite(Vector x, const char* what) const {
    for (size_t k = 0; k < x.size(); ++k)
      if (!std::isfinite(x[k]))
        throw Error(fmt::format("{} of joint '{}' is not a finite number: the state is too large, or not finite itself",
                                what, tree.joint_name(tree.body_of_dof(int(k)))));
  }
  void require_finite_rows(Vector matrix, const char* what) const {
    for (size_t k = 0; k < matrix.size(); k += tau.size()) {
      if (all_finite(matrix.subspan(k, tau.size()))) continue;
      throw Error(fmt::format("{} of joint '{}' is not a finite number: the state is too large, or not finite itself",
                              what, tree.joint_name(tree.body_of_dof(int(k / tau.size())))));
    }
  }
  // All wrenches of a call, and the forces of the robot in `load` (tau of the drives already in it, or 0).
  void act(Vector v, GivenWrenches given, std::span<double> load) {
    require_numbers(v, tree.nv(), "v");
    require_bodies<double>(tree, given);
    acting.assign(standing.begin(), standing.end());
    acting.insert(acting.end(), given.begin(), given.end());
    add_forces(v, load);
  }
  void add_forces(Vector v, std::span<double> load) {
    if (!forces) return;
    const Loads<double>& loads = forces->act(at, q, v);
    for (size_t k = 0; k < load.size(); ++k) load[k] += loads.tau[k];
    acting.insert(acting.end(), loads.wrenches.begin(), loads.wrenches.end());
  }
  // The chain goes where the joints stand, and they to where loops that are closed but for digits are closed.
  void close(Vector v) {
    require_numbers(v, tree.nv(), "v");
    chain->move_to(at, q, v);
    if (!is_closed) return;
    require_closed();
    chain->close_last_digits(at, q);
  }
  // At the state that the chain has gone to.
  void require_closed() const {
    chain->gap().require_closed();
    if (const ClosedChain::Gap opening = chain->opening(); opening.is_open())
      throw NotAssembled(fmt::format("{}: v opens it by {:.3g} m/s (or rad/s)", opening.loop, opening.size));
  }
  // What is the tree's alone must be asked for as such.
  void require_tree(Loops loops, std::string_view what) const {
    if (!is_closed || loops == Loops::open) return;
    throw NotCovered(fmt::format(
        "{} has loops: its {} is that of the tree with the loops cut open, ask for it with loops = \"open\"",
        mechanism.name().empty() ? "the robot" : mechanism.name(), what));
  }
  // In the memory that the caller may still look at.
  void keep(const std::vector<double>& rows, bool unique) {
    multipliers.assign(rows.begin(), rows.end());
    const std::vector<BodyWrench<double>> found = chain->wrenches(multipliers);
    loop_wrenches.assign(found.begin(), found.end());
    is_unique = unique;
  }
  static Vector give(const std::vector<double>& found, std::vector<double>& to) {
    std::copy(found.begin(), found.end(), to.begin());
    return to;
  }
  // Each into the vector of its name.
  void find_tau(Vector given_q, Vector v, Vector given_a, GivenWrenches wrenches);
  void find_a(Vector given_q, Vector v, Vector given_tau, GivenWrenches wrenches);
  void find_bias(Vector given_q, Vector v, GivenWrenches wrenches);
  void find_gravity(Vector given_q);
  void find_bias_under_load(Vector v);
  void find_inertia(Vector given_q, std::vector<double>& matrix);
  void find_momenta(Vector given_q, std::vector<double>& matrix);
  Centre find_centre() const;
  // a that `total` gives at the q of the last place(), where the chain has gone.
  void accelerate(Vector v) {
    if (is_closed) {
      ClosedChain::Forward closed = chain->forward_dynamics(total, acting);
      std::copy(closed.a.begin(), closed.a.end(), a.begin());
      keep(closed.multipliers, closed.unique);
      rows_depend = closed.rows_depend;
    } else if (forward_method) {
      forward_method(at, v, total, a, acting);
    } else {
      forward_dynamics<double>(tree, at, v, total, forward, a, acting);
    }
  }
  static void require_finite(const Vec3<double>& a, const Vec3<double>& b, const char* what) {
    require_all_finite(std::array{a.x, a.y, a.z, b.x, b.y, b.z}, what);
  }
  // Where derivatives are taken: the state of the last place() and act().
  DifferentiatedMotion moving(Vector v, Vector acceleration, GivenWrenches given, std::span<const Axes> axes) {
    if (!axes.empty()) require_size(axes, int(given.size()), "constant_in");
    fixed_in_body.assign(standing.begin(), standing.end());
    fixed_in_world.clear();
    const GivenWrenches as_they_acted = std::span(acting).subspan(standing.size(), given.size());
    for (size_t i = 0; i < given.size(); ++i)
      (!axes.empty() && axes[i] == Axes::world ? fixed_in_world : fixed_in_body).push_back(as_they_acted[i]);
    std::copy(v.begin(), v.end(), moving_v.begin());
    return {at, q, moving_v, acceleration, acting, fixed_in_body, fixed_in_world};
  }
  DifferentiatedMotion motion_of_tree(Loops loops, std::string_view what, Vector given_q, Vector v, Vector given_a,
                                      GivenWrenches wrenches, std::span<const Axes> constant_in);
  // da/dq, da/dv and da/dtau in forward_derivatives, and where they were taken.
  DifferentiatedMotion differentiate_forward(Vector given_q, Vector v, Vector given_tau, GivenWrenches wrenches,
                                             std::span<const Axes> constant_in);
  static Differentiation& made(std::optional<Differentiation>& of, const Parts& p, bool with_loops) {
    return of ? *of : of.emplace(p.tree, p.forces.has_value(), with_loops);
  }
  denoc::SecondDerivatives& second(std::optional<denoc::SecondDerivatives>& of) const {
    return of ? *of : of.emplace(tree, forces.has_value());
  }
  ReactionDerivatives& reacting(std::optional<ReactionDerivatives>& of, bool with_loops) const {
    return of ? *of : of.emplace(tree, forces.has_value(), with_loops);
  }
  void move(Vector v) {
    require_numbers(v, tree.nv(), "v");
    positions<double>(tree, at, kin);
    velocities<double>(tree, v, kin);
  }
  // Joints without a drive make the same equations as loops do; loops that are cut open stay so.
  void need_chain() {
    if (chain) return;
    Robot cut = tree.robot();
    cut.loops.clear();
    chain.emplace(cut_open.emplace(std::move(cut)));
  }
  // Loops, and joints without drives, are for the first method alone.
  void require_covered(const InverseFormulation<double>& row, bool has_passive) const {
    const auto& first = inverse_formulations<double>().front();
    if (&row == &first || !(is_closed || has_passive)) return;
    throw NotCovered(fmt::format("method '{}' does not {}; '{}' does", row.name,
                                 is_closed ? "close loops" : "know joints without a drive", first.name));
  }
  void set_driven(std::vector<int> dofs) {
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    const bool all = dofs.size() == tau.size();
    require_covered(*inverse_row, !all);
    drives_all = all;
    driven = std::move(dofs);
    if (!drives_all) need_chain();
    if (drives_all && !is_closed) chain.reset(), cut_open.reset();
  }
};

}  // namespace denoc
