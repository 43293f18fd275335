// The rules for robots that programs make, and how robots are found.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::says;
using test::TemporaryFile;

Robot pendulum() {
  Robot robot;
  Body body;
  body.name = "bob";
  body.joint.type = JointType::revolute;
  body.inertial.mass = 1;
  robot.bodies.push_back(body);
  return robot;
}

// A sound end stop.
Limits& stop(Robot& robot) {
  Limits& limits = robot.bodies[1].joint.limits;
  limits.upper = 1;
  limits.stiffness = 1000;
  limits.damping = 0.5;
  return limits;
}

TEST(Joints, HaveNamesAndSizes) {
  const int nq[] = {0, 1, 1, 1, 1, 2, 2, 3, 4, 7}, nv[] = {0, 1, 1, 1, 1, 2, 2, 3, 3, 6};
  for (int i = 0; i <= static_cast<int>(JointType::free); ++i) {
    const auto type = static_cast<JointType>(i);
    EXPECT_EQ(coordinates(type), nq[i]);
    EXPECT_EQ(degrees_of_freedom(type), nv[i]);
    EXPECT_EQ(joint_type(name_of(type)), type);
  }
  EXPECT_EQ(joint_type("hinge"), std::nullopt);
}

TEST(Rules, AcceptAPendulum) {
  EXPECT_TRUE(faults_of(pendulum()).empty());
  EXPECT_TRUE(warnings_of(pendulum()).empty());
  EXPECT_EQ(pendulum().find("bob"), 1);
  EXPECT_EQ(pendulum().find("world"), 0);
  EXPECT_EQ(pendulum().find("base"), 0);
  EXPECT_EQ(pendulum().find("bobby"), -1);
}

// Of frames that programs make: nothing at all, axes that lean, a left hand; and what rounding leaves is no fault.
TEST(Rules, FramesAreRotations) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const Mat3<double> none{}, leaning = from_columns(x, y + x * 1e-6, z), left = from_columns(x, y, -z),
                             long_axes = from_columns(x * 1.01, y * 1.01, z * 1.01);
  for (const Mat3<double>& R : {none, leaning, left, long_axes}) {
    for (Pose<double> Body::*frame : {&Body::joint_frame, &Body::own_frame}) {
      Robot robot = pendulum();
      (robot.bodies[1].*frame).R = R;
      EXPECT_TRUE(says(faults_of(robot), 0, "body 'bob': frame: the axes of a frame are of unit length"))
          << all_texts(faults_of(robot));
    }
    Robot looped = pendulum();
    looped.loops.push_back({.type = LoopType::revolute, .a = {1, {R, {0, 0, 0}}}, .b = {}, .source = {}});
    EXPECT_EQ(faults_of(looped).size(), 1u) << all_texts(faults_of(looped));
  }
  Robot rounded = pendulum();
  rounded.bodies[1].joint_frame.R = from_columns(x, y + x * 1e-12, z);
  EXPECT_TRUE(faults_of(rounded).empty());
}

TEST(Rules, NameTheElement) {
  Robot robot = pendulum();
  robot.bodies[1].inertial.mass = -1;
  const std::vector<Fault> faults = faults_of(robot);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].text(), "body 'bob': mass: a mass is not negative: -1");
  EXPECT_STREQ(RobotError(faults).what(), faults[0].text().c_str());
}

TEST(Faults, LeaveOutWhatIsUnknown) {
  EXPECT_EQ((Fault{{"f", 3, "link 'a'"}, "rule"}.text()), "f:3: link 'a': rule");
  EXPECT_EQ((Fault{{"f", 0, "link 'a'"}, "rule"}.text()), "f: link 'a': rule");
  EXPECT_EQ((Fault{{"f", 3, ""}, "rule"}.text()), "f:3: rule");
  EXPECT_EQ((Fault{{"", 0, ""}, "rule"}.text()), "rule");
}

