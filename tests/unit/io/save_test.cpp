// Robots written to each format and read back: the same numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "denoc/error.hpp"
#include "denoc/io/save.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/quaternions.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {

using testing::all_texts;
using testing::read_text_as;

std::vector<double> random_numbers(std::size_t size, std::mt19937& random) {
  std::vector<double> x(size);
  for (double& each : x) each = std::uniform_real_distribution(-1.0, 1.0)(random);
  return x;
}
std::vector<double> random_posture(const Robot& robot, std::mt19937& random) {
  std::vector<double> q = random_numbers(neutral_posture(robot).size(), random);
  for (const QuaternionPlace& place : quaternions_of(robot)) {
    double* const x = q.data() + place.first;
    const double length = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
    for (int i = 0; i < 4; ++i) x[i] /= length;
  }
  return q;
}

// Of the largest term, as many roundings as a chain of some bodies has in frames that are rounded once more.
constexpr double rounding = 1e-12;

void expect_same(std::span<const double> found, std::span<const double> expected, const std::string& where) {
  ASSERT_EQ(found.size(), expected.size()) << where;
  double largest = 1;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], rounding * largest) << where << i;
}

void expect_same(const Robot& found, const Robot& expected, const std::string& where) {
  const Mechanism a(found), b(expected);
  ASSERT_EQ(a.nq(), b.nq()) << where;
  ASSERT_EQ(a.nv(), b.nv()) << where;
  std::mt19937 random(1);
  const auto nv = static_cast<std::size_t>(b.nv());
  const std::vector<double> q = random_posture(expected, random), v = random_numbers(nv, random),
                            acc = random_numbers(nv, random);
  Dynamics da(a, Forces::all, Loops::open), db(b, Forces::all, Loops::open);
  expect_same(da.inverse(q, v, acc), db.inverse(q, v, acc), where + " tau ");
  expect_same(da.inertia(q).entries(), db.inertia(q).entries(), where + " I ");
  expect_same(neutral_posture(found), neutral_posture(expected), where + " neutral ");
  for (std::size_t i = 1; i < expected.bodies.size(); ++i) {
    const std::string& name = expected.bodies[i].name;
    const Pose<double> x = da.pose(q, name), y = db.pose(q, name);
    for (const auto& [p, r] :
         {std::pair{x.r, y.r}, std::pair{column_x(x.R), column_x(y.R)}, std::pair{column_z(x.R), column_z(y.R)}})
      EXPECT_NEAR(std::hypot(p.x - r.x, p.y - r.y, p.z - r.z), 0, rounding * 10) << where << " " << name;
  }
  ASSERT_EQ(found.loops.size(), expected.loops.size()) << where;
  if (!expected.loops.empty()) {
    EXPECT_NEAR(ClosedChain(a.tree()).gap(q).size, ClosedChain(b.tree()).gap(q).size, rounding * 10) << where;
  }
  ASSERT_EQ(found.postures.size(), expected.postures.size()) << where;
  for (std::size_t i = 0; i < expected.postures.size(); ++i) {
    EXPECT_EQ(found.postures[i].name, expected.postures[i].name);
    expect_same(found.postures[i].q, expected.postures[i].q, where);
  }
}

Robot there_and_back(const Robot& robot, const char* name) {
  const RobotText said = robot_text(robot, name);
  const Document document = read_text_as(name, said.text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults) << said.text;
  return document.robot;
}

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
    EXPECT_EQ(hand.shapes[1].mesh, "hand.stl");
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

TEST(Save, OtherExtensionsAreRefused) {
  try {
    robot_text(load("pendulum"), "r.sdf");
    ADD_FAILURE();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "r.sdf: a robot is written to .yaml, .yml, .urdf, .xml: its extension says which");
  }
}

}  // namespace
}  // namespace denoc
