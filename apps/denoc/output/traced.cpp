#include "output/traced.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace denoc::app {

Traced::Traced(const Scenario& scenario)
    : scenario_(&scenario),
      at_(*scenario.model),
      kin_(*scenario.model),
      ground_(scenario.contacts ? scenario.setup.ground : std::nullopt),
      loads_(scenario.model->nv(), ground_.wrenches()) {}

void Traced::go_to(const Sample& sample) {
  const Model& model = *scenario_->model;
  points_.clear();
  contacts_.clear();
  if (scenario_->points.empty() && ground_.empty()) return;
  place<double>(model, sample.q, at_);
  positions<double>(model, at_, kin_);
  velocities<double>(model, sample.v, kin_);
  for (const TracedPoint& p : scenario_->points) {
    const Pose<double> pose = pose_in_world<double>(model, kin_, p.body);
    points_.push_back(pose.r + pose.R * p.point);
  }
  loads_.clear();
  ground_.act({model, sample.t, sample.q, sample.v, &kin_}, loads_);
  for (const auto& [body, wrench] : loads_.wrenches)
    contacts_.push_back(pose_in_world<double>(model, kin_, body).R * wrench.f);
}

std::vector<std::string> contact_names(const Scenario& scenario) {
  const auto& touches = scenario.setup.ground->points;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto same = [&](const GroundContact::Touch& t) { return t.body == touches[i].body; };
    const std::string& body = scenario.model->robot().bodies[static_cast<std::size_t>(touches[i].body)].name;
    const auto here = touches.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_alone = std::count_if(touches.begin(), touches.end(), same) == 1;
    names.push_back(is_alone ? body : fmt::format("{}.{}", body, std::count_if(touches.begin(), here, same) + 1));
  }
  return names;
}

}  // namespace denoc::app
