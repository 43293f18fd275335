// The shortest time of a 3-4-5 motion of the planar arm [Angeles7 7.5.1], recomputed with 20 digits.
#include "denoc/motion/minimum_time.hpp"

#include "denoc/model/quaternions.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct MinimumTimeOfPlanarArm : testing::Test {
  const Json json = data("min_time.json");
  const std::vector<double> limits = numbers(json["input"]["tau_max"]);
  // The shipped robot has the masses, lengths and inertias of the input.
  static Robot arm(double gravity) {
    Robot robot = shipped("planar3r");
    robot.gravity = {0, -gravity, 0};
    return robot;
  }
  std::shared_ptr<const Trajectory> shape(const std::shared_ptr<const Model>& model, double duration,
                                          Profile profile = Profile::poly345, double side = 1) const {
    std::vector<double> q0 = numbers(json["input"]["theta0"]), q1;
    const auto way = numbers(json["input"]["dtheta"]);
    for (size_t k = 0; k < q0.size(); ++k) q0[k] *= side, q1.push_back(q0[k] + side * way[k]);
    return point_to_point(model, q0, q1, duration, profile);
  }
  // T is good to the rounding of a few sums, x to its square root.
  static void expect(const JointMinimum& found, const Json& expected) {
    const double T = number(expected["T"]);
    EXPECT_NEAR(found.duration, T, 1e-13 * T);
    EXPECT_NEAR(found.x, number(expected["x"]), 1e-7);
  }
};

TEST_F(MinimumTimeOfPlanarArm, TheRobotIsTheirs) {
  const Robot robot = arm(9.81);
  const auto m = numbers(json["input"]["m"]), a = numbers(json["input"]["a"]), I = numbers(json["input"]["I"]);
  for (size_t b = 1; b <= 3; ++b) {
    EXPECT_EQ(robot.bodies[b].inertial.mass, m[b - 1]);
    EXPECT_EQ(robot.bodies[b].inertial.inertia.zz, I[b - 1]);
    EXPECT_EQ(robot.bodies[b].inertial.com.x, -a[b - 1] / 2);
    EXPECT_EQ(robot.bodies[b].own_frame.r.x, a[b - 1]);
  }
}

TEST_F(MinimumTimeOfPlanarArm, WithoutGravity) {
  const auto model = std::make_shared<const Model>(arm(0));
  for (const double duration : {1.0, 0.01, 300.0}) {  // its own does not matter
    const MinimumTime found = minimum_time(*model, *shape(model, duration), limits);
    for (size_t k = 0; k < 3; ++k) expect(found.per_dof[k], json["no_gravity"]["per_joint"][k]);
    EXPECT_EQ(found.dof, 1);
    EXPECT_EQ(found.duration, found.per_dof[1].duration);
    EXPECT_NEAR(found.duration, number(json["no_gravity"]["Tmin"]), 1e-13);
  }
}

TEST_F(MinimumTimeOfPlanarArm, WithGravity) {
  const auto model = std::make_shared<const Model>(arm(9.81));
  const MinimumTime found = minimum_time(*model, *shape(model, 1), limits);
  for (size_t k = 0; k < 3; ++k) expect(found.per_dof[k], json["with_gravity"][k]);
  EXPECT_EQ(found.dof, 0);
  EXPECT_NEAR(found.duration, number(json["with_gravity_Tmin"]), 2e-13);
}

