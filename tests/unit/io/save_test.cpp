// Robots written to each format and read back: the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "denoc/error.hpp"
#include "denoc/io/save.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "unit/io/same_robot.hpp"
#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::expect_same;
using test::expect_same_motion;
using test::expect_same_tree;
using test::file_rounding;
using test::random_posture;
using test::read_text_as;
using test::there_and_back;

TEST(Save, EveryShippedRobotComesBack) {
  for (const std::string& name : shipped_robots()) {
    const Robot robot = load(name);
    for (const char* file : {"r.yaml", "r.urdf"}) expect_same(there_and_back(robot, file), robot, name + " " + file);
    expect_same(there_and_back(there_and_back(robot, "r.urdf"), "r.yaml"), robot, name + " by both");
  }
}

// Everything that a robot can have.
constexpr char all[] = R"(name: "all: of it"
gravity: [1, 2, -9]
bodies:
  - {name: torso, parent: world, joint: free, mass: 2, com: [0.1, 0, 0.2], inertia: [1, 1.1, 1.2, 0.1, 0.05, -0.02]}
  - {name: post, parent: world, frame: {rpy: [0.1, pi/2, 0.2]}, joint: prismatic, mass: 1}
  - {name: left, parent: torso, frame: {xyz: [0, 1, 0]}, joint: {type: universal, axis: [1, 1, 0]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: right, parent: torso, joint: {type: helical, axis: [0, 1, 0], pitch: 0.1}, mass: 1, inertia: [1, 1, 1, 0, 0, 0], hub: 0.25}
  - {name: fore, parent: left, own_frame: {xyz: [0, 0, 0.5], rpy: [0, 0, 1]}, joint: cylindrical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - name: hand
    parent: right
    frame: {quat: [1, 2, 3, 4]}
    joint: {type: revolute, name: wrist, axis: [1, 0, 0]}
    mass: 1
    friction: {viscous: 0.1, coulomb: 0.2, stribeck: [0.1, 3], surface_speed: 0.3}
    spring: {stiffness: 2, rest: 0.1}
    limits: {lower: -0.3, upper: 0.2, velocity: 3, effort: 4, stiffness: 100, damping: 0.5}
    actuator: {gear: 50, rotor_inertia: 1e-4, max_torque: 2}
    armature: 0.02
    neutral: [0.1]
    shapes: [{type: box, size: [1, 2, 3], frame: {xyz: [1, 0, 0]}}, {type: mesh, file: hand.stl}]
  - {name: ball, parent: fore, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: sledge, parent: post, joint: planar, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: universal, a: {body: ball, frame: {xyz: [0.5, 0, 0], rpy: [1, 2, 3]}}, b: {body: world}, axis: [0, 0, 1], axis2: [0, 1, 0]}
  - {type: distance, a: {body: hand, point: [1, 2, 3]}, b: {body: post}, length: 0.3}
  - {type: rolling, a: {body: wrist}, b: {body: post}, radius: 0.3, offset: 0.1}
  - {type: eccentric-cam, a: {body: hand}, b: {body: post}, eccentricity: 0.1, phase: 0.2}
  - {type: polynomial, a: {body: hand}, b: {body: post}, coefficients: [0.1, 0.2, 0.3], phase: 0.1, offset: 0.2}
  - {type: coupler, a: {body: wrist}, b: {body: post}, ratio: 2, offset: 1}
springs:
  - {a: {body: hand, point: [1, 2, 3]}, b: {body: world}, stiffness: 100, damping: 2, rest: 0.1}
postures:
  home: {wrist: 0.5, ball: [0, 1, 0, 0]}
)";

// Without what MJCF has no word for, which `convert` lists.
Robot sayable(Robot robot) {
  for (Body& body : robot.bodies) {
    Friction& friction = body.joint.friction;
    friction.stribeck_epsilon = friction.stribeck_gamma = friction.surface_speed = 0;
    body.joint.limits.stiffness = 0;
  }
  return robot;
}

TEST(SaveMjcf, EveryShippedRobotComesBack) {
  for (const std::string& name : shipped_robots()) {
    Robot robot = sayable(load(name));
    // MJCF goes depth first: a robot of another order is one of this order from then on.
    if (name == "humanoid") robot = there_and_back(robot, "r.xml");
    const Robot again = there_and_back(robot, "r.xml");
    expect_same_tree(again, robot, name);
    if (!robot.loops.empty()) expect_same_motion(again, robot, name);
    EXPECT_EQ(again.springs.size(), robot.springs.size()) << name;
    EXPECT_EQ(again.name, robot.name);
  }
}

// Every joint, from frames of any kind, with all that MJCF says of it; postures and couplings about a drawn posture.
constexpr char sayable_robot[] = R"(name: all
gravity: [1, 2, -9]
bodies:
  - {name: torso, parent: world, joint: free, neutral: [1, 2, 3, 0.6, 0, 0.8, 0], mass: 2, com: [0.1, 0, 0.2], inertia: [1, 1.1, 1.2, 0.1, 0.05, -0.02], friction: {viscous: 0.3}}
  - {name: left, parent: torso, frame: {xyz: [0, 1, 0]}, joint: {type: universal, axis: [1, 1, 0]}, neutral: [0.2, 0.3], mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: fore, parent: left, own_frame: {xyz: [0, 0, 0.5], rpy: [0, 0, 1]}, joint: cylindrical, mass: 1, inertia: [1, 1, 1, 0, 0, 0], spring: {stiffness: 2, rest: 0.1}}
  - {name: ball, parent: fore, own_frame: {xyz: [0, 0.1, 0.5]}, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0], armature: 0.2}
  - {name: turned, parent: ball, own_frame: {xyz: [0, 0.1, 0.5], rpy: [1, 2, 3]}, joint: spherical, mass: 1, inertia: [1, 2, 2, 0, 0.1, 0]}
  - {name: hand, parent: torso, frame: {quat: [1, 2, 3, 4]}, own_frame: {xyz: [0.1, 0, 0], rpy: [1, 0, 0]}, joint: {type: revolute, name: wrist, axis: [1, 0, 2]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0], friction: {viscous: 0.1, coulomb: 0.2}, spring: {stiffness: 2, rest: 0.1}, limits: {lower: -0.3, effort: 7.5}, actuator: {gear: 50, rotor_inertia: 1e-4}, armature: 0.02, neutral: [0.1]}
  - {name: cross, parent: hand, frame: {xyz: [0.5, 0, 0]}, joint: {type: revolute, axis: [0, 1, 0]}}
  - {name: tip, parent: cross, frame: {xyz: [0, 0, 0.1], rpy: [1, 0, 0]}, joint: prismatic, neutral: [0.3], mass: 1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{type: box, size: [1, 2, 3], frame: {xyz: [1, 0, 0]}}]}
  - {name: sledge, parent: world, frame: {rpy: [0.1, pi/2, 0.2]}, joint: planar, neutral: [0.1, 0.2, 0.3], mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
loops:
  - {type: weld, a: {body: turned, frame: {xyz: [0.5, 0, 0], rpy: [1, 2, 3]}}, b: {body: sledge, frame: {xyz: [0.1, 0.2, 0], rpy: [0, 0, 1]}}}
  - {type: spherical, a: {body: hand, frame: {xyz: [1, 2, 3]}}, b: {body: world, frame: {xyz: [3, 2, 1]}}}
  - {type: polynomial, a: {body: wrist}, b: {body: tip}, coefficients: [0.1, 0.2, 0.3, -0.4, 0.5], phase: 0.1, offset: 0.2}
  - {type: gear, a: {body: wrist}, b: {body: cross}, radii: [2, 1], offset: 1}
  - {type: polynomial, a: {body: tip}, b: {body: tip}, coefficients: [0.4]}
springs:
  - {a: {body: hand, point: [1, 2, 3]}, b: {body: world}, stiffness: 100, damping: 2, rest: 0.1}
postures:
  home: {wrist: 0.5, ball: [0, 1, 0, 0], torso: [1, 2, 3, 0, 0, 1, 0]}
)";

