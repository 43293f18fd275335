#include "denoc/mechanism/dynamics.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/io/report.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/loops/open_gap.hpp"
#include "denoc/model/chart.hpp"
#include "denoc/model/quaternions.hpp"
#include "differentiation.hpp"
#include "passive_accelerations.hpp"

namespace denoc {
namespace {

// Up to here the n x n scratch is taken with the rest; beyond, when first asked for: a rope of ten thousand links has
// no room for it.
constexpr int many_freedoms = 256;

}  // namespace

struct Dynamics::Parts {
  const Mechanism& mechanism;
  const Model& tree;
  bool is_closed;  // there are loops, and they act
  std::vector<int> driven;
  bool drives_all;

  Configuration<double> at;
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
  std::vector<BodyWrench<double>> standing, acting;  // wrenches that stay, and all of one call
  std::vector<double> q, tau, a, bias, gravity, assembled, zero, total;
  std::vector<double> inertia, inertia_inverse, upper, pivots, jacobian, centre_jacobian, momentum_matrix;
  std::vector<Wrench<double>> reactions;
  std::vector<RigidInertia<double>> composite;
  struct Stages {  // of a step
    Chart chart;
    std::vector<double> x, x_rate, q, v, sum_x, sum_v;
    Stages(const Model& model, const std::vector<double>& centre)
        : chart(model, centre), x(size_t(model.nv())), x_rate(x), q(centre), v(x), sum_x(x), sum_v(x) {}
  } stages;
  std::optional<Differentiation> inverse_derivatives, forward_derivatives;
  std::vector<BodyWrench<double>> fixed_in_world;  // of one call
  std::vector<double> multipliers;
  std::vector<BodyWrench<double>> loop_wrenches;
  bool is_unique = true;

