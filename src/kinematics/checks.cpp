#include "checks.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"
#include "denoc/model/quaternions.hpp"
#include "eigen/views.hpp"

namespace denoc::kinematics {

std::vector<double> coordinates_of(const Model& model, std::vector<double> q, const std::string& what) {
  require_size(std::span(q), model.nq(), what.c_str());
  bring_to_manifold(quaternions_of(model.robot()), q, what.c_str());
  return q;
}

int body_of(const Model& model, int body) {
  model.body(body);
  if (body == 0) throw ArgumentError("body 0 is the world, which does not move");
  return body;
}

Pose<double> rigid(const Pose<double>& pose) {
  const Eigen::Matrix3d m = views::dense(pose.R);
  const Eigen::Quaterniond q = Eigen::Quaterniond(m).normalized();
  if (!((q.toRotationMatrix() - m).cwiseAbs().array() < 1e-6).all())  // nor is one with NaN, which no maximum shows
    throw ArgumentError("the R of a pose is not a rotation");
  if (!std::isfinite(norm(pose.r)))
    throw ArgumentError("the r of a pose is not finite, or its square is not: less than 1e150 m is wanted");
  return {rotation(Quaternion<double>{q.w(), q.x(), q.y(), q.z()}), pose.r};
}

}  // namespace denoc::kinematics
