// Inverse kinematics of whole robots: their loops stay closed.
#include "denoc/mechanism/inverse_kinematics.hpp"

#include <fmt/format.h>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/mechanism/random_posture.hpp"
#include "support/data.hpp"
#include "support/expect.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

// Where a body is in a closed posture is where it can be brought, from any other one.
TEST(ClosedInverseKinematics, FindsPosturesThatCloseTheLoops) {
  struct Case {
    const char *robot, *body;
    bool with_attitude;
  };
  for (const Case& c : {Case{"fourbar", "coupler", true},
                        {"fourbar", "coupler", false},
                        {"three_rrr", "platform", true},
                        {"slider_crank", "rod", false},
                        {"robotic_leg", "shank", false}}) {
    const Mechanism robot(shipped(c.robot));
    const Model& model = robot.tree();
    if (model.robot().find(c.body) < 0) FAIL() << c.robot << " has no " << c.body;
    ClosedChain chain(model);
    Dynamics dynamics(robot, Forces::none, Loops::open);
    Chance chance;
    const Target target{robot.body(c.body), {0.1, 0.05, 0}, c.with_attitude};
    const Vector start = random_posture(robot, chance);
    for (int i = 0; i < 5; ++i) {
      const std::string what = std::string(c.robot) + ", posture " + std::to_string(i);
      const Pose<double> pose = dynamics.pose(random_posture(robot, chance), target.body, target.point);
      const auto all = inverse_kinematics(robot, target, pose, start);
      ASSERT_EQ(all.size(), 1u) << what;
      EXPECT_LE(all[0].gap, 1e-13) << what;
      EXPECT_LE(chain.gap(all[0].q).size, 1e-13) << what;
      EXPECT_LE(gap(model, target, pose, all[0].q), 1e-13) << what;
    }
  }
}

// The start itself is the nearest posture where it is one.
TEST(ClosedInverseKinematics, StaysWhereItIs) {
  const Mechanism robot(shipped("three_rrr"));
  Chance chance;
  const Vector q = random_posture(robot, chance);
  Dynamics dynamics(robot, Forces::none, Loops::open);
  const Target target{robot.body("platform")};
  const auto all = inverse_kinematics(robot, target, dynamics.pose(q, target.body, target.point), q);
  expect_near(all.front().q, q, 1e-12, "q");
}

TEST(ClosedInverseKinematics, SaysThatTheLoopsAreTheReason) {
  const Mechanism robot(shipped("fourbar"));
  const Target target{robot.body("coupler"), {0, 0, 0}, false};  // the crank's tip: 0.2 m about the ground's pin
  try {
    inverse_kinematics(robot, target, {identity3<double>(), {0.1, 0.1, 0}}, Vector{1, -0.55, 1.3});
    FAIL() << "off the crank's circle";
  } catch (const Unreachable& refused) {
    EXPECT_NE(std::string(refused.what()).find("out of reach with the loops closed"), std::string::npos)
        << refused.what();
  }
}

// The arm's first joint drives a wheel elsewhere, or is driven by it: the arm alone would break the gear.
TEST(ClosedInverseKinematics, MovesWhatIsCoupledToTheJointsOfAnArm) {
  for (const LoopType type : {LoopType::gear, LoopType::coupler, LoopType::polynomial}) {
    for (const bool leads : {true, false}) {
      for (const int joint_of_arm : {1, 2}) {
        SCOPED_TRACE(fmt::format("{}, {} of joint {}", name_of(type), leads ? "follower" : "leader", joint_of_arm));
        Robot robot;
        const Joint hinge = joint(JointType::revolute);
        add(robot, hinge, rod(1, 0.5));
        add(robot, hinge, rod(1, 0.4), {0.5, 0, 0});
        add_to(robot, 0, hinge, mass(1, {}, {0.1, 0, 0.1, 0, 0, 0.1}), {0, 2, 0});
        Loop loop;
        loop.type = type;
        loop.a.body = leads ? joint_of_arm : 3;
        loop.b.body = leads ? 3 : joint_of_arm;
        loop.ratio = -2;
        loop.coefficients = {0.1, -2};
        robot.loops = {loop};
        const Mechanism mechanism(robot);
        ClosedChain chain(mechanism.tree());
        Dynamics dynamics(mechanism);
        const Vector start = chain.assemble(Vector{0.3, 0.8, 0}), there = chain.assemble(Vector{0.6, 1, 0});
        const Target target{2, {0.4, 0, 0}, false};
        const Pose<double> pose = dynamics.pose(there, 2, target.point);
        for (const Solution& found : inverse_kinematics(mechanism, target, pose, start)) {
          EXPECT_LE(chain.gap(found.q).size, 1e-12);
          EXPECT_LE(gap(mechanism.tree(), target, pose, found.q), 1e-12);
        }
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
