#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;

Robot good(const std::string& text) {
  const Document document = read_text_as("robot.yaml", text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  return document.robot;
}
std::vector<Fault> warnings(const std::string& text) {
  const Document document = read_text_as("robot.yaml", text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  return document.warnings;
}

Vec3<double> apply(const Pose<double>& pose, const Vec3<double>& v) { return pose.r + pose.R * v; }

void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance = 1e-15) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Yaml, HasDefaults) {
  const Robot robot = good("bodies: [{joint: revolute, mass: 1}, {joint: {type: fixed}}]\n");
  EXPECT_EQ(robot.name, "robot");
  EXPECT_EQ(robot.gravity.z, -9.81);
  ASSERT_EQ(robot.bodies.size(), 3u);
  EXPECT_EQ(robot.bodies[1].name, "link1");
  EXPECT_EQ(robot.bodies[1].parent, 0);
  EXPECT_EQ(robot.bodies[2].parent, 1);
  EXPECT_EQ(robot.bodies[1].joint.axis.z, 1);
  EXPECT_EQ(robot.bodies[1].joint_frame.R.xx, 1);
  EXPECT_EQ(robot.bodies[2].joint.type, JointType::fixed);
}

// Distal: Rz(theta) Tz(b) Tx(a) Rx(alpha).
TEST(Yaml, ReadsDistalTables) {
  const Robot robot = good(
      "dh: {convention: distal, links: [{joint: revolute, a: 0.3, b: 0.2, alpha: -pi/2, theta: deg(30), mass: 1}]}\n");
  const Body& body = robot.bodies[1];
  const Pose<double> tip = body.joint_frame * body.own_frame;
  const double c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
  expect_near(tip.r, {0.3 * c, 0.3 * s, 0.2});
  expect_near(column_z(tip.R), {-s, c, 0});
  expect_near(column_x(tip.R), {c, s, 0});
}

// Proximal: Rx(alpha) Tx(a) Rz(theta) Tz(b).
TEST(Yaml, ReadsProximalTables) {
  const Robot robot = good(
      "dh: {convention: proximal, links: [{joint: prismatic, a: 0.3, b: 0.2, alpha: -pi/2, theta: deg(30), mass: "
      "1}]}\n");
  const Body& body = robot.bodies[1];
  const Pose<double> tip = body.joint_frame * body.own_frame;
  expect_near(tip.r, {0.3, 0.2, 0});
  const double c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
  expect_near(column_x(tip.R), {c, 0, -s});
  expect_near(column_z(tip.R), {0, 1, 0});
}

// The rod's mass centre and inertia by summing many points along it.
TEST(Yaml, BendsRods) {
  const double a = -0.4, b = 0.3, alpha = 0.7, m = 2, hub = 0.05, payload = 0.5;
  const Robot robot = good(
      "dh: {convention: distal, links: [{joint: revolute, a: -0.4, b: 0.3, alpha: 0.7, mass: 2, rod: true, hub: 0.05, "
      "payload: 0.5}]}\n");
  const Inertial& rod = robot.bodies[1].inertial;
  EXPECT_DOUBLE_EQ(rod.mass, m + payload);
  const Pose<double> far_end{{1, 0, 0, std::cos(alpha), 0, std::sin(alpha), 0, -std::sin(alpha), std::cos(alpha)},
                             {a, 0, b}};
  const int n = 20000;
  double mass = payload;
  Vec3<double> first{0, 0, 0};
  Sym3<double> second{0, 0, 0, 0, 0, 0};  // sum of m x x^T about the far end; the payload is there
  for (int i = 0; i < n; ++i) {
    const double s = (i + 0.5) / n * (std::abs(a) + std::abs(b)), dm = m / n;
    const Vec3<double> at = s < b ? Vec3<double>{0, 0, s} : Vec3<double>{-(s - b), 0, b};
    const Vec3<double> x = apply(inverse(far_end), at);
    mass += dm;
    first += x * dm;
    second = minus_outer(second, x * -dm, x);
  }
  const Vec3<double> com = first * (1 / mass);
  expect_near(rod.com, com, 1e-9);
  const Sym3<double> about_com = minus_outer(second, com * mass, com);
  const double trace = about_com.xx + about_com.yy + about_com.zz;
  EXPECT_NEAR(rod.inertia.xx, trace - about_com.xx, 1e-9);
  EXPECT_NEAR(rod.inertia.yy, trace - about_com.yy, 1e-9);
  EXPECT_NEAR(rod.inertia.zz, trace - about_com.zz, 1e-9);
  EXPECT_NEAR(rod.inertia.xy, -about_com.xy, 1e-9);
  EXPECT_NEAR(rod.inertia.yz, -about_com.yz, 1e-9);
  EXPECT_NEAR(rod.inertia.xz, -about_com.xz, 1e-9);
  // The joint axis seen from the far end is (0, sin alpha, cos alpha).
  EXPECT_NEAR(rod.hub.yy, hub * std::sin(alpha) * std::sin(alpha), 1e-17);
  EXPECT_NEAR(rod.hub.yz, hub * std::sin(alpha) * std::cos(alpha), 1e-17);
  EXPECT_NEAR(rod.hub.zz, hub * std::cos(alpha) * std::cos(alpha), 1e-17);
  EXPECT_EQ(rod.hub.xx, 0);
}