  Parts(const Mechanism& m, Forces which, Loops loops)
      : mechanism(m),
        tree(m.tree()),
        is_closed(m.has_loops() && loops == Loops::closed),
        driven(m.leading()),
        drives_all(true),
        at(tree),
        inverse_method(inverse_formulations<double>().front().prepare(tree)),
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
        gravity(tau),
        assembled(q),
        zero(tau),
        total(tau),
        pivots(tau),
        jacobian(6 * tau.size()),
        reactions(m.robot().bodies.size()),
        composite(tree.links().size()),
        stages(tree, q) {
    if (which == Forces::all) forces.emplace(tree);
    if (is_closed) chain.emplace(tree);
    standing.reserve(16);
    acting.reserve(64);
    fixed_in_world.reserve(64);
    if (m.nv() <= many_freedoms) {
      prepare_inertia();
      inverting.emplace(tree);
      inertia.resize(tau.size() * tau.size());
      inertia_inverse.resize(tau.size() * tau.size());
      upper.resize(tau.size() * tau.size());
      centre_jacobian.resize(3 * tau.size());
      momentum_matrix.resize(6 * tau.size());
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
    for (const QuaternionPlace& each : quaternions)
      if (const std::string broken = normalise(each, q); !broken.empty()) throw ArgumentError("q: " + broken);
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
      double sum = 0;
      for (size_t i = k; i < k + tau.size(); ++i) sum += matrix[i] - matrix[i];  // zero for what is finite
      if (std::isfinite(sum)) continue;
      throw Error(fmt::format("{} of joint '{}' is not a finite number: the state is too large, or not finite itself",
                              what, tree.joint_name(tree.body_of_dof(int(k / tau.size())))));
    }
  }
  // All wrenches of a call, and the forces of the robot in `load` (tau of the drives already in it, or 0).
  void act(Vector v, GivenWrenches given, std::span<double> load) {
    require_size(v, tree.nv(), "v");
    require_bodies<double>(tree, given);
    acting.assign(standing.begin(), standing.end());
    acting.insert(acting.end(), given.begin(), given.end());
    if (!forces) return;
    const Loads<double>& loads = forces->act(at, q, v);
    for (size_t k = 0; k < load.size(); ++k) load[k] += loads.tau[k];
    acting.insert(acting.end(), loads.wrenches.begin(), loads.wrenches.end());
  }
  // At the state that the chain has gone to.
  void require_closed(Vector v) const {
    if (const ClosedChain::Gap gap = chain->gap(); !(gap.size <= open_gap))
      throw NotAssembled(fmt::format("{}: q leaves it open by {:.3g} m (or rad)", gap.loop, gap.size));
    double speed = 1;
    for (const double x : v) speed = std::max(speed, std::abs(x));
    if (const ClosedChain::Gap opening = chain->opening(); !(opening.size <= open_gap * speed))
      throw NotAssembled(fmt::format("{}: v opens it by {:.3g} m/s (or rad/s)", opening.loop, opening.size));
  }
  // What is the tree's alone must be asked for as such.
  void require_tree(Loops loops, std::string_view what) const {
    if (!is_closed || loops == Loops::open) return;
    throw NotCovered(fmt::format(
        "{} has loops: its {} is that of the tree with the loops cut open, ask for it with loops = \"open\"",
        mechanism.name().empty() ? "the robot" : mechanism.name(), what));
  }
  void keep(std::vector<double> rows, bool unique) {
    multipliers = std::move(rows);
    loop_wrenches = chain->wrenches(multipliers);
    is_unique = unique;
  }
  // a that `total` gives at the q of the last place(), where the chain has gone.
  void accelerate(Vector v) {
    if (is_closed) {
      ClosedChain::Forward closed = chain->forward_dynamics(total, acting);
      std::copy(closed.a.begin(), closed.a.end(), a.begin());
      keep(std::move(closed.multipliers), closed.unique);
    } else if (forward_method) {
      forward_method(at, v, total, a, acting);
    } else {
      forward_dynamics<double>(tree, at, v, total, forward, a, acting);
    }
  }
  // Where derivatives are taken: the state of the last place() and act().
  Differentiation::Motion moving(Vector v, Vector acceleration, GivenWrenches given, std::span<const Axes> axes) {
    if (!axes.empty()) require_size(axes, int(given.size()), "constant_in");
    fixed_in_world.clear();
    for (size_t i = 0; i < axes.size(); ++i)
      if (axes[i] == Axes::world) fixed_in_world.push_back(given[i]);
    return {at, q, v, acceleration, acting, fixed_in_world};
  }
  static Differentiation& made(std::optional<Differentiation>& of, const Parts& p, bool with_loops) {
    return of ? *of : of.emplace(p.tree, p.forces.has_value(), with_loops);
  }
  void move(Vector v) {
    require_size(v, tree.nv(), "v");
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
  void set_driven(std::vector<int> dofs) {
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    drives_all = dofs.size() == tau.size();
    driven = std::move(dofs);
    if (!drives_all) need_chain();
  }
};

Dynamics::Dynamics(const Mechanism& mechanism, Forces forces, Loops loops)
    : parts_(std::make_unique<Parts>(mechanism, forces, loops)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;

const Mechanism& Dynamics::mechanism() const { return parts_->mechanism; }

void Dynamics::wrenches(std::initializer_list<OnBody> acting) {
  parts_->standing.clear();
  for (const OnBody& each : acting) parts_->standing.push_back({parts_->mechanism.body(each.body), each.wrench});
}

void Dynamics::drive(std::span<const std::string> joints) {
  std::vector<int> dofs;
  for (const std::string& joint : joints) {
    const auto [first, count] = parts_->mechanism.freedoms(joint);
    for (int k = first; k < first + count; ++k) dofs.push_back(k);
  }
  parts_->set_driven(std::move(dofs));
}

std::span<const int> Dynamics::driven() const { return parts_->driven; }

void Dynamics::use_inverse(std::string_view method) {
  const auto& row = formulation_named(inverse_formulations<double>(), method);
  const auto& first = inverse_formulations<double>().front();
  if (parts_->chain && &row != &first)
    throw NotCovered(fmt::format("method '{}' does not {}; '{}' does", method,
                                 parts_->is_closed ? "close loops" : "know joints without a drive", first.name));
  parts_->inverse_method = row.prepare(parts_->tree);
}
void Dynamics::use_forward(std::string_view method) {
  const auto& row = formulation_named(forward_formulations<double>(), method);
  if (parts_->is_closed && &row != &forward_formulations<double>().front())
    throw NotCovered(fmt::format("method '{}' does not close loops; '{}' does", method,
                                 forward_formulations<double>().front().name));
  parts_->forward_method = nullptr;
  if (&row != &forward_formulations<double>().front()) parts_->forward_method = row.prepare(parts_->tree);
}
void Dynamics::use_inertia(std::string_view method) {
  parts_->inertia_row = &formulation_named(inertia_formulations<double>(), method);
  parts_->inertia_method = nullptr;
  if (parts_->mechanism.nv() <= many_freedoms) parts_->prepare_inertia();
}

Dynamics::Vector Dynamics::inverse(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.place(q);
  require_size(a, p.tree.nv(), "a");
  std::fill(p.total.begin(), p.total.end(), 0.0);
  p.act(v, wrenches, p.total);
  if (p.chain) {
    p.chain->move_to(p.at, p.q, v);
    if (p.is_closed) p.require_closed(v);
    ClosedChain::Inverse found = p.chain->inverse_dynamics(a, p.driven, p.acting, p.total);
    std::copy(found.tau.begin(), found.tau.end(), p.tau.begin());
    p.keep(std::move(found.multipliers), found.unique);
  } else {
    p.inverse_method(p.at, v, a, p.tau, p.acting);
    // What springs and friction take, the drives must give.
    for (size_t k = 0; k < p.tau.size(); ++k) p.tau[k] -= p.total[k];
  }
  p.require_finite(p.tau, "tau");
  return p.tau;
}

Dynamics::Vector Dynamics::passive(Vector q, Vector v, Vector a, std::span<const int> unknown, GivenWrenches wrenches) {
  Parts& p = *parts_;
  require_size(a, p.tree.nv(), "a");
  const auto joint = [&](int k) { return p.tree.joint_name(p.tree.body_of_dof(k)); };
  for (const int k : unknown) {
    p.tree.require_dof(k);
    if (std::binary_search(p.driven.begin(), p.driven.end(), k))
      throw ArgumentError(fmt::format("joint '{}' is driven: its acceleration is given, not solved for", joint(k)));
  }
  const MatrixView I = inertia(q, Loops::open);
  bias(q, v, Loops::open, wrenches);
  if (p.is_closed) p.require_closed(v);
  const std::vector<double> jacobian = p.is_closed ? p.chain->jacobian(p.q) : std::vector<double>{},
                            jv = p.is_closed ? p.chain->bias(p.q, v) : std::vector<double>{};
  PassiveAccelerations found = passive_accelerations({I, p.bias, jacobian, jv, p.driven}, a, unknown);
  if (found.undetermined >= 0)
    throw NotDriveable(fmt::format("joint '{}': nothing determines its acceleration; give it, or drive the joint",
                                   joint(found.undetermined)));
  p.a = std::move(found.a);
  p.require_finite(p.a, "the acceleration");
  return p.a;
}

Dynamics::Vector Dynamics::forward(Vector q, Vector v, Vector tau, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.place(q);
  require_size(tau, p.tree.nv(), "tau");
  std::copy(tau.begin(), tau.end(), p.total.begin());
  p.act(v, wrenches, p.total);
  if (p.is_closed) {
    p.chain->move_to(p.at, p.q, v);
    p.require_closed(v);
  }
  p.accelerate(v);
  p.require_finite(p.a, "the acceleration");
  return p.a;
}

Dynamics::Vector Dynamics::multipliers() const { return parts_->multipliers; }
bool Dynamics::is_unique() const { return parts_->is_unique; }
std::span<const BodyWrench<double>> Dynamics::loop_wrenches() const { return parts_->loop_wrenches; }

Dynamics::InverseDerivatives Dynamics::inverse_derivatives(Vector q, Vector v, Vector a, GivenWrenches wrenches,
                                                           std::span<const Axes> constant_in) {
  return inverse_derivatives(q, v, a, Loops::closed, wrenches, constant_in);
}
Dynamics::InverseDerivatives Dynamics::inverse_derivatives(Vector q, Vector v, Vector a, Loops loops,
                                                           GivenWrenches wrenches, std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  p.require_tree(loops, "derivative of inverse dynamics");
  p.place(q);
  require_size(a, p.tree.nv(), "a");
  std::fill(p.total.begin(), p.total.end(), 0.0);
  p.act(v, wrenches, p.total);
  Differentiation& d = Parts::made(p.inverse_derivatives, p, false);
  d.inverse(p.moving(v, a, wrenches, constant_in));
  for (const auto* matrix : {&d.dq, &d.dv, &d.da}) p.require_finite_rows(*matrix, "a derivative of tau");
  const int n = p.tree.nv();
  return {{d.dq, n, n}, {d.dv, n, n}, {d.da, n, n}};
}
Dynamics::ForwardDerivatives Dynamics::forward_derivatives(Vector q, Vector v, Vector tau, GivenWrenches wrenches,
                                                           std::span<const Axes> constant_in) {
  Parts& p = *parts_;
  Differentiation& d = Parts::made(p.forward_derivatives, p, p.is_closed);
  if (p.is_closed) {
    forward(q, v, tau, wrenches);
    d.closed(p.moving(v, p.a, wrenches, constant_in), p.multipliers);
  } else {
    p.place(q);
    require_size(tau, p.tree.nv(), "tau");
    std::copy(tau.begin(), tau.end(), p.total.begin());
    p.act(v, wrenches, p.total);
    d.forward(p.moving(v, p.a, wrenches, constant_in), p.total, p.a);
  }
  for (const auto* matrix : {&d.dq, &d.dv, &d.da}) p.require_finite_rows(*matrix, "a derivative of the acceleration");
  const int n = p.tree.nv();
  return {{d.dq, n, n}, {d.dv, n, n}, {d.da, n, n}};
}

MatrixView Dynamics::inertia(Vector q) { return inertia(q, Loops::closed); }
MatrixView Dynamics::inertia(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "inertia matrix");
  p.place(q);
  p.inertia.resize(p.tau.size() * p.tau.size());
  p.prepare_inertia();
  p.inertia_method(p.at, p.inertia);
  return {p.inertia, p.tree.nv(), p.tree.nv()};
}
MatrixView Dynamics::inertia_inverse(Vector q) { return inertia_inverse(q, Loops::closed); }
MatrixView Dynamics::inertia_inverse(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "inverse of the inertia matrix");
  p.place(q);
  p.inertia_inverse.resize(p.tau.size() * p.tau.size());
  factorize<double>(p.tree, p.at, p.factor);
  if (!p.inverting) p.inverting.emplace(p.tree);
  denoc::inertia_inverse<double>(p.tree, p.at, p.factor, *p.inverting, p.inertia_inverse);
  return {p.inertia_inverse, p.tree.nv(), p.tree.nv()};
}

Dynamics::Factors Dynamics::factors(Vector q) { return factors(q, Loops::closed); }
Dynamics::Factors Dynamics::factors(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "factored inertia matrix");
  p.place(q);
  p.upper.resize(p.tau.size() * p.tau.size());
  factorize<double>(p.tree, p.at, p.factor);
  unit_upper<double>(p.tree, p.at, p.factor, p.dense, p.upper);
  denoc::pivots<double>(p.factor, p.pivots);
  return {{p.upper, p.tree.nv(), p.tree.nv()}, p.pivots};
}

