#include "denoc/model/postures.hpp"

#include <limits>
#include <numbers>

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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
