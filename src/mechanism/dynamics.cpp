#include "denoc/mechanism/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "denoc/model/lengths.hpp"
#include "dynamics/world_reaction.hpp"
#include "dynamics_parts.hpp"
#include "kinematics/checks.hpp"
#include "passive_accelerations.hpp"

namespace denoc {
Dynamics::Dynamics(const Mechanism& mechanism, Forces forces, Loops loops)
    : parts_(std::make_unique<Parts>(mechanism, forces, loops)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;

const Mechanism& Dynamics::mechanism() const { return parts_->mechanism; }

void Dynamics::wrenches(std::initializer_list<OnBody> acting) {
  const auto body = [&](const OnBody& each) {
    return kinematics::body_of(parts_->tree, parts_->mechanism.body(each.body));
  };
  for (const OnBody& each : acting) static_cast<void>(body(each));  // all of them, or none
  parts_->acting.standing.clear();
  for (const OnBody& each : acting) parts_->acting.standing.push_back({body(each), each.wrench});
}

void Dynamics::drive(std::span<const std::string> joints) { parts_->set_driven(parts_->mechanism.freedoms(joints)); }

std::span<const int> Dynamics::driven() const { return parts_->drives.driven; }

void Dynamics::use_inverse(std::string_view method) {
  const auto& row = formulation_named(inverse_formulations<double>(), method);
  parts_->require_covered(row, !parts_->drives.are_all);
  parts_->methods.inverse = row.prepare(parts_->tree);
  parts_->methods.inverse_row = &row;
}
void Dynamics::use_forward(std::string_view method) {
  const auto& row = formulation_named(forward_formulations<double>(), method);
  const bool is_first = &row == &forward_formulations<double>().front();
  if (parts_->is_closed && !is_first)
    throw NotCovered(fmt::format("method '{}' does not close loops; '{}' does", method,
                                 forward_formulations<double>().front().name));
  parts_->methods.forward = is_first ? nullptr : row.prepare(parts_->tree);
}
void Dynamics::use_inertia(std::string_view method) {
  const auto& row = formulation_named(inertia_formulations<double>(), method);
  parts_->methods.inertia = parts_->mechanism.nv() <= many_freedoms ? row.prepare(parts_->tree) : nullptr;
  parts_->methods.inertia_row = &row;
}

void Dynamics::Parts::find_tau(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  place(q);
  require_numbers(a, tree.nv(), "a");
  if (closing.chain) close(v);
  act(zero, v, wrenches);
  if (closing.chain) {
    const ClosedChain::Inverse closed = closing.chain->inverse_dynamics(a, drives.driven, acting.all, acting.load);
    std::copy(closed.tau.begin(), closed.tau.end(), found.tau.begin());
    keep(closed.multipliers, closed.unique);
  } else {
    methods.inverse(here.at, v, a, found.tau, acting.all);
    // What springs and friction take, the drives must give.
    for (size_t k = 0; k < zero.size(); ++k) found.tau[k] -= acting.load[k];
  }
  require_finite(found.tau, "tau");
}
Dynamics::Vector Dynamics::inverse(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  parts_->find_tau(q, v, a, wrenches);
  return Parts::give(parts_->found.tau, parts_->given.tau);
}

Dynamics::Vector Dynamics::passive(Vector q, Vector v, Vector a, std::span<const int> unknown, GivenWrenches wrenches) {
  Parts& p = *parts_;
  require_size(a, p.tree.nv(), "a");
  const auto joint = [&](int k) { return p.tree.joint_of_dof(k); };
  for (const int k : unknown) {
    p.tree.require_dof(k);
    if (std::binary_search(p.drives.driven.begin(), p.drives.driven.end(), k))
      throw ArgumentError(fmt::format("joint '{}' is driven: its acceleration is given, not solved for", joint(k)));
  }
  p.place(q);
  if (p.is_closed) p.close(v);
  const std::vector<double> closed = p.here.q;
  std::vector<double> I;
  p.find_inertia(closed, I);
  p.find_bias(closed, v, wrenches);
  const std::vector<double> closing = p.is_closed ? p.closing.chain->closing(closed) : std::vector<double>{},
                            jv = p.is_closed ? p.closing.chain->bias(closed, v) : std::vector<double>{},
                            row_units = p.is_closed ? p.closing.chain->row_units() : std::vector<double>{};
  const PassiveAccelerations found = passive_accelerations(
      {{I, p.tree.nv(), p.tree.nv()}, p.found.bias, closing, jv, p.drives.driven, units_of(p.tree), row_units}, a,
      unknown);
  if (found.undetermined >= 0)
    throw NotDriveable(fmt::format("joint '{}': nothing determines its acceleration; give it, or drive the joint",
                                   joint(found.undetermined)));
  p.require_finite(found.a, "the acceleration");
  return Parts::give(found.a, p.given.passive);
}

void Dynamics::Parts::find_a(Vector q, Vector v, Vector tau, GivenWrenches wrenches) {
  place(q);
  require_numbers(tau, tree.nv(), "tau");
  if (is_closed) close(v);
  act(tau, v, wrenches);
  accelerate(v);
  require_motion();
}
Dynamics::Vector Dynamics::forward(Vector q, Vector v, Vector tau, GivenWrenches wrenches) {
  parts_->find_a(q, v, tau, wrenches);
  return Parts::give(parts_->found.a, parts_->given.a);
}

Dynamics::Vector Dynamics::multipliers() const { return parts_->closing.multipliers; }
bool Dynamics::is_unique() const { return parts_->closing.is_unique; }
std::span<const BodyWrench<double>> Dynamics::loop_wrenches() const { return parts_->closing.wrenches; }

Dynamics::Vector Dynamics::bias(Vector q, Vector v, GivenWrenches wrenches) {
  return bias(q, v, Loops::closed, wrenches);
}
Dynamics::Vector Dynamics::bias(Vector q, Vector v, Loops loops, GivenWrenches wrenches) {
  parts_->require_tree(loops, "bias");
  parts_->find_bias(q, v, wrenches);
  return Parts::give(parts_->found.bias, parts_->given.bias);
}
void Dynamics::Parts::find_bias(Vector q, Vector v, GivenWrenches wrenches) {
  place(q);
  act(zero, v, wrenches);
  find_bias_under_load(v);
}
void Dynamics::Parts::find_gravity(Vector q) {
  place(q);
  std::fill(acting.load.begin(), acting.load.end(), 0.0);
  acting.all.clear();
  add_forces(zero);
  find_bias_under_load(zero);
}
// What acts is in `acting`.
void Dynamics::Parts::find_bias_under_load(Vector v) {
  methods.inverse(here.at, v, zero, found.bias, acting.all);
  for (size_t k = 0; k < zero.size(); ++k) found.bias[k] -= acting.load[k];
  require_finite(found.bias, "the bias");
}
Dynamics::Vector Dynamics::gravity(Vector q, Loops loops) {
  parts_->require_tree(loops, "gravity");
  parts_->find_gravity(q);
  return Parts::give(parts_->found.bias, parts_->given.gravity);
}

std::span<const Wrench<double>> Dynamics::reactions(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.find_tau(q, v, a, wrenches);  // the loops' part
  const size_t given = p.acting.standing.size() + wrenches.size();
  p.acting.all.insert(p.acting.all.end(), p.closing.wrenches.begin(), p.closing.wrenches.end());
  joint_reactions<double>(p.tree, p.here.at, v, a, p.scratch.reactions, p.given.reactions, p.acting.all);
  add_world_reaction<double>(std::span(p.acting.all).subspan(given), p.given.reactions);
  for (const auto& [n, f] : p.given.reactions) Parts::require_finite(n, f, "a reaction");
  return p.given.reactions;
}

Dynamics::Vector Dynamics::assemble(Vector q) {
  Parts& p = *parts_;
  p.place(q);
  p.given.assembled = p.is_closed ? p.closing.chain->assemble(p.here.q) : p.here.q;
  return p.given.assembled;
}

}  // namespace denoc
