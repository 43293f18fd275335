// Dry friction of joints without a drive: which of them is named where a run gets nowhere.
#include "motion/undriven_friction.hpp"

#include <gtest/gtest.h>

#include "denoc/motion/forces_along.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Whichever way joints slide, the slowest on its surface stops soonest: of those without a drive that have dry
// friction.
TEST(UndrivenFriction, TheSlowestIsTheNearestToItsSurface) {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    Robot robot;
    std::vector<int> undriven;
    for (int k = 0; k < 5; ++k) {
      Friction& friction = add(robot, joint(JointType::prismatic), mass(1)).joint.friction;
      friction.viscous = 1;
      if (random.below(4) > 0) friction.coulomb = random.uniform(0.1, 3);
      if (random.below(2) > 0) friction.surface_speed = random.uniform(-2, 2);
      if (random.below(4) > 0) undriven.push_back(k);
    }
    const std::vector<double> v = random_vector<double>(random, 5, 3);
    int slowest = -1;
    const auto speed = [&](int k) {
      return std::abs(v[std::size_t(k)] - robot.bodies[std::size_t(k) + 1].joint.friction.surface_speed);
    };
    for (const int k : undriven)
      if (robot.bodies[std::size_t(k) + 1].joint.friction.coulomb > 0 && (slowest < 0 || speed(k) < speed(slowest)))
        slowest = k;
    EXPECT_EQ(motion::UndrivenFrictions(Model(robot), undriven).slowest(v), slowest) << trial;
  }
}

// A mass on a spring that swings 1e8 times a second keeps a run from getting on; friction of blocks beside it may be
// why, and the block that is named is the slower one, though it slides forward and the other back.
TEST(UndrivenFriction, IsNamedWhereARunGetsNowhere) {
  Robot robot;
  const Joint slide = joint(JointType::prismatic, {1, 0, 0});
  add(robot, slide, mass(3)).name = "cart";
  for (const auto& [name, friction] : {std::pair{"fast", 2.0}, {"slow", 1.0}}) {
    Body& block = add(robot, slide, mass(1));
    block.parent = 1, block.name = name, block.joint.friction.coulomb = friction;
  }
  Body& swing = add(robot, slide, mass(1));
  swing.parent = 1, swing.name = "swing", swing.joint.spring.stiffness = 4e17;
  const auto motion = given_motion(
      std::make_shared<const Model>(robot),
      [](double s, std::span<Jet> q) {
        const Jet t{s, 1, 0};
        q[0] = sin(t);
        q[1] = t * Jet{-5};
        q[2] = t * Jet{3};
        q[3] = t;
      },
      10);
  try {
    forces_along(Mechanism(robot), *motion, {10, 10, Forces::all, {0}}, [](const AlongSample&) {});
    FAIL() << "it came to the end";
  } catch (const Error& refused) {
    const std::string said = refused.what();
    EXPECT_NE(said.find("joints without a drive get nowhere"), std::string::npos) << said;
    EXPECT_NE(said.find("(joint 'slow' has dry friction)"), std::string::npos) << said;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
