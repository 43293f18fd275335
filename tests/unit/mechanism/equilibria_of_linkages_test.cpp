// Equilibria of robots with loops: what is found is where they rest, not where their equations are singular, however fast a
// gear turns what follows.
#include <gtest/gtest.h>

#include <cmath>

#include "denoc/mechanism/linearize.hpp"
#include "support/overconstrained.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Wheels coupled by rods that all lie in line at 0, where the wheels may turn either way: gravity pulls hardest there, and
// rests below and above. In any unit, and tilted with gravity.
TEST(Equilibrium, IsFoundBesideDeadPoints) {
  for (const double length : {1.0, 1024.0, 1.0 / 1024})
    for (const double tilt : {0.0, 1e-6, 0.7}) {
      Robot wheels = scaled(coupled_wheels(), {length});
      const Mat3<double> R =
          rotation(Quaternion<double>{std::cos(tilt / 2), 0.6 * std::sin(tilt / 2), 0, 0.8 * std::sin(tilt / 2)});
      wheels.gravity = R * wheels.gravity;
      for (Body& body : std::span(wheels.bodies).subspan(1))
        if (body.parent == 0) body.joint_frame = Pose<double>{R, {0, 0, 0}} * body.joint_frame;
      for (Loop& loop : wheels.loops)
        for (Attachment* end : {&loop.a, &loop.b})
          if (end->body == 0) end->frame = Pose<double>{R, {0, 0, 0}} * end->frame;
      const Mechanism mechanism(wheels);
      Dynamics d(mechanism);
      const std::vector<double> none(std::size_t(mechanism.nv()));
      for (const double from : {0.0, 1e-9, 1e-6, 1e-4, 1e-3, -0.1, 0.3}) {
        SCOPED_TRACE(testing::Message() << length << ' ' << tilt << ' ' << from);
        const std::vector<double> q = equilibrium(d, std::vector<double>{from, -from, from, from}, none);
        EXPECT_NEAR(std::abs(q[0]), M_PI / 2, 1e-6);
        EXPECT_NEAR(std::abs(q[2]), M_PI / 2, 1e-6);
      }
    }
}

// An arm that hangs, and a rotor that it turns: it rests where it would without. Beside a four-bar it is no matter either.
TEST(Equilibrium, IsFoundHoweverFastAFollowerTurns) {
  for (const double ratio : {1.0, 30.0, 100.0, -160.0, 1000.0, 1e4})
    for (const bool is_beside : {false, true}) {
      SCOPED_TRACE(testing::Message() << ratio << (is_beside ? " beside a four-bar" : ""));
      Robot robot = is_beside ? four_bar() : Robot{};
      robot.gravity = {0, -9.81, 0};
      const int first = int(robot.bodies.size()) - 1, arm = add_to(robot, 0, joint(JointType::revolute), rod(2, 1)),
                rotor = add_to(robot, 0, joint(JointType::revolute), mass(0.1, {0, 0, 0}, {1e-4, 0, 1e-4, 0, 0, 1e-4}));
      Loop gear;
      gear.type = LoopType::coupler;
      gear.a.body = arm;
      gear.b.body = rotor;
      gear.ratio = ratio;
      robot.loops.push_back(gear);
      const Mechanism mechanism(robot);
      Dynamics d(mechanism);
      std::vector<double> start(std::size_t(mechanism.nq()));
      if (is_beside) std::copy_n(std::begin({1.0, -0.5, 1.3}), 3, start.begin());
      for (const double from : {0.0, 0.7, -1.0}) {
        start[std::size_t(first)] = from;
        start[std::size_t(first) + 1] = ratio * from;
        const std::vector<double> q = equilibrium(d, start, std::vector<double>(std::size_t(mechanism.nv())));
        EXPECT_NEAR(std::abs(q[std::size_t(first)]), M_PI / 2, 1e-8);
        EXPECT_NEAR(q[std::size_t(first) + 1], ratio * q[std::size_t(first)], 1e-8 * std::abs(ratio));
      }
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
