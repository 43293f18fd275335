#include "system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "end_stop.hpp"
#include "ground_contact.hpp"

namespace denoc::simulation {
namespace {

const ForwardFormulation<double>& method_named(const std::string& name) {
  for (const auto& method : forward_formulations<double>) {
    if (name.empty() || method.name == name) return method;
  }
  throw std::invalid_argument(fmt::format("there is no method '{}' of forward dynamics", name));
}

// Where coordinate k of the body's joint stands in q; -1 if q is a quaternion there.
int coordinate(const Model& model, int dof) {
  const int b = model.body_of_dof(dof);
  const JointType type = model.robot().bodies[static_cast<std::size_t>(b)].joint.type;
  const auto& body = model.bodies()[b];
  return coordinates(type) == degrees_of_freedom(type) ? body.q + dof - body.v : -1;
}

double power_of(const Wrench<double>& w, const Twist<double>& t) { return dot(w.n, t.w) + dot(w.f, t.v); }

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
      tau_(static_cast<std::size_t>(model.nv())),
      total_(tau_.size()),
      a_(tau_.size()),
      zero_(tau_.size()),
      factor_is_known_(method_ == &forward_formulations<double>[0]),
      moves_bodies_(!model.robot().springs.empty() || !setup.wrenches.empty() || setup.ground),
      halves_(model, work_.at, work_.forward.factor, solve_scratch_) {
  if (!model.robot().loops.empty()) {
    closure_.emplace(model);
    loop_forces_.emplace(model, *closure_);
    // One-step methods keep the loops closed by their coordinates.
    if (is_multistep(setup.integrator.method)) stabilisation_ = setup.stabilisation;
  }
  Eigen::VectorXd rotors = Eigen::VectorXd::Zero(model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    const Joint& joint = model.robot().bodies[static_cast<std::size_t>(model.body_of_dof(k))].joint;
    const int q = coordinate(model, k);
    const Actuator& drive = joint.actuator;
    rotors[k] = drive.gear * drive.gear * drive.rotor_inertia;
    double most = std::abs(drive.gear) * drive.max_torque;
    if (setup.effort_limits) most = std::min(most, joint.limits.effort);
    const bool is_loaded = joint.friction.viscous != 0 || joint.spring.stiffness != 0 || joint.limits.stiffness != 0;
    if (is_loaded || std::isfinite(most)) loads_.push_back({k, q, &joint, most});
    if (joint.friction.coulomb + joint.friction.stribeck_epsilon > 0) {
      dry_.push_back({k, q, &joint.friction, dry_friction<double>(joint.friction, 0)});
    }
  }
  if ((rotors.array() > 0).any()) {
    if (!setup.method.empty()) {
      throw std::invalid_argument(fmt::format("method '{}' does not know rotor inertias; leave it out", setup.method));
    }
    rotors_ = rotors;
    inertia_.resize(model.nv(), model.nv());
  }
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
  solve(v);
  if (closure_) closure_->evaluate(work_.at, q, v);
  hold();
  require_finite(a_, "the acceleration");
  known_t_ = t;
  known_q_.assign(q.begin(), q.end());
  known_v_.assign(v.begin(), v.end());
  is_known_ = true;
}

void System::load(double t, std::span<const double> q, std::span<const double> v) {
  place<double>(*model_, q, work_.at);
  input_power_ = dissipated_power_ = 0;
  drive(t, q, v);
  for (std::size_t k = 0; k < tau_.size(); ++k) {
    total_[k] = tau_[k];
    input_power_ += tau_[k] * v[k];
  }
  joint_loads(q, v);
  body_loads(t, v);
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
  for (const JointLoad& load : loads_) tau_[load.dof] = std::clamp(tau_[load.dof], -load.most, load.most);
}

// Springs, stops and viscous friction in the joints.
void System::joint_loads(std::span<const double> q, std::span<const double> v) {
  for (const auto& [k, i, joint, most] : loads_) {
    const double u = v[k] - joint->friction.surface_speed, viscous = joint->friction.viscous * u;
    total_[k] -= viscous;
    dissipated_power_ += viscous * u;
    input_power_ -= viscous * joint->friction.surface_speed;
    if (i < 0) continue;
    total_[k] -= joint->spring.stiffness * (q[i] - joint->spring.rest);
    const Push stop = end_stop(joint->limits, q[i], v[k]);
    total_[k] += stop.force;
    dissipated_power_ += stop.dissipated;
  }
}

// Springs between points, and wrenches from outside.
void System::body_loads(double t, std::span<const double> v) {
  if (!moves_bodies_) return;
  refresh_kinematics(v);
  const std::size_t springs = 2 * model_->robot().springs.size();
  wrenches_.resize(springs);
  try {
    spring_wrenches<double>(*model_, kin_, wrenches_);
  } catch (const CoincidentEnds& error) {
    throw NoAcceleration(error.what());
  }
  dissipated_power_ += point_damper_power<double>(*model_, kin_);
  for (const ExternalWrench& given : setup_->wrenches) {
    Wrench<double> w = given.at(t);
    if (given.in_world_axes) {
      const Mat3<double> R = pose_in_world<double>(*model_, kin_, given.body).R;
      w = {back(R, w.n), back(R, w.f)};
    }
    w.n += cross(given.point, w.f);
    wrenches_.push_back({given.body, w});
    input_power_ += power_of(w, twist_in_body<double>(*model_, kin_, given.body));
  }
  for_touches([&](const GroundContact::Touch& touch, const Mat3<double>& R, const GroundForce& ground) {
    const Vec3<double> force = back(R, ground.force);
    wrenches_.push_back({touch.body, {cross(touch.point, force), force}});
    dissipated_power_ += ground.dissipated;
  });
}

// f(point, its body's axes in the world, what the ground does to it), from the kinematics of the last refresh.
template <class F> void System::for_touches(F&& f) const {
  if (!setup_->ground) return;
  for (const GroundContact::Touch& touch : setup_->ground->points) {
    const Pose<double> pose = pose_in_world<double>(*model_, kin_, touch.body);
    const Twist<double> t = twist_in_body<double>(*model_, kin_, touch.body);
    f(touch, pose.R,
      GroundForce(*setup_->ground, pose.r + pose.R * touch.point, pose.R * (t.v + cross(t.w, touch.point))));
  }
}

void System::slide(std::span<const double> v) {
  for (DryFriction& friction : dry_) {
    if (friction.mode == DryFriction::Mode::rest) continue;
    const double u = friction.speed(v);
    if (friction.mode != DryFriction::Mode::carried) friction.force = friction.sliding(u);
    total_[friction.dof] += friction.force;
    dissipated_power_ -= friction.force * u;
    input_power_ += friction.force * friction.law->surface_speed;
  }
}

// a of the joints that are free to move, with nothing holding those at rest.
void System::solve(std::span<const double> v) {
  if (rotors_.size() == 0) {
    try {
      method_->run(*model_, work_, v, total_, a_, wrenches_);
    } catch (const SingularInertia& error) {
      throw NoAcceleration(error.what());
    }
    return;
  }
  // (I + rotors) a = tau - bias: rotors stand on the diagonal alone, outside the recursion
  inverse_dynamics<double>(*model_, work_.at, v, zero_, work_.inverse, a_, wrenches_);
  inertia_matrix<double>(*model_, work_.at, scratch(work_.composite, *model_),
                         {inertia_.data(), static_cast<std::size_t>(inertia_.size())});
  inertia_.diagonal() += rotors_;
  dense_.compute(inertia_);
  if (dense_.info() != Eigen::Success) throw NoAcceleration("the inertia matrix is singular");
  Eigen::Map<Eigen::VectorXd> a(a_.data(), static_cast<Eigen::Index>(a_.size()));
  a = dense_.solve(Eigen::Map<Eigen::VectorXd>(total_.data(), a.size()) - a);
}

Eigen::VectorXd System::half(const Eigen::VectorXd& g) {
  return rotors_.size() > 0 ? Eigen::VectorXd(dense_.matrixL().solve(g)) : halves_.half(g);
}
Eigen::VectorXd System::back_half(const Eigen::VectorXd& z) {
  return rotors_.size() > 0 ? Eigen::VectorXd(dense_.matrixU().solve(z)) : halves_.back_half(z);
}

Eigen::VectorXd System::closing() const {
  return -closure_->bias - closure_->rate * (2 * stabilisation_) -
         closure_->residual * (stabilisation_ * stabilisation_);
}

bool System::close_by_band() {
  if (!factor_is_known_ || rotors_.size() > 0 || closure_->is_precise()) return false;
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
  if (rotors_.size() == 0 && !factor_is_known_) factorize<double>(*model_, work_.at, work_.forward.factor);
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
      G, c, [&](const Eigen::VectorXd& g) { return half(g); }, [&](const Eigen::VectorXd& z) { return back_half(z); },
      a);
  if (closure_) multipliers_ = closure_->for_all(found.multipliers.head(loops));
  for (std::size_t i = 0; i < held.size(); ++i) {
    DryFriction& friction = *held[i];
    friction.force = found.multipliers[loops + static_cast<Eigen::Index>(i)];
    a_[friction.dof] = 0;
    strain_ += friction.force / friction.limit;
    was_overstrained_ = was_overstrained_ || std::abs(friction.force) > friction.limit * (1 + hysteresis);
    input_power_ += friction.force * friction.law->surface_speed;
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
  double energy = kinetic_energy<double>(*model_, kin_);
  for (Eigen::Index k = 0; k < rotors_.size(); ++k)
    energy += rotors_[k] * v[static_cast<std::size_t>(k)] * v[static_cast<std::size_t>(k)] / 2;
  return energy;
}

double System::potential(std::span<const double> q) const {
  double energy = potential_energy<double>(*model_, kin_) + joint_spring_energy<double>(*model_, q) +
                  point_spring_energy<double>(*model_, kin_);
  for (const JointLoad& load : loads_) {
    if (load.q >= 0) energy += end_stop(load.joint->limits, q[load.q], 0).stored;
  }
  for_touches(
      [&](const GroundContact::Touch&, const Mat3<double>&, const GroundForce& ground) { energy += ground.stored; });
  return energy;
}

void System::reactions(std::span<const double> v, std::vector<Wrench<double>>& result) {
  result.resize(model_->bodies().size());
  std::vector<BodyWrench<double>> all = wrenches_;
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
