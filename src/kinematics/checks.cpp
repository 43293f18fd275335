#include "checks.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "denoc/error.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc::kinematics {

std::vector<double> coordinates_of(const Model& model, std::vector<double> q, const std::string& what) {
  if (q.size() != size_t(model.nq()))
    throw ArgumentError(fmt::format("{} has {} entries, the model needs {}", what, q.size(), model.nq()));
  for (size_t i = 0; i < q.size(); ++i)
    if (!std::isfinite(q[i])) throw ArgumentError(fmt::format("{}: entry {} is not a number", what, i + 1));
  for (const auto& place : quaternions_of(model.robot()))
    if (const std::string broken = denoc::normalise(place, q); !broken.empty())
      throw ArgumentError(fmt::format("{}: {}", what, broken));
  return q;
}

int body_of(const Model& model, int body) {
  model.body(body);
  if (body == 0) throw ArgumentError("body 0 is the world, which does not move");
  return body;
}

Pose<double> rigid(const Pose<double>& pose) {
  const Mat3<double>& R = pose.R;
  Eigen::Matrix3d m;
  m << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
  const Eigen::Quaterniond q = Eigen::Quaterniond(m).normalized();
  if (!((q.toRotationMatrix() - m).cwiseAbs().maxCoeff() < 1e-6))
    throw ArgumentError("the R of a pose is not a rotation");
  if (!std::isfinite(norm(pose.r)))
    throw ArgumentError("the r of a pose is not finite, or its square is not: less than 1e150 m is wanted");
  return {rotation(Quaternion<double>{q.w(), q.x(), q.y(), q.z()}), pose.r};
}

}  // namespace denoc::kinematics
