// Closed chains with known answers.
#pragma once
#include "support/build.hpp"

namespace denoc::test {

// A uniform slender rod along x from the body's origin.
inline Inertial rod(double m, double length) {
  const double across = m * length * length / 12;
  return mass(m, {length / 2, 0, 0}, {0, 0, across, 0, 0, across});
}
inline int add_to(Robot& robot, int parent, const Joint& j, const Inertial& inertial,
                  const Vec3<double>& at = {0, 0, 0}) {
  add(robot, j, inertial, at).parent = parent;
  return int(robot.bodies.size()) - 1;
}
inline void close(Robot& robot, LoopType type, int a, const Vec3<double>& at_a, int b, const Vec3<double>& at_b,
                  const Vec3<double>& axis = {0, 0, 1}) {
  Loop loop;
  loop.type = type;
  loop.a.body = a;
  loop.a.frame.r = at_a;
  loop.b.body = b;
  loop.b.frame.r = at_b;
  loop.axis = axis;
  robot.loops.push_back(loop);
}

// Crank, coupler (relative to the crank), rocker; cut between coupler and rocker.
inline Robot four_bar(LoopType type = LoopType::revolute) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const int crank = add_to(robot, 0, hinge, rod(0.4, 0.2));
  const int coupler = add_to(robot, crank, hinge, rod(1.0, 0.5), {0.2, 0, 0});
  const int rocker = add_to(robot, 0, hinge, rod(0.8, 0.4), {0.45, 0, 0});
  close(robot, type, coupler, {0.5, 0, 0}, rocker, {0.4, 0, 0});
  return robot;
}
// The same on a frame of 5 kg that floats, without gravity; q of the frame first.
inline Robot floating_four_bar() {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const Joint hinge = joint(JointType::revolute);
  const int frame = add_to(robot, 0, joint(JointType::free), mass(5, {0.2, 0.1, 0}, {0.2, 0, 0.3, 0, 0, 0.4}));
  const int crank = add_to(robot, frame, hinge, rod(0.4, 0.2));
  const int coupler = add_to(robot, crank, hinge, rod(1.0, 0.5), {0.2, 0, 0});
  const int rocker = add_to(robot, frame, hinge, rod(0.8, 0.4), {0.45, 0, 0});
  close(robot, LoopType::revolute, coupler, {0.5, 0, 0}, rocker, {0.4, 0, 0});
  return robot;
}
// Crank, rod (relative to the crank), slider along x; cut between rod and slider.
inline Robot slider_crank() {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const int crank = add_to(robot, 0, hinge, rod(1.2, 0.15));
  const int coupler = add_to(robot, crank, hinge, rod(0.9, 0.45), {0.15, 0, 0});
  const int slider = add_to(robot, 0, joint(JointType::prismatic, {1, 0, 0}), mass(0.6));
  close(robot, LoopType::revolute, coupler, {0.45, 0, 0}, slider, {0, 0, 0});
  return robot;
}
// A02 of the IFToMM benchmarks: n four-bars in a row, upright at q = 0; q: first rod, then coupler and rod of each.
inline Robot four_bars(int n) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const double across = 1.0 / 12;
  const Inertial upright = mass(1, {0, 0.5, 0}, {across, 0, 0, 0, 0, across});
  int last = add_to(robot, 0, hinge, upright);
  for (int i = 1; i <= n; ++i) {
    const int coupler = add_to(robot, last, hinge, rod(1, 1), {0, 1, 0});
    last = add_to(robot, 0, hinge, upright, {double(i), 0, 0});
    close(robot, LoopType::revolute, coupler, {1, 0, 0}, last, {0, 1, 0});
  }
  return robot;
}
// A04: Bricard's mechanism, five rods of 1 x 0.1 x 0.1 m.
inline Robot bricard() {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Vec3<double> points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, axes[] = {y, z, x, y, z, x};
  const double along = 0.02 / 12, across = 1.01 / 12;
  for (int i = 0; i < 5; ++i) {
    const Vec3<double> d = points[i + 1] - points[i];
    const auto moment = [&](double c) { return c != 0 ? along : across; };
    add(robot, joint(JointType::revolute, axes[i]), mass(1, d * 0.5, {moment(d.x), 0, moment(d.y), 0, 0, moment(d.z)}),
        i == 0 ? points[0] : points[i] - points[i - 1]);
  }
  close(robot, LoopType::revolute, 5, points[5] - points[4], 0, points[5], x);
  return robot;
}
// A03: Andrews' squeezing mechanism. q: beta, Theta, gamma, delta, Phi, epsilon, Omega.
inline Robot andrews() {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const Joint hinge = joint(JointType::revolute);
  const auto plate = [](double m, double i, double cx, double cy) { return mass(m, {cx, cy, 0}, {i, 0, i, 0, 0, i}); };
  const Vec3<double> A{-.06934, -.00227, 0}, B{-.03635, .03273, 0}, C{.014, .072, 0};
  const int k1 = add_to(robot, 0, hinge, plate(.04325, 2.194e-6, .00092, 0));
  const int k2 = add_to(robot, k1, hinge, plate(.00365, 4.41e-7, -.0115, 0), {.007, 0, 0});
  const int k3 = add_to(robot, 0, hinge, plate(.02373, 5.255e-6, .01043, -.01874), B);
  const int k5 = add_to(robot, 0, hinge, plate(.0705, 1.169e-5, .02308, .00916), A);
  const int k4 = add_to(robot, k5, hinge, plate(.00706, 5.667e-7, 0, -(.02 - .01421)), {.04, 0, 0});
  const int k7 = add_to(robot, 0, hinge, plate(.05498, 1.912e-5, -.00449, -.01228), A);
  const int k6 = add_to(robot, k7, hinge, plate(.00706, 5.667e-7, .02 - .01421, 0), {0, -.04, 0});
  const Vec3<double> E{-.028, 0, 0};
  close(robot, LoopType::revolute, k2, E, k3, {0, -.035, 0});
  close(robot, LoopType::revolute, k2, E, k4, {0, -.02, 0});
  close(robot, LoopType::revolute, k2, E, k6, {.02, 0, 0});
  PointSpring spring;
  spring.a.body = k3;
  spring.a.frame.r = {.02, -.018, 0};
  spring.b.frame.r = C;
  spring.stiffness = 4530;
  spring.rest = .07785;
  robot.springs.push_back(spring);
  return robot;
}
// Crank about x, slider along x, between them a rod: universal at the slider, spherical (cut) at the crank.
inline Robot spatial_slider_crank() {
  Robot robot;
  const int crank = add_to(robot, 0, joint(JointType::revolute, {1, 0, 0}),
                           mass(.12, {0, 0, .04}, {1e-4, 0, 1e-4, 0, 0, 1e-4}), {0, .1, .12});
  const int slider = add_to(robot, 0, joint(JointType::prismatic, {1, 0, 0}), mass(2), {.2, 0, 0});
  const int link = add_to(robot, slider, joint(JointType::universal, {1, 0, 0}, {0, 1, 0}),
                          mass(.5, {-.15, 0, 0}, {4e-4, 0, .004, 0, 0, .004}));
  close(robot, LoopType::spherical, link, {-.3, 0, 0}, crank, {0, 0, .08});
  return robot;
}

}  // namespace denoc::test
