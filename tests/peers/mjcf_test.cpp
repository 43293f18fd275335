// One file, two readers: MJCF as MuJoCo compiles it and as ours reads it have the same inertia matrix and forces. Its
// features are those of MuJoCo 2.2; later ones (frames, replicas) are tested in tests/unit/io, and so are meshes and
// tensors in any axes: MuJoCo 2.2 holds the first in single precision, and finds the axes of the second to some 1e-9
// only (same_reading.hpp).
#include "peers/same_reading.hpp"
#include "unit/io/files.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Text {
  const char* name;
  const char* text;
};
const Text texts[] = {
    {"walker", R"(<mujoco>
  <compiler eulerseq='zyx' autolimits='true'/>
  <option gravity='1 2 -9'/>
  <default>
    <joint armature='0.02' damping='1' stiffness='3'/>
    <geom density='800'/>
    <default class='leg'>
      <joint axis='0 1 0' armature='0.1'/>
      <geom type='capsule' size='0.05'/>
      <default class='foot'><geom type='box' size='0.1 0.05 0.02' density='2000'/></default>
    </default>
  </default>
  <worldbody>
    <geom type='plane' size='1 1 1'/>
    <body name='torso' pos='1 2 3' euler='10 20 30'>
      <freejoint name='root'/>
      <geom type='ellipsoid' size='0.2 0.1 0.3' pos='0.1 0 0' euler='40 0 10'/>
      <geom type='sphere' size='0.1' pos='0 0 0.4' mass='3'/>
      <body name='left' pos='0 0.1 -0.3' childclass='leg'>
        <joint name='left_x' axis='1 0 0' pos='0 0 0.02'/>
        <joint name='left_y' ref='20' range='-90 90'/>
        <joint name='left_z' type='slide' axis='0 1 1' ref='0.1'/>
        <geom fromto='0 0 0 0.1 0.05 -0.4'/>
        <body name='left_foot' pos='0.1 0.05 -0.4' zaxis='1 2 3'>
          <joint name='left_ankle' class='foot' pos='0.02 0 0' ref='-30'/>
          <geom class='foot' pos='0.03 0 0' xyaxes='1 0 0.5 0 1 0'/>
        </body>
      </body>
      <body name='right' pos='0 -0.1 -0.3' axisangle='1 1 0 25' childclass='leg'>
        <joint name='right_ball' type='ball' pos='0.01 0.02 0.03'/>
        <geom type='cylinder' fromto='0 0 0 0 0 -0.4' size='0.03'/>
        <body name='right_foot' pos='0 0 -0.4'>
          <geom class='foot'/>
          <body name='toe' pos='0.1 0 0'><joint name='toe' type='hinge'/><geom size='0.02 0.03' mass='0.2'/></body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
    {"inertials", R"(<mujoco>
  <compiler angle='radian' eulerseq='XYZ' boundmass='0.2' boundinertia='0.01' balanceinertia='true'/>
  <worldbody>
    <body name='a' pos='0 0 1' quat='1 2 3 4'>
      <joint name='x' axis='1 2 3' ref='0.3' pos='0.1 0.2 0.3' frictionloss='1'/>
      <inertial pos='0.1 0.2 0.3' mass='2' diaginertia='0.1 0.2 0.25' quat='1 1 0 1'/>
      <body name='b' pos='0.5 0 0' euler='0.1 0.2 0.3'>
        <joint name='y' type='slide' axis='1 0 1' ref='-0.2' springref='0.4' stiffness='5'/>
        <inertial pos='0 0.1 0' mass='0.1' fullinertia='0.3 0.3 0.4 0.1 0 0'/>
        <body name='c' pos='0 0 0.5'>
          <joint name='s' type='ball' armature='0.3'/>
          <inertial pos='0 0 0.2' mass='1' diaginertia='0.1 0.1 0.9'/>
          <body name='d' pos='0 0 0.5'><inertial pos='0 0 0' mass='1' diaginertia='0.001 0.1 0.1'/></body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
    {"upside_down", R"(<mujoco>
  <worldbody>
    <body name='a' zaxis='0 0.1 -1'>
      <joint name='x' axis='1 2 3'/>
      <inertial pos='0.1 0.2 0.3' mass='2' diaginertia='0.1 0.2 0.25' zaxis='0 0 -1'/>
      <body name='b' pos='0.5 0.1 0' zaxis='0 0 -2'>
        <joint name='y' axis='2 1 0'/>
        <inertial pos='0.2 0.1 0' mass='1' diaginertia='0.1 0.3 0.35'/>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
    {"sizes_of_several_classes", R"(<mujoco>
  <default>
    <geom type='capsule' size='0.3 0.2 0.1'/>
    <default class='thin'><geom size='0.1'/></default>
  </default>
  <worldbody>
    <body name='a'>
      <joint name='x' axis='0 1 0'/>
      <geom class='thin'/>
      <body name='b' pos='0 0 1'>
        <joint name='y' axis='1 0 0'/>
        <geom class='thin' size='0.05' pos='0.1 0 0.2'/>
        <body name='c' pos='0 0 1'><joint name='z' axis='1 0 1'/><geom type='box' size='0.4 0.5'/></body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
    {"counted_geoms", R"(<mujoco>
  <compiler inertiafromgeom='true' inertiagrouprange='1 2' settotalmass='7'/>
  <worldbody>
    <body name='a'>
      <joint name='x' axis='0 1 0'/>
      <inertial pos='9 9 9' mass='9' diaginertia='9 9 9'/>
      <geom type='box' size='0.1 0.2 0.3' group='1' pos='0.1 0 0.2' euler='10 20 30'/>
      <geom type='sphere' size='1' group='0'/>
      <body name='b' pos='0 0 1'>
        <joint name='y' axis='1 0 0'/>
        <geom type='capsule' size='0.1 0.4' group='2' pos='0 0.3 0'/>
        <geom type='cylinder' size='0.1 0.4' group='1' mass='2'/>
        <geom type='ellipsoid' size='0.1 0.4 0.2' group='1' density='0'/>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
    {"settings_in_sections", R"(<mujoco>
  <compiler angle='radian' eulerseq='xYz'/>
  <compiler settotalmass='9'/>
  <default><geom density='300'/><joint armature='0.2'/></default>
  <default><geom density='700'/><default class='c'><geom mass='3' density='0'/></default></default>
  <worldbody>
    <body name='a' pos='1 2 3' euler='0.1 0.2 0.3'>
      <joint name='x' axis='0 1 0'/>
      <inertial pos='0.1 0.2 0.3' mass='2' diaginertia='0.1 0.2 0.25' euler='0.4 0.5 0.6'/>
      <body name='b' pos='0 0 1' xyaxes='2 1 0 1 3 1'>
        <joint name='y' axis='1 0 0' ref='0.3'/>
        <geom type='box' size='0.1 0.2 0.3' pos='0.3 0 0.1' euler='0.7 -0.4 0.2' class='c'/>
        <geom type='capsule' size='0.1' fromto='0.1 0.2 0.3 -0.4 0.7 0.5'/>
        <geom size='0.1' pos='1 0 0' mass='1' density='0'/>
        <body name='c' pos='0 0 1' euler='-0.7 0.3 1.2'>
          <joint name='z' type='ball'/>
          <geom type='ellipsoid' size='0.4 0.1 0.2' xyaxes='0 3 1 0 1 2'/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)"},
};

class Mjcf : public ::testing::TestWithParam<Text> {};
TEST_P(Mjcf, IsReadAsMujocoReadsIt) {
  const denoc::test::TemporaryFile file("robot.xml", GetParam().text);
  expect_the_same_reading(file.path(), PrincipalAxes::given, 1e-10);
}
INSTANTIATE_TEST_SUITE_P(MjcfTexts, Mjcf, ::testing::ValuesIn(texts), [](const auto& text) { return text.param.name; });

TEST(MjcfFiles, AreIncludedAsMujocoIncludesThem) {
  const denoc::test::TemporaryFile file("robot.xml", R"(<mujoco>
  <worldbody>
    <body name='a'><joint name='x' axis='0 1 0'/><geom size='0.1' pos='0.1 0.2 0.3'/><include file='part.xml'/></body>
  </worldbody>
</mujoco>)");
  std::ofstream(file.path().parent_path() / "part.xml")
      << "<mujocoinclude><body name='b' pos='0 0 1'><joint name='y' axis='1 0 0'/>"
         "<geom type='box' size='0.1 0.2 0.3' pos='0.1 0 0' mass='2'/></body></mujocoinclude>";
  expect_the_same_reading(file.path(), PrincipalAxes::given, 1e-10);
}

// A spring and a damper, dry friction, armature and limits, in every word for them.
TEST(MjcfFiles, GiveJointsTheForcesAndLimitsThatMujocoGives) {
  const char* const joints[] = {"damping='5'",
                                "stiffness='3' springref='20' ref='30'",
                                "type='slide' stiffness='3' springref='0.2' ref='0.3'",
                                "stiffness='3' springdamper='0 0'",
                                "frictionloss='0.3' armature='0.4'",
                                "range='-10 20'",
                                "range='-10 20' limited='false'",
                                "range='-10 20' limited='true'",
                                "type='slide' range='-10 20'",
                                "type='ball' damping='2' armature='3'"};
  std::string bodies;
  for (std::size_t i = 0; i < std::size(joints); ++i)
    bodies += fmt::format("<body name='b{0}'><joint name='j{0}' {1}/><geom size='0.1'/></body>", i, joints[i]);
  const denoc::test::TemporaryFile file(
      "robot.xml",
      "<mujoco><compiler autolimits='true'/><default><joint damping='7' armature='0.1'/></default><worldbody>" +
          bodies + "</worldbody></mujoco>");
  const Robot robot = load(file.path().string());
  const MujocoRobot mujoco(robot, file.path().string());
  const mjModel& theirs = *mujoco.model();
  ASSERT_EQ(robot.bodies.size(), std::size(joints) + 1);
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Joint& joint = robot.bodies[b].joint;
    const int j = mj_name2id(&theirs, mjOBJ_JOINT, joint.name.c_str());
    ASSERT_GE(j, 0) << joint.name;
    const int dof = theirs.jnt_dofadr[j];
    EXPECT_EQ(joint.friction.viscous, theirs.dof_damping[dof]) << joints[b - 1];
    EXPECT_EQ(joint.friction.coulomb, theirs.dof_frictionloss[dof]) << joints[b - 1];
    EXPECT_EQ(joint.armature, theirs.dof_armature[dof]) << joints[b - 1];
    EXPECT_EQ(joint.spring.stiffness, theirs.jnt_stiffness[j]) << joints[b - 1];
    if (joint.type == JointType::spherical) continue;
    EXPECT_NEAR(joint.spring.rest, theirs.qpos_spring[theirs.jnt_qposadr[j]], 1e-15) << joints[b - 1];
    const bool is_limited = theirs.jnt_limited[j] != 0;
    EXPECT_EQ(std::isfinite(joint.limits.lower), is_limited) << joints[b - 1];
    if (!is_limited) continue;
    EXPECT_NEAR(joint.limits.lower, theirs.jnt_range[2 * j], 1e-15) << joints[b - 1];
    EXPECT_NEAR(joint.limits.upper, theirs.jnt_range[2 * j + 1], 1e-15) << joints[b - 1];
  }
}

// What MuJoCo refuses of a joint is refused.
TEST(MjcfFiles, AreRefusedWhereMujocoRefusesThem) {
  for (const char* joint : {"springdamper='0.1 0'", "springdamper='0 0.1'", "springdamper='-1 0.1'", "axis='0 0 0'",
                            "range='20 10'", "limited='true'", "axis='1 x 0'", "damping='x'"}) {
    const denoc::test::TemporaryFile file(
        "robot.xml", fmt::format("<mujoco><compiler autolimits='true'/><worldbody><body name='b'><joint name='j' {}/>"
                                 "<geom size='0.1'/></body></worldbody></mujoco>",
                                 joint));
    EXPECT_THROW(MujocoRobot({}, file.path().string()), std::runtime_error) << joint;
    EXPECT_FALSE(read_robot(file.path()).faults.empty()) << joint;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