Dynamics::Vector Dynamics::bias(Vector q, Vector v, GivenWrenches wrenches) {
  return bias(q, v, Loops::closed, wrenches);
}
Dynamics::Vector Dynamics::bias(Vector q, Vector v, Loops loops, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.require_tree(loops, "bias");
  p.place(q);
  std::fill(p.total.begin(), p.total.end(), 0.0);
  p.act(v, wrenches, p.total);
  p.inverse_method(p.at, v, p.zero, p.bias, p.acting);
  for (size_t k = 0; k < p.bias.size(); ++k) p.bias[k] -= p.total[k];
  p.require_finite(p.bias, "the bias");
  return p.bias;
}
Dynamics::Vector Dynamics::gravity(Vector q) { return gravity(q, Loops::closed); }
Dynamics::Vector Dynamics::gravity(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "gravity");
  const Vector found = bias(q, p.zero, Loops::open);
  std::copy(found.begin(), found.end(), p.gravity.begin());
  return p.gravity;
}

Dynamics::Energy Dynamics::energy(Vector q, Vector v) {
  Parts& p = *parts_;
  p.place(q);
  p.move(v);
  Energy energy{kinetic_energy<double>(p.tree, p.kin), potential_energy<double>(p.tree, p.kin)};
  if (p.forces) energy.potential += p.forces->stored(p.at, p.q);
  return energy;
}
Dynamics::Momentum Dynamics::momentum(Vector q, Vector v) {
  Parts& p = *parts_;
  p.place(q);
  p.move(v);
  const Wrench<double> momentum = momentum_in_world<double>(p.tree, p.kin);
  return {momentum.f, momentum.n};
}

