#include "denoc/model/quaternions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Off by less than a millionth: brought to length one where it points, and nothing beside it is touched.
TEST(Quaternions, AreBroughtToLengthOne) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Quaternion<double> u = random.attitude();
    const double off = 1 + random.uniform(-9e-7, 9e-7);
    std::vector<double> q = {7, u.w * off, u.x * off, u.y * off, u.z * off, 8};
    ASSERT_EQ(normalise({1, "wrist"}, q), "");
    EXPECT_NEAR(std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4]), 1, 4 * eps);
    const double expected[] = {7, u.w, u.x, u.y, u.z, 8};
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], expected[i], 8 * eps) << i;
  }
}
// What a file says after it was written with all digits is what was written.
TEST(Quaternions, AreBroughtToLengthOneOnce) {
  Random random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Quaternion<double> u = random.attitude();
    const double off = 1 + random.uniform(-9e-7, 9e-7);
    std::vector<double> q = {u.w * off, u.x * off, u.y * off, u.z * off};
    ASSERT_EQ(normalise({0, "wrist"}, q), "");
    std::vector<double> again = q;
    ASSERT_EQ(normalise({0, "wrist"}, again), "");
    EXPECT_EQ(again, q);
  }
}
TEST(Quaternions, OfOtherLengthsAreRefusedByTheirJoint) {
  for (const double length : {0.0, 1 - 1.1e-6, 1 + 1.1e-6, 2.0, std::nan("")}) {
    std::vector<double> q = {0, 0, length, 0};
    EXPECT_NE(normalise({0, "wrist"}, q).find("'wrist'"), std::string::npos) << length;
    EXPECT_TRUE(std::isnan(length) || q[2] == length) << "left as it was";
  }
}

// Where they stand among the coordinates, and what they are at rest.
TEST(Quaternions, StandAfterThePositionOfFreeJoints) {
  Robot robot;
  const auto add = [&](JointType type) {
    Body body;
    body.name = "b" + std::to_string(robot.bodies.size());
    body.joint.type = type;
    robot.bodies.push_back(body);
  };
  for (const JointType type :
       {JointType::revolute, JointType::free, JointType::planar, JointType::fixed, JointType::spherical})
    add(type);
  robot.bodies.back().joint.name = "ball";
  const auto places = quaternions_of(robot);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].first, 1 + 3);
  EXPECT_EQ(places[0].joint, "b2") << "called as its body";
  EXPECT_EQ(places[1].first, 1 + 7 + 3);
  EXPECT_EQ(places[1].joint, "ball");
  robot.bodies[1].joint.neutral = {0.5};
  robot.bodies[5].joint.neutral = {0, 0, 1, 0};
  EXPECT_EQ(neutral_posture(robot), (std::vector<double>{0.5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}));
  robot.bodies[5].joint.neutral = {0, 0, 1 + 1e-7, 0};
  EXPECT_EQ(neutral_posture(robot)[13], 1) << "rounding";
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