// MJCF nests bodies, and its readers take so many: as deep as the refusal says comes back.
TEST(SaveMjcf, ChainsAreWrittenAsDeepAsTheyAreRead) {
  const auto chain = [](int length) {
    Robot robot;
    for (int b = 0; b < length; ++b) {
      Body body;
      body.name = fmt::format("b{}", b + 1);
      body.parent = b;
      body.joint.type = JointType::revolute;
      body.inertial.mass = 1;
      body.inertial.inertia = {1, 0, 1, 0, 0, 1};
      robot.bodies.push_back(body);
    }
    return robot;
  };
  int most = 0;
  try {
    robot_text(chain(600), "r.xml");
    FAIL() << "no reader of XML takes 600 elements inside each other";
  } catch (const ArgumentError& refused) {
    const std::string said = refused.what(), words = "its readers take ";
    ASSERT_NE(said.find(words), std::string::npos) << said;
    most = std::stoi(said.substr(said.find(words) + words.size()));
  }
  EXPECT_EQ(there_and_back(chain(most), "r.xml").bodies.size(), static_cast<std::size_t>(most) + 1);
  EXPECT_THROW(robot_text(chain(most + 1), "r.xml"), ArgumentError);
}

// A body without mass between two joints is none in MJCF: it is told which goes, and the motion stays.
TEST(SaveMjcf, WhatHasNoMassBecomesAJointOfWhatItCarries) {
  const Robot robot = read_text_as("r.yaml", R"(
bodies:
  - {name: cross, joint: {type: revolute, axis: [1, 0, 0]}, mass: 0}
  - {name: arm, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1, com: [0.2, 0, 0.1], inertia: [1, 1.1, 1.2, 0, 0, 0]}
)")
                          .robot;
  const RobotText said = robot_text(robot, "r.xml");
  const auto tells = [&](const std::string& line) {
    return line.find("'cross'") != std::string::npos && line.find("becomes a joint") != std::string::npos;
  };
  EXPECT_EQ(std::count_if(said.unsaid.begin(), said.unsaid.end(), tells), 1)
      << fmt::format("{}", fmt::join(said.unsaid, "\n"));
  expect_same_tree(there_and_back(robot, "r.xml"), robot, "cross");
}

