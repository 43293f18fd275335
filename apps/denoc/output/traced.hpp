// What a run is asked to watch besides its joints: points of bodies, and what the ground does.
#pragma once
#include <string>
#include <vector>

#include "denoc/scenario/scenario.hpp"

namespace denoc::app {

class Traced {
 public:
  // The scenario must outlive it.
  explicit Traced(const Scenario& scenario);

  // In the world, at the sample: the points in the order of the scenario, and the forces of the ground on its points.
  void go_to(const Sample& sample);
  const std::vector<Vec3<double>>& points() const { return points_; }
  const std::vector<Vec3<double>>& contacts() const { return contacts_; }

 private:
  const Scenario* scenario_;
  Configuration<double> at_;
  Kinematics<double> kin_;
  GroundReaction<double> ground_;
  Loads<double> loads_;
  std::vector<Vec3<double>> points_ = {}, contacts_ = {};
};

// Points of the ground by the names of their bodies: "foot", or "foot.1", "foot.2" where one has several.
std::vector<std::string> contact_names(const Scenario& scenario);

}  // namespace denoc::app