std::span<const Wrench<double>> Dynamics::reactions(Vector q, Vector v, Vector a, GivenWrenches wrenches) {
  Parts& p = *parts_;
  inverse(q, v, a, wrenches);  // the loops' part
  p.acting.insert(p.acting.end(), p.loop_wrenches.begin(), p.loop_wrenches.end());
  joint_reactions<double>(p.tree, p.at, v, a, p.reaction_scratch, p.reactions, p.acting);
  // What loops do to the ground, the ground does to the robot.
  for (const BodyWrench<double>& w : p.loop_wrenches)
    if (w.body == 0) p.reactions[0] -= w.wrench;
  return p.reactions;
}

Pose<double> Dynamics::pose(Vector q, const Which& body, const Vec3<double>& point) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.place(q);
  positions<double>(p.tree, p.at, p.kin);
  Pose<double> pose = pose_in_world<double>(p.tree, p.kin, b);
  pose.r += pose.R * point;
  return pose;
}

Twist<double> Dynamics::twist(Vector q, Vector v, const Which& body, const Vec3<double>& point, Axes axes) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.place(q);
  p.move(v);
  const auto [w, origin] = twist_in_body<double>(p.tree, p.kin, b);
  const Vec3<double> velocity = origin + cross(w, point);
  if (axes == Axes::body) return {w, velocity};
  const Mat3<double> R = pose_in_world<double>(p.tree, p.kin, b).R;
  return {R * w, R * velocity};
}

