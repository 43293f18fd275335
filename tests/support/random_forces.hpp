// Robots at random with everything that acts on them.
#pragma once
#include "denoc/forces/forces.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {

constexpr double stiffest = 100;  // of the springs, stops and grounds below, N/m or N m/rad

// Springs, friction and stops in every joint that can have them, with stops that many postures are beyond, and springs
// between bodies.
inline void add_forces(Random& random, Robot& robot) {
  for (Body& body : robot.bodies) {
    Joint& joint = body.joint;
    joint.friction = {random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 1), random.uniform(1, 5),
                      random.uniform(-0.5, 0.5)};
    if (coordinates(joint.type) != degrees_of_freedom(joint.type)) continue;
    joint.spring = {random.uniform(1, stiffest), random.uniform(-1, 1)};
    joint.limits.lower = random.uniform(-1.5, -0.1);
    joint.limits.upper = random.uniform(0.1, 1.5);
    joint.limits.stiffness = random.uniform(1, stiffest);
    joint.limits.damping = random.uniform(0, 5);
  }
  const int bodies = int(robot.bodies.size());
  for (int i = 0; i < 4 && bodies > 1; ++i) {
    PointSpring spring;
    spring.a = {random.below(bodies), {identity3<double>(), random.vector(0.3)}};
    spring.b = {(spring.a.body + 1 + random.below(bodies - 1)) % bodies, {identity3<double>(), random.vector(0.3)}};
    spring.stiffness = random.uniform(1, stiffest);
    if (i > 0) spring.rest = random.uniform(0, 1), spring.damping = random.uniform(0, 10);
    spring.source.element = "springs[" + std::to_string(i) + "]";
    robot.springs.push_back(spring);
  }
}

// A plane that half of the points are below.
inline GroundContact random_ground(Random& random, const Robot& robot) {
  GroundContact ground{random.vector(0.1),   random.direction(),     random.uniform(1, stiffest),
                       random.uniform(0, 5), random.uniform(0.1, 1), random.uniform(1e-3, 0.1)};
  for (int b = 1; b < int(robot.bodies.size()); ++b) ground.points.push_back({b, random.vector(0.3)});
  return ground;
}
inline std::vector<ExternalWrench> random_external_wrenches(Random& random, const Robot& robot) {
  std::vector<ExternalWrench> wrenches;
  for (const bool in_world_axes : {false, true}) {
    ExternalWrench wrench;
    wrench.body = random.below(int(robot.bodies.size()));
    wrench.point = random.vector(0.5);
    wrench.in_world_axes = in_world_axes;
    const Wrench<double> start{random.vector(5), random.vector(5)}, rate{random.vector(5), random.vector(5)};
    wrench.at = [=](double t) { return Wrench<double>{start.n + rate.n * t, start.f + rate.f * t}; };
    wrenches.push_back(wrench);
  }
  return wrenches;
}

}  // namespace denoc::test
