// Accelerations of joints without drives: what inverse dynamics finds with them, forward dynamics gives back.
#include <gtest/gtest.h>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/mechanism/random_posture.hpp"
#include "support/build.hpp"
#include "support/mechanisms.hpp"
#include "support/random_robot.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::vector<double> copy(std::span<const double> x) { return {x.begin(), x.end()}; }

void expect_same(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], tolerance) << k;
}

TEST(Passive, AFloatingBaseMovesAsNothingHoldsIt) {
  Random random(3);
  for (int trial = 0; trial < 10; ++trial) {
    RandomRobot wanted;
    wanted.free_root = true;
    wanted.types = {JointType::revolute, JointType::spherical, JointType::prismatic};
    const Mechanism robot(random_robot(random, wanted));
    const std::vector<double> q = random_q(random, robot.tree());
    std::vector<double> v(size_t(robot.nv())), a(v);
    for (double& x : v) x = random.uniform(-1, 1);
    for (size_t k = 6; k < a.size(); ++k) a[k] = random.uniform(-1, 1);
    Dynamics dynamics(robot);
    std::vector<std::string> joints;
    for (size_t b = 2; b < robot.robot().bodies.size(); ++b) joints.push_back(robot.robot().bodies[b].name);
    dynamics.drive(joints);
    const std::vector<int> base = {0, 1, 2, 3, 4, 5};
    a = copy(dynamics.passive(q, v, a, base));
    const std::vector<double> tau = copy(dynamics.inverse(q, v, a));
    for (const int k : base) EXPECT_EQ(tau[size_t(k)], 0);
    expect_same(copy(Dynamics(robot).forward(q, v, tau)), a, 1e-9);
  }
}

TEST(Passive, AFourBarFollowsItsCrank) {
  const Mechanism robot("fourbar");
  Chance chance(5);
  const std::vector<double> q = random_posture(robot, chance);
  std::vector<double> v(size_t(robot.nv()), 0.3), a(v.size());
  v = ClosedChain(robot.tree()).closed_rates(q, v);
  Dynamics dynamics(robot);
  const std::string crank = robot.tree().joint_name(1);
  dynamics.drive(std::vector<std::string>{crank});
  a[0] = 2;
  std::vector<int> others;
  for (int k = 1; k < robot.nv(); ++k) others.push_back(k);
  a = copy(dynamics.passive(q, v, a, others));
  EXPECT_EQ(a[0], 2);
  const std::vector<double> tau = copy(dynamics.inverse(q, v, a));
  expect_same(copy(Dynamics(robot).forward(q, v, tau)), a, 1e-9);
  EXPECT_THROW(dynamics.passive(q, v, a, std::vector<int>{0}), ArgumentError);
}

// The first question about a robot is about the state that it names.
TEST(Passive, AnswersAboutTheStateItIsGiven) {
  const Mechanism robot(spatial_slider_crank());
  const std::vector<double> q = ClosedChain(robot.tree()).assemble(robot.neutral());
  std::vector<double> v(size_t(robot.nv())), a(v);
  a[0] = 2;
  Dynamics dynamics(robot);
  dynamics.drive(std::vector<std::string>{robot.tree().joint_name(1)});
  a = copy(dynamics.passive(q, v, a, std::vector<int>{1, 2, 3}));
  const std::vector<double> tau = copy(dynamics.inverse(q, v, a));
  expect_same(copy(Dynamics(robot).forward(q, v, tau)), a, 1e-9);
  std::vector<double> open = q;
  open[0] += 0.1;
  EXPECT_THROW(Dynamics(robot).passive(open, v, a, std::vector<int>{}), NotAssembled);
}

// Two bodies without a drive, a row too few: nothing says how a massless hand moves.
TEST(Passive, SaysWhatNothingDetermines) {
  Robot robot;
  for (const char* name : {"arm", "feather"}) {
    Body body;
    body.name = name;
    body.parent = int(robot.bodies.size()) - 1;
    body.joint.type = JointType::revolute;
    body.inertial.mass = body.name == "arm" ? 1 : 0;
    body.inertial.com = {0.3, 0, 0};
    robot.bodies.push_back(body);
  }
  const Mechanism mechanism(robot);
  Dynamics dynamics(mechanism);
  dynamics.drive(std::vector<std::string>{"arm"});
  const std::vector<double> zero(2);
  try {
    dynamics.passive(zero, zero, zero, std::vector<int>{1});
    ADD_FAILURE();
  } catch (const NotDriveable& error) {
    EXPECT_NE(std::string(error.what()).find("'feather'"), std::string::npos) << error.what();
  }
}