TEST(SaveMjcf, EverythingThatMjcfSaysComesBack) {
  const Document document = read_text_as("all.yaml", sayable_robot);
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Robot& robot = document.robot;
  const Robot again = there_and_back(robot, "r.mjcf");
  expect_same_tree(again, robot, "all");
  ASSERT_EQ(again.loops.size(), robot.loops.size());
  // Rows of a weld turn with its frames: what is kept together is the same.
  std::mt19937 random(4);
  const std::vector<double> q = random_posture(robot, random);
  const std::vector<double> x = ClosedChain(Model(again)).residual(q), y = ClosedChain(Model(robot)).residual(q);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i < 3 || i >= 6) {
      EXPECT_NEAR(x[i], y[i], 10 * file_rounding) << i;
    }
  }
  const Body& hand = again.bodies[static_cast<std::size_t>(again.find("hand"))];
  EXPECT_EQ(hand.joint.name, "wrist");
  EXPECT_EQ(hand.joint.limits.lower, -0.3);
  EXPECT_EQ(hand.joint.limits.effort, 7.5);
  EXPECT_TRUE(std::isinf(hand.joint.limits.upper)) << "no limit stays none";
  EXPECT_EQ(hand.joint.armature, 0.02 + 50 * 50 * 1e-4);
  EXPECT_EQ(hand.joint.actuator.gear, 50);
  const Body& tip = again.bodies[static_cast<std::size_t>(again.find("tip"))];
  ASSERT_EQ(tip.shapes.size(), 1u);
  EXPECT_EQ(tip.shapes[0].size.z, 3);
  EXPECT_EQ(again.bodies[static_cast<std::size_t>(tip.parent)].name, "tip:cross");
}

