#include "dry_friction.hpp"

#include <algorithm>
#include <cmath>

#include "cubic.hpp"

namespace denoc::simulation {

double DryFriction::sliding(double u) const {
  const double way = static_cast<double>(mode);
  return -way * friction_sliding_on(*law, way * u);
}

DryFrictions::DryFrictions(const Model& model) {
  for_each_dof(model, [&](int k, const Joint& joint, int q) {
    if (has_dry_friction(joint.friction))
      all_.push_back({k, q, &joint.friction, dry_friction<double>(joint.friction, 0)});
  });
}

std::vector<DryFriction*> DryFrictions::all() {
  std::vector<DryFriction*> joints;
  for (DryFriction& friction : all_) joints.push_back(&friction);
  return joints;
}

std::vector<DryFriction*> DryFrictions::at_rest() {
  std::vector<DryFriction*> rest = all();
  std::erase_if(rest, [](const DryFriction* friction) { return friction->mode != DryFriction::Mode::rest; });
  return rest;
}

bool DryFrictions::is_any_at_rest() const {
  return std::any_of(all_.begin(), all_.end(), [](const DryFriction& f) { return f.mode == DryFriction::Mode::rest; });
}

void DryFrictions::rest(std::span<double> v) const {
  for (const DryFriction& friction : all_) {
    if (friction.is_still()) v[static_cast<std::size_t>(friction.dof)] = friction.law->surface_speed;
  }
}

void DryFrictions::slide(std::span<const double> v, Loads<double>& loads) {
  for (DryFriction& friction : all_) {
    if (friction.mode == DryFriction::Mode::rest) continue;
    const double u = friction.speed(v);
    if (friction.mode != DryFriction::Mode::carried) friction.force = friction.sliding(u);
    loads.tau[friction.dof] += friction.force;
    loads.dissipated -= friction.force * u;
    loads.input += friction.force * friction.law->surface_speed;
  }
}

void DryFrictions::margins(std::span<const double> v, std::span<double> margin) const {
  double fastest = 0;
  for (const double rate : v) fastest = std::max(fastest, std::abs(rate));
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const DryFriction& friction = all_[i];
    if (friction.mode == DryFriction::Mode::rest)
      margin[i] = friction.limit * (1 + hysteresis) - std::abs(friction.force);
    else if (friction.mode == DryFriction::Mode::carried)
      margin[i] = friction.limit;
    else
      margin[i] = static_cast<double>(friction.mode) * friction.speed(v) + no_speed * fastest;
  }
}

double DryFrictions::standstill(double h, std::span<const double> v0, std::span<const double> a0,
                                std::span<const double> v1, std::span<const double> a1) const {
  double earliest = 0;
  for (const DryFriction& friction : all_) {
    if (friction.is_still()) continue;
    const auto k = static_cast<std::size_t>(friction.dof);
    const double way = static_cast<double>(friction.mode);
    const double x = dip(way * friction.speed(v0), way * a0[k] * h, way * friction.speed(v1), way * a1[k] * h);
    earliest = earlier(earliest, x * h);
  }
  return earliest;
}

}  // namespace denoc::simulation