TEST(Yaml, AddsPayloadsToGivenInertias) {
  const Robot robot = good(
      "dh: {convention: distal, links: [{joint: prismatic, mass: 3, com: [0.4, 0, 0], inertia: [1, 1, 1, 0, 0, 0], "
      "payload: 1}]}\n");
  const Inertial& body = robot.bodies[1].inertial;
  EXPECT_EQ(body.mass, 4);
  EXPECT_DOUBLE_EQ(body.com.x, 0.3);
  EXPECT_DOUBLE_EQ(body.inertia.xx, 1);
  EXPECT_DOUBLE_EQ(body.inertia.yy, 1 + 3 * 0.01 + 0.09);
}

TEST(Yaml, TakesMasslessRodsWithoutLength) {
  const Robot robot = good("dh: {convention: distal, links: [{joint: revolute, mass: 0, rod: true, hub: 0.1}]}\n");
  EXPECT_EQ(robot.bodies[1].inertial.mass, 0);
  EXPECT_EQ(robot.bodies[1].inertial.hub.zz, 0.1);
}

TEST(Yaml, ReadsTensorsInItsOwnOrder) {
  const Robot robot = good("bodies: [{joint: revolute, mass: 1, com: [1, 2, 3], inertia: [4, 5, 6, 0.1, 0.2, 0.3]}]\n");
  const Inertial& body = robot.bodies[1].inertial;
  EXPECT_EQ(body.com.y, 2);
  EXPECT_EQ(body.inertia.xx, 4);
  EXPECT_EQ(body.inertia.yy, 5);
  EXPECT_EQ(body.inertia.zz, 6);
  EXPECT_EQ(body.inertia.xy, 0.1);
  EXPECT_EQ(body.inertia.yz, 0.2);
  EXPECT_EQ(body.inertia.xz, 0.3);
}