// What has no word in MJCF is told, and moves the same where it can be said otherwise.
TEST(SaveMjcf, ListsWhatItLeavesOutOrSaysOtherwise) {
  const Robot robot = read_text_as("all.yaml", all).robot;
  const RobotText said = robot_text(robot, "all.xml");
  const auto says = [&](const char* what) {
    return std::any_of(said.unsaid.begin(), said.unsaid.end(),
                       [&](const std::string& each) { return each.find(what) != std::string::npos; });
  };
  for (const char* what :
       {"joint 'right': a screw: a hinge and a slide", "loops[0]: MJCF has no equality of type universal: left out",
        "loops[1]: MJCF has no equality of type distance", "loops[3]: an equality of MJCF is a polynomial",
        "the order of the coordinates", "joint 'wrist': Stribeck's part", "joint 'wrist': the speed of the surface",
        "joint 'wrist': the stiffness of its end stops", "joint 'wrist': the limit of its velocity is left out",
        "joint 'wrist': the limit of its effort is an actuatorfrcrange, which MuJoCo 3 knows",
        "joint 'wrist': what its motor can give", "body 'hand': meshes",
        "body 'hand', body 'post': its mass or a moment of its inertia is zero: MuJoCo refuses"})
    EXPECT_TRUE(says(what)) << what << "\n" << fmt::format("{}", fmt::join(said.unsaid, "\n"));
  const Robot again = there_and_back(robot, "all.xml");
  EXPECT_EQ(Model(again).nv(), Model(robot).nv() + 1) << "the screw is two joints";
  EXPECT_TRUE(robot_text(load("kuka_kr5"), "r.xml").unsaid.empty());
}

// The hinge of a screw has all that the screw has; the slide that follows it has nothing of its own. At the same angle and
// rate, forces of spring, friction and rotor included, both turn alike.
TEST(SaveMjcf, AScrewFeelsItsForcesOnce) {
  const Robot robot = read_text_as("r.yaml", R"(gravity: [1, 2, -9]
bodies:
  - name: nut
    joint: {type: helical, axis: [0, 0.6, 0.8], pitch: 0.5}
    mass: 2
    inertia: [0.1, 0.2, 0.15, 0, 0, 0]
    armature: 0.3
    friction: {viscous: 0.4}
    spring: {stiffness: 5, rest: 0.1}
    limits: {lower: -1, upper: 2, effort: 3}
)")
                          .robot;
  const Robot again = there_and_back(robot, "r.xml");
  ASSERT_EQ(again.bodies.size(), 3u);
  const Mechanism screw(robot), tied(again);
  Dynamics expected(screw, Forces::all), found(tied, Forces::all);
  using V = std::vector<double>;
  const double a = expected.forward(V{0.3}, V{-0.7}, V{1.1})[0];
  const std::span<const double> both = found.forward(V{0.3, 0.15}, V{-0.7, -0.35}, V{1.1, 0});
  EXPECT_NEAR(both[0], a, 16 * std::numeric_limits<double>::epsilon() * std::abs(a));
  EXPECT_NEAR(both[1], 0.5 * a, 16 * std::numeric_limits<double>::epsilon() * std::abs(a));
  for (const Body& body : again.bodies) {
    const bool is_hinge = body.joint.type == JointType::revolute;
    EXPECT_EQ(body.joint.limits.upper, is_hinge ? 2 : Limits{}.upper);
    EXPECT_EQ(body.joint.limits.effort, is_hinge ? 3 : Limits{}.effort);
  }
}

TEST(SaveMjcf, LimitsThatMjcfCannotSayAreTold) {
  const RobotText said = robot_text(read_text_as("r.yaml", R"(bodies:
  - {name: a, joint: spherical, mass: 1, inertia: [1, 1, 1, 0, 0, 0], limits: {effort: 3}}
  - {name: b, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0], limits: {effort: 0}}
  - {name: c, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0], limits: {lower: 1, upper: 1}}
)")
                                        .robot,
                                    "r.xml");
  ASSERT_EQ(said.unsaid.size(), 2u) << fmt::format("{}", fmt::join(said.unsaid, "\n"));
  EXPECT_EQ(said.unsaid[0],
            "joint 'a', joint 'b': the limit of its effort is left out: hinges and slides have one that is not 0");
  EXPECT_EQ(said.unsaid[1], "joint 'c': its lower and upper limit are the same: MuJoCo refuses that, denoc reads it");
}

