#include "denoc/control/drive_limits.hpp"

#include <algorithm>
#include <cmath>

namespace denoc {

std::vector<double> drive_limits(const Model& model, bool with_effort) {
  std::vector<double> most;
  for (int k = 0; k < model.nv(); ++k) {
    const Joint& joint = model.robot().bodies[size_t(model.body_of_dof(k))].joint;
    const Actuator& drive = joint.actuator;
    most.push_back(std::isfinite(drive.max_torque) ? std::abs(drive.gear) * drive.max_torque : drive.max_torque);
    if (with_effort) most.back() = std::min(most.back(), joint.limits.effort);
  }
  return most;
}

}  // namespace denoc
