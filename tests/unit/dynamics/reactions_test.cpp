#include "denoc/dynamics/reactions.hpp"

#include "support/build.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// At rest the world carries the weight, at the mass centre.
TEST(Reactions, TheBaseCarriesTheWeight) {
  Random random(41);
  for (int round = 0; round < 20; ++round) {
    Robot robot = random_robot(random, {.bodies = 8});
    const Model model(robot);
    const std::vector<double> none(model.nv(), 0.0);
    Machine<double> machine(model, random_q<double>(random, model), none);
    const Wrench<double> base = machine.reactions(none)[0];
    // Also the bodies fixed to the ground weigh; `mass_centre` leaves them out.
    Wrench<double> weight = zero_wrench<double>;
    for (size_t b = 1; b < robot.bodies.size(); ++b) {
      const auto pose = pose_in_world<double>(model, machine.kin, int(b));
      const Vec3<double> f = robot.gravity * robot.bodies[b].inertial.mass;
      weight += {cross(pose.r + pose.R * robot.bodies[b].inertial.com, f), f};
    }
    EXPECT_LE(norm(base.f + weight.f), rounding<double>(8, norm(weight.f)));
    EXPECT_LE(norm(base.n + weight.n), rounding<double>(8, norm(weight.n) + norm(weight.f)));
  }
}

// A point mass fixed to a turning arm: the mounting pulls it inward by m w^2 r, pushes it on by m w' r and carries it.
TEST(Reactions, InAFixedJoint) {
  Robot robot;
  robot.gravity = {0, 0, -10};
  add(robot, joint(JointType::revolute), mass(3, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  add(robot, joint(JointType::fixed), mass(2), {0.5, 0, 0});
  const Model model(robot);
  Machine<double> machine(model, {0.7}, {4});
  const auto found = machine.reactions({3});
  const double tolerance = rounding<double>(2, 40);
  EXPECT_NEAR(found[2].f.x, -2 * 16 * 0.5, tolerance);
  EXPECT_NEAR(found[2].f.y, 2 * 3 * 0.5, tolerance);
  EXPECT_NEAR(found[2].f.z, 2 * 10.0, tolerance);
  EXPECT_LE(norm(found[2].n), tolerance);
  // About the arm's axis the reaction is the drive.
  EXPECT_NEAR(found[1].n.z, machine.inverse({3})[0], tolerance);
  EXPECT_NEAR(found[1].f.z, 5 * 10.0, tolerance);
  // Across: the weights at their arms, n = r x f
  EXPECT_NEAR(found[1].n.y, -10 * (3 * 0.1 + 2 * 0.5), tolerance);
}

// What acts on a body from outside goes through its joint to the world, and what acts on the ground does not show.
TEST(Reactions, OfOutsideWrenches) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::revolute), mass(1, {0.1, 0, 0}));
  add(robot, joint(JointType::fixed), mass(0), {0.5, 0, 0});
  const Model model(robot);
  Machine<double> machine(model, {0}, {0});
  const std::vector<BodyWrench<double>> wrenches = {{2, {{1, 2, 3}, {4, 5, 6}}}, {0, {{9, 9, 9}, {9, 9, 9}}}};
  const auto found = machine.reactions({0}, wrenches);
  EXPECT_LE(norm(found[2].n + Vec3<double>{1, 2, 3}), rounding<double>(1, 3));
  EXPECT_LE(norm(found[2].f + Vec3<double>{4, 5, 6}), rounding<double>(1, 6));
  // carried over (0.5, 0, 0): n + r x f = (1, 2 - 3, 3 + 2.5)
  EXPECT_LE(norm(found[0].n + Vec3<double>{1, -1, 5.5}), rounding<double>(1, 6));
  EXPECT_LE(norm(found[0].f + Vec3<double>{4, 5, 6}), rounding<double>(1, 6));
  EXPECT_NEAR(machine.inverse({0}, wrenches)[0], -5.5, rounding<double>(1, 6));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