// What each rule refuses, one at a time.
TEST(Rules, RefuseWhatProgramsGetWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  struct Case {
    const char* fragment;
    void (*spoil)(Robot&, double nan, double inf);
  };
  const Case cases[] = {
      {"a robot has a ground", [](Robot& r, double, double) { r.bodies.clear(); }},
      {"gravity: its numbers are finite", [](Robot& r, double nan_, double) { r.gravity.x = nan_; }},
      {"a body has a name", [](Robot& r, double, double) { r.bodies[1].name.clear(); }},
      {"its parent is body 7", [](Robot& r, double, double) { r.bodies[1].parent = 7; }},
      {"its parent is body -1", [](Robot& r, double, double) { r.bodies[1].parent = -1; }},
      {"it is its own parent", [](Robot& r, double, double) { r.bodies[1].parent = 1; }},
      {"stands after it",
       [](Robot& r, double, double) {
         r.bodies.push_back(r.bodies[1]);
         r.bodies[2].name = "other";
         r.bodies[1].parent = 2;
       }},
      {"frame: its numbers are finite", [](Robot& r, double nan_, double) { r.bodies[1].joint_frame.R.xy = nan_; }},
      {"frame: its numbers are finite", [](Robot& r, double, double inf_) { r.bodies[1].own_frame.r.y = inf_; }},
      {"axis: its numbers are finite", [](Robot& r, double nan_, double) { r.bodies[1].joint.axis.y = nan_; }},
      {"axis: a zero vector",
       [](Robot& r, double, double) {
         r.bodies[1].joint.axis = {0, 0, 0};
       }},
      {"pitch: it is finite", [](Robot& r, double, double inf_) { r.bodies[1].joint.pitch = inf_; }},
      {"friction: its numbers are finite",
       [](Robot& r, double nan_, double) { r.bodies[1].joint.friction.coulomb = nan_; }},
      {"gamma of the Stribeck", [](Robot& r, double, double) { r.bodies[1].joint.friction.stribeck_gamma = -1; }},
      {"dry friction holds at rest: coulomb + epsilon is positive, not -0.25",
       [](Robot& r, double, double) { r.bodies[1].joint.friction = {.coulomb = 0.5, .stribeck_epsilon = -0.75}; }},
      {"dry friction holds at rest: coulomb + epsilon is positive, not 0",
       [](Robot& r, double, double) { r.bodies[1].joint.friction = {.coulomb = 0.5, .stribeck_epsilon = -0.5}; }},
      {"spring: a joint of type spherical has no spring: its q is a quaternion",
       [](Robot& r, double, double) {
         r.bodies[1].joint.spring.stiffness = 3;
         r.bodies[1].joint.type = JointType::spherical;
       }},
      {"spring: its numbers are finite", [](Robot& r, double nan_, double) { r.bodies[1].joint.spring.rest = nan_; }},
      {"a limit is a number", [](Robot& r, double nan_, double) { r.bodies[1].joint.limits.lower = nan_; }},
      {"no number lies between the lower limit 2 and the upper 1",
       [](Robot& r, double, double) { r.bodies[1].joint.limits = {.lower = 2, .upper = 1}; }},
      {"no number lies between the lower limit inf and the upper inf",
       [](Robot& r, double, double inf_) { r.bodies[1].joint.limits.lower = inf_; }},
      {"no number lies between the lower limit -inf and the upper -inf",
       [](Robot& r, double, double inf_) { r.bodies[1].joint.limits.upper = -inf_; }},
      {"a limit of velocity", [](Robot& r, double, double) { r.bodies[1].joint.limits.velocity = -1; }},
      {"a limit of effort", [](Robot& r, double, double) { r.bodies[1].joint.limits.effort = -1; }},
      {"limits: stiffness and damping", [](Robot& r, double nan_, double) { stop(r).damping = nan_; }},
      {"the stiffness of end stops is not negative", [](Robot& r, double, double) { stop(r).stiffness = -1; }},
      {"the damping of end stops is not negative", [](Robot& r, double, double) { stop(r).damping = -1; }},
      {"end stops with damping have a stiffness", [](Robot& r, double, double) { stop(r).stiffness = 0; }},
      {"end stops stand at a lower or an upper limit", [](Robot& r, double, double inf_) { stop(r).upper = inf_; }},
      {"has no end stops: its q is a quaternion",
       [](Robot& r, double, double) {
         stop(r);
         r.bodies[1].joint.type = JointType::spherical;
       }},
      {"actuator: its numbers are finite",
       [](Robot& r, double, double inf_) { r.bodies[1].joint.actuator.rotor_inertia = inf_; }},
      {"actuator: its numbers are finite",
       [](Robot& r, double nan_, double) { r.bodies[1].joint.actuator.max_torque = nan_; }},
      {"actuator: a gear is not 0", [](Robot& r, double, double) { r.bodies[1].joint.actuator.gear = 0; }},
      {"a rotor's inertia is not negative",
       [](Robot& r, double, double) { r.bodies[1].joint.actuator.rotor_inertia = -1; }},
      {"a largest torque is not negative",
       [](Robot& r, double, double) { r.bodies[1].joint.actuator.max_torque = -1; }},
      {"a joint of type free has no geared drive",
       [](Robot& r, double, double) {
         r.bodies[1].joint.type = JointType::free;
         r.bodies[1].joint.actuator.gear = 100;
       }},
      {"a joint of type spherical has no geared drive",
       [](Robot& r, double, double) {
         r.bodies[1].joint.type = JointType::spherical;
         r.bodies[1].joint.actuator.max_torque = 5;
       }},
      {"a joint of type universal has no geared drive",
       [](Robot& r, double, double) {
         r.bodies[1].joint.type = JointType::universal;
         r.bodies[1].joint.axis2 = {0, 1, 0};
         r.bodies[1].joint.actuator.rotor_inertia = 0.1;
       }},
      {"neutral: it has 2 numbers for 1 coordinates",
       [](Robot& r, double, double) {
         r.bodies[1].joint.neutral = {1, 2};
       }},
      {"neutral: its numbers are finite", [](Robot& r, double nan_, double) { r.bodies[1].joint.neutral = {nan_}; }},
      {"neutral: the quaternion of joint 'bob' has length 0, not 1",
       [](Robot& r, double, double) {
         r.bodies[1].joint.type = JointType::free;
         r.bodies[1].joint.neutral = {1, 0, 0, 0, 0, 0, 0};
       }},
      {"mass: it is finite", [](Robot& r, double nan_, double) { r.bodies[1].inertial.mass = nan_; }},
      {"com: its numbers are finite", [](Robot& r, double, double inf_) { r.bodies[1].inertial.com.x = inf_; }},
      {"inertia: its numbers are finite",
       [](Robot& r, double nan_, double) { r.bodies[1].inertial.inertia.xz = nan_; }},
      {"hub: an inertia is positive semidefinite", [](Robot& r, double, double) { r.bodies[1].inertial.hub.yy = -1; }},
      {"attached to body 9",
       [](Robot& r, double, double) {
         Loop& loop = r.loops.emplace_back();
         loop.type = LoopType::weld;
         loop.a.body = 9;
       }},
      {"attached to body 2, of bodies 0 to 1",
       [](Robot& r, double, double) {
         Loop& loop = r.loops.emplace_back();
         loop.type = LoopType::weld;
         loop.b.body = 2;
       }},
      {"attached to body -1", [](Robot& r, double, double) { r.springs.emplace_back().a.body = -1; }},
      {"its frames are finite",
       [](Robot& r, double nan_, double) {
         r.springs.push_back({{1, {identity3<double>(), {nan_, 0, 0}}}, {0, {}}, 1, 0, 0, {}});
       }},
      {"rest: a length at rest is not negative",
       [](Robot& r, double, double) {
         r.springs.push_back({{1, {}}, {0, {}}, 1, 0, -1, {}});
       }},
  };
  for (const Case& c : cases) {
    Robot robot = pendulum();
    c.spoil(robot, nan, inf);
    const std::vector<Fault> faults = faults_of(robot);
    EXPECT_TRUE(says(faults, 0, c.fragment)) << c.fragment << "\n" << all_texts(faults);
    EXPECT_EQ(faults.size(), 1u) << c.fragment << "\n" << all_texts(faults);
    for (const Fault& fault : faults) EXPECT_EQ(fault.source.line, 0) << "of no file";
    warnings_of(robot);  // whatever they are, without harm
  }
}

