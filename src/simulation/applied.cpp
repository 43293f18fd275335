#include "applied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/control/drive_limits.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "least_step.hpp"

namespace denoc::simulation {

void require_finite(const Model& model, std::span<const double> values, std::string_view what) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      throw NoAcceleration(
          fmt::format("{} of joint '{}' is not a finite number", what, model.joint_of_dof(static_cast<int>(k))));
    }
  }
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Just before the first jump at the end of a run, or as near to it as no step could tell; infinity if there is none.
template <class NextBreak> double before_jump_at_end(double end, const NextBreak& next_break) {
  const double jump = next_break(end - least_step(end));
  return jump <= end ? std::nextafter(jump, 0.0) : infinity;
}

std::vector<double> breaks_of(const std::vector<ExternalWrench>& wrenches) {
  std::vector<double> all;
  for (const ExternalWrench& wrench : wrenches) all.insert(all.end(), wrench.breaks.begin(), wrench.breaks.end());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

Applied::Applied(const Model& model, const SimulationSetup& setup)
    : model_(&model),
      setup_(&setup),
      kin_(model),
      forces_(
          std::tuple_cat(forces_from<SmoothForces>(model), SurroundingForces<double>(setup.wrenches, setup.ground))),
      loads_(model.nv(), wrenches_of(forces_)),
      tau_(static_cast<std::size_t>(model.nv())),
      wrench_breaks_(breaks_of(setup.wrenches)),
      control_until_(before_jump_at_end(
          setup.duration, [&](double t) { return setup.control ? setup.control->next_break(t) : infinity; })),
      wrenches_until_(before_jump_at_end(setup.duration, [&](double t) { return wrench_breaks_.first_after(t); })) {
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
  const Situation<double> here{*model_, wrench_breaks_.beside(std::min(t, wrenches_until_)), q, v, &kin_};
  apply_forces(forces_, here, loads_);
  try {
    require_defined(forces_, here, loads_);
  } catch (const NoForce& error) {
    throw NoAcceleration(error.what());
  }
}

std::vector<BodyWrench<double>> Applied::on_world() const {
  // In the order of ActingForces: the robot's, those from outside, the ground's.
  const std::size_t grounds = setup_->ground ? setup_->ground->points.size() : 0;
  const auto ground = loads_.wrenches.end() - static_cast<std::ptrdiff_t>(grounds),
             outside = ground - static_cast<std::ptrdiff_t>(setup_->wrenches.size());
  std::vector<BodyWrench<double>> all(loads_.wrenches.begin(), outside);
  std::erase_if(all, [](const BodyWrench<double>& w) { return w.body != 0; });
  std::transform(ground, loads_.wrenches.end(), std::back_inserter(all), [&](const BodyWrench<double>& w) {
    return BodyWrench<double>{0,
                              zero_wrench<double> - pose_in_world<double>(*model_, kin_, w.body).to_parent(w.wrench)};
  });
  return all;
}

double Applied::next_control() const {
  if (!setup_->control || !(setup_->control_rate > 0)) return infinity;
  return static_cast<double>(control_samples_) / setup_->control_rate;
}

void Applied::hold_control(std::span<const double> q, std::span<const double> v) {
  is_control_held_ = false;
  double t = next_control();
  const double until = t + least_step(setup_->duration);
  for (double jump = setup_->control->next_break(t); jump > t && jump <= until; jump = setup_->control->next_break(t))
    t = jump;
  drive(t, q, v);
  is_control_held_ = true;
  ++control_samples_;
}

void Applied::drive(double t, std::span<const double> q, std::span<const double> v) {
  if (is_control_held_) return;
  std::fill(tau_.begin(), tau_.end(), 0.0);
  try {
    if (setup_->control) {
      if (!all_finite(q) || !all_finite(v)) throw NoAcceleration("the state is not a finite number");
      setup_->control->torques(std::min(t, control_until_), q, v, tau_);
    }
  } catch (const NotDriveable& error) {
    throw NoAcceleration(error.what());
  }
  require_finite(*model_, tau_, "the torque of the drive");
  for (const auto& [dof, most] : limited_) tau_[dof] = std::clamp(tau_[dof], -most, most);
}

double Applied::next_break(double t) const {
  return std::min(is_control_continuous() ? setup_->control->next_break(t) : next_control(),
                  wrench_breaks_.first_after(t));
}
double Applied::next_knot(double t) const { return is_control_continuous() ? setup_->control->next_knot(t) : infinity; }

void Applied::move(const Configuration<double>& at, std::span<const double> v) {
  positions<double>(*model_, at, kin_);
  velocities<double>(*model_, v, kin_);
}

Applied::Energy Applied::energy(const Configuration<double>& at, std::span<const double> v) {
  move(at, v);
  return {kinetic_energy<double>(*model_, kin_), potential_energy<double>(*model_, kin_) + loads_.stored};
}

}  // namespace denoc::simulation
