#include "applied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/control/drive_limits.hpp"
#include "denoc/loops/closed_chain.hpp"

namespace denoc::simulation {

void require_finite(const Model& model, std::span<const double> values, std::string_view what) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      throw NoAcceleration(fmt::format("{} of joint '{}' is not a finite number", what,
                                       model.joint_name(model.body_of_dof(static_cast<int>(k)))));
    }
  }
}

Applied::Applied(const Model& model, const SimulationSetup& setup)
    : model_(&model),
      setup_(&setup),
      kin_(model),
      forces_(
          std::tuple_cat(forces_from<SmoothForces>(model), SurroundingForces<double>(setup.wrenches, setup.ground))),
      loads_(model.nv(), wrenches_of(forces_)),
      tau_(static_cast<std::size_t>(model.nv())) {
  const std::vector<double> most = drive_limits(model, setup.effort_limits);
  for (int k = 0; k < model.nv(); ++k)
    if (std::isfinite(most[static_cast<std::size_t>(k)])) limited_.push_back({k, most[static_cast<std::size_t>(k)]});
}

void Applied::act(double t, const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  drive(t, q, v);
  loads_.clear();
  for (std::size_t k = 0; k < tau_.size(); ++k) {
    loads_.tau[k] = tau_[k];
    loads_.input += tau_[k] * v[k];
  }
  if (wrenches_of(forces_) > 0) move(at, v);
  const Situation<double> here{*model_, t, q, v, &kin_};
  apply_forces(forces_, here, loads_);
  try {
    require_defined(forces_, here, loads_);
  } catch (const NoForce& error) {
    throw NoAcceleration(error.what());
  }
}

double Applied::next_control() const {
  if (!setup_->control || !(setup_->control_rate > 0)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(control_samples_) / setup_->control_rate;
}

void Applied::hold_control(std::span<const double> q, std::span<const double> v) {
  is_control_held_ = false;
  drive(next_control(), q, v);
  is_control_held_ = true;
  ++control_samples_;
}

void Applied::drive(double t, std::span<const double> q, std::span<const double> v) {
  if (is_control_held_) return;
  try {
    if (setup_->control) setup_->control->torques(t, q, v, tau_);
  } catch (const NotDriveable& error) {
    throw NoAcceleration(error.what());
  }
  require_finite(*model_, tau_, "the torque of the drive");
  for (const auto& [dof, most] : limited_) tau_[dof] = std::clamp(tau_[dof], -most, most);
}

double Applied::next_break(double t) const {
  // What a sampled law does between its samples nobody sees.
  const bool is_continuous = setup_->control && setup_->control_rate == 0;
  double next = is_continuous ? setup_->control->next_break(t) : next_control();
  for (const ExternalWrench& wrench : setup_->wrenches) {
    const auto later = std::upper_bound(wrench.breaks.begin(), wrench.breaks.end(), t);
    if (later != wrench.breaks.end()) next = std::min(next, *later);
  }
  return next;
}

void Applied::move(const Configuration<double>& at, std::span<const double> v) {
  positions<double>(*model_, at, kin_);
  velocities<double>(*model_, v, kin_);
}

Applied::Energy Applied::energy(const Configuration<double>& at, std::span<const double> v) {
  move(at, v);
  return {kinetic_energy<double>(*model_, kin_), potential_energy<double>(*model_, kin_) + loads_.stored};
}

}  // namespace denoc::simulation
