// What denoc says in URDF beyond the format: what may be left out, and where it is at fault; the smallest robot.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <tuple>

#include "denoc/mechanism/dynamics.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;

// The extensions of the joint begin in line 5, those of the robot in line 7.
Document with(const std::string& of_joint, const std::string& of_robot = "", const char* type = "continuous") {
  return read_text_as("r.urdf", fmt::format(R"(<robot name="r"><link name="a"/><link name="b"><inertial>
<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="{}"><parent link="a"/>
<child link="b"/>
{}
</joint>
{}
</robot>)",
                                            type, of_joint, of_robot));
}

// A spring rests, and does not damp, unless it is said; nothing is behind a gear, and nothing turns with the axis.
TEST(UrdfExtensions, WhatIsNotSaidIsNone) {
  const Document document = with("<spring stiffness='3'/>\n<actuator gear='2'/>",
                                 "<spring stiffness='4'><a link='b' xyz='1 0 0'/><b link='a'/></spring>");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  ASSERT_EQ(document.robot.springs.size(), 1u);
  const PointSpring& spring = document.robot.springs[0];
  EXPECT_EQ(spring.stiffness, 4);
  EXPECT_EQ(spring.rest, 0);
  EXPECT_EQ(spring.damping, 0);
  EXPECT_EQ(spring.b.frame.r.x, 0);
  const Joint& joint = document.robot.bodies.back().joint;
  EXPECT_EQ(joint.spring.stiffness, 3);
  EXPECT_EQ(joint.spring.rest, 0);
  EXPECT_EQ(joint.actuator.gear, 2);
  EXPECT_EQ(joint.actuator.rotor_inertia, 0);
  EXPECT_EQ(joint.armature, 0);
}

// One that lacks it is doubted; those beside it are read all the same.
TEST(Urdf, VisualsHaveAShape) {
  const Document document = read_text_as("r.urdf", R"(<robot name="r"><link name="a">
<visual/><visual><geometry/></visual><visual><geometry><sphere radius="2"/></geometry></visual></link></robot>)");
  const std::vector<Shape>& shapes = document.robot.bodies.back().shapes;
  EXPECT_TRUE(says(document.warnings, 0, "line 2: missing element <geometry>")) << all_texts(document.warnings);
  ASSERT_EQ(shapes.size(), 1u) << all_texts(document.faults);
  EXPECT_EQ(shapes[0].size.x, 2);
}

// A robot of one link, which stands on the ground or floats: what stands has no inertia.
TEST(Urdf, OneLinkIsARobot) {
  const char* const text = R"(<robot name="r"><link name="a"><inertial><mass value="3"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)";
  for (const Base base : {Base::fixed, Base::free}) {
    const Document document = read_text_as("r.urdf", text, {.base = base});
    ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
    EXPECT_EQ(document.robot.bodies.back().inertial.mass, base == Base::fixed ? 0 : 3);
  }
}

// The line is that of the part, not of the joint that has it.
TEST(UrdfExtensions, FaultsAreToldWithTheLineOfThePart) {
  const std::tuple<const char*, const char*, const char*> all[] = {
      {"continuous", "<actuator gear='2' rotor_inertia='-1'/>", "actuator: "},
      {"universal", "<axis2 xyz='0 0 0'/>", "axis2: "},
      {"spherical", "<spring stiffness='3'/>", "spring: "},
      {"spherical", "<neutral q='0 0 0 0'/>", "neutral: "}};
  for (const auto& [type, part, rule] : all) {
    const Document document = with(part, "", type);
    EXPECT_EQ(document.faults.size(), 1u) << all_texts(document.faults);
    EXPECT_TRUE(says(document.faults, 5, rule)) << part << "\n" << all_texts(document.faults);
  }
}

// <origin> turns all that <inertial> says: the same tensor is the same body's, and the same hub's.
TEST(UrdfExtensions, AHubIsTurnedAsTheInertiaIs) {
  const char entries[] = R"(ixx="0.3" ixy="0.02" ixz="0.03" iyy="0.4" iyz="0.05" izz="0.5")";
  for (const char* origin : {"", R"(<origin xyz="1 2 3"/>)", R"(<origin rpy="0.3 -1.1 2.5"/>)"}) {
    const Document document = read_text_as("r.urdf", fmt::format(R"(<robot name="r"><link name="a"><inertial>{0}
<mass value="1"/><inertia {1}/><hub {1}/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia {1}/></inertial></link>
<joint name="j" type="continuous"><parent link="b"/><child link="a"/></joint></robot>)",
                                                                 origin, entries));
    ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
    const Robot& robot = document.robot;
    const auto& [mass, com, inertia, hub] = robot.bodies[static_cast<std::size_t>(robot.find("a"))].inertial;
    for (const auto& [x, y] :
         {std::pair(inertia.xx, hub.xx), std::pair(inertia.xy, hub.xy), std::pair(inertia.yy, hub.yy),
          std::pair(inertia.xz, hub.xz), std::pair(inertia.yz, hub.yz), std::pair(inertia.zz, hub.zz)})
      EXPECT_EQ(x, y) << origin;
    EXPECT_EQ(hub.xx == 0.3, std::string_view(origin).find("rpy") == std::string_view::npos);
  }
}

// A continuous joint has no limits, as URDF says, but end stops where <limit> has the stiffness that only denoc reads: they
// push back by stiffness x (1 + damping x'), x the depth beyond them.
TEST(UrdfExtensions, StiffLimitsStopEveryJoint) {
  const std::string limit = R"(<limit lower="-0.5" upper="0.25" effort="9" velocity="9"{}/>)";
  for (const char* type : {"revolute", "continuous", "prismatic", "helical"}) {
    const Document document = with(fmt::format(fmt::runtime(limit), R"( stiffness="200" damping="0.1")"), "", type);
    ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
    const Mechanism mechanism(document.robot);
    Dynamics stopped(mechanism, Forces::all), free(mechanism);
    using V = std::vector<double>;
    for (const double q : {-0.6, -0.4, 0.2, 0.35})
      for (const double v : {-2.0, 0.0, 2.0}) {
        const double below = std::max(-0.5 - q, 0.0), above = std::max(q - 0.25, 0.0);
        const double pushes = 200 * (below * (1 - 0.1 * v) - above * (1 + 0.1 * v));
        const double needed = stopped.inverse(V{q}, V{v}, V{0})[0] - free.inverse(V{q}, V{v}, V{0})[0];
        EXPECT_NEAR(needed, -pushes, 1e-13 * 200) << type << " at " << q;
      }
  }
  const Document plain = with(fmt::format(fmt::runtime(limit), ""));
  EXPECT_EQ(plain.robot.bodies.back().joint.limits.upper, Limits{}.upper);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
