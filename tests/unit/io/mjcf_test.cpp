// MJCF: what is read of bodies, joints and settings, and what is passed over.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "denoc/model/quaternions.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"
#include "unit/io/mjcf_files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::body_with;
using test::expect_near;
using test::list;
using test::mjcf;
using test::named;
using test::says;
using test::sound;
using test::TemporaryFile;

constexpr double pi = std::numbers::pi;

Mat3<double> turned(const std::string& settings, const std::string& attributes) {
  return body_with(settings, attributes, HINGE MASS).joint_frame.R;
}

TEST(Mjcf, LeavesAFreeBaseToTheFile) {
  const Document document =
      test::read_text_as("m.xml", MUJOCO(WORLD("<body>" HINGE MASS "</body>")), {.base = Base::free});
  EXPECT_TRUE(says(document.faults, 0, "a free base is chosen for URDF only")) << all_texts(document.faults);
  EXPECT_TRUE(says(document.faults, 0, "<freejoint/>")) << all_texts(document.faults);
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

// The shortest turn that takes z there; of those to -z MuJoCo has the one about x (mju_quatZ2Vec).
TEST(Mjcf, ZaxisIsTheShortestTurn) {
  expect_near(list(turned("", "zaxis='0 0 2'")), {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0, "z");
  expect_near(list(turned("", "zaxis='0 0 -2'")), list(turned("", "quat='0 1 0 0'")), 0, "-z");
  expect_near(list(turned("", "zaxis='2 0 0'")), list(turned("", "axisangle='0 1 0 90'")), 2e-16, "x");
  expect_near(list(turned("", "zaxis='0 1 -1'")), list(turned("", "axisangle='1 0 0 -135'")), 3e-16, "between");
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

// As MuJoCo 4.0.0: each class writes its numbers over those of the class around it.
TEST(Mjcf, ShorterNumbersKeepTheRestOfTheDefaults) {
  const Document document =
      mjcf(MUJOCO("<default><joint damping='1 0.5' stiffness='1 0 0.5'/><geom type='capsule' size='0.3 0.2 0.1'/>\n"
                  "  <tendon stiffness='1' springlength='0 2'/>\n"
                  "  <default class='thin'><geom size='0.1'/></default></default>\n" WORLD(
                      "<site name='s'/>\n<body name='arm'>\n<joint name='h' damping='2' stiffness='3'/>" MASS
                      "<geom class='thin'/><geom class='thin' size='0.05'/><geom type='box' size='1 2'/><site "
                      "name='t'/></body>\n") "<tendon><spatial springlength='0.5'><site site='s'/><site "
                                             "site='t'/></spatial></tendon>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Body& arm = named(document.robot, "arm");
  EXPECT_EQ(arm.joint.friction.viscous, 2);
  EXPECT_EQ(arm.joint.spring.stiffness, 3);
  EXPECT_EQ(document.warnings.size(), 2u) << all_texts(document.warnings);
  for (const char* attribute : {"damping", "stiffness"})
    EXPECT_TRUE(
        says(document.warnings, 8, fmt::format("joint 'h': {}: what is not linear in it is passed over", attribute)))
        << all_texts(document.warnings);
  ASSERT_EQ(arm.shapes.size(), 3u);
  expect_near(list(arm.shapes[0].size), {0.1, 0.4, 0}, 0,
              "radius of the class, half the length of the class around it");
  expect_near(list(arm.shapes[1].size), {0.05, 0.4, 0}, 0, "radius of its own");
  expect_near(list(arm.shapes[2].size), {2, 4, 0.2}, 0, "sides of its own, and one of the class around");
  // One springlength is both ends, not the first of two.
  ASSERT_EQ(document.robot.springs.size(), 1u);
  EXPECT_EQ(document.robot.springs[0].rest, 0.5);
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
  const Body taken_back = body_with("<compiler autolimits='false'/>", "", "<joint range='0 0'/>" MASS);
  EXPECT_EQ(taken_back.joint.limits.upper, std::numeric_limits<double>::infinity());
}

// A posture has no rates.
TEST(Mjcf, TheRatesOfKeyframesArePassedOver) {
  const auto notes = [](const char* rates) {
    return mjcf(fmt::format(MUJOCO("{}<keyframe>\n<key qpos='1 1' qvel='{}'/></keyframe>\n"), TWO, rates)).notes;
  };
  EXPECT_TRUE(says(notes("0 2"), 6, "qvel of keyframes: passed over (1): a posture is q alone"))
      << all_texts(notes("0 2"));
  EXPECT_FALSE(says(notes("0 0"), 0, "qvel"));
}

// MuJoCo 4.0.0 takes a range without room as none: "0 0" takes back what a default says.
TEST(Mjcf, ARangeWithoutRoomIsNoLimit) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::string settings = "<default><joint range='-10 10' actuatorfrcrange='-2 2'/></default>";
  const Joint open = body_with(settings, "", "<joint range='0 0' actuatorfrcrange='0 0'/>" MASS).joint;
  EXPECT_EQ(open.limits.lower, -inf);
  EXPECT_EQ(open.limits.upper, inf);
  EXPECT_EQ(open.limits.effort, inf);
  const Joint limited = body_with(settings, "", "<joint/>" MASS).joint;
  EXPECT_NEAR(limited.limits.upper, pi / 18, 1e-16);
  EXPECT_EQ(limited.limits.effort, 2);
  EXPECT_EQ(body_with("", "", "<joint range='0 0' limited='true'/>" MASS).joint.limits.upper, 0) << "as it is said";
}

// actuatorfrcrange clamps what all actuators give a joint, in N m whatever the compiler's angles are.
TEST(Mjcf, TheRangeOfActuatorForcesIsTheLimitOfEffort) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto effort = [](const char* compiler, const char* joint) {
    return body_with(compiler, "", fmt::format("<joint {}/>" MASS, joint)).joint.limits.effort;
  };
  EXPECT_EQ(effort("", "actuatorfrcrange='-90 90'"), 90);
  EXPECT_EQ(effort("", "actuatorfrcrange='-90 90' actuatorfrclimited='false'"), inf);
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

// Of the two quaternions of an attitude the one that MuJoCo 3.3 makes of the element, multiplied along frames.
TEST(Mjcf, QposOfAFreeJointHasTheSignOfTheElement) {
  const auto quaternion = [](const std::string& before, const std::string& turn, const std::string& behind) {
    const Robot robot = sound("<mujoco><compiler eulerseq='xyZ'/><worldbody>" + before + "<body name='b' " + turn +
                              "><freejoint/>" MASS "</body>" + behind + "</worldbody></mujoco>");
    const std::vector<double> q = neutral_posture(robot);
    return std::vector<double>(q.end() - 4, q.end());
  };
  const auto expect = [&](const std::string& turn, const std::vector<double>& expected, const std::string& frame = "") {
    const bool has_frame = !frame.empty();
    expect_near(quaternion(has_frame ? "<frame " + frame + ">" : "", turn, has_frame ? "</frame>" : ""), expected, 1e-8,
                turn.c_str());
  };
  expect("quat='-1 0.2 0.3 0.4'", {-0.88045091, 0.17609018, 0.26413527, 0.35218036});
  expect("quat='-1e200 0 0 0'", {-1, 0, 0, 0});
  expect("euler='0 0 350'", {-0.99619470, 0, 0, 0.08715574});
  expect("euler='10 200 300'", {0.10689565, -0.47742333, -0.85719033, -0.16082609});
  expect("axisangle='0 1 0 250'", {-0.57357644, 0, 0.81915204, 0});
  expect("axisangle='0 1 0 -250'", {-0.57357644, 0, -0.81915204, 0});
  expect("axisangle='0 1 0 250'", {0.57072989, -0.05707299, -0.81508675, 0.08150867}, "quat='-1 0.1 0 0'");
  expect("pos='1 0 0'", {-1, 0, 0, 0}, "quat='-1 0 0 0'");
  expect("quat='-1 0 0 0'", {1, 0, 0, 0}, "euler='0 360 0'");
  expect("xyaxes='-1 0.1 0 0 -1 0'", {0.04981370, 0, 0, 0.99875853});
  expect("xyaxes='-1 -0.1 0 0 -1 0'", {-0.04981370, 0, 0, 0.99875853});
  expect("zaxis='0 -0.1 -1'", {0.04981370, 0.99875853, 0, 0});
  expect("zaxis='0 0.1 -1'", {0.04981370, -0.99875853, 0, 0});
  // The second replica; the angle is counted on, not turned back into half a turn.
  const auto replica = quaternion("<replicate count='2' euler='0 0 200'>", "zaxis='1 0 -3'", "</replicate>");
  expect_near(replica, {-0.02781535, -0.97209138, -0.17140594, 0.15774871}, 1e-8, "replicate");
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

// Names that the file does not say give way to those that it says.
TEST(Mjcf, MadeUpNamesGiveWay) {
  const Robot chain = sound(MUJOCO(WORLD("<body name='a'><joint name='j'/><joint name='k'/>" MASS
                                         "</body><body name='a:j'><joint name='l'/>" MASS "</body>\n")));
  EXPECT_EQ(chain.bodies.at(1).name, "a:j_");
  EXPECT_EQ(chain.bodies.at(3).name, "a:j");
  const Robot fixed = sound(MUJOCO(WORLD("<body name='a'><joint name='j'/>" MASS "<body name='j'>" MASS
                                         "<body name='b'><joint name='j:fixed'/>" MASS "</body></body></body>\n")));
  EXPECT_EQ(named(fixed, "j").joint.name, "j:fixed_");
  const Document floating = mjcf(MUJOCO(WORLD("<body name='a'><joint type='free' name='f' armature='1'/>" MASS
                                              "<body name='a:f.x'><joint name='f.y'/>" MASS "</body></body>\n")));
  EXPECT_TRUE(floating.faults.empty()) << all_texts(floating.faults);
  EXPECT_EQ(floating.robot.bodies.at(1).name, "a:f.x_");
  EXPECT_EQ(floating.robot.bodies.at(2).joint.name, "f.y_");
  const Robot keys = sound(MUJOCO(TWO "<keyframe><key name='home' qpos='1 1'/><key qpos='2 2'/></keyframe>"
                                      "<keyframe><key name='key1' qpos='3 3'/></keyframe>\n"));
  ASSERT_EQ(keys.postures.size(), 3U);
  EXPECT_EQ(keys.postures[1].name, "key1_");
  EXPECT_EQ(keys.postures[2].name, "key1");
}

TEST(Mjcf, ReplicasHaveAClassAndMayBeNone) {
  const auto replicas = [](const std::string& words) {
    return sound("<mujoco><default><default class='k'><joint damping='3'/></default></default><worldbody>" ARM
                 "<replicate offset='1 0 0' " +
                 words + "><body name='b'><joint name='j'/>" MASS "</body></replicate></worldbody></mujoco>");
  };
  EXPECT_EQ(replicas("count='0'").bodies.size(), 2U);
  const Robot two = replicas("count='2' childclass='k'");
  ASSERT_EQ(two.bodies.size(), 4U);
  EXPECT_EQ(two.bodies[3].name, "b1");
  EXPECT_EQ(two.bodies[3].joint_frame.r.x, 1);
  EXPECT_EQ(two.bodies[3].joint.friction.viscous, 3);
}

// MuJoCo 4.0.0 turns the third by twice the angles, which is not twice the turn; the places are
// sums of offsets in the axes of the one before.
TEST(Mjcf, ReplicasAreTurnedByMultiplesOfTheAngles) {
  const Robot robot = sound(
      "<mujoco><compiler angle='radian'/><worldbody><replicate count='4' offset='0.3 0.2 0.1' euler='0.5 0.7 -0.3'>"
      "<body name='b'><joint name='j'/>" MASS "</body></replicate></worldbody></mujoco>");
  ASSERT_EQ(robot.bodies.size(), 5U);
  const auto turn = [](int i) {
    return turned("<compiler angle='radian'/>", fmt::format("euler='{} {} {}'", 0.5 * i, 0.7 * i, -0.3 * i));
  };
  Vec3<double> place{0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    const Pose<double>& frame = robot.bodies[static_cast<std::size_t>(i + 1)].joint_frame;
    expect_near(list(frame.R), list(turn(i)), 1e-15, "turn");
    expect_near(list(frame.r), list(place), 1e-15, "place");
    place += turn(i) * Vec3<double>{0.3, 0.2, 0.1};
  }
  expect_near(list(robot.bodies[4].joint_frame.r), {0.7886546154658, 0.6422996113449, -0.1656429410053}, 1e-12,
              "of MuJoCo");
}

// Several <option> continue each other: vector and flag are two things, of each the last word counts.
TEST(Mjcf, GravityOfSeveralOptions) {
  const auto gravity = [](const std::string& options) {
    return sound("<mujoco>" + options + WORLD(ARM) "</mujoco>").gravity.z;
  };
  const std::string on = "<option><flag gravity='enable'/></option>",
                    off = "<option><flag gravity='disable'/></option>";
  EXPECT_EQ(gravity(off + "<option gravity='0 0 -5'/>"), 0);
  EXPECT_EQ(gravity("<option gravity='0 0 -5'/>" + off), 0);
  EXPECT_EQ(gravity(off + on), -9.81);
  EXPECT_EQ(gravity(off + "<option gravity='0 0 -5'/>" + on), -5);
  EXPECT_EQ(gravity("<option gravity='0 0 -5'/><option gravity='0 0 -6'/><option timestep='0.1'/>"), -6);
}

TEST(Mjcf, FlagsSwitchForcesOff) {
  const auto with = [](const std::string& flags) {
    return sound("<mujoco><option><flag " + flags +
                 "/></option><worldbody><site name='s' pos='1 0 0'/><body name='arm'><joint stiffness='1' damping='2' "
                 "frictionloss='3'/>" MASS
                 "<site name='t'/></body></worldbody><tendon><spatial stiffness='4' damping='5'><site site='s'/>"
                 "<site site='t'/></spatial></tendon></mujoco>");
  };
  const auto forces = [](const Robot& robot) {
    const Joint& joint = named(robot, "arm").joint;
    std::vector<double> all = {joint.spring.stiffness, joint.friction.viscous, joint.friction.coulomb};
    for (const PointSpring& spring : robot.springs) all.insert(all.end(), {spring.stiffness, spring.damping});
    return all;
  };
  EXPECT_EQ(forces(with("contact='disable'")), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(forces(with("spring='disable'")), (std::vector<double>{0, 2, 3, 0, 5}));
  EXPECT_EQ(forces(with("damper='disable'")), (std::vector<double>{1, 0, 3, 4, 0}));
  EXPECT_EQ(forces(with("frictionloss='disable'")), (std::vector<double>{1, 2, 0, 4, 5}));
  EXPECT_EQ(forces(with("constraint='disable'")), (std::vector<double>{1, 2, 0, 4, 5}));
  EXPECT_EQ(forces(with("passive='disable'")), (std::vector<double>{0, 0, 3}));
}

// Each attribute that MuJoCo 4.0.0 knows there; equalities that are not active are looked at no further.
TEST(Mjcf, EveryAttributeOfOptionsEqualitiesTendonsAndSites) {
  const std::string sol = "solref='0.02 1' solimp='0.9 0.95 0.001 0.5 2' active='false' class='c' name=";
  const std::string tendon =
      "class='c' group='0' limited='true' range='0 1' solreflimit='1 1' solimplimit='0 1 1' solreffriction='1 1' "
      "solimpfriction='0 1 1' actuatorfrclimited='false' actuatorfrcrange='0 1' frictionloss='0' springlength='1' "
      "springyield='0' margin='0' stiffness='0' damping='0' armature='0' user='1' name=";
  const Robot robot = sound(
      "<mujoco><option timestep='1' impratio='1' tolerance='1' ls_tolerance='1' noslip_tolerance='1' ccd_tolerance='1' "
      "sleep_tolerance='1' gravity='0 0 -1' wind='0 0 0' magnetic='0 0 0' density='0' viscosity='0' o_margin='0' "
      "o_solref='1 1' o_solimp='0 1 1' o_friction='1 1 1 1 1' integrator='Euler' cone='elliptic' jacobian='auto' "
      "solver='CG' iterations='1' ls_iterations='1' noslip_iterations='1' ccd_iterations='1' sdf_iterations='1' "
      "sdf_initpoints='1' actuatorgroupdisable='1'><flag constraint='enable' equality='enable' frictionloss='enable' "
      "limit='enable' contact='enable' spring='enable' damper='enable' gravity='enable' clampctrl='enable' "
      "warmstart='enable' filterparent='enable' actuation='enable' refsafe='enable' sensor='enable' midphase='enable' "
      "eulerdamp='enable' autoreset='enable' nativeccd='enable' island='enable' multiccd='enable' override='enable' "
      "energy='enable' fwdinv='enable' invdiscrete='enable' sleep='enable' diagexact='enable' ipc='enable' "
      "speculative='enable'/></option><default><default class='c'/></default><worldbody><body name='a'>" HINGE MASS
      "<geom name='g' size='1'/><site name='s' class='c' type='capsule' group='0' quat='1 0 0 0' material='m' "
      "size='0.1' fromto='0 0 0 1 0 0' rgba='1 1 1 1' user='1'/></body></worldbody><equality><connect " +
      sol + "'1' body1='a' body2='world' anchor='0 0 0' site1='s' site2='s'/><weld " + sol +
      "'2' body1='a' body2='world' anchor='0 0 0' site1='s' site2='s' relpose='0 0 0 1 0 0 0' "
      "torquescale='1'/><joint " +
      sol + "'3' joint1='h' joint2='h' polycoef='1'/><tendon " + sol +
      "'4' tendon1='t' tendon2='t' polycoef='1'/><flex " + sol + "'5' flex='f'/><flexstrain " + sol +
      "'6' flex='f' cell='0 0 0'/></equality><tendon><spatial width='1' material='m' rgba='1 1 1 1' " + tendon +
      "'t'><site site='s'/><geom geom='g' sidesite='s'/><pulley divisor='2'/></spatial><fixed " + tendon +
      "'u'><joint joint='h' coef='1'/></fixed></tendon></mujoco>");
  EXPECT_EQ(robot.gravity.z, -1);
}

TEST(Mjcf, GravityIsAnOption) {
  EXPECT_EQ(sound(MUJOCO("<option gravity='1 2 3'/>" WORLD(ARM))).gravity.y, 2);
  EXPECT_EQ(sound(MUJOCO(WORLD(ARM))).gravity.z, -9.81);
  EXPECT_EQ(sound(MUJOCO("<option><flag gravity='disable'/></option>" WORLD(ARM))).gravity.z, 0);
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

TEST(Mjcf, TheGearOfAnActuatorMultipliesNoArmature) {
  const Document document = mjcf(MUJOCO(WORLD("<body name='a'><joint name='j' armature='0.1'/>" MASS
                                              "</body>\n") "<actuator><motor joint='j' gear='50'/></actuator>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Joint& joint = named(document.robot, "a").joint;
  EXPECT_EQ(joint.actuator.gear, 50);
  EXPECT_EQ(joint.actuator.rotor_inertia, 0);
  EXPECT_EQ(joint.armature, 0.1);
}

// What names a replicated element where nothing is read of it stands for all of its replicas.
TEST(Mjcf, NamesOfReplicasAreKnown) {
  const Document document =
      mjcf(MUJOCO(WORLD("<replicate count='3' offset='1 0 0'><body name='b'><joint name='j'/>" MASS
                        "<site name='s'/></body></replicate>\n") "<sensor><gyro site='s'/><gyro site='s1'/></sensor>\n"
                                                                 "<contact><exclude body1='b' body2='b2'/></contact>\n"
                                                                 "<actuator><motor joint='j'/></actuator>\n"));
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(document.warnings.empty()) << all_texts(document.warnings);
  const Document geared =
      mjcf(MUJOCO(WORLD("<replicate count='2' offset='1 0 0'><body name='b'><joint name='j'/>" MASS
                        "</body></replicate>\n") "<actuator><motor joint='j' gear='5'/></actuator>\n<sensor><gyro "
                                                 "site='j'/></sensor>\n"));
  EXPECT_TRUE(says(geared.warnings, 5, "gear: passed over, as the joint is replicated")) << all_texts(geared.warnings);
  EXPECT_TRUE(says(geared.faults, 6, "unknown site 'j'")) << "a joint is called so, and no site";
}

// A keyframe says the first numbers of q; the others are as in qpos0.
TEST(Mjcf, ShortKeyframesAreFilledUp) {
  const Robot robot =
      sound(MUJOCO(WORLD("<body name='a'><joint name='x'/>" MASS "<body name='b'><joint name='y' ref='30'/>" MASS
                         "</body></body>\n") "<keyframe><key name='k' qpos='1'/></keyframe>\n"));
  expect_near(robot.postures.at(0).q, {1, M_PI / 6}, 1e-16, "q");
}

// What a sound file has and no equation of motion takes: one line for each kind, no doubt, nothing for --strict.
TEST(Mjcf, WhatMovesNothingIsPassedOverInOneLineEach) {
  const std::string text = MUJOCO(
      "<visual><map/></visual>\n" WORLD("<geom type='plane' size='1 1 1'/><light/><light/><site name='s'/>\n" ARM)  //
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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