TEST(SaveMjcf, AFreeJointElsewhereThanInTheWorldIsTold) {
  const Robot robot = read_text_as("r.yaml", R"(bodies:
  - {name: a, frame: {xyz: [1, 2, 3], rpy: [0, 0, 1]}, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, frame: {xyz: [0, 0, 1], rpy: [1, 0, 0]}, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
postures: {home: [1, 0, 0, 1, 0, 0, 0, 0.1, 0.2, 0.3, 0, 1, 0, 0]}
)")
                          .robot;
  const RobotText said = robot_text(robot, "r.xml");
  ASSERT_EQ(said.unsaid.size(), 2u);
  EXPECT_EQ(said.unsaid[0], "joint 'a': q becomes the pose in the world, as MuJoCo has it");
  EXPECT_NE(said.unsaid[1].find("joint 'b': free within another body: three slides and a ball"), std::string::npos);
  const Robot again = there_and_back(robot, "r.xml");
  ASSERT_EQ(again.postures.size(), 1u);
  const Mechanism read_back(again), written(robot);
  Dynamics found(read_back), expected(written);
  for (const char* body : {"a", "b"}) {
    const Vec3<double> gap = found.pose(again.postures[0].q, body).r - expected.pose(robot.postures[0].q, body).r;
    EXPECT_NEAR(norm(gap), 0, 1e-14) << body;
  }
}

TEST(SaveMjcf, RefusesWhatNoReaderCanNest) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 600; ++i) text += fmt::format("  - {{name: b{}, joint: revolute, mass: 1}}\n", i);
  const Robot robot = read_text_as("r.yaml", text).robot;
  EXPECT_THROW(robot_text(robot, "r.xml"), ArgumentError);
}

TEST(Save, EverythingThatARobotHasComesBack) {
  const Document document = read_text_as("all.yaml", all);
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Robot& robot = document.robot;
  for (const char* file : {"r.yaml", "r.urdf"}) {
    const Robot again = there_and_back(robot, file);
    expect_same(again, robot, file);
    EXPECT_EQ(again.name, robot.name);
    const Body &hand = again.bodies[static_cast<std::size_t>(again.find("hand"))], &was = robot.bodies[6];
    EXPECT_EQ(hand.joint.name, "wrist");
    EXPECT_EQ(hand.joint.limits.upper, was.joint.limits.upper);
    EXPECT_EQ(hand.joint.limits.damping, was.joint.limits.damping);
    EXPECT_EQ(hand.joint.actuator.max_torque, was.joint.actuator.max_torque);
    EXPECT_EQ(hand.joint.friction.stribeck_gamma, was.joint.friction.stribeck_gamma);
    ASSERT_EQ(hand.shapes.size(), 2u);
    EXPECT_EQ(hand.shapes[0].frame.r.x, 1);
    EXPECT_EQ(std::filesystem::path(hand.shapes[1].mesh).filename(), "hand.stl");
    const Body& post = again.bodies[static_cast<std::size_t>(again.find("post"))];
    EXPECT_TRUE(std::isinf(post.joint.limits.upper)) << "no limit stays none";
  }
}

TEST(Save, ListsWhatOnlyDenocReadsBack) {
  const RobotText said = robot_text(read_text_as("all.yaml", all).robot, "all.urdf");
  const auto says = [&](const char* what) {
    return std::any_of(said.unsaid.begin(), said.unsaid.end(),
                       [&](const std::string& each) { return each.find(what) != std::string::npos; });
  };
  EXPECT_TRUE(says("joint 'left' is universal"));
  EXPECT_TRUE(says("joint 'wrist': the inertia of its rotor"));
  EXPECT_TRUE(says("loops[0]"));
  EXPECT_TRUE(says("the order of the coordinates"));
  EXPECT_TRUE(robot_text(load("puma560"), "r.yaml").unsaid.empty());
}

