#include "denoc/motion/joint_motion.hpp"

namespace denoc {

// The way from q to itself, which has no length.
std::shared_ptr<const Trajectory> hold(std::shared_ptr<const Model> model, std::vector<double> q, double duration) {
  std::vector<double> same = q;
  return point_to_point(std::move(model), std::move(q), std::move(same), duration, Profile::linear);
}

}  // namespace denoc
