#include "denoc/model/quaternions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "denoc/error.hpp"
#include "denoc/model/arguments.hpp"

namespace denoc {

std::vector<QuaternionPlace> quaternions_of(const Robot& robot) {
  std::vector<QuaternionPlace> places;
  int first = 0;
  for (std::size_t i = 1; i < robot.bodies.size(); ++i) {
    const Body& body = robot.bodies[i];
    const std::string& joint = name_of_joint(body);
    if (body.joint.type == JointType::spherical) places.push_back({first, joint});
    if (body.joint.type == JointType::free) places.push_back({first + 3, joint});
    first += coordinates(body.joint.type);
  }
  return places;
}

std::string normalise(const QuaternionPlace& place, std::span<double> q) {
  double* x = q.data() + place.first;
  const double length = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
  if (!(std::abs(length - 1) < unit_length_error))
    return fmt::format("the quaternion of joint '{}' has length {:.9g}, not 1", place.joint, length);
  // What was brought to it before stays as it is: hypot and the quotients leave as much.
  if (std::abs(length - 1) <= 5 * std::numeric_limits<double>::epsilon()) return "";
  for (int i = 0; i < 4; ++i) x[i] /= length;
  return "";
}

void bring_to_manifold(std::span<const QuaternionPlace> places, std::span<double> q, const char* name) {
  require_numbers(q, name);
  for (const QuaternionPlace& place : places)
    if (const std::string broken = normalise(place, q); !broken.empty())
      throw ArgumentError(fmt::format("{}: {}", name, broken));
}

std::vector<double> neutral_posture(const Robot& robot) {
  std::size_t size = 0;
  for (const Body& body : robot.bodies) size += static_cast<std::size_t>(coordinates(body.joint.type));
  std::vector<double> q(size, 0.0);
  const std::vector<QuaternionPlace> places = quaternions_of(robot);
  for (const QuaternionPlace& place : places) q[static_cast<std::size_t>(place.first)] = 1;
  std::size_t first = 0;
  for (const Body& body : robot.bodies) {
    std::copy(body.joint.neutral.begin(), body.joint.neutral.end(), q.begin() + static_cast<std::ptrdiff_t>(first));
    first += static_cast<std::size_t>(coordinates(body.joint.type));
  }
  for (const QuaternionPlace& place : places) normalise(place, q);  // the rules refuse what it cannot
  return q;
}

}  // namespace denoc