// How long the motion itself takes does not matter, where its acceleration jumps either.
TEST_F(MinimumTimeOfPlanarArm, DoesNotDependOnHowLongAMotionWithJumpsIs) {
  for (const double gravity : {0.0, 9.81, -9.81}) {
    const auto model = std::make_shared<const Model>(arm(gravity));
    const MinimumTime one = minimum_time(*model, *shape(model, 1, Profile::trapezoidal), limits);
    for (const double duration : {0.01, 2.5, 300.0}) {
      const MinimumTime other = minimum_time(*model, *shape(model, duration, Profile::trapezoidal), limits);
      EXPECT_EQ(other.dof, one.dof);
      for (size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(other.per_dof[k].duration, one.per_dof[k].duration, 1e-12)
            << gravity << ", " << duration << ": " << k;
    }
  }
}

// In a mirror, gravity upwards, every force has the other sign: limits on both sides ask for the same time.
TEST_F(MinimumTimeOfPlanarArm, IsTheSameInAMirror) {
  const auto model = std::make_shared<const Model>(arm(-9.81));
  const MinimumTime found = minimum_time(*model, *shape(model, 1, Profile::poly345, -1), limits);
  for (size_t k = 0; k < 3; ++k) expect(found.per_dof[k], json["with_gravity"][k]);
  EXPECT_EQ(found.dof, 0);
}

// At the shortest time no drive gives more than its limit, and the one that decides gives just that.
TEST_F(MinimumTimeOfPlanarArm, TouchesTheLimit) {
  Robot geared = arm(9.81);
  geared.bodies[2].joint.actuator = {.gear = 50, .rotor_inertia = 1e-4};
  const auto model = std::make_shared<const Model>(geared);
  for (const Profile profile : {Profile::cycloidal, Profile::poly4567, Profile::trapezoidal}) {
    const MinimumTime least = minimum_time(*model, *shape(model, 1, profile), limits);
    const auto motion = shape(model, least.duration, profile);
    std::vector<double> q(3), v(3), a(3);
    double fullest = 0;
    for (int i = 0; i <= 20000; ++i) {
      motion->at(least.duration * i / 20000, q, v, a);
      auto tau = Machine<double>(*model, q, v).inverse(a);
      tau[1] += 50 * 50 * 1e-4 * a[1];
      for (size_t k = 0; k < 3; ++k) fullest = std::max(fullest, std::abs(tau[k]) / limits[k]);
    }
    EXPECT_LE(fullest, 1 + 1e-12) << name_of(profile);
    EXPECT_GE(fullest, 1 - 1e-3) << name_of(profile);
  }
}

TEST_F(MinimumTimeOfPlanarArm, RefusesLimitsThatDoNotHoldTheRobot) {
  const auto model = std::make_shared<const Model>(arm(9.81));
  try {
    minimum_time(*model, *shape(model, 1), {90, 3, 8});
    FAIL() << "3 Nm hold two links against gravity";
  } catch (const InfeasibleLimits& refused) {
    EXPECT_NE(std::string(refused.what()).find("link2"), std::string::npos) << refused.what();
    EXPECT_NE(std::string(refused.what()).find("x = "), std::string::npos) << refused.what();
  }
  EXPECT_THROW(minimum_time(*model, *shape(model, 1), {90, 35}), ArgumentError);
  EXPECT_THROW(minimum_time(*model, *shape(model, 1), {90, 35, 0}), ArgumentError);
  EXPECT_THROW(minimum_time(*model, *shape(model, 1, Profile::linear), limits), ArgumentError);
  // Moving at one end alone.
  const std::vector<std::vector<double>> points = {{0.1, -0.5, 0.4}, {1.3, 1.1, -0.7}};
  const SplineEnd rest = {}, moving = {.rate = {1, 1, -1}};
  EXPECT_NO_THROW(minimum_time(*model, *spline(model, {0, 1}, points, rest, rest), limits));
  EXPECT_THROW(minimum_time(*model, *spline(model, {0, 1}, points, rest, moving), limits), ArgumentError);
  EXPECT_THROW(minimum_time(*model, *spline(model, {0, 1}, points, moving, rest), limits), ArgumentError);
}

// Forces of a tree, and a motion that does not close the loops, say nothing of the robot.
TEST(MinimumTimeOfAClosedChain, IsRefused) {
  const auto model = std::make_shared<const Model>(shipped("fourbar"));
  try {
    minimum_time(*model, *point_to_point(model, {0.5, 0, 0}, {1.5, 0, 0}, 1, Profile::poly345), {99, 99, 99});
    FAIL() << "the loop would be open";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("the robot has loops"), std::string::npos) << refused.what();
  }
}

TEST(MinimumTimeOfAFloatingArm, IsRefusedByTheNameOfItsBase) {
  const auto model = std::make_shared<const Model>(shipped("free_flying_arm"));
  std::vector<double> from = neutral_posture(model->robot()), to = from;
  to.back() = 1;
  try {
    minimum_time(*model, *point_to_point(model, from, to, 1, Profile::poly345),
                 std::vector<double>(size_t(model->nv()), 1e9));
    FAIL() << "the base would be held";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find(model->joint_name(model->body_of_dof(0))), std::string::npos)
        << refused.what();
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