MatrixView Dynamics::jacobian(Vector q, const Which& body, const Vec3<double>& point, Axes axes) {
  return jacobian(q, body, Loops::closed, point, axes);
}
MatrixView Dynamics::jacobian(Vector q, const Which& body, Loops loops, const Vec3<double>& point, Axes axes) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.require_tree(loops, "Jacobian");
  p.place(q);
  positions<double>(p.tree, p.at, p.kin);
  jacobian_in_body<double>(p.tree, p.kin, b, p.jacobian);
  const Mat3<double> R = axes == Axes::body ? identity3<double>() : pose_in_world<double>(p.tree, p.kin, b).R;
  const int n = p.tree.nv();
  for (int k = 0; k < n; ++k) {
    const auto at = [&](int row) -> double& { return p.jacobian[size_t(row) * size_t(n) + size_t(k)]; };
    const Vec3<double> w{at(0), at(1), at(2)}, v{at(3), at(4), at(5)};
    detail::store_column<double>(p.jacobian, n, k, {R * w, R * (v + cross(w, point))});
  }
  return {p.jacobian, 6, n};
}

Twist<double> Dynamics::jacobian_bias(Vector q, Vector v, const Which& body, const Vec3<double>& point, Axes axes) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.place(q);
  p.move(v);
  denoc::accelerations<double>(p.tree, v, p.zero, p.kin);
  const auto [w, velocity] = twist_in_body<double>(p.tree, p.kin, b);
  const auto [wd, rate] = twist_rate_in_body<double>(p.tree, p.kin, b);
  // of the origin, and from there to the point
  const Vec3<double> a = rate + cross(w, velocity) + cross(wd, point) + cross(w, cross(w, point));
  if (axes == Axes::body) return {wd, a};
  const Mat3<double> R = pose_in_world<double>(p.tree, p.kin, b).R;
  return {R * wd, R * a};
}

