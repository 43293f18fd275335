// denoc id --motion and denoc mintime at the edges: robots that cannot move, joints that stick, numbers out of range,
// interrupts. Whatever is asked, there is an answer or one line that says why not.
#include <cmath>

#include "run.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct MotionLimits : testing::Test {
  Folder folder;
  std::string out = folder.path("out.csv");
  std::string fixed = folder.write("fixed.yaml", "bodies: [{name: m, joint: {type: fixed}, mass: 1}]\n");

  std::string motion(const std::string& text, const std::string& more = "") const {
    return folder.write("motion.yaml", "motion: {" + text + "}\n" + more);
  }
  static void expect_refused(const Arguments& arguments, int status, const std::string& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome;
    EXPECT_NE(outcome.first_line().find(words), std::string::npos) << outcome << "\nnot: " << words;
    EXPECT_EQ(outcome.out, "");
  }
};

// Loops that leave no freedom: the robot stays where it is, its drives need to give nothing, whatever follows a motion.
TEST_F(MotionLimits, RigidRobotsStandStill) {
  const std::string body =
      "bodies: [{name: m, joint: {type: revolute, axis: [0,1,0]}, mass: 1, com: [0.3,0,0], inertia: "
      "[0.1,0.1,0.1,0,0,0]}]\n";
  const std::string loops[] = {"{type: weld, a: {body: m}, b: {body: world}}",
                               "{type: polynomial, a: {body: m}, b: {body: m}, coefficients: [0]}"};
  for (const std::string& loop : loops) {
    const std::string robot = folder.write("rigid.yaml", body + "loops: [" + loop + "]\n");
    // A motion is one of joints that lead, and none does.
    for (const char* text : {"type: hold, posture: [0], duration: 1", "type: formula, q: {m: sin(t)}, duration: 1"}) {
      const Outcome outcome = run({"id", robot, "--motion", motion(text), "-o", out});
      ASSERT_EQ(outcome.status, 0) << loop << outcome;
      for (const Row& row : Csv(out).rows) expect_close({row.begin() + 1, row.begin() + 5}, Row(4), 0, text);
    }
    for (const char* law : {"pd, kp: 1, kd: 1", "pid, kp: 1, kd: 1, ki: 1", "pd_gravity, kp: 1, kd: 1",
                            "computed_torque, kp: 1, kd: 1", "feedforward"}) {
      const std::string scenario =
          folder.write("run.yaml", std::string("robot: rigid.yaml\nduration: 0.1\nmotion: {type: hold}\n") +
                                       "control: {type: " + law + "}\n");
      const Outcome checked = run({"check", scenario});
      EXPECT_EQ(checked.status, 0) << loop << law << checked;
      const std::string results = folder.path("results");
      const Outcome simulated = run({"simulate", scenario, "-o", results});
      ASSERT_EQ(simulated.status, 0) << loop << law << simulated;
      for (const Row& row : Csv(results + "/trajectory.csv").rows)
        expect_close({row.begin() + 1, row.begin() + 4}, Row(3), 1e-12, law);
    }
  }
}

// Nothing moves: forces along a motion are none, and questions about the motion are answered or refused by name.
TEST_F(MotionLimits, RobotsWithoutMovingJoints) {
  const std::string still = motion("type: hold, duration: 1");
  EXPECT_EQ(run({"id", fixed, "--motion", still, "-o", out}).status, 0);
  EXPECT_EQ(Csv(out).names, "t,kinetic,potential");
  expect_refused({"mintime", fixed, "--motion", still}, 4, "no joint of the robot moves");
  const std::string pose = folder.write("pose.json", R"({"xyz": [0, 0, 1], "quat": [1, 0, 0, 0]})"),
                    here = folder.write("here.json", R"({"xyz": [0, 0, 0], "quat": [1, 0, 0, 0]})");
  for (const Arguments& asked : {Arguments{"ik", fixed, "--body", "m", "--pose", pose},
                                 {"ik", fixed, "--body", "m", "--pose", here},
                                 {"linearize", fixed, "--equilibrium"}}) {
    const Outcome outcome = run(asked);
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 4) << asked[0] << outcome;
    EXPECT_NE(outcome.out + outcome.err, "") << asked[0];
  }
}

