// What URDFs say in other ways than URDF does: nothing of it is dropped without a word.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;

// Two links; what stands in the joint begins on line 2, what stands beside it on line 3.
Document two_links(const std::string& in_joint, const std::string& beside = "") {
  return read_text_as("r.urdf",
                      "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
                      "ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n"
                      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>" +
                          in_joint + "</joint>\n" + beside + "</robot>");
}
const Joint& joint_of(const Document& document) { return document.robot.bodies[2].joint; }

// A gear of 1 that a joint says itself is a gear, too: the inertia of its rotor is felt by its square.
TEST(Dialects, TheGearOfAJointCountsBeforeItsTransmission) {
  const std::string transmission =
      "<transmission name='t'><joint name='j'/><mechanicalReduction>100</mechanicalReduction></transmission>";
  const Document said = two_links("<actuator gear='1' rotor_inertia='0.01'/>", transmission),
                 unsaid = two_links("<actuator rotor_inertia='0.01'/>", transmission);
  EXPECT_EQ(joint_of(said).actuator.gear, 1);
  EXPECT_TRUE(says(said.warnings, 3, "joint 'j' has a gear of 1 already")) << all_texts(said.warnings);
  EXPECT_EQ(joint_of(unsaid).actuator.gear, 100);
  EXPECT_TRUE(unsaid.warnings.empty()) << all_texts(unsaid.warnings);
}

TEST(Dialects, NumbersBetweenTagsAreDoubted) {
  const Document document = two_links("<axis>0 0 1</axis>");
  EXPECT_EQ(joint_of(document).axis.x, 1);
  EXPECT_TRUE(says(document.warnings, 2, "joint 'j': axis: the text '0 0 1' between its tags is ignored"));
  EXPECT_TRUE(says(document.warnings, 2, "joint 'j': axis: missing attribute 'xyz': taken as 1 0 0"));
  EXPECT_TRUE(says(two_links("<origin>0 0 1</origin>").warnings, 2, "the text '0 0 1'"));
  EXPECT_TRUE(says(two_links("0 0 1").warnings, 2, "joint 'j': the text '0 0 1'"));
  EXPECT_TRUE(two_links("<!-- 0 0 1 --><origin xyz='0 0 1'><!-- up --></origin>").warnings.empty());
  const Document mass = read_text_as(
      "r.urdf", "<robot name='r'><link name='a'><inertial mass='1'><mass>1</mass></inertial></link></robot>");
  EXPECT_TRUE(says(mass.warnings, 1, "the text '1' between its tags is ignored")) << all_texts(mass.warnings);
  EXPECT_TRUE(says(mass.warnings, 1, "inertial: unknown attribute 'mass'")) << all_texts(mass.warnings);
  const Document mujoco = read_text_as("r.xml", R"(<mujoco><worldbody>
<body name='b'><joint name='j'>0 1 0</joint><inertial pos='0 0 1' mass='1' diaginertia='1 1 1'/>
7.5</body><!-- 3 --></worldbody></mujoco>)");
  EXPECT_TRUE(mujoco.faults.empty()) << all_texts(mujoco.faults);
  EXPECT_TRUE(says(mujoco.warnings, 2, "joint 'j': the text '0 1 0' between its tags is ignored"));
  EXPECT_TRUE(says(mujoco.warnings, 2, "body 'b': the text '7.5' between its tags is ignored"));
  EXPECT_EQ(mujoco.warnings.size(), 2u) << all_texts(mujoco.warnings);
}

// Elements of ours say what they are for.
TEST(Dialects, ElementsOfOursWithoutTheirNumbersAreRefused) {
  for (const char* beside : {"<gravity/>", "<gravity>0 0 -1.62</gravity>", "<posture name='home'/>",
                             "<loop type='revolute'><a link='a'/><b link='b'/><axis/></loop>"})
    EXPECT_TRUE(says(two_links("", beside).faults, 3, "missing attribute '")) << beside;
  EXPECT_TRUE(says(two_links("<neutral/>").faults, 2, "joint 'j': neutral: missing attribute 'q'"));
  EXPECT_TRUE(says(two_links("<axis2/>").faults, 2, "joint 'j': axis2: missing attribute 'xyz'"));
}

// What a body of YAML is called may stand in what it merges.
TEST(Dialects, NamesMayBeMerged) {
  const Document document = read_text_as("r.yaml", R"(bodies:
  - {<<: [{joint: prismatic}, {name: base}], parent: world, mass: 1}
  - {name: arm, parent: base, joint: revolute, mass: 1}
loops:
  - {<<: {type: distance}, a: {body: arm}, b: {body: world, point: [1, 0, 0]}, length: 1, teeth: [1, 2]})");
  ASSERT_EQ(document.robot.bodies.size(), 3u);
  EXPECT_EQ(document.robot.bodies[2].parent, 1) << "the body, not the ground";
  EXPECT_TRUE(says(document.faults, 5, "unknown key 'teeth'")) << all_texts(document.faults);
}

// Drake and Gazebo would move the robot by them.
TEST(Dialects, ForcesOfOtherProgramsAreDoubted) {
  const auto expect = [](const Document& document, int line, const std::string& text) {
    EXPECT_TRUE(says(document.warnings, line, text + " is passed over: it would move the robot otherwise"))
        << text << "\n"
        << all_texts(document.warnings);
    EXPECT_EQ(document.warnings.size(), 1u) << all_texts(document.warnings);
  };
  expect(two_links("<drake:mimic joint='k'/>"), 2, "joint 'j': <drake:mimic>");
  for (const char* of_drive : {"drake:rotor_inertia", "drake:gear_ratio"})
    expect(two_links("", std::string("<transmission name='t'><actuator name='m'><") + of_drive +
                             " value='2'/></actuator><joint name='j'/></transmission>"),
           3, std::string("actuator 'm': <") + of_drive + ">");
  expect(two_links("", "<drake:linear_spring_damper/>"), 3, "robot: <drake:linear_spring_damper>");
  expect(two_links("", "<gazebo reference='j'><springStiffness>5</springStiffness></gazebo>"), 3, "<springStiffness>");
  expect(two_links("", "<gazebo reference='b'><turnGravityOff>true</turnGravityOff></gazebo>"), 3, "<turnGravityOff>");
  expect(two_links("", "<gazebo reference='b'><gravity>0</gravity></gazebo>"), 3, "<gravity>");
  expect(two_links("", "<gazebo reference='b'><mass>3</mass></gazebo>"), 3, "<mass>");
  expect(two_links("", "<gazebo><static>true</static></gazebo>"), 3, "<static>");
  for (const char* mujoco : {"<option gravity='0 0 0'/>", "<compiler balanceinertia='true'/>"}) {
    const Document document = two_links("", fmt::format("<mujoco>{}</mujoco>", mujoco));
    EXPECT_TRUE(says(document.warnings, 3, "passed over: it would move the robot otherwise")) << mujoco;
    EXPECT_EQ(document.warnings.size(), 1u) << all_texts(document.warnings);
  }
  for (const char* nothing : {"<mujoco><compiler meshdir='m' discardvisual='false'/></mujoco>",
                              "<gazebo reference='b'><gravity>1</gravity><static>false</static></gazebo>",
                              "<gazebo "
                              "reference='b'><turnGravityOff>false</turnGravityOff><springStiffness>0.0</"
                              "springStiffness><mu1>1</mu1></gazebo>",
                              "<drake:collision_filter_group name='x'/>"})
    EXPECT_TRUE(two_links("", nothing).warnings.empty()) << nothing;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
