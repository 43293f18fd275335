// Linkages that move although their loops have more rows than should let them: the rows depend on each other, but only
// where the loops are closed.
#pragma once
#include <cmath>

#include "denoc/model/quaternions.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {

// Four hinges askew: sin(alpha)/a is the same of all rods.                                             [Bennett 1903]
inline Robot bennett() {
  Robot robot;
  const double length[] = {1, 2, 1}, twist[] = {M_PI / 6, M_PI / 2, M_PI / 6};
  const auto about_x = [](double angle) {
    return rotation(Quaternion<double>{std::cos(angle / 2), std::sin(angle / 2), 0, 0});
  };
  const auto end_of = [&](int i) { return Pose<double>{about_x(twist[i]), {length[i], 0, 0}}; };
  for (int i = 0; i < 3; ++i) {
    Body& body = add(robot, joint(JointType::revolute), mass(1, {length[i] / 2, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
    if (i > 0) body.joint_frame = end_of(i - 1);
  }
  close(robot, LoopType::revolute, 3, {0, 0, 0}, 0, {-2, 0, 0});
  robot.loops[0].a.frame = end_of(2);
  robot.loops[0].b.frame.R = about_x(-M_PI / 2);
  return robot;
}
// Three cranks of 0.2 m on one rod: they turn as one pendulum.
inline Robot coupled_wheels() {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const Inertial wheel = mass(1, {0.1, 0, 0}, {0.01, 0, 0.01, 0, 0, 0.01});
  const int first = add_to(robot, 0, hinge, wheel);
  const int bar = add_to(robot, first, hinge, mass(1, {1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}), {0.2, 0, 0});
  for (const double x : {1, 2}) {
    const int next = add_to(robot, 0, hinge, wheel, {x, 0, 0});
    close(robot, LoopType::revolute, bar, {x, 0, 0}, next, {0.2, 0, 0});
  }
  return robot;
}

}  // namespace denoc::test