TEST(Save, AMimicStaysAMimic) {
  const Robot robot = read_text_as("r.urdf", R"(<robot name="r"><link name="world"/><link name="a"/><link name="b"/>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="b"/><mimic joint="j" multiplier="2" offset="0.5"/></joint></robot>)")
                          .robot;
  const Robot urdf = there_and_back(robot, "r.urdf"), yaml = there_and_back(robot, "r.yaml");
  ASSERT_EQ(urdf.loops.size(), 1u);
  EXPECT_TRUE(urdf.bodies[3].joint.mimic);
  ASSERT_EQ(yaml.loops.size(), 1u);
  EXPECT_EQ(yaml.loops[0].ratio, 2);
  EXPECT_EQ(yaml.bodies.size(), 3u) << "the link `world` is the ground";
}

TEST(Save, WheelsComeBack) {
  for (const auto& [type, ratio] : {std::pair{"gear", -3.0}, {"bevel-gear", -3.0}, {"belt", 3.0}}) {
    const Robot robot = read_text_as("r.yaml", fmt::format(R"(bodies:
  - {{name: a, joint: revolute, mass: 1}}
  - {{name: b, joint: revolute, mass: 1}}
loops:
  - {{type: {}, a: {{body: a}}, b: {{body: b}}, radii: [0.75, 0.25]}}
)",
                                                           type))
                            .robot;
    for (const char* file : {"r.yaml", "r.urdf"}) {
      const Robot again = there_and_back(robot, file);
      ASSERT_EQ(again.loops.size(), 1u) << type << file;
      EXPECT_EQ(again.loops[0].ratio, ratio) << type << file;
    }
  }
}

TEST(Save, LimitsOfEveryJointComeBack) {
  for (const char* type : {"revolute", "continuous", "prismatic", "helical", "universal", "cylindrical", "planar"}) {
    for (const char* said : {"lower: -0.4, upper: 0.3", "upper: 0.25", "lower: -1, velocity: 2, effort: 3"}) {
      const Robot robot = read_text_as("r.yaml", fmt::format("bodies: [{{name: a, joint: {{type: {}}}, mass: 1, "
                                                             "inertia: [1, 1, 1, 0, 0, 0], limits: {{{}}}}}]",
                                                             type, said))
                              .robot;
      const Limits& expected = robot.bodies[1].joint.limits;
      ASSERT_TRUE(std::isfinite(expected.lower) || std::isfinite(expected.upper));
      for (const char* file : {"r.yaml", "r.urdf"}) {
        const Robot again = there_and_back(robot, file);
        const Limits& found = again.bodies[static_cast<std::size_t>(again.find("a"))].joint.limits;
        EXPECT_EQ(found.lower, expected.lower) << type << file;
        EXPECT_EQ(found.upper, expected.upper) << type << file;
        EXPECT_EQ(found.velocity, expected.velocity) << type << file;
        EXPECT_EQ(found.effort, expected.effort) << type << file;
      }
      const std::vector<std::string> unsaid = robot_text(robot, "r.urdf").unsaid;
      const bool is_told =
          std::count(unsaid.begin(), unsaid.end(), "joint 'a' is continuous and has limits: revolute in URDF") == 1;
      EXPECT_EQ(is_told, type == std::string("continuous"));
    }
  }
}

// What the writer adds takes no name that the robot has.
TEST(Save, LinksAndJointsOfUrdfHaveNamesOfTheirOwn) {
  const Robot robot = read_text_as("r.yaml", R"(bodies:
  - {name: a, own_frame: {xyz: [0.1, 0, 0]}, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, joint: {type: revolute, name: a.frame}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: a.joint, joint: {type: revolute, name: a.frame_}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)")
                          .robot;
  expect_same(there_and_back(robot, "r.urdf"), robot, "names");
  Robot ground = robot;
  ground.bodies[1].name = "world";
  ground.bodies[2].joint.name = "world_link";
  for (const char* file : {"r.yaml", "r.urdf"}) EXPECT_GE(there_and_back(ground, file).find("world_link_"), 1) << file;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