TEST(RandomPosture, KeepsLimitsAndClosesLoops) {
  for (const char* name : {"puma560", "fourbar", "humanoid"}) {
    const Mechanism robot(name);
    Chance chance(11), again(11), other(12);
    const std::vector<double> q = random_posture(robot, chance);
    EXPECT_TRUE(is_within_limits(robot.robot(), q)) << name;
    EXPECT_EQ(q, random_posture(robot, again)) << name;
    EXPECT_NE(q, random_posture(robot, other)) << name;
    if (robot.has_loops()) {
      EXPECT_LE(ClosedChain(robot.tree()).gap(q).size, 1e-9) << name;
    }
  }
}

// The limits of a joint that follows are kept as well: half of all postures that close the four-bar are beyond them.
TEST(RandomPosture, KeepsTheLimitsOfJointsThatFollow) {
  Robot robot = four_bar();
  robot.bodies[3].joint.limits = {.lower = -1.8, .upper = 1.8};
  const Mechanism mechanism(robot);
  Chance chance(7);
  for (int trial = 0; trial < 30; ++trial) EXPECT_LE(std::abs(random_posture(mechanism, chance)[2]), 1.8);
}

Robot arm(JointType type, const Limits& limits) {
  Robot robot;
  add(robot, joint(type), {}).joint.limits = limits;
  return robot;
}
// Every coordinate has the limits of its joint; quaternions, and the place of a free body, have none.
TEST(RandomPosture, KeepsTheLimitsOfEveryCoordinate) {
  for (const JointType type : {JointType::helical, JointType::universal, JointType::cylindrical, JointType::planar}) {
    Robot robot = arm(type, {.lower = -0.1, .upper = 0.2});
    const auto size = static_cast<std::size_t>(coordinates(type));
    Chance chance(3);
    for (int trial = 0; trial < 20; ++trial) {
      for (const double q : drawn_posture(robot, chance)) {
        EXPECT_GE(q, -0.1) << name_of(type);
        EXPECT_LE(q, 0.2) << name_of(type);
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<double> q(size);
      EXPECT_TRUE(is_within_limits(robot, q)) << name_of(type);
      for (const double beyond : {-0.11, 0.21}) {
        q[i] = beyond;
        EXPECT_FALSE(is_within_limits(robot, q)) << name_of(type) << i;
      }
    }
    robot.bodies[1].joint.type = JointType::free;
    EXPECT_TRUE(is_within_limits(robot, {1, 2, 3, 0, 1, 0, 0}));
  }
}

// Angles turn by whole turns into their limits; displacements, and screws, which end elsewhere, stay.
TEST(RandomPosture, TurnsAnglesIntoTheirLimits) {
  const double turn = 2 * 3.141592653589793;
  struct Case {
    JointType type;
    std::vector<double> q, expected;
  };
  for (const auto& [type, q, expected] : {Case{JointType::revolute, {turn + 0.5}, {0.5}},
                                          {JointType::helical, {turn + 0.5}, {turn + 0.5}},
                                          {JointType::universal, {turn + 0.5, 0.25 - turn}, {0.5, 0.25}},
                                          {JointType::cylindrical, {turn + 0.5, turn}, {0.5, turn}},
                                          {JointType::planar, {turn, -turn, turn - 0.5}, {turn, -turn, -0.5}}}) {
    const Robot robot = arm(type, {.lower = -1, .upper = 1});
    for (const auto& start : {q, expected}) expect_same(turned_near(robot, q, start), expected, 1e-15 * 8);
  }
}

// How coupler and rocker follow the crank is a matter of geometry: no mass, of one of them or of all, has a say in it.
TEST(Passive, AFourBarFollowsItsCrankWhateverItWeighs) {
  const auto found = [](const std::vector<double>& heavier) {
    Robot bar = four_bar();
    for (size_t b = 1; b < bar.bodies.size(); ++b) {
      Inertial& own = bar.bodies[b].inertial;
      own.mass *= heavier[b - 1];
      for (double* x : {&own.inertia.xx, &own.inertia.yy, &own.inertia.zz}) *x *= heavier[b - 1];
    }
    const Mechanism robot(bar);
    ClosedChain chain(robot.tree());
    const std::vector<double> q = chain.assemble(std::vector<double>{0.9, -0.5, 1.2}),
                              v = chain.closed_rates(q, std::vector<double>{2, 0, 0});
    Dynamics dynamics(robot);
    dynamics.drive(std::vector<std::string>{robot.tree().joint_name(1)});
    return copy(dynamics.passive(q, v, std::vector<double>{3, 0, 0}, std::vector<int>{1, 2}));
  };
  const std::vector<double> expected = found({1, 1, 1});
  for (const double much : {1e-9, 1e-6, 1e6, 1e9, 1e12}) {
    SCOPED_TRACE(much);
    for (const std::vector<double>& heavier :
         {std::vector<double>{much, 1, 1}, {1, much, 1}, {1, 1, much}, {much, much, much}})
      expect_same(found(heavier), expected, 1e-9);
  }
}

// ... nor the unit of length.
TEST(Passive, ASliderFollowsItsCrankHoweverSmall) {
  const auto found = [](double length) {
    const Mechanism robot(scaled(slider_crank(), {length}));
    ClosedChain chain(robot.tree());
    const std::vector<double> q = chain.assemble(std::vector<double>{0.9, -1.2, 0.5 * length}),
                              v = chain.closed_rates(q, std::vector<double>{2, 0, 0});
    Dynamics dynamics(robot);
    dynamics.drive(std::vector<std::string>{robot.tree().joint_name(1)});
    const auto a = dynamics.passive(q, v, std::vector<double>{3, 0, 0}, std::vector<int>{1, 2});
    return std::vector<double>{a[0], a[1], a[2] / length};
  };
  const std::vector<double> expected = found(1);
  for (const double length : {0x1p-30, 0x1p-10, 0x1p10, 0x1p30}) expect_same(found(length), expected, 1e-9);
}

// ... nor what is coupled elsewhere, by whatever ratio.
TEST(Passive, ASliderFollowsItsCrankWhateverIsCoupledBeside) {
  for (const double angle : {0.1, 1e-3, 1e-5}) {
    const auto found = [&](double ratio) {
      Robot two = slider_crank();
      for (const double inertia : {1.0, 0.5}) {
        const int wheel = add_to(two, 0, joint(JointType::revolute), mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, inertia}));
        two.bodies[std::size_t(wheel)].name = wheel == 4 ? "wheel" : "pinion";
      }
      Loop gear;
      gear.type = LoopType::polynomial;
      gear.a.body = 4;
      gear.b.body = 5;
      gear.coefficients = {0, ratio};
      two.loops.push_back(gear);
      const Mechanism robot(two);
      ClosedChain chain(robot.tree());
      const std::vector<double> q = chain.assemble(std::vector<double>{angle, -angle / 3, 0.6, 0, 0}, {0}), v(5);
      Dynamics dynamics(robot);
      dynamics.drive(std::vector<std::string>{robot.tree().joint_name(3), "pinion"});
      return copy(dynamics.passive(q, v, std::vector<double>{0, 0, 1, 0, 0}, std::vector<int>{0, 1, 3}));
    };
    const std::vector<double> expected = found(1);
    for (const double ratio : {1e-6, 1e3, 1e6, 1e9}) {
      SCOPED_TRACE(testing::Message() << angle << ' ' << ratio);
      const std::vector<double> now = found(ratio);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(now[k], expected[k], 1e-9 * std::abs(expected[0])) << k;
    }
  }
}

