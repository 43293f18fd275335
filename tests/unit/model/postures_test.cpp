#include "denoc/model/postures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A joint with one limit goes from there as far as one without limits, and never less far than that one.
TEST(Postures, OfOneLimitGoBothWays) {
  Robot robot = shipped("pendulum");
  Limits& limits = robot.bodies.back().joint.limits;
  struct Case {
    double lower, upper, low, high;
  };
  constexpr double none = std::numeric_limits<double>::infinity(), pi = std::numbers::pi;
  for (const Case& c : {Case{-none, 10, -pi, 10},
                        {-none, -2, -2 - 2 * pi, -2},
                        {-10, none, -10, pi},
                        {2, none, 2, 2 + 2 * pi},
                        {-none, none, -pi, pi}}) {
    limits.lower = c.lower, limits.upper = c.upper;
    Chance chance(5);
    double least = none, most = -none;
    for (int i = 0; i < 1000; ++i) {
      const double q = drawn_posture(robot, chance).front();
      least = std::min(least, q), most = std::max(most, q);
    }
    EXPECT_GE(least, c.low);
    EXPECT_LE(most, c.high);
    EXPECT_LE(least, c.low + 0.02 * (c.high - c.low));  // none of 1000 there: 2e-9
    EXPECT_GE(most, c.high - 0.02 * (c.high - c.low));
  }
}

// Without limits an angle, that of a screw as well, goes half a turn both ways and a length as far as the robot is long,
// however long that is.
TEST(Postures, GoHalfATurnOrTheLengthOfTheRobot) {
  for (const double length : {0.05, 1.0, 30.0}) {
    Robot robot;
    for (const JointType type : {JointType::revolute, JointType::continuous, JointType::prismatic, JointType::helical,
                                 JointType::universal, JointType::cylindrical, JointType::planar, JointType::free}) {
      Joint each = joint(type);
      each.pitch = 0.01;
      add(robot, each, mass(1), {length, 0, 0});
    }
    const Model model(robot);
    const std::vector<NamedCoordinate> names = coordinates_of(model);
    std::vector<double> least(names.size()), most(names.size());
    Chance chance(5);
    for (int i = 0; i < 1000; ++i) {
      const std::vector<double> q = drawn_posture(robot, chance);
      ASSERT_EQ(q.size(), names.size());
      for (std::size_t k = 0; k < q.size(); ++k) least[k] = std::min(least[k], q[k]), most[k] = std::max(most[k], q[k]);
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k].kind == NamedCoordinate::Kind::quaternion) continue;
      const double reach = names[k].kind == NamedCoordinate::Kind::angle ? std::numbers::pi : length_of(robot);
      EXPECT_GE(least[k], -reach) << names[k].name;
      EXPECT_LE(most[k], reach) << names[k].name;
      EXPECT_LE(least[k], -0.96 * reach) << names[k].name;  // none of 1000 there: 2e-9
      EXPECT_GE(most[k], 0.96 * reach) << names[k].name;
    }
  }
}

// Of the turns of an angle that keep the limits the nearest to the start; where none does, the nearest of all: it
// leaves them anyway, and should not go round for it. What does not turn stays as it is.
TEST(Postures, TurnTheNearestWayThatKeepsTheLimits) {
  constexpr double turn = 2 * std::numbers::pi;
  const Vec3<double> x{1, 0, 0};
  Robot robot;
  for (const JointType type : {JointType::revolute, JointType::prismatic, JointType::continuous, JointType::universal,
                               JointType::helical, JointType::cylindrical, JointType::planar})
    add(robot, joint(type, x), mass(1), x).joint.pitch = 0.1;
  const std::vector<NamedCoordinate> names = coordinates_of(Model(robot));
  Random random(7);
  int keep = 0, leave = 0, farther = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const std::vector<double> q = random_vector<double>(random, int(names.size()), 20);
    std::vector<double> start;
    std::vector<const Joint*> joints;  // by coordinate
    for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
      Joint& moved = robot.bodies[b].joint;
      moved.limits = {};
      if (random.below(4) != 0) moved.limits.lower = random.uniform(-9, 9);
      if (random.below(4) != 0)
        moved.limits.upper = (std::isfinite(moved.limits.lower) ? moved.limits.lower : 0) + random.uniform(0.01, 8);
      for (int i = 0; i < coordinates(moved.type); ++i) {
        start.push_back(random.uniform(-25, 25));
        joints.push_back(&moved);
      }
    }
    const std::vector<double> turned = turned_near(robot, q, start);
    ASSERT_EQ(turned.size(), q.size());
    for (std::size_t k = 0; k < q.size(); ++k) {
      const Limits& limits = joints[k]->limits;
      if (names[k].kind == NamedCoordinate::Kind::length || joints[k]->type == JointType::helical) {
        EXPECT_EQ(turned[k], q[k]) << names[k].name;
        continue;
      }
      double nearest = q[k], within = std::numeric_limits<double>::infinity();
      for (int turns = -8; turns <= 8; ++turns) {
        const double other = q[k] + turn * turns, away = std::abs(other - start[k]);
        if (away < std::abs(nearest - start[k])) nearest = other;
        if (other >= limits.lower && other <= limits.upper && away < std::abs(within - start[k])) within = other;
      }
      const bool can_keep = std::isfinite(within);
      EXPECT_NEAR(turned[k], can_keep ? within : nearest, 1e-13)  // some ulps of 60
          << names[k].name << " from " << start[k];
      ++(can_keep ? keep : leave);
      farther += can_keep && std::abs(within - nearest) > 1 ? 1 : 0;
    }
  }
  for (const int cases : {keep, leave, farther}) EXPECT_GT(cases, 100);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
