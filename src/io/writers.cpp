#include "writers.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "loop_values.hpp"

namespace denoc::io {

// A turn by less than 1e-8 has ones on its diagonal, too.
bool is_identity(const Mat3<double>& R) {
  return R.xx == 1 && R.yy == 1 && R.zz == 1 && R.xy == 0 && R.xz == 0 && R.yz == 0 && R.yx == 0 && R.zx == 0 &&
         R.zy == 0;
}
bool is_identity(const Pose<double>& frame) { return is_identity(frame.R) && is_zero(frame.r); }

std::array<double, 4> wxyz_of(const Mat3<double>& R) {
  Eigen::Matrix<long double, 3, 3> m;
  m << R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz;
  const Eigen::Quaternion<long double> q(m);
  const auto d = [](long double x) { return static_cast<double>(x); };
  return {d(q.w()), d(q.x()), d(q.y()), d(q.z())};
}

// Roll and pitch are taken from Rz(-yaw) R = Ry Rx: where the pitch is a right angle, and the yaw whatever rounding
// makes of it, they are those that belong to it.
Vec3<double> rpy_of(const Mat3<double>& R) {
  using Wide = long double;
  const auto yaw = static_cast<double>(std::atan2(Wide(R.yx), Wide(R.xx)));
  const Wide c = std::cos(Wide(yaw)), s = std::sin(Wide(yaw));
  const Wide xx = c * R.xx + s * R.yx, yy = c * R.yy - s * R.xy, yz = c * R.yz - s * R.xz;
  return {static_cast<double>(std::atan2(-yz, yy)), static_cast<double>(std::atan2(-Wide(R.zx), xx)), yaw};
}

bool is_empty(const Inertial& inertial) {
  return inertial.mass == 0 && is_zero(inertial.com) && is_zero(inertial.inertia) && is_zero(inertial.hub);
}

bool is_ground(const Robot& robot, int body) {
  if (body == 0) return true;
  const Body& b = robot.bodies[static_cast<std::size_t>(body)];
  const bool is_alone = robot.bodies.size() == 2;
  return b.name == "world" && !is_alone && b.parent == 0 && b.joint.type == JointType::fixed &&
         is_identity(b.joint_frame) && is_identity(b.own_frame) && is_empty(b.inertial) && b.shapes.empty();
}

std::string name_beside_ground(const Robot& robot, int body) {
  const std::string& own = robot.bodies[static_cast<std::size_t>(body)].name;
  if (own != "world" || is_ground(robot, body)) return own;
  std::string other = "world_link";
  while (joint_named(robot, other) > 0) other += '_';
  return other;
}

bool is_depth_first(const Robot& robot) {
  std::vector<int> path = {0};
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    while (!path.empty() && path.back() != robot.bodies[b].parent) path.pop_back();
    if (path.empty()) return false;
    path.push_back(static_cast<int>(b));
  }
  return true;
}

}  // namespace denoc::io