// A pole without a drive that dry friction holds goes with its cart: the drive moves both masses, F = (1 + 1) x''.
TEST_F(MotionLimits, FrictionHoldsJointsWithoutADrive) {
  const std::string robot = folder.write("cart.yaml", R"(
bodies:
  - {name: cart, joint: {type: prismatic, axis: [1,0,0]}, mass: 1}
  - {name: pole, joint: {type: revolute, axis: [0,1,0]}, mass: 1, com: [0,0,-0.5], inertia: [0.01,0.01,0.01,0,0,0], friction: {coulomb: 3}}
)");
  const std::string file = motion("type: formula, q: {cart: 0.1*sin(2*t), pole: 0.2}, duration: 0.5");
  const Outcome outcome = run({"id", robot, "--motion", file, "--driven", "cart", "--forces", "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome;
  const Csv rows(out);
  ASSERT_EQ(rows.names, "t,q.cart,q.pole,v.cart,v.pole,a.cart,a.pole,tau.cart,tau.pole,kinetic,potential");
  EXPECT_EQ(rows.rows.size(), 51u);
  for (const Row& row : rows.rows) {
    EXPECT_EQ(row[2], 0.2);
    expect_close({row[4], row[6], row[8]}, {0, 0, 0}, 0, "pole");
    EXPECT_NEAR(row[7], -0.8 * std::sin(2 * row[0]), 1e-13);
  }
}

// Two links on a base that a drive holds move as a simulation of the two alone says, through all the instants at which
// friction stops them and lets them go.
TEST_F(MotionLimits, FrictionWithoutADriveIsThatOfASimulation) {
  const std::string links = R"(
  - {name: upper, joint: {type: revolute, axis: [0,1,0]}, mass: 1, com: [0,0,-0.5], inertia: [0.05,0.05,0.01,0,0,0], friction: {coulomb: 0.4, stribeck: [0.3, 5], viscous: 0.02}}
  - {name: lower, frame: {xyz: [0,0,-1]}, joint: {type: revolute, axis: [0,1,0]}, mass: 1, com: [0,0,-0.5], inertia: [0.05,0.05,0.01,0,0,0], friction: {coulomb: 0.5}}
)";
  const std::string carried = folder.write(
      "carried.yaml", "bodies:\n  - {name: base, joint: {type: revolute}, mass: 1, inertia: [1,1,1,0,0,0]}" + links);
  folder.write("alone.yaml", "bodies:" + links);
  const std::string scenario = folder.write("run.yaml",
                                            "robot: alone.yaml\nduration: 8\nstart: {q: [1.2, -0.7]}\noutput: {every: "
                                            "0.1}\nintegrator: {method: dopri5, rtol: 1e-10, atol: 1e-10}\n");
  ASSERT_EQ(run({"simulate", scenario, "-o", folder.path("results")}).status, 0);
  const std::string held = motion("type: hold, posture: [0, 1.2, -0.7], duration: 8", "every: 0.1\n");
  const Outcome outcome = run({"id", carried, "--motion", held, "--driven", "base", "--forces", "-o", out});
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_GT(Csv(folder.path("results/events.csv")).rows.size(), 10u);
  const Csv found(out), expected(folder.path("results/trajectory.csv"));
  ASSERT_EQ(found.rows.size(), expected.rows.size());
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const Row &x = found.rows[i], &y = expected.rows[i];  // t, q.base, q.upper, ... and t, q.upper, ...
    expect_close({x[2], x[3], x[5], x[6]}, {y[1], y[2], y[3], y[4]}, 1e-7, "q and v");
  }
}

// docs/robot-files.md, Input limits: the rule of scenarios, for motions as well.
TEST_F(MotionLimits, SamplesAreCounted) {
  const std::string words = " gives more than 1e+09";
  expect_refused({"id", "two_link", "--motion", motion("type: hold, duration: 1e17"), "-o", out}, 3,
                 "duration: a sample every 0.01 s for 1e+17 s" + words);
  expect_refused({"id", "two_link", "--motion", motion("type: hold, duration: 1", "every: 1e-300\n"), "-o", out}, 3,
                 "duration: a sample every 1e-300 s for 1 s" + words);
  EXPECT_EQ(folder.files().size(), 2u) << "the robot and the motion";
  expect_refused({"simulate", folder.write("run.yaml", "robot: two_link\nduration: 2\noutput: {every: 1e-12}\n"), "-o",
                  folder.path("results")},
                 3, "duration: a sample every 1e-12 s for 2 s" + words);
  // Long motions with few samples are taken.
  EXPECT_EQ(run({"id", "two_link", "--motion", motion("type: hold, duration: 1e17", "every: 1e17\n")}).status, 0);
}

// As simulate and batches: status 130, and the draft goes.
TEST_F(MotionLimits, AnInterruptedMotionLeavesNothing) {
  const std::string file = motion("type: hold, duration: 1e7");
  for (const char* signal : {"TERM", "INT"}) {
    const Outcome outcome = run({"id", "two_link", "--motion", file, "-o", out},
                                {.under = {"/usr/bin/timeout", "--preserve-status", "-s", signal, "1"}});
    EXPECT_EQ(outcome.status, 130) << outcome;
    EXPECT_EQ(outcome.err, "denoc: interrupted; nothing is written\n");
    EXPECT_EQ(folder.files().size(), 2u) << "the robot and the motion";
  }
}

// The shortest time does not depend on the time that the motion itself would take; where its numbers leave the range, it
// says so.
TEST_F(MotionLimits, ShortestTimesHaveAScaleOfTheirOwn) {
  const auto asked = [&](const std::string& duration) {
    return Arguments{"mintime",  "planar3r",
                     "--motion", motion("type: point_to_point, from: [0, 0, 0], to: [1, 1, -1], duration: " + duration),
                     "--limits", "90,35,8"};
  };
  const double least = json(asked("1"))["duration"].as<double>();
  EXPECT_GT(least, 0.1);
  for (const char* duration : {"1e-90", "1e-9", "3", "1e90"})
    EXPECT_NEAR(json(asked(duration))["duration"].as<double>(), least, 1e-12 * least) << duration;
  for (const char* duration : {"1e160", "1e-160"})
    expect_refused(asked(duration), 4, "its own duration does not matter");
}

TEST_F(MotionLimits, CommandLinesThatAreWrong) {
  const std::string still = motion("type: hold, duration: 1");
  expect_refused({"mintime", "two_link", "--motion", still, "--limits", "10,-10"}, 2, "is positive, not -10");
  expect_refused({"mintime", "two_link", "--motion", still, "--limits", "0,10"}, 2, "is positive, not 0");
  // A joint with three degrees of freedom is one joint.
  const std::string robot = folder.write("ball.yaml", R"(
bodies:
  - {name: a, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)");
  expect_refused({"id", robot, "--motion", still, "--driven", "fixt"}, 2, "unknown joint 'fixt'; known: a, b");
  EXPECT_FALSE(run({"id", robot, "--motion", still, "--driven", "fixt"}).first_line().ends_with("b, b"));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
