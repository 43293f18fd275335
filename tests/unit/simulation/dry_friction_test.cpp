// Sliding friction within a step: the law where the joint slides, and its continuation where only trial steps go.
#include "simulation/dry_friction.hpp"

#include <gtest/gtest.h>

#include "support/build.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using simulation::DryFriction;
using simulation::DryFrictions;

struct Sliding {
  Model model;
  DryFrictions all;
  static Model one(const Friction& law) {
    Robot robot;
    Joint slide = joint(JointType::prismatic);
    slide.friction = law;
    add(robot, slide, mass(1));
    return Model(robot);
  }
  explicit Sliding(const Friction& law) : model(one(law)), all(model) {}
  double force(DryFriction::Mode way, double u) {
    DryFriction& friction = *all.begin();
    friction.mode = way;
    return friction.sliding(u);
  }
};
const Friction laws[] = {{.coulomb = 2},
                         {.coulomb = 2, .stribeck_epsilon = 1.5, .stribeck_gamma = 30},
                         {.stribeck_epsilon = 0.1, .stribeck_gamma = 1e4}};
const std::pair<DryFriction::Mode, double> ways[] = {{DryFriction::Mode::forward, 1},
                                                     {DryFriction::Mode::backward, -1}};

// No digit of what slides depends on how it goes on beyond.
TEST(DryFriction, IsTheLawWhereItSlides) {
  for (const Friction& law : laws) {
    Sliding joint(law);
    for (const auto& [mode, way] : ways) {
      for (const double speed : {0.0, 1e-300, 1e-9, 0.01, 1.0, 100.0})
        EXPECT_EQ(joint.force(mode, way * speed), -way * dry_friction<double>(law, speed)) << speed;
    }
  }
}
TEST(DryFriction, StaysBoundedBeyondTheStandstill) {
  for (const Friction& law : laws) {
    Sliding joint(law);
    const double limit = dry_friction<double>(law, 0);
    for (const auto& [mode, way] : ways) {
      for (const double speed : {1e-9, 0.01, 1.0, 100.0, 1e300}) {
        const double against = -way * joint.force(mode, -way * speed);
        EXPECT_GE(against, limit);
        EXPECT_LE(against, 4 * limit);
      }
    }
  }
}
// To the third derivative: at x of gamma beyond, it differs from the law's own exponential by no more than x^4.
TEST(DryFriction, GoesOnSmoothlyThroughTheStandstill) {
  for (const Friction& law : laws) {
    Sliding joint(law);
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * (law.coulomb + law.stribeck_epsilon);
    for (const auto& [mode, way] : ways) {
      for (const double x : {1e-9, 1e-4, 1e-3, 1e-2, 0.1}) {
        const double u = -x / std::max(1.0, law.stribeck_gamma), expected = dry_friction<double>(law, u);
        EXPECT_NEAR(-way * joint.force(mode, way * u), expected, 2 * law.stribeck_epsilon * x * x * x * x + rounding);
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
