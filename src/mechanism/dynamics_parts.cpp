#include "dynamics_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "denoc/error.hpp"
#include "finite_answers.hpp"

namespace denoc {

Dynamics::Parts::Here::Here(const Model& tree)
    : quaternions(quaternions_of(tree.robot())), q(size_t(tree.nq())), at(tree), kin(tree) {}

Dynamics::Parts::Acting::Acting(const Model& tree, Forces which) : load(size_t(tree.nv())) {
  if (which == Forces::all) forces.emplace(tree);
  all.reserve(64);
  standing.reserve(16);
  taken.reserve(64);
}

Dynamics::Parts::Given::Given(const Model& tree)
    : tau(size_t(tree.nv())),
      a(tau),
      passive(tau),
      bias(tau),
      gravity(tau),
      assembled(size_t(tree.nq())),
      pivots(tau),
      jacobian(6 * tau.size()),
      reactions(tree.robot().bodies.size()) {}

Dynamics::Parts::Stages::Stages(const Model& tree)
    : chart(tree, std::vector<double>(size_t(tree.nq()))),
      x(size_t(tree.nv())),
      x_rate(x),
      q(size_t(tree.nq())),
      v(x),
      sum_x(x),
      sum_v(x) {}

Dynamics::Parts::Derivatives::Derivatives(const Model& tree) : v(size_t(tree.nv())), a(v) {
  fixed_in_body.reserve(64);
  fixed_in_world.reserve(64);
}

Dynamics::Parts::Parts(const Mechanism& m, Forces which, Loops loops)
    : mechanism(m),
      tree(m.tree()),
      is_closed(m.has_loops() && loops == Loops::closed),
      zero(size_t(m.nv())),
      here(tree),
      drives{m.leading()},
      methods(tree),
      acting(tree, which),
      found{zero, zero, zero},
      given(tree),
      scratch(tree),
      stages(tree),
      derivatives(tree) {
  if (is_closed) closing.chain.emplace(tree);
  if (m.nv() > many_freedoms) return;
  const size_t n = zero.size();
  prepare_inertia();
  scratch.inverting.emplace(tree);
  for (auto* matrix : {&given.inertia, &given.inertia_inverse, &given.upper}) matrix->resize(n * n);
  given.centre_jacobian.resize(3 * n);
  for (auto* matrix : {&given.momentum_matrix, &scratch.momenta}) matrix->resize(6 * n);
  made(derivatives.inverse, nullptr);
  made(derivatives.forward, closed_rows());
}

void Dynamics::Parts::require_tree(Loops loops, std::string_view what) const {
  if (!is_closed || loops == Loops::open) return;
  throw NotCovered(
      fmt::format("{} has loops: its {} is that of the tree with the loops cut open, ask for it with Loops::open",
                  mechanism.name().empty() ? "the robot" : mechanism.name(), what));
}

void Dynamics::Parts::require_covered(const InverseFormulation<double>& row, bool has_passive) const {
  const auto& first = inverse_formulations<double>().front();
  if (&row == &first || !(is_closed || has_passive)) return;
  throw NotCovered(fmt::format("method '{}' does not {}; '{}' does", row.name,
                               is_closed ? "close loops" : "know joints without a drive", first.name));
}

void Dynamics::Parts::set_driven(std::vector<int> dofs) {
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  const bool are_all = dofs.size() == zero.size();
  require_covered(*methods.inverse_row, !are_all);
  drives = {std::move(dofs), are_all};
  if (is_closed) return;
  // Loops that are cut open stay so.
  if (are_all) {
    closing.chain.reset(), closing.cut_open.reset();
  } else if (!closing.chain) {
    Robot cut = tree.robot();
    cut.loops.clear();
    closing.chain.emplace(closing.cut_open.emplace(std::move(cut)));
  }
}

void Dynamics::Parts::place(Vector q) {
  require_size(q, tree.nq(), "q");
  std::copy(q.begin(), q.end(), here.q.begin());
  bring_to_manifold(here.quaternions, here.q);
  denoc::place<double>(tree, here.q, here.at);
}

void Dynamics::Parts::move(Vector v) {
  require_numbers(v, tree.nv(), "v");
  positions<double>(tree, here.at, here.kin);
  velocities<double>(tree, v, here.kin);
}

void Dynamics::Parts::close(Vector v) {
  require_numbers(v, tree.nv(), "v");
  ClosedChain& chain = *closing.chain;
  chain.move_to(here.at, here.q, v);
  if (!is_closed) return;
  chain.gap().require_closed();
  if (const ClosedChain::Gap opening = chain.opening(); opening.is_open())
    throw NotAssembled(fmt::format("{}: v opens it by {:.3g} m/s (or rad/s)", opening.loop, opening.size));
  chain.close_last_digits(here.at, here.q);
}

void Dynamics::Parts::act(Vector tau, Vector v, GivenWrenches wrenches) {
  require_numbers(v, tree.nv(), "v");
  require_bodies<double>(tree, wrenches);
  std::copy(tau.begin(), tau.end(), acting.load.begin());
  acting.all.assign(acting.standing.begin(), acting.standing.end());
  acting.all.insert(acting.all.end(), wrenches.begin(), wrenches.end());
  add_forces(v);
}

void Dynamics::Parts::add_forces(Vector v) {
  if (!acting.forces) return;
  const Loads<double>& loads = acting.forces->act(here.at, here.q, v);
  for (size_t k = 0; k < acting.load.size(); ++k) acting.load[k] += loads.tau[k];
  acting.all.insert(acting.all.end(), loads.wrenches.begin(), loads.wrenches.end());
}

void Dynamics::Parts::accelerate(Vector v) {
  if (is_closed) {
    const ClosedChain::Forward closed = closing.chain->forward_dynamics(acting.load, acting.all);
    std::copy(closed.a.begin(), closed.a.end(), found.a.begin());
    keep(closed.multipliers, closed.unique);
    closing.rows_depend = closed.rows_depend;
  } else if (methods.forward) {
    methods.forward(here.at, v, acting.load, found.a, acting.all);
  } else {
    forward_dynamics<double>(tree, here.at, v, acting.load, methods.first_forward, found.a, acting.all);
  }
}

void Dynamics::Parts::keep(const std::vector<double>& multipliers, bool unique) {
  closing.multipliers.assign(multipliers.begin(), multipliers.end());
  const std::vector<BodyWrench<double>> wrenches = closing.chain->wrenches(closing.multipliers);
  closing.wrenches.assign(wrenches.begin(), wrenches.end());
  closing.is_unique = unique;
}

void Dynamics::Parts::require_motion() {
  require_finite(found.a, "the acceleration");
  if (is_closed && closing.rows_depend) closing.chain->require_motion(found.a);
}

void Dynamics::Parts::require_finite(Vector x, const char* what) const {
  for (size_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k]))
      throw NotFinite(
          fmt::format("{} of joint '{}' is not a finite number: the state is too large, or not finite itself", what,
                      tree.joint_of_dof(int(k))));
}

void Dynamics::Parts::require_finite_rows(Vector matrix, const char* what) const {
  const size_t n = zero.size();
  for (size_t k = 0; k < matrix.size(); k += n) {
    if (all_finite(matrix.subspan(k, n))) continue;
    throw NotFinite(fmt::format("{} of joint '{}' is not a finite number: the state is too large, or not finite itself",
                                what, tree.joint_of_dof(int(k / n))));
  }
}

void Dynamics::Parts::require_finite(const Vec3<double>& a, const Vec3<double>& b, const char* what) {
  require_all_finite(std::array{a.x, a.y, a.z, b.x, b.y, b.z}, what);
}

Dynamics::Vector Dynamics::Parts::give(const std::vector<double>& found, std::vector<double>& to) {
  std::copy(found.begin(), found.end(), to.begin());
  return to;
}

}  // namespace denoc