TEST(Yaml, ReadsTreesOfEveryJoint) {
  const Robot robot = good(R"(
name: zoo
gravity: [0, -9.81, 0]
bodies:
  - name: torso
    parent: world
    frame: {xyz: [0, 0, 1], quat: [2, 0, 0, 2]}
    joint: {type: free}
    mass: 8
  - {name: arm, joint: {type: universal, axis: [0, 2, 0], axis2: [0, 0, 3], name: shoulder}, mass: 1}
  - {name: screw, parent: arm, joint: {type: helical, axis: [1, 0, 0], pitch: 0.01}, hub: 0.3, mass: 1}
  - {name: tube, parent: arm, joint: {type: cylindrical}, mass: 1}
  - {name: puck, parent: base, joint: planar, mass: 1}
  - {name: ball, parent: torso, frame: {rpy: [0.1, 0.2, 0.3]}, joint: spherical, mass: 1}
  - {name: slide, parent: ball, joint: prismatic, mass: 1, actuator: {gear: -100, rotor_inertia: 2e-4, max_torque: 0.5},
     limits: {lower: -1, upper: 1, velocity: 2, effort: 3, stiffness: 1e5, damping: 0.2},
     spring: {stiffness: 30, rest: 0.1}, friction: {viscous: 0.1, coulomb: 0.4, stribeck: [0.15, 8], surface_speed: 0.2}}
  - {name: plate, joint: fixed}
loops:
  - {type: revolute, a: {body: tube, frame: {xyz: [1, 0, 0]}}, b: {body: world, frame: {xyz: [0, 1, 0]}}, axis: [0, 0, 5]}
springs:
  - {a: {body: ball, point: [1, 2, 3]}, b: {body: plate, point: [0, 0, 0]}, stiffness: 8e5, damping: 4e4, rest: 0.5}
)");
  ASSERT_EQ(robot.bodies.size(), 9u);
  const JointType types[] = {JointType::fixed,     JointType::free,        JointType::universal,
                             JointType::helical,   JointType::cylindrical, JointType::planar,
                             JointType::spherical, JointType::prismatic,   JointType::fixed};
  const int parents[] = {0, 0, 1, 2, 2, 0, 1, 6, 7};
  for (std::size_t i = 1; i < 9; ++i) {
    EXPECT_EQ(robot.bodies[i].joint.type, types[i]) << i;
    EXPECT_EQ(robot.bodies[i].parent, parents[i]) << i;
  }
  EXPECT_EQ(robot.name, "zoo");
  EXPECT_EQ(robot.gravity.y, -9.81);
  expect_near(column_x(robot.bodies[1].joint_frame.R), {0, 1, 0});
  EXPECT_EQ(robot.bodies[2].joint.name, "shoulder");
  EXPECT_EQ(robot.bodies[2].joint.axis.y, 1);
  EXPECT_EQ(robot.bodies[2].joint.axis2.z, 1);
  EXPECT_EQ(robot.bodies[3].joint.pitch, 0.01);
  EXPECT_EQ(robot.bodies[3].inertial.hub.xx, 0.3);
  const Joint& slide = robot.bodies[7].joint;
  EXPECT_EQ(slide.limits.velocity, 2);
  EXPECT_EQ(slide.limits.stiffness, 1e5);
  EXPECT_EQ(slide.limits.damping, 0.2);
  EXPECT_EQ(slide.actuator.gear, -100);
  EXPECT_EQ(slide.actuator.rotor_inertia, 2e-4);
  EXPECT_EQ(slide.actuator.max_torque, 0.5);
  EXPECT_EQ(robot.bodies[2].joint.actuator.gear, 1);
  EXPECT_EQ(slide.spring.stiffness, 30);
  EXPECT_EQ(slide.spring.rest, 0.1);
  EXPECT_EQ(slide.friction.stribeck_gamma, 8);
  EXPECT_EQ(slide.friction.surface_speed, 0.2);
  ASSERT_EQ(robot.loops.size(), 1u);
  EXPECT_EQ(robot.loops[0].a.body, 4);
  EXPECT_EQ(robot.loops[0].b.body, 0);
  EXPECT_EQ(robot.loops[0].b.frame.r.y, 1);
  EXPECT_EQ(robot.loops[0].axis.z, 1);
  ASSERT_EQ(robot.springs.size(), 1u);
  EXPECT_EQ(robot.springs[0].a.frame.r.z, 3);
  EXPECT_EQ(robot.springs[0].damping, 4e4);
}

TEST(Yaml, ReadsJsonAnchorsAndMerges) {
  const Robot json = good("{\"bodies\":[{\"joint\":{\"type\":\"revolute\",\"axis\":[0,1,0]},\"mass\":\"pi/2\"}]}");
  EXPECT_EQ(json.bodies[1].inertial.mass, std::numbers::pi / 2);
  const Robot merged = good(R"(
bodies:
  - &arm {name: one, joint: revolute, mass: 1, com: &c [1, 2, 3]}
  - {<<: *arm, name: two, mass: 2}
  - {name: three, joint: fixed, com: *c}
)");
  EXPECT_EQ(merged.bodies[2].name, "two");
  EXPECT_EQ(merged.bodies[2].inertial.mass, 2);
  EXPECT_EQ(merged.bodies[2].inertial.com.z, 3);
  EXPECT_EQ(merged.bodies[3].inertial.com.z, 3);
}

TEST(Yaml, ReadsJsonIndentedByTabs) {
  EXPECT_EQ(
      good("{\n\t\"bodies\": [\n\t\t{\n\t\t\t\"joint\": \"free\",\n\t\t\t\"mass\": 1\n\t\t}\n\t]\n}\n").bodies.size(),
      2u);
}

TEST(Yaml, TakesLegalExtremes) {
  good(R"(
bodies:
  - {name: point, joint: revolute, mass: 1}
  - {name: rod, joint: revolute, mass: 1, inertia: [0, 1, 1, 0, 0, 0]}
  - {name: plate, joint: revolute, mass: 1, inertia: [0.1, 0.2, 0.3, 0, 0, 0]}
  - {name: massless, joint: revolute}
  - {name: noise, joint: revolute, mass: 5, inertia: [-1e-20, 0, 3e-19, 0, 0, 0]}
)");
}

