// The smallest program: the torque that holds a horizontal arm of 2 kg, its mass 0.5 m away from the joint.
#include <cmath>
#include <denoc/denoc.hpp>

int main() {
  denoc::Body arm;
  arm.name = "arm";
  arm.joint.type = denoc::JointType::revolute;
  arm.joint.axis = {0, 1, 0};
  arm.inertial.mass = 2;
  arm.inertial.com = {0.5, 0, 0};
  denoc::Robot robot;
  robot.bodies.push_back(arm);

  const denoc::Mechanism mechanism(robot);
  denoc::Dynamics dynamics(mechanism);
  const double none[] = {0};
  return std::abs(dynamics.inverse(none, none, none)[0] + 9.81) < 1e-12 ? 0 : 1;
}
