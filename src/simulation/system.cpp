#include "system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/error.hpp"
#include "denoc/loops/closed_chain.hpp"

namespace denoc::simulation {
namespace {

const ForwardFormulation<double>& method_named(const std::string& name) {
  for (const auto& method : forward_formulations<double>) {
    if (name.empty() || method.name == name) return method;
  }
  throw ArgumentError(fmt::format("there is no method '{}' of forward dynamics", name));
}

}  // namespace

double DryFriction::sliding(double u) const {
  const double way = static_cast<double>(mode);
  return -way * dry_friction<double>(*law, way * u);
}

System::System(const Model& model, const SimulationSetup& setup)
    : model_(&model),
      setup_(&setup),
      method_(&method_named(setup.method)),
      work_(model),
      solve_scratch_(model),
      kin_(model),
      reaction_scratch_(model),
      forces_(
          std::tuple_cat(forces_from<SmoothForces>(model), SurroundingForces<double>(setup.wrenches, setup.ground))),
      loads_(model.nv(), wrenches_of(forces_)),
      tau_(static_cast<std::size_t>(model.nv())),
      a_(tau_.size()),
      zero_(tau_.size()),
      factor_is_known_(method_ == &forward_formulations<double>[0]),
      halves_(model, work_.at, work_.forward.factor, solve_scratch_) {
  if (!model.robot().loops.empty()) {
    closure_.emplace(model);
    loop_forces_.emplace(model, *closure_);
    // One-step methods keep the loops closed by their coordinates.
    if (is_multistep(setup.integrator.method)) stabilisation_ = setup.stabilisation;
  }
  for_each_dof(model, [&](int k, const Joint& joint, int q) {
    const Actuator& drive = joint.actuator;
    double most = std::abs(drive.gear) * drive.max_torque;
    if (setup.effort_limits) most = std::min(most, joint.limits.effort);
    if (std::isfinite(most)) limited_.push_back({k, most});
    if (has_dry_friction(joint.friction))
      dry_.push_back({k, q, &joint.friction, dry_friction<double>(joint.friction, 0)});
  });
}

void System::hold_control(double t, std::span<const double> q, std::span<const double> v) {
  is_known_ = held_ = false;
  drive(t, q, v);
  held_ = true;
}

double System::next_break(double t) const {
  double next = setup_->control ? setup_->control->next_break(t) : std::numeric_limits<double>::infinity();
  if (setup_->control && setup_->control_rate > 0) {
    const double period = 1 / setup_->control_rate;
    next = std::min(next, (std::floor(t / period + 1e-6) + 1) * period);
  }
  for (const ExternalWrench& wrench : setup_->wrenches) {
    const auto later = std::upper_bound(wrench.breaks.begin(), wrench.breaks.end(), t);
    if (later != wrench.breaks.end()) next = std::min(next, *later);
  }
  return next;
}

void System::evaluate(double t, std::span<const double> q, std::span<const double> v) {
  ++evaluations_;
  if (is_known_ && t == known_t_ && std::equal(q.begin(), q.end(), known_q_.begin()) &&
      std::equal(v.begin(), v.end(), known_v_.begin())) {
    return;
  }
  is_known_ = false;
  load(t, q, v);
  if (closure_) closure_->evaluate(work_.at, q, v);
  solve(v);
  hold();
  require_finite(a_, "the acceleration");
  known_t_ = t;
  known_q_.assign(q.begin(), q.end());
  known_v_.assign(v.begin(), v.end());
  is_known_ = true;
}

void System::load(double t, std::span<const double> q, std::span<const double> v) {
  place<double>(*model_, q, work_.at);
  drive(t, q, v);
  loads_.clear();
  for (std::size_t k = 0; k < tau_.size(); ++k) {
    loads_.tau[k] = tau_[k];
    loads_.input += tau_[k] * v[k];
  }
  if (wrenches_of(forces_) > 0) refresh_kinematics(v);
  const Situation<double> here{*model_, t, q, v, &kin_};
  apply_forces(forces_, here, loads_);
  try {
    require_defined(forces_, here, loads_);
  } catch (const NoForce& error) {
    throw NoAcceleration(error.what());
  }
  slide(v);
}

void System::drive(double t, std::span<const double> q, std::span<const double> v) {
  if (held_) return;
  try {
    if (setup_->control) setup_->control->torques(t, q, v, tau_);
  } catch (const NotDriveable& error) {
    throw NoAcceleration(error.what());
  }
  require_finite(tau_, "the torque of the drive");
  for (const auto& [dof, most] : limited_) tau_[dof] = std::clamp(tau_[dof], -most, most);
}

void System::slide(std::span<const double> v) {
  for (DryFriction& friction : dry_) {
    if (friction.mode == DryFriction::Mode::rest) continue;
    const double u = friction.speed(v);
    if (friction.mode != DryFriction::Mode::carried) friction.force = friction.sliding(u);
    loads_.tau[friction.dof] += friction.force;
    loads_.dissipated -= friction.force * u;
    loads_.input += friction.force * friction.law->surface_speed;
  }
}

// a of the joints that are free to move, with nothing holding those at rest.
void System::solve(std::span<const double> v) {
  stiffened_.reset();
  try {
    method_->run(*model_, work_, v, loads_.tau, a_, loads_.wrenches);
  } catch (const SingularInertia& error) {
    if (!solve_stiffened(v)) throw NoAcceleration(error.what());
  }
}

// Dry friction asks for the factor of the tree, which there is none of here.
bool System::solve_stiffened(std::span<const double> v) {
  if (!closure_ || !dry_.empty()) return false;
  closure_->differentiate(work_.at);
  stiffened_.emplace(*model_, work_.at, closure_->gradients);
  if (!stiffened_->is_regular()) return false;
  InverseScratch<double> scratch(*model_);
  Eigen::VectorXd bias(model_->nv());
  inverse_dynamics<double>(*model_, work_.at, v, zero_, scratch, {bias.data(), zero_.size()}, loads_.wrenches);
  const Eigen::Map<const Eigen::VectorXd> tau(loads_.tau.data(), model_->nv());
  Eigen::Map<Eigen::VectorXd>(a_.data(), model_->nv()) = stiffened_->free(tau - bias, closing());
  return true;
}

Eigen::VectorXd System::closing() const {
  return -closure_->bias - closure_->rate * (2 * stabilisation_) -
         closure_->residual * (stabilisation_ * stabilisation_);
}

bool System::close_by_band() {
  if (!factor_is_known_ || stiffened_ || closure_->is_precise()) return false;
  ForwardScratch<double>& forward = work_.forward;
  if (!loop_forces_->close(*closure_, work_.at, forward.factor, closing(), forward.solve.phi_hat)) return false;
  solve_lower<double>(*model_, work_.at, forward.factor, forward.solve.phi_hat, forward.solve, a_);
  multipliers_ = closure_->for_all(loop_forces_->multipliers());
  return true;
}

void System::hold() {
  strain_ = 0;
  const std::vector<DryFriction*> held = at_rest();
  const Eigen::Index loops = closure_ ? closure_->size() : 0, all = loops + static_cast<Eigen::Index>(held.size());
  if (all == 0 || (held.empty() && close_by_band())) return;
  if (!factor_is_known_ && !stiffened_) factorize<double>(*model_, work_.at, work_.forward.factor);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(model_->nv(), all);
  Eigen::VectorXd c = Eigen::VectorXd::Zero(all);
  if (closure_) {
    closure_->differentiate(work_.at);
    G.leftCols(loops) = closure_->gradients;
    c.head(loops) = closing();
  }
  for (Eigen::Index i = loops; i < all; ++i) G(held[static_cast<std::size_t>(i - loops)]->dof, i) = 1;
  Eigen::Map<Eigen::VectorXd> a(a_.data(), model_->nv());
  const Conditioned found = condition(
      G, c, [&](const Eigen::VectorXd& g) { return stiffened_ ? stiffened_->half(g) : halves_.half(g); },
      [&](const Eigen::VectorXd& z) { return stiffened_ ? stiffened_->back_half(z) : halves_.back_half(z); }, a);
  if (closure_) multipliers_ = closure_->for_all(found.multipliers.head(loops));
  for (std::size_t i = 0; i < held.size(); ++i) {
    DryFriction& friction = *held[i];
    friction.force = found.multipliers[loops + static_cast<Eigen::Index>(i)];
    a_[friction.dof] = 0;
    strain_ += friction.force / friction.limit;
    was_overstrained_ = was_overstrained_ || std::abs(friction.force) > friction.limit * (1 + hysteresis);
    loads_.input += friction.force * friction.law->surface_speed;
  }
}

void System::be_precise(bool precise) {
  is_known_ = is_known_ && !closure_;
  if (closure_) closure_->be_precise(precise);
}

void System::close_loops(std::span<double> q, std::span<double> v) {
  if (!closure_ || closure_->size() == 0) return;
  is_known_ = false;
  project(*model_, *closure_, work_.at, q, v);
}

double System::loop_gap() const {
  return closure_ && closure_->size() > 0 ? closure_->residual.cwiseAbs().maxCoeff() : 0;
}

void System::margin_values(std::span<const double> v, std::span<double> margin) const {
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const DryFriction& friction = dry_[i];
    margin[i] = friction.mode == DryFriction::Mode::rest ? friction.limit * (1 + hysteresis) - std::abs(friction.force)
                : friction.mode == DryFriction::Mode::carried ? friction.limit
                                                              : static_cast<double>(friction.mode) * friction.speed(v);
  }
}

void System::refresh_kinematics(std::span<const double> v) const {
  positions<double>(*model_, work_.at, kin_);
  velocities<double>(*model_, v, kin_);
}

double System::kinetic(std::span<const double> v) const {
  refresh_kinematics(v);
  return kinetic_energy<double>(*model_, kin_);
}

double System::potential() const { return potential_energy<double>(*model_, kin_) + loads_.stored; }

void System::reactions(std::span<const double> v, std::vector<Wrench<double>>& result) {
  result.resize(model_->bodies().size());
  std::vector<BodyWrench<double>> all = loads_.wrenches;
  if (closure_) {
    const auto loops = closure_->wrenches(multipliers());
    all.insert(all.end(), loops.begin(), loops.end());
  }
  joint_reactions<double>(*model_, work_.at, v, a_, reaction_scratch_, result, all);
}

void System::refuse(int dof, std::string_view what) const {
  throw NoAcceleration(
      fmt::format("{} of joint '{}' is not a finite number", what, model_->joint_name(model_->body_of_dof(dof))));
}

void System::require_finite(std::span<const double> values, std::string_view what) const {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) refuse(static_cast<int>(k), what);
  }
}

}  // namespace denoc::simulation
