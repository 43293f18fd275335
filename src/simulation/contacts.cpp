#include "contacts.hpp"

#include "cubic.hpp"

namespace denoc::simulation {

namespace {

// f(force) for each of them that says how deep it is in contact.
template <class F> void for_each_contact(const ActingForces& forces, F&& f) {
  for_each_force(forces, [&](const auto& force) {
    if constexpr (requires(const Situation<double>& at) { force.for_each_depth(at, [](double, double, double) {}); })
      f(force);
  });
}

}  // namespace

Contacts::Contacts(const Model& model, const ActingForces& forces)
    : model_(&model), forces_(&forces), at_(model), kin_(model) {
  for_each_contact(forces, [&](const auto& force) { are_on_bodies_ = are_on_bodies_ || force.wrenches() > 0; });
}

double Contacts::measure(std::span<const double> q, std::span<const double> v, std::vector<Gap>& gaps) {
  if (are_on_bodies_) {
    place<double>(*model_, q, at_);
    positions<double>(*model_, at_, kin_);
    velocities<double>(*model_, v, kin_);
  }
  const Situation<double> here{*model_, 0, q, v, &kin_};
  double fastest = 0;
  gaps.clear();
  for_each_contact(*forces_, [&](const auto& force) {
    force.for_each_depth(here, [&](double depth, double rate, double turning) {
      gaps.push_back({-depth, -rate});
      fastest = std::max(fastest, turning);
    });
  });
  return 1 / fastest;
}

void Contacts::begin(std::span<const double> q, std::span<const double> v) { radian_ = measure(q, v, start_); }

double Contacts::shorter(double h, std::span<const double> q, std::span<const double> v) {
  if (const double radian = measure(q, v, end_); h > 2 * radian) return radian;
  double earliest = 0;
  for (std::size_t i = 0; i < end_.size(); ++i) {
    if (end_[i].size < 0) continue;
    const double x = dip(start_[i].size, start_[i].rate * h, end_[i].size, end_[i].rate * h);
    earliest = earlier(earliest, x * h);
  }
  return earliest;
}

}  // namespace denoc::simulation
