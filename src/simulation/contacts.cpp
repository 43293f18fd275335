#include "contacts.hpp"

#include "cubic.hpp"

namespace denoc::simulation {

Contacts::Contacts(const Model& model, const SimulationSetup& setup)
    : model_(&model), stops_(model), ground_(setup.ground), at_(model), kin_(model) {}

void Contacts::measure(std::span<const double> q, std::span<const double> v, std::vector<Gap>& gaps) {
  if (!ground_.empty()) {
    place<double>(*model_, q, at_);
    positions<double>(*model_, at_, kin_);
    velocities<double>(*model_, v, kin_);
  }
  const Situation<double> here{*model_, 0, q, v, &kin_};
  gaps.clear();
  const auto add = [&](double depth, double rate) { gaps.push_back({-depth, -rate}); };
  stops_.for_each_depth(here, add);
  ground_.for_each_depth(here, add);
}

void Contacts::begin(std::span<const double> q, std::span<const double> v) { measure(q, v, start_); }

double Contacts::passed(double h, std::span<const double> q, std::span<const double> v) {
  measure(q, v, end_);
  double earliest = 0;
  for (std::size_t i = 0; i < end_.size(); ++i) {
    if (end_[i].size < 0) continue;
    const double x = dip(start_[i].size, start_[i].rate * h, end_[i].size, end_[i].rate * h);
    if (x > 0 && (earliest == 0 || x * h < earliest)) earliest = x * h;
  }
  return earliest;
}

}  // namespace denoc::simulation
