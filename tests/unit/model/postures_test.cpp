#include "denoc/model/postures.hpp"

#include <limits>
#include <numbers>

#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "support/build.hpp"
#include "support/data.hpp"

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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
