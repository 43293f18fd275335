#include "undriven_friction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"

namespace denoc::motion {

double UndrivenFriction::at_speed(double u) const { return -way * friction_sliding_on(*law, way * u); }
double UndrivenFriction::by_sign(double u) const {
  return u == 0 ? 0 : std::copysign(dry_friction<double>(*law, std::abs(u)), -u);
}

UndrivenFrictions::UndrivenFrictions(const Model& model, const std::vector<int>& undriven) {
  const std::vector<double> units = units_of(model);
  for_each_dof(model, [&](int k, const Joint& joint, int) {
    if (std::find(undriven.begin(), undriven.end(), k) != undriven.end() && has_dry_friction(joint.friction))
      all_.push_back({k, &joint.friction, dry_friction<double>(joint.friction, 0), units[size_t(k)]});
  });
}

void UndrivenFrictions::start(std::span<const double> v) {
  for (UndrivenFriction& friction : all_) friction.way = (friction.speed(v) > 0) - (friction.speed(v) < 0);
}

void UndrivenFrictions::stop(std::span<double> v) {
  for (UndrivenFriction& friction : all_) {
    if (friction.way * friction.speed(v) > 0) continue;
    friction.way = 0;
    v[size_t(friction.dof)] = friction.law->surface_speed;
  }
}

bool UndrivenFrictions::let_go_one() {
  UndrivenFriction* weakest = nullptr;
  for (UndrivenFriction& f : all_)
    if (f.is_at_rest() && !f.holds() &&
        (weakest == nullptr || std::abs(f.force) * weakest->limit > std::abs(weakest->force) * f.limit))
      weakest = &f;
  if (weakest == nullptr) return false;
  weakest->way = weakest->force > 0 ? -1 : 1;  // against what would hold it
  return true;
}

std::vector<int> UndrivenFrictions::moving_among(std::vector<int> dofs) const {
  for (const UndrivenFriction& friction : all_)
    if (friction.is_at_rest()) std::erase(dofs, friction.dof);
  return dofs;
}

void UndrivenFrictions::slide(std::span<const double> v, std::span<double> tau) const {
  for (const UndrivenFriction& friction : all_) {
    const double u = friction.speed(v);
    if (!friction.is_at_rest()) tau[size_t(friction.dof)] += friction.by_sign(u) - friction.at_speed(u);
  }
}

void UndrivenFrictions::hold(std::span<double> tau) {
  for (UndrivenFriction& friction : all_)
    if (friction.is_at_rest()) friction.force = std::exchange(tau[size_t(friction.dof)], 0);
}

std::vector<double> UndrivenFrictions::strains() const {
  std::vector<double> all;
  all.reserve(all_.size());
  for (const UndrivenFriction& friction : all_) all.push_back(friction.strain());
  return all;
}

std::vector<double> UndrivenFrictions::margins(std::span<const double> v) const {
  std::vector<double> all;
  all.reserve(all_.size());
  for (const UndrivenFriction& friction : all_) all.push_back(friction.margin(v));
  return all;
}

int UndrivenFrictions::slowest(std::span<const double> v) const {
  const auto slower = [&](const UndrivenFriction& a, const UndrivenFriction& b) {
    return std::abs(a.speed(v)) < std::abs(b.speed(v));
  };
  const auto found = std::min_element(all_.begin(), all_.end(), slower);
  return found == all_.end() ? -1 : found->dof;
}

}  // namespace denoc::motion