// Of the joints without a drive any may be asked for and the others given. Where axes are square joints do not feel each
// other, but for what turned frames leave of that: the answers are the same in whatever frames bodies are written.
TEST(Passive, AnyOfTheUndrivenFollowTheOthersInWhateverFrames) {
  Random random(6);
  const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int trial = 0; trial < 40; ++trial) {
    constexpr int bodies = 5;
    const bool are_turned = trial % 4 != 0;
    Robot robot;
    Mat3<double> before = rotation(Quaternion<double>{1, 0, 0, 0});
    for (int b = 0; b < bodies; ++b) {
      const Mat3<double> R = are_turned ? rotation(random.attitude()) : before;  // from the body's axes to the world's
      const JointType type = random.below(4) == 0 ? JointType::prismatic : JointType::revolute;
      Body& body = add(robot, joint(type, back(R, axes[random.below(3)])),
                       mass(1 + b, back(R, axes[random.below(3)] * 0.25), {0.5, 0, 0.5, 0, 0, 0.5}));
      body.joint_frame = {from_columns(back(before, R * axes[0]), back(before, R * axes[1]), back(before, R * axes[2])),
                          back(before, axes[random.below(3)] * 0.5)};
      before = R;
    }
    const Mechanism mechanism(robot);
    Dynamics d(mechanism);
    const int driven = random.below(bodies);
    d.drive(std::vector<std::string>{robot.bodies[std::size_t(driven) + 1].name});
    const std::vector<double> q(bodies);
    std::vector<double> v(bodies), tau(bodies);
    for (double& x : v) x = random.uniform(-1, 1);
    tau[std::size_t(driven)] = random.uniform(-5, 5);
    const std::vector<double> expected = copy(d.forward(q, v, tau));
    for (unsigned asked = 1; asked < 1u << bodies; ++asked) {
      if ((asked >> driven & 1) != 0) continue;
      std::vector<double> a = expected;
      std::vector<int> unknown;
      for (int k = 0; k < bodies; ++k)
        if ((asked >> k & 1) != 0) {
          unknown.push_back(k);
          a[std::size_t(k)] = 100;
        }
      SCOPED_TRACE(testing::Message() << "trial " << trial << ", asked " << asked);
      expect_same(copy(d.passive(q, v, a, unknown)), expected, 1e-10);
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