Dynamics::Centre Dynamics::mass_centre(Vector q) {
  Parts& p = *parts_;
  p.place(q);
  positions<double>(p.tree, p.at, p.kin);
  const MassCentre<double> centre = denoc::mass_centre<double>(p.tree, p.kin);
  return {centre.mass, centre.position};
}
MatrixView Dynamics::mass_centre_jacobian(Vector q) { return mass_centre_jacobian(q, Loops::closed); }
MatrixView Dynamics::mass_centre_jacobian(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "Jacobian of the mass centre");
  const MatrixView momenta = centroidal_momentum_matrix(q, Loops::open);
  const double mass = mass_centre(q).mass;
  if (!(mass > 0)) throw Error("the robot has no mass, and so no mass centre");
  p.centre_jacobian.resize(3 * p.tau.size());
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < p.tree.nv(); ++k)
      p.centre_jacobian[size_t(row) * size_t(p.tree.nv()) + size_t(k)] = momenta(3 + row, k) / mass;
  return {p.centre_jacobian, 3, p.tree.nv()};
}
MatrixView Dynamics::centroidal_momentum_matrix(Vector q) { return centroidal_momentum_matrix(q, Loops::closed); }
MatrixView Dynamics::centroidal_momentum_matrix(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "centroidal momentum matrix");
  p.place(q);
  positions<double>(p.tree, p.at, p.kin);
  p.momentum_matrix.resize(6 * p.tau.size());
  momentum_matrix<double>(p.tree, p.kin, denoc::mass_centre<double>(p.tree, p.kin).position, p.composite,
                          p.momentum_matrix);
  return {p.momentum_matrix, 6, p.tree.nv()};
}

Dynamics::Vector Dynamics::assemble(Vector q) {
  Parts& p = *parts_;
  p.place(q);
  p.assembled = p.is_closed ? p.chain->assemble(p.q) : p.q;
  return p.assembled;
}

void Dynamics::step(std::span<double> q, std::span<double> v, Vector tau, double dt, GivenWrenches wrenches) {
  Parts& p = *parts_;
  require_size(q, p.tree.nq(), "q");
  require_size(v, p.tree.nv(), "v");
  require_size(tau, p.tree.nv(), "tau");
  if (!(dt > 0) || !std::isfinite(dt)) throw ArgumentError(fmt::format("step: dt is {} s, not above 0", dt));
  auto& [chart, x, x_rate, stage_q, stage_v, sum_x, sum_v] = p.stages;
  const size_t n = v.size();
  chart.move_to(q);
  std::copy(q.begin(), q.end(), stage_q.begin());
  std::copy(v.begin(), v.end(), stage_v.begin());
  for (auto* sum : {&x, &sum_x, &sum_v}) std::fill(sum->begin(), sum->end(), 0.0);
  // x' = x_rate, v' = a at the four stages, in coordinates about the start
  constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  for (int s = 0; s < 4; ++s) {
    if (s > 0) {
      for (size_t k = 0; k < n; ++k) {
        x[k] = dt * node[s] * x_rate[k];
        stage_v[k] = v[k] + dt * node[s] * p.a[k];
      }
      chart.place(x, stage_q);
    }
    p.place(stage_q);
    std::copy(tau.begin(), tau.end(), p.total.begin());
    p.act(stage_v, wrenches, p.total);
    if (p.is_closed) {
      p.chain->move_to(p.at, p.q, stage_v);
      if (s == 0) p.require_closed(v);
    }
    p.accelerate(stage_v);
    p.require_finite(p.a, "the acceleration");
    chart.rates(x, stage_q, stage_v, x_rate);
    for (size_t k = 0; k < n; ++k) {
      sum_x[k] += dt * weight[s] * x_rate[k];
      sum_v[k] += dt * weight[s] * p.a[k];
    }
  }
  chart.place(sum_x, q);
  for (size_t k = 0; k < n; ++k) v[k] += sum_v[k];
  if (!p.is_closed) return;
  const std::vector<double> closed_q = p.chain->assemble(q), closed_v = p.chain->closed_rates(closed_q, v);
  std::copy(closed_q.begin(), closed_q.end(), q.begin());
  std::copy(closed_v.begin(), closed_v.end(), v.begin());
}

}  // namespace denoc
