// Joints written and read again: what means nothing for their type stays away.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "unit/io/there_and_back.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::there_and_back;

// Files of CAD programs have limits and friction for joints that do not move, too.
TEST(Save, JointsThatDoNotMoveHaveNoForces) {
  const auto robot = [](const char* type) {
    const Document document = test::read_text_as(
        "r.urdf", fmt::format(R"(<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="{}"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="7" velocity="8"/>
<dynamics damping="0.1" friction="0.2"/></joint></robot>)",
                              type));
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    return document.robot;
  };
  for (const char* file : {"r.yaml", "r.xml"}) {
    const Joint fixed = there_and_back(robot("fixed"), file).bodies.back().joint,
                moves = there_and_back(robot("revolute"), file).bodies.back().joint;
    EXPECT_EQ(fixed.friction.viscous, 0) << file;
    EXPECT_EQ(fixed.friction.coulomb, 0) << file;
    EXPECT_TRUE(std::isinf(fixed.limits.upper)) << file;
    EXPECT_EQ(moves.friction.viscous, 0.1) << file;
    EXPECT_EQ(moves.friction.coulomb, 0.2) << file;
    EXPECT_EQ(moves.limits.upper, 1) << file;
  }
  EXPECT_EQ(robot_text(robot("fixed"), "r.xml").unsaid, std::vector<std::string>{})
      << "nothing is lost of a joint that is not written";
}

// No number is taken for one that need not be said: ones come back, and so do zeros.
TEST(Save, OnesComeBackAsZerosDo) {
  for (const double x : {0.0, 1.0}) {
    Robot robot = test::read_text_as("r.yaml", R"(
bodies:
  - {name: a, joint: revolute, mass: 1, com: [1, 1, 1], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, joint: revolute, mass: 1, com: [1, 1, 1], inertia: [1, 1, 1, 0, 0, 0]}
)")
                      .robot;
    Joint& joint = robot.bodies[1].joint;
    joint.friction = {.viscous = x, .coulomb = x};
    joint.friction.stribeck_epsilon = joint.friction.stribeck_gamma = joint.friction.surface_speed = x;
    joint.spring = {1, x};
    joint.limits.lower = -x, joint.limits.upper = joint.limits.velocity = joint.limits.effort = 1;
    joint.limits.stiffness = 1, joint.limits.damping = x;
    joint.actuator = {2, x, 1};
    joint.armature = x;
    joint.neutral = {x};
    for (const char* file : {"r.yaml", "r.urdf"}) {
      const Robot again = there_and_back(robot, file);
      const Joint& found = again.bodies[static_cast<std::size_t>(again.find("a"))].joint;
      const Friction &f = found.friction, &g = joint.friction;
      for (const auto& [one, other] :
           {std::pair(f.viscous, g.viscous), std::pair(f.coulomb, g.coulomb),
            std::pair(f.stribeck_epsilon, g.stribeck_epsilon), std::pair(f.stribeck_gamma, g.stribeck_gamma),
            std::pair(f.surface_speed, g.surface_speed), std::pair(found.spring.stiffness, joint.spring.stiffness),
            std::pair(found.spring.rest, joint.spring.rest), std::pair(found.limits.lower, joint.limits.lower),
            std::pair(found.limits.upper, joint.limits.upper), std::pair(found.limits.velocity, joint.limits.velocity),
            std::pair(found.limits.effort, joint.limits.effort),
            std::pair(found.limits.stiffness, joint.limits.stiffness),
            std::pair(found.limits.damping, joint.limits.damping), std::pair(found.actuator.gear, joint.actuator.gear),
            std::pair(found.actuator.rotor_inertia, joint.actuator.rotor_inertia),
            std::pair(found.actuator.max_torque, joint.actuator.max_torque), std::pair(found.armature, joint.armature),
            std::pair(found.neutral.empty() ? 0 : found.neutral[0], joint.neutral[0])})
        EXPECT_EQ(one, other) << file << "\n" << robot_text(robot, file).text;
    }
  }
}