TEST(Rules, LetAHubBreakTheTriangleInequality) {
  Robot robot = pendulum();
  robot.bodies[1].inertial.hub.zz = 1;
  EXPECT_TRUE(faults_of(robot).empty());
  EXPECT_TRUE(warnings_of(robot).empty());
  robot.bodies[1].inertial.inertia.zz = 1;
  EXPECT_TRUE(faults_of(robot).empty());
  EXPECT_TRUE(says(warnings_of(robot), 0, "body 'bob': inertia: triangle inequality"));
}

TEST(Rules, AllowForRoundingOnly) {
  Robot robot = pendulum();
  const auto doubts_with = [&](double zz) {
    robot.bodies[1].inertial.inertia = {1, 0, 1, 0, 0, zz};
    return warnings_of(robot).size();
  };
  EXPECT_EQ(doubts_with(2), 0u);
  EXPECT_EQ(doubts_with(2 + 1e-10), 0u);
  EXPECT_EQ(doubts_with(2 + 1e-8), 1u);
  EXPECT_EQ(doubts_with(-1e-10), 0u);
  EXPECT_EQ(doubts_with(-1e-8), 1u);
}

TEST(FindRobot, KnowsNamesAndFiles) {
  const TemporaryFile file("arm.yaml", "bodies: [{joint: revolute, mass: 1}]\n");
  const std::string folder = file.path().parent_path().string();
  ::setenv("DENOC_MODELS", folder.c_str(), 1);
  EXPECT_EQ(find_robot("arm"), file.path().string());
  EXPECT_EQ(shipped_robots(), std::vector<std::string>{"arm"});
  EXPECT_EQ(load("arm").bodies.size(), 2u);
  EXPECT_EQ(find_robot("somewhere/arm"), "somewhere/arm");
  EXPECT_EQ(find_robot("arm.urdf"), "arm.urdf");
  try {
    find_robot("amr");
    ADD_FAILURE();
  } catch (const RobotError& error) {
    EXPECT_STREQ(error.what(), "amr: neither a file nor a shipped robot; did you mean 'arm'?");
  }
  ::unsetenv("DENOC_MODELS");
}

// A file of that name but for its ending stands in the folder, and is meant.
TEST(FindRobot, NamesTheFileThatIsMeant) {
  const TemporaryFile file("arm.urdf", "<robot name='r'><link name='a'/></robot>");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(file.path().parent_path());
  try {
    find_robot("arm");
    ADD_FAILURE();
  } catch (const RobotError& error) {
    EXPECT_STREQ(error.what(), "arm: neither a file nor a shipped robot; did you mean 'arm.urdf'?");
  }
  std::filesystem::current_path(before);
}

// A variable of the environment that is set to nothing says nothing.
TEST(FindRobot, AnEmptyFolderOfModelsIsNone) {
  ::unsetenv("DENOC_MODELS");
  const std::vector<std::string> shipped = shipped_robots();
  const std::string file = find_robot("pendulum");
  ::setenv("DENOC_MODELS", "", 1);
  EXPECT_FALSE(shipped.empty());
  EXPECT_EQ(shipped_robots(), shipped);
  EXPECT_EQ(find_robot("pendulum"), file);
  ::unsetenv("DENOC_MODELS");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
