// MJCF: everything that is read, what is passed over and doubted, and what is refused, each in its words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "denoc/model/quaternions.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {

using test::expect_near;
using testing::all_texts;
using testing::Broken;
using testing::read_text_as;
using testing::says;
using testing::TemporaryFile;

constexpr double pi = std::numbers::pi;

#define MUJOCO(content) "<mujoco model='m'>\n" content "</mujoco>\n"
#define WORLD(content) "<worldbody>\n" content "</worldbody>\n"
#define MASS "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
#define HINGE "<joint name='h'/>"
#define ARM "<body name='arm'>" HINGE MASS "</body>\n"
#define TWO_ARMS ARM "<body><joint/>" MASS "</body>\n"
// Two hinges, one after the other.
#define TWO                                                                                                     \
  WORLD("<body name='a' pos='0 0 1'><joint name='x'/>" MASS "<body name='b' pos='1 0 0'><joint name='y'/>" MASS \
        "</body></body>\n")

Document mjcf(const std::string& text, const LoadOptions& options = {}) {
  return read_text_as("robot.xml", text, options);
}
Robot sound(const std::string& text) {
  const Document document = mjcf(text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(document.warnings.empty()) << all_texts(document.warnings);
  return document.robot;
}
const Body& named(const Robot& robot, const std::string& name) {
  const int i = robot.find(name);
  EXPECT_GT(i, 0) << name;
  return robot.bodies[static_cast<std::size_t>(std::max(i, 0))];
}
std::vector<double> list(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
std::vector<double> list(const Mat3<double>& m) { return {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz}; }
std::vector<double> list(const Sym3<double>& s) { return {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz}; }

// The only body of a file, of which this is said.
Body body_with(const std::string& settings, const std::string& attributes, const std::string& content) {
  const Robot robot = sound("<mujoco>" + settings + "<worldbody><body name='arm' " + attributes + ">" + content +
                            "</body></worldbody></mujoco>");
  return named(robot, "arm");
}
Mat3<double> turned(const std::string& settings, const std::string& attributes) {
  return body_with(settings, attributes, HINGE MASS).joint_frame.R;
}

TEST(Mjcf, BodiesWithoutNamesAreCalledByTheirNumber) {
  const Robot robot = sound(MUJOCO(WORLD("<body><joint/>" MASS "<body name='b'><joint name='j'/>" MASS
                                         "<body><joint/>" MASS "</body></body></body>\n")));
  ASSERT_EQ(robot.bodies.size(), 4U);
  EXPECT_EQ(robot.bodies[1].name, "body1");
  EXPECT_EQ(robot.bodies[1].joint.name, "joint0");
  EXPECT_EQ(robot.bodies[3].name, "body3");
  EXPECT_EQ(robot.bodies[3].joint.name, "joint2");
  EXPECT_EQ(robot.bodies[3].parent, 2);
  EXPECT_EQ(robot.name, "m");
}

TEST(Mjcf, AnglesAreDegreesUnlessTheCompilerSaysRadians) {
  const std::string range = "<joint range='-90 45' ref='30' springref='10' stiffness='2'/>" MASS;
  const Joint in_degrees = body_with("", "", range).joint;
  EXPECT_NEAR(in_degrees.limits.lower, -pi / 2, 1e-15);
  EXPECT_NEAR(in_degrees.limits.upper, pi / 4, 1e-15);
  EXPECT_NEAR(in_degrees.neutral.at(0), pi / 6, 1e-15);
  EXPECT_NEAR(in_degrees.spring.rest, pi / 18, 1e-15);
  const Joint in_radians =
      body_with("<compiler angle='radian'/>", "", "<joint range='-0.5 0.25' ref='0.1' springref='0.2'/>" MASS).joint;
  EXPECT_EQ(in_radians.limits.lower, -0.5);
  EXPECT_EQ(in_radians.neutral.at(0), 0.1);
  EXPECT_EQ(in_radians.spring.rest, 0.2);
  const Joint slide = body_with("", "", "<joint type='slide' range='-90 45' ref='30' springref='10'/>" MASS).joint;
  EXPECT_EQ(slide.limits.lower, -90) << "metres are no angles";
  EXPECT_EQ(slide.neutral.at(0), 30);
  EXPECT_EQ(slide.spring.rest, 10);
}

// A quarter turn about x, in every way that a file may say it.
TEST(Mjcf, EveryWordForATurn) {
  const std::vector<double> quarter = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  for (const char* words :
       {"quat='2 2 0 0'", "axisangle='3 0 0 90'", "euler='90 0 0'", "xyaxes='2 0 0 0.5 0 1'", "zaxis='0 -3 0'"}) {
    expect_near(list(turned("", words)), quarter, 2e-16, words);
  }
}

// Small letters turn about axes that turn along, capitals about those that stand: the latter in reverse are the former.
TEST(Mjcf, EulerAnglesInTheSequenceOfTheCompiler) {
  const Mat3<double> moving = turned("<compiler eulerseq='zyx'/>", "euler='10 20 30'"),
                     standing = turned("<compiler eulerseq='XYZ'/>", "euler='30 20 10'");
  expect_near(list(moving), list(standing), 3e-16, "zyx, XYZ");
  // x y' z'': the x axis goes to y by z'' and on to z by x
  expect_near(list(turned("", "euler='90 0 90'")), {0, -1, 0, 0, 0, -1, 1, 0, 0}, 2e-16, "xyz");
}

TEST(Mjcf, DefaultsAreThoseOfTheClassTheChildclassAndTheClassesAround) {
  const Robot robot = sound(MUJOCO(
      "<default><joint damping='1' armature='0.1'/>\n"
      "  <default class='leg'><joint damping='2' axis='1 0 0'/><default class='foot'><joint damping='3'/></default>\n"
      "  </default><default class='wing'><joint axis='0 1 0'/></default></default>\n" WORLD(
          "<body name='plain'><joint name='j0'/>" MASS "</body>\n"
          "<body name='hip' childclass='leg'><joint name='j1'/>" MASS "\n"
          "  <body name='toe'><joint name='j2' class='foot'/>" MASS "</body>\n"
          "  <body name='knee'><joint name='j3' damping='7'/>" MASS "</body>\n"
          "  <body name='fin' childclass='wing'><joint name='j4'/>" MASS "</body></body>\n")));
  const auto joint = [&](const char* body) { return named(robot, body).joint; };
  EXPECT_EQ(joint("plain").friction.viscous, 1);
  EXPECT_EQ(joint("plain").axis.z, 1);
  EXPECT_EQ(joint("hip").friction.viscous, 2);
  EXPECT_EQ(joint("hip").axis.x, 1);
  EXPECT_EQ(joint("toe").friction.viscous, 3);
  EXPECT_EQ(joint("toe").axis.x, 1) << "from the class around its own";
  EXPECT_EQ(joint("knee").friction.viscous, 7);
  EXPECT_EQ(joint("fin").friction.viscous, 1);
  EXPECT_EQ(joint("fin").axis.y, 1);
  for (const char* body : {"plain", "hip", "toe", "knee", "fin"}) EXPECT_EQ(joint(body).armature, 0.1);
}

TEST(Mjcf, AnIncludedFileStandsWhereItIsIncluded) {
  const TemporaryFile main("robot.xml", MUJOCO(WORLD("<body name='a'><joint/>" MASS "\n<include file='part.xml'/>"
                                                     "</body>\n<body name='c'><joint/>" MASS "</body>\n")));
  const auto part = [&](const std::string& content) {
    std::ofstream(main.path().parent_path() / "part.xml") << "<mujocoinclude>\n" + content + "</mujocoinclude>\n";
    return read_robot(main.path());
  };
  const Document document = part("<body name='b'><joint name='j' type='slide'/><camera/>" MASS "</body>\n");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  ASSERT_EQ(document.robot.bodies.size(), 4U);
  EXPECT_EQ(document.robot.bodies[2].name, "b");
  EXPECT_EQ(document.robot.bodies[2].parent, 1);
  EXPECT_TRUE(says(document.notes, 2, "part.xml:2: cameras: passed over (1): it moves nothing"))
      << all_texts(document.notes);
  EXPECT_TRUE(
      says(part("<body name='b'><joint axis='1 x 0'/>" MASS "</body>\n").faults, 2, "part.xml:2: <joint>: axis: "));
  EXPECT_TRUE(says(part("<include file='robot.xml'/>\n").faults, 2, "'robot.xml' is included twice"));
}

TEST(Mjcf, AFrameMovesWhatStandsInIt) {
  const std::string frame = "<frame pos='1 0 0' euler='0 0 90'>";
  const Robot robot = sound("<mujoco><worldbody>" + frame +
                            "<body name='a' pos='0 2 0'><frame pos='0 0 1' euler='90 0 0'>"
                            "<joint name='j' pos='0 1 0' axis='0 0 1'/><geom type='sphere' size='0.1' pos='0 3 0'/>"
                            "</frame></body></frame></worldbody></mujoco>");
  const Body& a = named(robot, "a");
  expect_near(list(a.joint.axis), {0, -1, 0}, 1e-15, "z of a frame turned about x");
  expect_near(list(a.own_frame.r), {0, 0, -2}, 1e-15, "the body, seen from the joint");
  expect_near(list(a.inertial.com), {0, 0, 4}, 1e-15, "mass centre");
  // (1, 0, 0) + Rz(90 deg) (0, 2, 2): the anchor lies 2 above the body's origin
  expect_near(list(a.joint_frame.r), {-1, 0, 2}, 1e-15, "the joint in the world");
}

TEST(Mjcf, SeveralJointsAreAChainOfWhichTheLastCarriesTheBody) {
  const Robot robot =
      sound(MUJOCO(WORLD("<body name='arm' pos='0 0 1'><joint name='x' type='slide' axis='2 0 0'/>"
                         "<joint name='y' axis='0 1 0'/><joint name='z' axis='0 0 1'/>" MASS "</body>\n")));
  ASSERT_EQ(robot.bodies.size(), 4U);
  EXPECT_EQ(robot.bodies[1].name, "arm:x");
  EXPECT_EQ(robot.bodies[1].joint.type, JointType::prismatic);
  EXPECT_EQ(robot.bodies[1].joint.axis.x, 1);
  EXPECT_EQ(robot.bodies[1].joint_frame.r.z, 1);
  EXPECT_EQ(robot.bodies[2].name, "arm:y");
  EXPECT_EQ(robot.bodies[2].parent, 1);
  EXPECT_EQ(robot.bodies[2].joint_frame.r.z, 0);
  EXPECT_EQ(robot.bodies[2].inertial.mass, 0);
  EXPECT_EQ(robot.bodies[3].name, "arm");
  EXPECT_EQ(robot.bodies[3].joint.name, "z");
  EXPECT_EQ(robot.bodies[3].inertial.mass, 1);
}

// At q = ref the body lies as the file draws it; it turns about the joint's pos.
TEST(Mjcf, TheFileDrawsTheBodyAtRef) {
  const Body hinge = body_with("", "pos='0 0 2'", "<joint pos='0 0 1' axis='1 0 0' ref='90'/>" MASS);
  EXPECT_EQ(hinge.joint_frame.r.z, 3);
  EXPECT_EQ(hinge.own_frame.r.z, -1);
  expect_near(list(hinge.joint_frame.R), {1, 0, 0, 0, 0, 1, 0, -1, 0}, 1e-16, "turned back by ref at q = 0");
  const Body slide = body_with("", "pos='0 0 2'", "<joint type='slide' axis='0 0 2' ref='0.5'/>" MASS);
  EXPECT_EQ(slide.joint_frame.r.z, 1.5);
  EXPECT_EQ(slide.joint.neutral.at(0), 0.5);
}

TEST(Mjcf, ForcesOfAJoint) {
  const Body arm = body_with("", "",
                             "<joint armature='0.1' damping='2' frictionloss='0.3' stiffness='4' springref='90' "
                             "range='-90 90' limited='false'/>" MASS);
  EXPECT_EQ(arm.joint.armature, 0.1);
  EXPECT_EQ(arm.joint.friction.viscous, 2);
  EXPECT_EQ(arm.joint.friction.coulomb, 0.3);
  EXPECT_EQ(arm.joint.spring.stiffness, 4);
  EXPECT_EQ(arm.joint.limits.upper, std::numeric_limits<double>::infinity()) << "limited='false'";
  const Body unlimited = body_with("<compiler autolimits='false'/>", "", "<joint range='-90 90'/>" MASS);
  EXPECT_EQ(unlimited.joint.limits.upper, std::numeric_limits<double>::infinity());
}

// actuatorfrcrange clamps what all actuators give a joint, in N m whatever the compiler's angles are.
TEST(Mjcf, TheRangeOfActuatorForcesIsTheLimitOfEffort) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto effort = [](const char* compiler, const char* joint) {
    return body_with(compiler, "", fmt::format("<joint {}/>" MASS, joint)).joint.limits.effort;
  };
  EXPECT_EQ(effort("", "actuatorfrcrange='-90 90'"), 90);
  EXPECT_EQ(effort("", "actuatorfrcrange='-90 90' actuatorfrclimited='false'"), inf);
  EXPECT_EQ(effort("<compiler autolimits='false'/>", "actuatorfrcrange='-90 90'"), inf);
  EXPECT_EQ(effort("<compiler autolimits='false'/>", "actuatorfrcrange='-90 90' actuatorfrclimited='true'"), 90);
  EXPECT_EQ(effort("", "type='ball' actuatorfrcrange='-90 90'"), inf);
}

TEST(Mjcf, FreeJointsAndBalls) {
  const Robot robot =
      sound(MUJOCO(WORLD("<body name='a' pos='1 2 3' euler='0 0 90'><freejoint name='f'/>" MASS
                         "<body name='b' pos='0 0 1'><joint name='s' type='ball' pos='0 0 1' armature='0.2'/>" MASS
                         "</body></body>\n<body name='c'><joint type='free'/>" MASS "</body>\n")));
  const Body& a = named(robot, "a");
  EXPECT_EQ(a.joint.type, JointType::free);
  expect_near(list(a.joint_frame.r), {0, 0, 0}, 0, "q is the pose in the world");
  expect_near(neutral_posture(robot), {1, 2, 3, std::sqrt(0.5), 0, 0, std::sqrt(0.5), 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0},
              2e-16, "qpos0");
  const Body& b = named(robot, "b");
  EXPECT_EQ(b.joint.type, JointType::spherical);
  EXPECT_EQ(b.joint.armature, 0.2);
  EXPECT_EQ(b.joint_frame.r.z, 2);
  EXPECT_EQ(b.own_frame.r.z, -1);
  EXPECT_EQ(named(robot, "c").joint.type, JointType::free);
}

TEST(Mjcf, Inertials) {
  const Inertial turned =
      body_with("", "", HINGE "<inertial pos='1 2 3' mass='4' diaginertia='1 2 2.5' euler='90 0 0'/>").inertial;
  EXPECT_EQ(turned.mass, 4);
  expect_near(list(turned.com), {1, 2, 3}, 0, "mass centre");
  expect_near(list(turned.inertia), {1, 2.5, 2, 0, 0, 0}, 1e-15, "the axes of 2 and 2.5 trade places");
  const Inertial full =
      body_with("", "", HINGE "<inertial pos='0 0 0' mass='4' fullinertia='1 2 2.5 0.1 0.2 0.3'/>").inertial;
  expect_near(list(full.inertia), {1, 2, 2.5, 0.1, 0.2, 0.3}, 0, "xx yy zz xy xz yz");
}

// The moments of homogeneous bodies.
TEST(Mjcf, GeomsOfSimpleShapeGiveTheInertia) {
  struct Row {
    const char* words;
    double mass;
    std::vector<double> moments;  // of one kg
  };
  const double r = 0.1, l = 0.4, ball = 4 * pi / 3 * r * r * r, tube = pi * r * r * l, capsule = ball + tube;
  // The half balls' mass centres are 3 r/8 off their flat sides.
  const double across =
      (tube * (r * r / 4 + l * l / 12) + ball * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8)) / capsule;
  const double along = (tube * r * r / 2 + ball * 2 * r * r / 5) / capsule;
  const double a = 0.1, b = 0.2, c = 0.3, rod = r * r / 4 + l * l / 12;
  const Row rows[] = {
      {"type='sphere' size='0.1'", 1000 * ball, {2 * r * r / 5, 2 * r * r / 5, 2 * r * r / 5}},
      {"size='0.1'", 1000 * ball, {2 * r * r / 5, 2 * r * r / 5, 2 * r * r / 5}},
      {"type='capsule' size='0.1 0.2'", 1000 * capsule, {across, across, along}},
      {"type='capsule' size='0.1' fromto='-0.2 0 0 0.2 0 0'", 1000 * capsule, {along, across, across}},
      {"type='cylinder' size='0.1 0.2' density='500'", 500 * tube, {rod, rod, r * r / 2}},
      {"type='cylinder' size='0.1' fromto='0 0.2 0 0 -0.2 0' mass='3'", 3, {rod, r * r / 2, rod}},
      {"type='box' size='0.1 0.2 0.3'",
       8000 * a * b * c,
       {(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3}},
      {"type='ellipsoid' size='0.1 0.2 0.3' mass='2'",
       2,
       {(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5}},
  };
  for (const Row& row : rows) {
    const Inertial found = body_with("", "", HINGE "<geom " + std::string(row.words) + "/>").inertial;
    EXPECT_NEAR(found.mass, row.mass, 1e-14 * row.mass) << row.words;
    std::vector<double> moments = row.moments;
    for (double& moment : moments) moment *= row.mass;
    moments.insert(moments.end(), {0, 0, 0});
    expect_near(list(found.inertia), moments, 1e-15 * row.mass, row.words);
  }
}

// What has no volume adds nothing to what has.
TEST(Mjcf, PlanesAndHeightFieldsWeighNothing) {
  const std::string ball = HINGE "<geom size='0.1' pos='0.3 0 0'/>";
  const Inertial alone = body_with("", "", ball).inertial;
  for (const char* flat : {"<geom type='plane' size='1 1 1'/>", "<geom type='hfield' hfield='hills'/>"}) {
    const Inertial both =
        body_with("<asset><hfield name='hills' nrow='2' ncol='2' size='1 1 1 1'/></asset>", "", ball + flat).inertial;
    EXPECT_EQ(both.mass, alone.mass) << flat;
    EXPECT_EQ(list(both.com), list(alone.com)) << flat;
    EXPECT_EQ(list(both.inertia), list(alone.inertia)) << flat;
  }
}

// Two balls on a bar without mass: m (d/2)^2 each, and their own.
TEST(Mjcf, GeomsAreAddedUpAboutTheirMassCentre) {
  const std::string dumbbell =
      HINGE "<geom size='0.1' mass='2' pos='1 0 0'/><geom size='0.1' mass='2' pos='3 0 0' group='3'/>";
  const Inertial both = body_with("", "", dumbbell).inertial;
  EXPECT_EQ(both.mass, 4);
  EXPECT_EQ(both.com.x, 2);
  const double own = 2 * 2 * 0.01 * 2 / 5;
  expect_near(list(both.inertia), {own, own + 4, own + 4, 0, 0, 0}, 1e-15, "inertia");
  const Inertial first = body_with("<compiler inertiagrouprange='0 2'/>", "", dumbbell).inertial;
  EXPECT_EQ(first.mass, 2);
  EXPECT_EQ(first.com.x, 1);
  const std::string said = dumbbell + MASS;
  EXPECT_EQ(body_with("", "", said).inertial.mass, 1) << "an <inertial> comes first";
  EXPECT_EQ(body_with("<compiler inertiafromgeom='true'/>", "", said).inertial.mass, 4);
}

TEST(Mjcf, ANumberIsNoNameThatAnotherHas) {
  const Robot robot = sound(MUJOCO(WORLD("<body><joint/>" MASS "</body>\n<body name='body1'><joint name='joint0'/>" MASS
                                         "</body>\n<body><joint/>" MASS "</body>\n")));
  ASSERT_EQ(robot.bodies.size(), 4u);
  EXPECT_EQ(robot.bodies[1].name, "body1_");
  EXPECT_EQ(robot.bodies[1].joint.name, "joint0_");
  EXPECT_EQ(robot.bodies[2].name, "body1");
  EXPECT_EQ(robot.bodies[2].joint.name, "joint0");
  EXPECT_EQ(robot.bodies[3].name, "body3");
  EXPECT_EQ(robot.bodies[3].joint.name, "joint2");
}

// A block of edges 1/4, 1/2, 1 with a corner in the origin, its faces seen counterclockwise from outside.
constexpr float block_corners[8][3] = {{0, 0, 0}, {0.25, 0, 0}, {0.25, 0.5, 0}, {0, 0.5, 0},
                                       {0, 0, 1}, {0.25, 0, 1}, {0.25, 0.5, 1}, {0, 0.5, 1}};
constexpr std::int32_t block_faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                             {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
template <class T> std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
std::string block_as(const std::string& format) {
  std::string text;
  if (format == "block.obj") {
    for (const auto& c : block_corners) text += fmt::format("v {} {} {}\n", c[0], c[1], c[2]);
    for (const auto& f : block_faces) text += fmt::format("f {}/1 {} {}\n", f[0] + 1, f[1] + 1, f[2] - 8);
  } else if (format == "block.msh") {
    text = bytes_of(std::array<std::int32_t, 4>{8, 0, 0, 12}) + bytes_of(block_corners) + bytes_of(block_faces);
  } else if (format == "block.stl") {
    text = std::string(80, ' ') + bytes_of(std::uint32_t{12});
    for (const auto& f : block_faces) {
      text += std::string(12, '\0');
      for (const std::int32_t corner : f) text += bytes_of(block_corners[corner]);
      text += std::string(2, '\0');
    }
  } else {  // text.stl
    text = "solid block\n";
    for (const auto& f : block_faces)
      for (const std::int32_t corner : f)
        text += fmt::format("vertex {} {} {}\n", block_corners[corner][0], block_corners[corner][1],
                            block_corners[corner][2]);
  }
  return text;
}

TEST(Mjcf, MeshesGiveTheInertiaOfTheirVolume) {
  for (const char* format : {"block.obj", "block.msh", "block.stl", "text.stl"}) {
    for (const char* filling : {"legacy", "exact"}) {
      const TemporaryFile main(
          "robot.xml",
          fmt::format("<mujoco><compiler meshdir='meshes'/><asset><mesh name='block' file='{}' scale='2 1 -1' "
                      "inertia='{}'/></asset><worldbody><body name='arm'><joint/><geom type='mesh' mesh='block' "
                      "pos='0 0 3'/></body></worldbody></mujoco>",
                      format, filling));
      const std::filesystem::path meshes = main.path().parent_path() / "meshes";
      std::filesystem::create_directory(meshes);
      std::ofstream(meshes / format, std::ios::binary) << block_as(format);
      const Document document = read_robot(main.path());
      EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
      const Inertial& found = named(document.robot, "arm").inertial;
      const double m = 250;  // 1/2 x 1/2 x 1
      EXPECT_NEAR(found.mass, m, 1e-13 * m) << format;
      expect_near(list(found.com), {0.25, 0.25, 2.5}, 1e-15 * 3, format);
      expect_near(list(found.inertia), {m * 1.25 / 12, m * 1.25 / 12, m * 0.5 / 12, 0, 0, 0}, 1e-14 * m, format);
    }
  }
}

// A tetrahedron without any symmetry. Of a volume V with corners u and mass centre c (their mean) the second moments are
// V / 20 times the sum of (u - c)(u - c)^T: in fractions V = 119 / 6, and the six numbers below.
TEST(Mjcf, AMeshHasItsInertiaToTheLastDigits) {
  const TemporaryFile main("robot.xml",
                           "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody><body name='arm'><joint/>"
                           "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>");
  std::ofstream(main.path().parent_path() / "m.obj") << "v 1 2 3\nv 5 2 4\nv 2 7 1\nv 3 3 9\n"
                                                        "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const Document document = read_robot(main.path());
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Inertial& found = named(document.robot, "arm").inertial;
  const double few = 4 * std::numeric_limits<double>::epsilon(), largest = 8211 / 160.0;
  EXPECT_NEAR(found.mass, 119 / 6.0, few * 20);
  expect_near(list(found.com), {11 / 4.0, 7 / 2.0, 17 / 4.0}, few * 5, "mass centre");
  expect_near(list(found.inertia), {8211 / 160.0, 3451 / 80.0, 12257 / 480.0, 833 / 240.0, -833 / 160.0, 2737 / 240.0},
              few * largest, "inertia");
}

TEST(Mjcf, WhatTheCompilerMakesOfInertias) {
  const std::string light = HINGE "<inertial pos='0 0 0' mass='0.1' diaginertia='0.01 0.02 0.025'/>";
  EXPECT_EQ(body_with("<compiler boundmass='0.5'/>", "", light).inertial.mass, 0.5);
  expect_near(list(body_with("<compiler boundinertia='0.015'/>", "", light).inertial.inertia),
              {0.015, 0.02, 0.025, 0, 0, 0}, 1e-17, "bound");
  const Inertial scaled = body_with("<compiler settotalmass='3'/>", "", light).inertial;
  EXPECT_NEAR(scaled.mass, 3, 1e-15);
  EXPECT_NEAR(scaled.inertia.yy, 0.6, 1e-15);
  const std::string impossible = HINGE "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/>";
  expect_near(list(body_with("<compiler balanceinertia='true'/>", "", impossible).inertial.inertia), {2, 2, 2, 0, 0, 0},
              1e-15, "balanced: the mean, three times");
  EXPECT_TRUE(says(mjcf("<mujoco><worldbody><body name='arm'>" + impossible + "</body></worldbody></mujoco>").warnings,
                   1, "body 'arm': inertia: triangle inequality"));
}

TEST(Mjcf, GravityIsAnOption) {
  EXPECT_EQ(sound(MUJOCO("<option gravity='1 2 3'/>" WORLD(ARM))).gravity.y, 2);
  EXPECT_EQ(sound(MUJOCO(WORLD(ARM))).gravity.z, -9.81);
  EXPECT_EQ(sound(MUJOCO("<option><flag gravity='disable'/></option>" WORLD(ARM))).gravity.z, 0);
}

// A body of two: `b` is drawn at (1, 0, 1).
Loop loop_of(const std::string& words) {
  const Robot robot = sound("<mujoco>" TWO "<equality>" + words + "</equality></mujoco>");
  EXPECT_EQ(robot.loops.size(), 1U);
  return robot.loops.empty() ? Loop{} : robot.loops[0];
}

TEST(Mjcf, EqualitiesOfBodiesAreLoops) {
  const Loop ball = loop_of("<connect body1='b' body2='world' anchor='0 0 0.5'/>");
  EXPECT_EQ(ball.type, LoopType::spherical);
  EXPECT_EQ(ball.a.body, 2);
  EXPECT_EQ(ball.b.body, 0);
  expect_near(list(ball.a.frame.r), {0, 0, 0.5}, 0, "of body1");
  expect_near(list(ball.b.frame.r), {1, 0, 1.5}, 0, "where that is in body2 as drawn");
  const Loop weld = loop_of("<weld body1='b' anchor='0 1 0'/>");
  EXPECT_EQ(weld.type, LoopType::weld);
  expect_near(list(weld.a.frame.r), {-1, 1, -1}, 0, "the world's (0, 1, 0) in b");
  expect_near(list(weld.b.frame.r), {0, 1, 0}, 0, "of body2");
  const Loop placed = loop_of("<weld body1='b' relpose='1 2 3 2 2 0 0'/>");
  expect_near(list(placed.a.frame.r), {1, 2, 3}, 0, "relpose");
  expect_near(list(placed.a.frame.R), {1, 0, 0, 0, 0, -1, 0, 1, 0}, 1e-16, "relpose");
}

TEST(Mjcf, EqualitiesOfJointsAreCouplings) {
  const Loop linear = loop_of("<joint joint1='y' joint2='x' polycoef='0.5 2'/>");
  EXPECT_EQ(linear.type, LoopType::coupler);
  EXPECT_EQ(linear.a.body, 1);
  EXPECT_EQ(linear.b.body, 2);
  EXPECT_EQ(linear.ratio, 2);
  EXPECT_EQ(linear.offset, 0.5);
  const Loop padded = loop_of("<joint joint1='y' joint2='x' polycoef='0.5 2 0 0 0'/>");
  EXPECT_EQ(padded.type, LoopType::coupler) << "a line, whatever zeros follow";
  EXPECT_EQ(padded.ratio, 2);
  EXPECT_EQ(loop_of("<joint joint1='y' joint2='x'/>").ratio, 1);
  EXPECT_EQ(loop_of("<joint joint1='y' joint2='x' polycoef='0.5'/>").ratio, 1) << "what is not said of it is 0 1 0 0 0";
  const Loop curved = loop_of("<joint joint1='y' joint2='x' polycoef='1 2 3 4 0'/>");
  EXPECT_EQ(curved.type, LoopType::polynomial);
  EXPECT_EQ(curved.coefficients, (std::vector<double>{1, 2, 3, 4}));
  const Loop standing = loop_of("<joint joint1='y' polycoef='0.3'/>");
  EXPECT_EQ(standing.a.body, standing.b.body);
  EXPECT_EQ(standing.coefficients, std::vector<double>{0.3});
}

// Coordinates count from ref in MuJoCo's polynomial: q1 - ref1 = f(q2 - ref2).
TEST(Mjcf, CouplingsCountFromRef) {
  const std::string tree =
      "<mujoco><compiler angle='radian'/>" WORLD("<body name='a'><joint name='x' ref='0.2'/>" MASS
                                                 "<body name='b'><joint name='y' ref='0.3'/>" MASS "</body></body>");
  const auto only = [&](const std::string& polycoef) {
    return sound(tree + "<equality><joint joint1='y' joint2='x' polycoef='" + polycoef + "'/></equality></mujoco>")
        .loops.at(0);
  };
  EXPECT_NEAR(only("0.5 2").offset, 0.3 + 0.5 - 2 * 0.2, 1e-16);
  EXPECT_EQ(only("0 0 1").phase, -0.2);
  EXPECT_EQ(only("0 0 1").offset, 0.3);
}

TEST(Mjcf, SitesAreEndsOfLoops) {
  const Robot robot = sound(MUJOCO(WORLD(
      "<site name='s' pos='1 0 0'/><body name='a'><joint/>" MASS
      "<site name='t' pos='0 0 2' euler='90 0 0'/></body>\n") "<equality><weld site1='t' site2='s'/></equality>"));
  ASSERT_EQ(robot.loops.size(), 1U);
  EXPECT_EQ(robot.loops[0].a.body, 1);
  EXPECT_EQ(robot.loops[0].a.frame.r.z, 2);
  EXPECT_NEAR(robot.loops[0].a.frame.R.zy, 1, 1e-16);
  EXPECT_EQ(robot.loops[0].b.body, 0);
  EXPECT_EQ(robot.loops[0].b.frame.r.x, 1);
}

TEST(Mjcf, KeyframesArePostures) {
  const Robot robot = sound(MUJOCO(
      WORLD("<body name='a'><joint type='ball'/>" MASS "<body name='b'><joint ref='90'/>" MASS
            "</body></body>\n") "<keyframe><key name='home' qpos='0 3 0 4 0.5'/><key qvel='1 1 1 1'/></keyframe>"));
  ASSERT_EQ(robot.postures.size(), 2U);
  EXPECT_EQ(robot.postures[0].name, "home");
  expect_near(robot.postures[0].q, {0, 0.6, 0, 0.8, 0.5}, 1e-16, "quaternions brought to length one");
  EXPECT_EQ(robot.postures[1].name, "key1");
  expect_near(robot.postures[1].q, {1, 0, 0, 0, pi / 2}, 1e-15, "qpos0");
}

TEST(Mjcf, ShapesAreThoseThatMujocoDraws) {
  const Robot robot =
      sound(MUJOCO(WORLD("<body name='a'><joint/><geom type='capsule' size='0.1' fromto='0 0 0 0 0 1'/>"
                         "<geom type='box' size='0.1 0.2 0.3' group='3'/></body>\n")));
  const Body& a = named(robot, "a");
  ASSERT_EQ(a.shapes.size(), 1U) << "groups 0 to 2";
  EXPECT_EQ(a.shapes[0].kind, Shape::Kind::capsule);
  EXPECT_EQ(a.shapes[0].size.x, 0.1);
  EXPECT_EQ(a.shapes[0].size.y, 1);
  EXPECT_EQ(a.shapes[0].frame.r.z, 0.5);
}

// Its armature resists the acceleration of the origin in the world: I_kk = m + armature along its axes.
TEST(Mjcf, AFreeJointWithArmatureIsThreeSlidesAndABall) {
  const Document document = mjcf(MUJOCO(WORLD(
      "<body name='b' pos='1 2 3' quat='0 1 0 0'><joint name='f' type='free' armature='0.5'/>" MASS "</body>\n")));
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Robot& robot = document.robot;
  ASSERT_EQ(robot.bodies.size(), 5u);
  EXPECT_EQ(robot.bodies[1].name, "b:f.x");
  EXPECT_EQ(robot.bodies[3].joint.name, "f.z");
  EXPECT_EQ(robot.bodies[4].name, "b");
  EXPECT_EQ(robot.bodies[4].joint.type, JointType::spherical);
  for (std::size_t b = 1; b < 5; ++b) EXPECT_EQ(robot.bodies[b].joint.armature, 0.5);
  expect_near(neutral_posture(robot), {1, 2, 3, 0, 1, 0, 0}, 1e-15, "qpos0");
  EXPECT_TRUE(says(document.notes, 3, "three slides and a ball: v is the velocity of the origin in the world"))
      << all_texts(document.notes);
}

// Drawn 2 m apart, which is the length at rest unless it is said.
TEST(Mjcf, ATendonFromSiteToSiteIsASpring) {
  const auto springs = [](const std::string& tendon) {
    const Document document =
        mjcf("<mujoco>\n" WORLD("<site name='s' pos='1 0 0'/><body name='arm' pos='1 0 2'>" HINGE MASS
                                "<site name='t' euler='10 20 30'/><site name='u'/></body>\n") "<tendon>" +
             tendon + "</tendon></mujoco>");
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    return document;
  };
  const std::string ends = "<site site='s'/><site site='t'/></spatial>";
  const Robot robot = springs("<spatial stiffness='3' damping='0.5'>" + ends).robot;
  ASSERT_EQ(robot.springs.size(), 1u);
  const PointSpring& spring = robot.springs[0];
  EXPECT_EQ(spring.a.body, 0);
  EXPECT_EQ(spring.a.frame.r.x, 1);
  EXPECT_EQ(spring.b.body, 1);
  EXPECT_EQ(spring.stiffness, 3);
  EXPECT_EQ(spring.damping, 0.5);
  EXPECT_EQ(spring.rest, 2);
  EXPECT_EQ(springs("<spatial stiffness='3' springlength='0.25'>" + ends).robot.springs.at(0).rest, 0.25);
  EXPECT_TRUE(springs("<spatial>" + ends).robot.springs.empty());
  for (const std::string& other :
       {"<spatial stiffness='3' springlength='0.1 0.2'>" + ends, "<spatial stiffness='3'><site site='u'/>" + ends}) {
    const Document document = springs(other);
    EXPECT_TRUE(document.robot.springs.empty());
    EXPECT_TRUE(says(document.warnings, 0, "stiffness: the force of a tendon is passed over"))
        << all_texts(document.warnings);
  }
}

TEST(Mjcf, TheGearOfAnActuatorMultipliesNoArmature) {
  const Document document = mjcf(MUJOCO(WORLD("<body name='a'><joint name='j' armature='0.1'/>" MASS
                                              "</body>\n") "<actuator><motor joint='j' gear='50'/></actuator>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Joint& joint = named(document.robot, "a").joint;
  EXPECT_EQ(joint.actuator.gear, 50);
  EXPECT_EQ(joint.actuator.rotor_inertia, 0);
  EXPECT_EQ(joint.armature, 0.1);
}

// What a sound file has and no equation of motion takes: one line for each kind, no doubt, nothing for --strict.
TEST(Mjcf, WhatMovesNothingIsPassedOverInOneLineEach) {
  const std::string text =
      MUJOCO("<visual><map/></visual>\n" WORLD("<geom type='plane' size='1 1 1'/><light/><light/>\n" ARM)  //
             "<contact><pair geom1='a' geom2='b'/></contact>\n"
             "<sensor><gyro site='s'/><gyro site='s'/><gyro site='s'/></sensor>\n"
             "<tendon><fixed name='t'><joint joint='h' coef='1'/></fixed></tendon>\n"
             "<actuator><motor joint='h'/></actuator>\n"
             "<equality><joint joint1='h' active='false'/></equality>\n");
  const Document document = mjcf(text, {.strict = true});
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const std::pair<int, const char*> expected[] = {
      {2, "visual: passed over (1): it moves nothing"},
      {4, "lights: passed over (2): it moves nothing"},
      {7, "contacts: passed over (2): bodies go through each other"},
      {8, "sensor: passed over (3): they move nothing"},
      {9, "tendons: passed over (1): they hold and pull nothing"},
      {10, "actuators: passed over (1): forces are given at the joints, as tau"},
      {11, "inactive equality: passed over (1): active=\"false\""}};
  for (const auto& [line, fragment] : expected)
    EXPECT_TRUE(says(document.notes, line, fragment)) << fragment << "\n" << all_texts(document.notes);
  EXPECT_EQ(document.notes.size(), std::size(expected)) << all_texts(document.notes);
  EXPECT_EQ(document.robot.doubts.size(), std::size(expected)) << "data for programs";
}

// What changes the motion and is left out of it is doubted.
struct Doubted {
  const char* name;
  const char* text;
  int line;
  const char* fragment;
};
const Doubted doubted_files[] = {
    {"equality of tendons",
     MUJOCO(WORLD(ARM) "<tendon><fixed name='t'><joint joint='h' coef='1'/></fixed></tendon>\n"
                       "<equality>\n<tendon name='e' tendon1='t'/></equality>\n"),
     7, "tendon 'e': an equality of tendons is passed over: the robot moves as if it did not hold"},
    {"tendon spring",
     MUJOCO(WORLD(ARM) "<tendon>\n<fixed name='t' stiffness='2'><joint joint='h' coef='1'/></fixed></tendon>\n"), 6,
     "fixed 't': stiffness: the force of a tendon is passed over"},
    {"efforts of two sizes",
     MUJOCO(WORLD("<body name='arm'>\n<joint name='h' actuatorfrcrange='-2 5'/>" MASS "</body>\n")), 4,
     "joint 'h': actuatorfrcrange: the limit of effort is one for both ways, and taken as 5"},
    {"air", MUJOCO("<option density='1.2'/>\n" WORLD(ARM)), 2, "density: the forces of the air or water"},
    {"gravity compensation", MUJOCO(WORLD("<body name='arm' gravcomp='1'>" HINGE MASS "</body>\n")), 3,
     "body 'arm': gravcomp: the force that holds the weight of the body is passed over"},
    {"mocap", MUJOCO(WORLD(ARM "<body name='m' mocap='true'>" MASS "</body>\n")), 4, "mocap: the body stands where"},
    {"range of a ball", MUJOCO(WORLD("<body><joint type='ball' range='0 90'/>" MASS "</body>\n")), 3,
     "range: the limit of a ball's angle is passed over"},
    {"spring of a ball", MUJOCO(WORLD("<body><joint type='ball' stiffness='1'/>" MASS "</body>\n")), 3,
     "stiffness: the spring of a ball joint is passed over"},
    {"springdamper", MUJOCO(WORLD("<body><joint springdamper='1 1'/>" MASS "</body>\n")), 3,
     "springdamper is passed over"},
    {"nonlinear damping", MUJOCO(WORLD("<body><joint damping='1 2'/>" MASS "</body>\n")), 3,
     "damping: what is not linear in it is passed over"},
    {"equalities off",
     MUJOCO("<option><flag equality='disable'/></option>\n" TWO
            "<equality><joint joint1='x' joint2='y'/></equality>\n"),
     2, "equality=\"disable\": equalities are loops all the same"},
};
class MjcfDoubts : public ::testing::TestWithParam<Doubted> {};
TEST_P(MjcfDoubts, AreToldAndRefusedByStrict) {
  const Doubted& doubted = GetParam();
  const Document document = mjcf(doubted.text);
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(says(document.warnings, doubted.line, doubted.fragment)) << all_texts(document.warnings);
  EXPECT_TRUE(says(mjcf(doubted.text, {.strict = true}).faults, doubted.line, doubted.fragment));
}
std::string name_of_case(const std::string& said) {
  std::string name = said;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(MjcfFiles, MjcfDoubts, ::testing::ValuesIn(doubted_files),
                         [](const auto& file) { return name_of_case(file.param.name); });

#define BODY(content) MUJOCO(WORLD("<body name='arm'>\n" content "</body>\n"))
const Broken broken_files[] = {
    {"no XML", "<mujoco><worldbody></mujoco>", 1, ""},
    {"unknown section", MUJOCO("<worldbodies/>\n"), 2, "unknown element 'worldbodies'; did you mean 'worldbody'?"},
    {"no body", MUJOCO(WORLD("<geom type='plane' size='1 1 1'/>\n")), 1, "<mujoco>: a robot has at least one body"},
    {"no world", MUJOCO("<option/>\n"), 1, "<mujoco>: a robot has at least one body"},
    {"unknown element", BODY("<jiont/>\n"), 4, "unknown element 'jiont'; did you mean 'joint'?"},
    {"unknown actuator", MUJOCO(WORLD(ARM) "<actuator>\n<motr joint='h'/></actuator>\n"), 6,
     "unknown element 'motr'; did you mean 'motor'?"},
    {"unknown attribute of a joint", BODY("<joint dampin='1'/>" MASS "\n"), 4, "unknown attribute 'dampin'"},
    {"unknown attribute of a geom", BODY(HINGE "<geom size='1' densty='1'/>\n"), 4, "unknown attribute 'densty'"},
    {"unknown attribute of a default", MUJOCO("<default><joint armatur='1'/></default>\n" WORLD(TWO_ARMS)), 2,
     "default class 'main': joint: unknown attribute 'armatur'"},
    {"no number", BODY(HINGE "<inertial pos='0 0 0' mass='1,5' diaginertia='1 1 1'/>\n"), 4, "<inertial>: mass: "},
    {"too few numbers", BODY("<joint name='j' axis='1 0'/>" MASS "\n"), 4,
     "joint 'j': axis: expected 3 numbers, found 2"},
    {"zero axis", BODY("<joint name='j' axis='0 0 0'/>" MASS "\n"), 4, "axis"},
    {"unknown type of joint", BODY("<joint name='j' type='hing'/>" MASS "\n"), 4,
     "joint 'j': type: unknown word 'hing'; did you mean 'hinge'?"},
    {"zero quaternion", MUJOCO(WORLD("<body name='arm' quat='0 0 0 0'>" HINGE MASS "</body>\n")), 3,
     "body 'arm': quat: a zero quaternion is no rotation"},
    {"turned twice", MUJOCO(WORLD("<body name='arm' quat='1 0 0 0' euler='0 0 0'>" HINGE MASS "</body>\n")), 3,
     "body 'arm': an element is turned in one way: quat, axisangle, euler, xyaxes or zaxis"},
    {"parallel axes", MUJOCO(WORLD("<body name='arm' xyaxes='1 0 0 2 0 0'>" HINGE MASS "</body>\n")), 3,
     "xyaxes: two axes that are not zero and not parallel"},
    {"euler sequence", MUJOCO("<compiler eulerseq='xyw'/>\n" WORLD(ARM)), 2,
     "<compiler>: eulerseq: three letters of x, y, z, X, Y, Z, not 'xyw'"},
    {"global coordinates", MUJOCO("<compiler coordinate='global'/>\n" WORLD(ARM)), 2,
     "coordinate: global coordinates are not read: save the file with coordinate=\"local\""},
    {"unknown class", BODY("<joint name='j' class='leg'/>" MASS "\n"), 4, "joint 'j': class: unknown class 'leg'"},
    {"class given twice", MUJOCO("<default><default class='a'/>\n<default class='a'/></default>\n" WORLD(ARM)), 3,
     "class: there is a class 'a' already"},
    {"missing file", MUJOCO("<include file='nowhere.xml'/>\n" WORLD(ARM)), 2, "'nowhere.xml' cannot be included", 2},
    {"joint in the world", MUJOCO(WORLD("<joint/>\n" ARM)), 3, "<joint>: the world has no joints"},
    {"free joint within", MUJOCO(WORLD("<body name='a'>" HINGE MASS "\n<body><freejoint/>" MASS "</body></body>\n")), 4,
     "<freejoint>: a free joint is the only joint of a body in the world"},
    {"free joint and another", BODY("<freejoint/><joint/>" MASS "\n"), 4, "a free joint is the only joint"},
    {"two inertials", BODY(HINGE MASS "\n" MASS "\n"), 5, "<inertial>: body 'arm' has an <inertial> already"},
    {"no mass", BODY(HINGE "<inertial pos='0 0 0' diaginertia='1 1 1'/>\n"), 4, "<inertial>: missing attribute 'mass'"},
    {"negative mass", BODY(HINGE "<inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>\n"), 4,
     "<inertial>: mass: it is not negative"},
    {"two tensors", BODY(HINGE "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>\n"), 4,
     "either diaginertia or fullinertia, not both"},
    {"turned tensor", BODY(HINGE "<inertial pos='0 0 0' mass='1' euler='90 0 0' fullinertia='1 1 1 0 0 0'/>\n"), 4,
     "fullinertia: the tensor stands in the axes of the body"},
    {"box with one size", BODY(HINGE "<geom name='g' type='box' size='1'/>\n"), 4,
     "geom 'g': size: a box has 3 positive numbers"},
    {"geom without size", BODY(HINGE "<geom/>\n"), 4, "<geom>: size: a sphere has 1 positive number"},
    {"ends of a sphere", BODY(HINGE "<geom size='1' fromto='0 0 0 0 0 1'/>\n"), 4, "fromto: a sphere has no ends"},
    {"ends that meet", BODY(HINGE "<geom type='capsule' size='1' fromto='0 0 1 0 0 1'/>\n"), 4,
     "fromto: its two points are the same"},
    {"negative density", BODY(HINGE "<geom size='1' density='-1'/>\n"), 4, "density: it is not negative"},
    {"unknown mesh", BODY(HINGE "<geom type='mesh' mesh='hull'/>\n"), 4, "mesh: unknown mesh 'hull'"},
    {"missing mesh file",
     MUJOCO("<asset><mesh name='hull' file='hull.stl'/></asset>\n" WORLD("<body name='arm'>" HINGE
                                                                         "<geom type='mesh' mesh='hull'/></body>\n")),
     2, "The body has no <inertial>: its inertia would come from the mesh"},
    {"composite", BODY(HINGE MASS "<composite type='grid'/>\n"), 4,
     "<composite> is not read: save the model as MuJoCo compiles it, and give that"},
    {"names given twice", MUJOCO(WORLD(ARM "<body name='arm'><joint/>" MASS "</body>\n")), 4, "duplicate"},
    {"unknown body", MUJOCO(TWO "<equality>\n<connect body1='c' anchor='0 0 0'/></equality>\n"), 0,
     "body1: unknown body 'c'"},
    {"connect without anchor", MUJOCO(TWO "<equality><connect name='e' body1='b'/></equality>\n"), 0,
     "connect 'e': missing attribute 'anchor'"},
    {"equality of nothing", MUJOCO(TWO "<equality><weld/></equality>\n"), 0, "it names body1, or site1 and site2"},
    {"unknown joint", MUJOCO(TWO "<equality><joint joint1='z'/></equality>\n"), 0, "joint1: unknown joint 'z'"},
    {"coupling of a ball",
     MUJOCO(WORLD("<body><joint name='s' type='ball'/>" MASS "</body>" ARM)  //
            "<equality><joint joint1='s' joint2='h'/></equality>\n"),
     0, "joint 's' has 4 coordinates: a coupling wants joints with one"},
    {"armature of a tendon",
     MUJOCO(WORLD(ARM) "<tendon><fixed name='t' armature='1'><joint joint='h' coef='1'/></fixed></tendon>\n"), 0,
     "armature: the inertia of a tendon is not computed: say it as armature of the joints"},
    {"armature of an actuator", MUJOCO(WORLD(ARM) "<actuator><motor joint='h' armature='1'/></actuator>\n"), 0,
     "armature: say it as armature of the joint: gear^2 times this"},
    {"short keyframe", MUJOCO(TWO "<keyframe><key name='k' qpos='1'/></keyframe>\n"), 0,
     "key 'k': qpos: expected 2 numbers, found 1"},
    {"keyframe with a zero quaternion",
     MUJOCO(WORLD("<body><joint name='s' type='ball'/>" MASS
                  "</body>\n") "<keyframe><key name='k' qpos='0 0 0 0'/></keyframe>\n"),
     0, "key 'k': qpos: the quaternion of joint 's' is zero"},
    {"keyframes of one name", MUJOCO(TWO "<keyframe><key name='k' qpos='1 1'/><key name='k' qpos='1 1'/></keyframe>\n"),
     0, "key 'k': duplicate name: there is another posture 'k'"},
    {"replicas without end", BODY(HINGE MASS "<replicate count='1e9'><geom size='1'/></replicate>\n"), 4,
     "count: a whole number from 1 to 100000"},
};
class BrokenMjcf : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenMjcf, IsRefusedWithFileLineElementAndRule) {
  const Broken& broken = GetParam();
  const Document document = mjcf(broken.text);
  EXPECT_TRUE(says(document.faults, broken.line, broken.fragment)) << all_texts(document.faults);
  EXPECT_EQ(document.faults.size(), broken.faults) << all_texts(document.faults);
  for (const Fault& fault : document.faults) {
    if (!fault.source.file.ends_with("nowhere.xml")) {
      EXPECT_GT(fault.source.line, 0) << fault.text();
    }
  }
}
INSTANTIATE_TEST_SUITE_P(MjcfFiles, BrokenMjcf, ::testing::ValuesIn(broken_files),
                         [](const auto& file) { return name_of_case(file.param.name); });

}  // namespace
}  // namespace denoc