TEST(Yaml, TakesAHubAsATensorOnAnyJoint) {
  const Sym3<double> hub =
      good("bodies: [{name: a, joint: fixed, mass: 1, hub: [3, 4, 5, 0.1, 0.2, 0.3]}]").bodies[1].inertial.hub;
  EXPECT_EQ(hub.xx, 3);
  EXPECT_EQ(hub.yy, 4);
  EXPECT_EQ(hub.zz, 5);
  EXPECT_EQ(hub.xy, 0.1);
  EXPECT_EQ(hub.yz, 0.2);
  EXPECT_EQ(hub.xz, 0.3);
}

TEST(Yaml, WarnsOfWhatLooksWrong) {
  const std::vector<Fault> found = warnings(R"(
bodies:
  - {name: a, joint: revolute}
  - {name: b, joint: revolute, mass: 20000}
  - {name: c, joint: revolute, mass: 1, com: [250, 0, 0]}
  - {name: d, joint: revolute, mass: 1, inertia: [900, 900, 900, 0, 0, 0]}
  - {name: e, joint: revolute, mass: 1, inertia: [1e-13, 1e-13, 1e-13, 0, 0, 0]}
  - {name: f, joint: revolute, mass: 4000, inertia: [2e6, 2e6, 2e6, 0, 0, 0]}
  - {name: g, joint: {type: helical}, mass: 1}
  - {name: h, joint: {type: spherical, axis: [1, 0, 0]}, mass: 1}
  - {name: i, joint: revolute}
  - {name: j, joint: fixed}
)");
  EXPECT_FALSE(says(found, 3, "body 'a'")) << "massless between two joints";
  EXPECT_TRUE(says(found, 4, "mass: 20000 kg"));
  EXPECT_TRUE(says(found, 5, "com: the mass centre is 250 m away"));
  EXPECT_TRUE(says(found, 6, "radius of gyration is 30 m"));
  EXPECT_TRUE(says(found, 7, "tiny"));
  EXPECT_TRUE(says(found, 8, "huge"));
  EXPECT_TRUE(says(found, 8, "radius of gyration"));
  EXPECT_TRUE(says(found, 9, "helical joint of pitch 0"));
  EXPECT_TRUE(says(found, 10, "axis: it means nothing to a joint of type spherical"));
  EXPECT_TRUE(says(found, 11, "massless last link: forward dynamics has no answer for joint 'i'"));
  EXPECT_EQ(found.size(), 9u) << all_texts(found);
}

// A joint that does not move has nothing that acts in it.
TEST(Yaml, WarnsOfForcesInFixedJoints) {
  for (const std::string key : {"friction: {viscous: 3}", "spring: {stiffness: 3}", "limits: {lower: 1, upper: 2}"}) {
    const auto of = [&](const std::string& type) {
      return warnings("bodies:\n  - {name: a, joint: " + type + ", mass: 1, inertia: [1, 1, 1, 0, 0, 0],\n    " + key +
                      "}\n");
    };
    EXPECT_TRUE(says(of("fixed"), 3, "it means nothing to a joint of type fixed")) << key << all_texts(of("fixed"));
    EXPECT_EQ(of("fixed").size(), 1u) << all_texts(of("fixed"));
    EXPECT_TRUE(of("revolute").empty()) << all_texts(of("revolute"));
  }
}

// A body reaches as far as the joints that it carries: what it weighs may be as far out, and no further.
TEST(Yaml, MeasuresGyrationByWhereJointsAre) {
  const auto doubts = [](const char* next) {
    return warnings(std::string(R"(
bodies:
  - {name: frame, joint: revolute, mass: 1, com: [0.001, 0, 0], inertia: [4, 4, 4, 0, 0, 0]}
  - {name: arm, joint: revolute, mass: 1, frame: {xyz: )") +
                    next + "}, com: [1, 0, 0]}\n");
  };
  EXPECT_TRUE(says(doubts("[0.001, 0, 0]"), 3, "radius of gyration is 2 m"));
  EXPECT_TRUE(doubts("[1, 0, 0]").empty()) << all_texts(doubts("[1, 0, 0]"));
}

TEST(Yaml, LeavesAFreeBaseToTheFile) {
  const Document document = read_text_as("r.yaml", "bodies: [{joint: revolute, mass: 1}]\n", {Base::free, {}});
  EXPECT_TRUE(says(document.faults, 1, "free base")) << all_texts(document.faults);
}

TEST(Yaml, ReadsEveryShippedRobot) {
  for (const std::string& name : shipped_robots()) EXPECT_NO_THROW(load(name)) << name;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
