// Robots of a few bodies, built in the test.
#pragma once
#include "denoc/model/model.hpp"
#include "denoc/model/robot.hpp"

namespace denoc::test {

inline Joint joint(JointType type, const Vec3<double>& axis = {0, 0, 1}, const Vec3<double>& axis2 = {0, 1, 0}) {
  Joint j;
  j.type = type;
  j.axis = axis;
  j.axis2 = axis2;
  return j;
}
inline Inertial mass(double m, const Vec3<double>& com = {0, 0, 0},
                     const Sym3<double>& about_com = {0, 0, 0, 0, 0, 0}) {
  Inertial inertial;
  inertial.mass = m;
  inertial.com = com;
  inertial.inertia = about_com;
  return inertial;
}
// Adds a body to the last one (to the ground if there is none).
inline Body& add(Robot& robot, const Joint& j, const Inertial& inertial, const Vec3<double>& at = {0, 0, 0}) {
  Body body;
  body.name = "body" + std::to_string(robot.bodies.size());
  body.parent = int(robot.bodies.size()) - 1;
  body.joint = j;
  body.joint_frame.r = at;
  body.inertial = inertial;
  robot.bodies.push_back(body);
  return robot.bodies.back();
}
// One kilogram that slides without weight, with dry friction if that is given.
inline Model slider(double friction = 0) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::prismatic), mass(1));
  robot.bodies[1].joint.friction.coulomb = friction;
  return Model(robot);
}

// Three hinges (z, x, z) with mass at the end alone: forward dynamics is singular where the first and the last are parallel, q2 = 0.
inline Robot gimbal() {
  Robot robot;
  add(robot, joint(JointType::revolute), {});
  add(robot, joint(JointType::revolute, {1, 0, 0}), {});
  add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {0.1, 0, 0.2, 0, 0, 0.25}));
  return robot;
}

}  // namespace denoc::test
