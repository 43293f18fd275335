#include <fmt/format.h>

#include "checks.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "pose_search.hpp"

namespace denoc {

std::vector<double> posture_near(const Model& model, int body, const Pose<double>& pose,
                                 const std::vector<double>& seed) {
  constexpr int steps = 500;
  std::vector<double> q = kinematics::coordinates_of(model, seed, "seed");
  kinematics::PoseSearch search(model, kinematics::body_of(model, body), kinematics::rigid(pose));
  if (!search.damped(q, steps))
    throw Unreachable(fmt::format(
        "body '{}': no posture found that brings it to the pose; the search from the seed ended {:.3g} m and {:.3g} "
        "rad away",
        model.robot().bodies[body].name, search.metres(), search.radians()));
  return q;
}

}  // namespace denoc