// Each number that a joint may have besides where it stands, alone: it comes back, or what is lost is told of its joint.
TEST(Save, EachNumberOfAJointComesBackOrIsTold) {
  struct Number {
    const char* name;
    void (*say)(Joint&);
    double (*in)(const Joint&);
  };
  const auto felt = [](const Joint& j) {
    return j.armature + j.actuator.gear * j.actuator.gear * j.actuator.rotor_inertia;
  };
  const Number numbers[] = {
      {"viscous", [](Joint& j) { j.friction.viscous = 3; }, [](const Joint& j) { return j.friction.viscous; }},
      {"coulomb", [](Joint& j) { j.friction.coulomb = 3; }, [](const Joint& j) { return j.friction.coulomb; }},
      {"stribeck", [](Joint& j) { j.friction.stribeck_epsilon = 3; },
       [](const Joint& j) { return j.friction.stribeck_epsilon; }},
      {"surface", [](Joint& j) { j.friction.surface_speed = 3; },
       [](const Joint& j) { return j.friction.surface_speed; }},
      {"spring", [](Joint& j) { j.spring.stiffness = 3; }, [](const Joint& j) { return j.spring.stiffness; }},
      {"lower", [](Joint& j) { j.limits.lower = 0.3; }, [](const Joint& j) { return j.limits.lower; }},
      {"upper", [](Joint& j) { j.limits.upper = 3; }, [](const Joint& j) { return j.limits.upper; }},
      {"velocity", [](Joint& j) { j.limits.velocity = 3; }, [](const Joint& j) { return j.limits.velocity; }},
      {"effort", [](Joint& j) { j.limits.effort = 3; }, [](const Joint& j) { return j.limits.effort; }},
      {"no effort", [](Joint& j) { j.limits.effort = 0; }, [](const Joint& j) { return j.limits.effort; }},
      {"end stops", [](Joint& j) { j.limits = {.lower = -1, .stiffness = 3}; },
       [](const Joint& j) { return j.limits.stiffness; }},
      {"gear", [](Joint& j) { j.actuator.gear = 3; }, [](const Joint& j) { return j.actuator.gear; }},
      {"rotor", [](Joint& j) { j.actuator.rotor_inertia = 3; }, felt},
      {"max_torque", [](Joint& j) { j.actuator.max_torque = 3; }, [](const Joint& j) { return j.actuator.max_torque; }},
      {"of a gear", [](Joint& j) { j.actuator = {.gear = 2, .max_torque = 3}; },
       [](const Joint& j) { return j.actuator.max_torque; }},
      {"armature", [](Joint& j) { j.armature = 3; }, felt}};
  for (int type = static_cast<int>(JointType::revolute); type <= static_cast<int>(JointType::free); ++type) {
    Robot plain = test::read_text_as("r.yaml", R"(
bodies: [{name: a, joint: revolute, mass: 1, com: [1, 1, 1], inertia: [1, 1, 1, 0, 0, 0]}])")
                      .robot;
    plain.bodies[1].joint.type = static_cast<JointType>(type);
    plain.bodies[1].joint.pitch = 0.5;
    for (const Number& number : numbers) {
      Robot robot = plain;
      number.say(robot.bodies[1].joint);
      if (!faults_of(robot).empty() || !warnings_of(robot).empty()) continue;  // such a joint has no use for it
      const double said = number.in(robot.bodies[1].joint);
      ASSERT_NE(said, number.in(plain.bodies[1].joint));
      for (const char* file : {"r.yaml", "r.urdf", "r.xml"}) {
        const Robot again = there_and_back(robot, file);
        const bool comes_back = std::any_of(again.bodies.begin(), again.bodies.end(),
                                            [&](const Body& b) { return number.in(b.joint) == said; });
        const std::vector<std::string> told = robot_text(robot, file).unsaid, always = robot_text(plain, file).unsaid;
        const bool is_told = std::any_of(told.begin(), told.end(), [&](const std::string& line) {
          return line.starts_with("joint 'a'") && std::find(always.begin(), always.end(), line) == always.end();
        });
        EXPECT_TRUE(comes_back || is_told) << number.name << " of " << name_of(static_cast<JointType>(type)) << file;
        EXPECT_TRUE(comes_back || std::string_view(file) == "r.xml")
            << number.name << " of " << name_of(static_cast<JointType>(type)) << file;
      }
    }
  }
}

// MuJoCo's free joint has no dry friction; that of slides and a ball, which stand for one within another body, would rub
// along other axes.
TEST(SaveMjcf, DryFrictionThatIsToldToBeLeftOutIsNotWritten) {
  for (const char* parent : {"world", "a"}) {
    const Robot robot = test::read_text_as("r.yaml", fmt::format(R"(bodies:
  - {{name: a, joint: revolute, mass: 1, inertia: [1, 1, 1, 0, 0, 0], friction: {{coulomb: 2}}}}
  - {{name: b, parent: {}, joint: free, mass: 1, inertia: [1, 1, 1, 0, 0, 0], friction: {{coulomb: 3}}}})",
                                                                 parent))
                            .robot;
    const std::vector<std::string> told = robot_text(robot, "r.xml").unsaid;
    EXPECT_EQ(std::count(told.begin(), told.end(), "joint 'b': the dry friction of a free joint is left out"), 1);
    const Robot again = there_and_back(robot, "r.xml");
    for (const Body& body : again.bodies)
      EXPECT_EQ(body.joint.friction.coulomb, body.name == "a" ? 2 : 0) << body.name << " of " << parent;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
