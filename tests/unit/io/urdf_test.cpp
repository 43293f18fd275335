#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "denoc/mechanism/dynamics.hpp"
#include "unit/io/files.hpp"

namespace denoc {
namespace {
namespace THIS_FILE {

using test::all_texts;
using test::read_text_as;
using test::says;

Document read(std::string_view text, const LoadOptions& options = {}) {
  return read_text_as("robot.urdf", text, options);
}

constexpr char good[] = R"(<?xml version="1.0"?>
<!-- two arms on a torso -->
<robot name="good">
  <material name="grey"/>
  <link name="torso"/>
  <link name="left">
    <visual><geometry><mesh filename="package://none.stl"/></geometry></visual>
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/>
      <mass value="+2"/>
      <inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2.5"/>
    </inertial>
  </link>
  <link name="right"/>
  <link name="hand"/>
  <joint name="shoulder_r" type="continuous">
    <parent link="torso"/><child link="right"/>
  </joint>
  <joint name="wrist" type="prismatic">
    <parent link="left"/><child link="hand"/>
    <axis xyz="0 0 2"/>
    <limit lower="-0.5" upper="1e-1" effort="3" velocity="4"/>
    <mimic joint="shoulder_r" multiplier="2" offset="0.5"/>
  </joint>
  <joint name="shoulder_l" type="revolute">
    <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
    <parent link="torso"/><child link="left"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="30" velocity="40"/>
    <dynamics damping="0.7" friction="0.2"/>
  </joint>
  <gazebo/><transmission name="t"/>
</robot>
)";

TEST(Urdf, ReadsDepthFirstWithSiblingsAsInTheFile) {
  const Document document = read(good);
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Robot& robot = document.robot;
  EXPECT_EQ(robot.name, "good");
  ASSERT_EQ(robot.bodies.size(), 5u);
  const char* names[] = {"world", "torso", "right", "left", "hand"};
  const int parents[] = {0, 0, 1, 1, 3};
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(robot.bodies[i].name, names[i]);
    EXPECT_EQ(robot.bodies[i].parent, parents[i]);
  }
  EXPECT_EQ(robot.bodies[1].joint.type, JointType::fixed);
  EXPECT_EQ(robot.bodies[1].joint.name, "world_to_torso");
}

TEST(Urdf, ReadsJoints) {
  const Robot robot = read(good).robot;
  const Joint& right = robot.bodies[2].joint;
  EXPECT_EQ(right.name, "shoulder_r");
  EXPECT_EQ(right.type, JointType::continuous);
  EXPECT_EQ(right.axis.x, 1);  // URDF's default
  const Joint& left = robot.bodies[3].joint;
  EXPECT_EQ(left.axis.y, 1);
  EXPECT_EQ(left.friction.viscous, 0.7);
  EXPECT_EQ(left.friction.coulomb, 0.2);
  EXPECT_EQ(left.limits.lower, -1);
  EXPECT_EQ(left.limits.effort, 30);
  EXPECT_EQ(left.limits.velocity, 40);
  const Joint& wrist = robot.bodies[4].joint;
  EXPECT_EQ(wrist.axis.z, 1);  // normalised
  EXPECT_EQ(wrist.limits.upper, 0.1);
  ASSERT_TRUE(wrist.mimic);
  EXPECT_EQ(wrist.mimic->joint, "shoulder_r");
  EXPECT_EQ(wrist.mimic->multiplier, 2);
  EXPECT_EQ(wrist.mimic->offset, 0.5);
  ASSERT_EQ(robot.loops.size(), 1u);
  const Loop& coupler = robot.loops[0];
  EXPECT_EQ(coupler.type, LoopType::coupler);
  EXPECT_EQ(robot.bodies[std::size_t(coupler.a.body)].joint.name, "shoulder_r");
  EXPECT_EQ(coupler.b.body, 4);
  EXPECT_EQ(coupler.ratio, 2);
  EXPECT_EQ(coupler.offset, 0.5);
  EXPECT_EQ(coupler.source.line, 23);
}

TEST(Urdf, ReadsFramesAsYawPitchRoll) {
  const Pose<double> frame = read(good).robot.bodies[3].joint_frame;
  const double cr = std::cos(0.1), sr = std::sin(0.1), cp = std::cos(0.2), sp = std::sin(0.2), cy = std::cos(0.3),
               sy = std::sin(0.3);
  EXPECT_EQ(frame.r.z, 3);
  EXPECT_NEAR(frame.R.xx, cy * cp, 1e-16);
  EXPECT_NEAR(frame.R.xy, cy * sp * sr - sy * cr, 1e-16);
  EXPECT_NEAR(frame.R.xz, cy * sp * cr + sy * sr, 1e-16);
  EXPECT_NEAR(frame.R.yx, sy * cp, 1e-16);
  EXPECT_NEAR(frame.R.zx, -sp, 1e-16);
  EXPECT_NEAR(frame.R.zy, cp * sr, 1e-16);
}

// cos(a/2) + n sin(a/2) turns by a about n: a third of a turn about (1, 1, 1) takes x to y, y to z, z to x.
TEST(Urdf, ReadsFramesAsQuaternionsXyzw) {
  const Document document = read(R"(<robot name="r" version="1.1"><link name="a"/>
    <link name="b"><inertial>
      <origin xyz="0.1 0 0" quat_xyzw="0.5 0.5 0.5 0.5"/><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1.5" iyz="0" izz="2"/>
    </inertial></link><link name="c"/>
    <joint name="j" type="continuous">
      <origin xyz="1 2 3" quat_xyzw="0 0 3 3"/><parent link="a"/><child link="b"/>
    </joint>
    <joint name="k" type="continuous"><origin quat_xyzw="0 0 0 -1"/><parent link="b"/><child link="c"/></joint>
    <loop type="weld"><a link="c" quat_xyzw="1e-200 0 0 1e-200"/><b link="a"/></loop></robot>)");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Robot& robot = document.robot;
  const Pose<double> frame = robot.bodies[2].joint_frame;  // a quarter of a turn about z
  EXPECT_EQ(frame.r.y, 2);
  EXPECT_NEAR(frame.R.yx, 1, 1e-16);
  EXPECT_NEAR(frame.R.xy, -1, 1e-16);
  EXPECT_NEAR(frame.R.xx, 0, 1e-16);
  EXPECT_EQ(frame.R.zz, 1);
  const Inertial inertial = robot.bodies[2].inertial;
  EXPECT_EQ(inertial.com.x, 0.1);
  EXPECT_NEAR(inertial.inertia.yy, 1, 1e-15);
  EXPECT_NEAR(inertial.inertia.zz, 1.5, 1e-15);
  EXPECT_NEAR(inertial.inertia.xx, 2, 1e-15);
  EXPECT_EQ(robot.bodies[3].joint_frame.R.xx, 1);  // both signs are the same turn
  ASSERT_EQ(robot.loops.size(), 1u);
  EXPECT_NEAR(robot.loops[0].a.frame.R.zy, 1, 1e-16);  // a quarter of a turn about x
}

TEST(Urdf, TurnsTheInertiaIntoTheLinkFrame) {
  const Inertial inertial = read(good).robot.bodies[3].inertial;
  EXPECT_EQ(inertial.mass, 2);
  EXPECT_EQ(inertial.com.y, 0.2);
  EXPECT_NEAR(inertial.inertia.xx, 2, 1e-15);  // a quarter turn about z swaps x and y
  EXPECT_NEAR(inertial.inertia.yy, 1, 1e-15);
  EXPECT_NEAR(inertial.inertia.xy, -0.1, 1e-15);
  EXPECT_EQ(inertial.inertia.zz, 2.5);
}

// A body of point masses in general places: its tensor is sum m (r.r E - r r^T), about an axis n it has
// sum m |n x r|^2, and turned with its masses it is the same body.
TEST(Urdf, ReadsATensorOfSixDifferentEntries) {
  struct Mass {
    double m;
    Vec3<double> r;
  };
  // Their mass centre is the origin: the last has what the others lack.
  std::vector<Mass> masses = {{1, {0.3, 0.1, -0.2}}, {2, {-0.1, 0.4, 0.25}}, {1.5, {0.2, -0.3, 0.1}}};
  Vec3<double> sum{0, 0, 0};
  for (const Mass& each : masses) sum += each.r * each.m;
  masses.push_back({0.5, sum * (-1 / 0.5)});
  const auto tensor = [&](const auto& term) {
    double all = 0;
    for (const auto& [m, r] : masses) all += m * term(r);
    return all;
  };
  using V = Vec3<double>;
  const std::string inertia = fmt::format(
      R"(<inertia ixx="{}" iyy="{}" izz="{}" ixy="{}" ixz="{}" iyz="{}"/>)",
      tensor([](const V& r) { return r.y * r.y + r.z * r.z; }),
      tensor([](const V& r) { return r.z * r.z + r.x * r.x; }),
      tensor([](const V& r) { return r.x * r.x + r.y * r.y; }), tensor([](const V& r) { return -r.x * r.y; }),
      tensor([](const V& r) { return -r.x * r.z; }), tensor([](const V& r) { return -r.y * r.z; }));
  for (const V& axis : {V{1, 0, 0}, V{1, 2, 3}, V{-2, 1, 0.5}, V{0, 1, -1}}) {
    for (const V& rpy : {V{0, 0, 0}, V{0.4, -0.7, 1.1}}) {
      const Document document = read(fmt::format(
          R"(<robot name="r"><link name="a"/><link name="b"><inertial><origin rpy="{} {} {}"/><mass value="5"/>{}</inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="{} {} {}"/></joint></robot>)",
          rpy.x, rpy.y, rpy.z, inertia, axis.x, axis.y, axis.z));
      ASSERT_TRUE(document.faults.empty() && document.warnings.empty()) << all_texts(document.warnings);
      const Mechanism robot(document.robot);
      const double cr = std::cos(rpy.x), sr = std::sin(rpy.x), cp = std::cos(rpy.y), sp = std::sin(rpy.y),
                   cy = std::cos(rpy.z), sy = std::sin(rpy.z);
      double moment = 0;
      for (const auto& [m, r] : masses) {  // Rz(yaw) Ry(pitch) Rx(roll) r
        const V x{r.x, cr * r.y - sr * r.z, sr * r.y + cr * r.z}, y{cp * x.x + sp * x.z, x.y, cp * x.z - sp * x.x};
        const V turned{cy * y.x - sy * y.y, sy * y.x + cy * y.y, y.z}, arm = cross(axis * (1 / norm(axis)), turned);
        moment += m * dot(arm, arm);
      }
      EXPECT_NEAR(Dynamics(robot).inertia(std::vector<double>{0.3})(0, 0), moment, 1e-15 * 10);
    }
  }
}

TEST(Urdf, WarnsOfMasslessLinks) {
  const Document document = read(good);
  EXPECT_TRUE(says(document.warnings, 14, "no answer for joint 'shoulder_r'")) << all_texts(document.warnings);
  EXPECT_FALSE(says(document.warnings, 0, "link 'torso'")) << "nothing moves there";
}

TEST(Urdf, IgnoresTheInertiaOfARootThatStandsOnTheGround) {
  const char* text =
      "<robot name='r'><link name='a'><inertial><mass value='2'/>"
      "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>";
  EXPECT_EQ(read(text).robot.bodies[1].inertial.mass, 0);
  EXPECT_EQ(read(text, {Base::free, {}}).robot.bodies[1].inertial.mass, 2);
}

TEST(Urdf, CarriesTheRootByAFreeJoint) {
  const Robot robot = read(good, {Base::free, Vec3<double>{1, 2, 3}}).robot;
  EXPECT_EQ(robot.bodies[1].joint.type, JointType::free);
  EXPECT_EQ(robot.bodies[3].joint.type, JointType::revolute);
  EXPECT_EQ(robot.gravity.y, 2);
}

TEST(Urdf, ReadsFloatingAndPlanarJoints) {
  const Document document = read(R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="f" type="floating"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint>
    <joint name="p" type="planar"><origin rpy="0.4 0 0"/><parent link="b"/><child link="c"/><axis xyz="1 -2 2"/></joint></robot>)");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_EQ(document.robot.bodies[2].joint.type, JointType::free);
  const Body& planar = document.robot.bodies[3];
  EXPECT_EQ(planar.joint.type, JointType::planar);
  // The link lies as the file says, and the plane's normal is the axis.
  const Mat3<double> link = planar.joint_frame.R * planar.own_frame.R;
  EXPECT_NEAR(link.xx, 1, 1e-15);
  EXPECT_NEAR(link.zy, std::sin(0.4), 1e-15);
  const Vec3<double> normal = back(link, column_z(planar.joint_frame.R));
  EXPECT_NEAR(normal.x, 1 / 3., 1e-15);
  EXPECT_NEAR(normal.y, -2 / 3., 1e-15);
  EXPECT_NEAR(normal.z, 2 / 3., 1e-15);
}

// Against z there are many smallest turns: whichever it is, the frame is right-handed and turns about the axis.
TEST(Urdf, ReadsPlanesWhoseNormalPointsDown) {
  const Document document = read(R"(<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="p" type="planar"><origin xyz="1 2 3"/><parent link="a"/><child link="b"/><axis xyz="0 0 -1"/></joint></robot>)");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  const Mechanism robot(document.robot);
  Dynamics d(robot);
  const Pose<double> drawn = d.pose(std::vector<double>{0, 0, 0}, "b");
  EXPECT_EQ(drawn.r.x, 1);
  for (const double entry : {drawn.R.xx - 1, drawn.R.yy - 1, drawn.R.zz - 1, drawn.R.xy, drawn.R.yx, drawn.R.zx})
    EXPECT_NEAR(entry, 0, std::numeric_limits<double>::epsilon()) << "as the file draws it";
  const Pose<double> turned = d.pose(std::vector<double>{0.5, -0.25, 0.3}, "b");
  EXPECT_NEAR(turned.R.xx, std::cos(0.3), 1e-16);
  EXPECT_NEAR(turned.R.xy, std::sin(0.3), 2e-16) << "about -z";
  EXPECT_EQ(turned.r.z, 3) << "in the plane";
  EXPECT_NEAR(std::hypot(turned.r.x - 1, turned.r.y - 2), std::hypot(0.5, 0.25), 1e-15);
}

// What URDF says of them: a continuous joint has no ends, whatever its <limit> holds; one that stands has two equal.
TEST(Urdf, ReadsLimitsAsTheyAreMeant) {
  const Document document = read(R"(<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><link name="c"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="7" velocity="8"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/><limit lower="0.5" upper="0.5" effort="7" velocity="8"/></joint></robot>)");
  ASSERT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(document.warnings.empty()) << all_texts(document.warnings);
  const Limits &free = document.robot.bodies[2].joint.limits, &standing = document.robot.bodies[3].joint.limits;
  EXPECT_TRUE(std::isinf(free.lower) && std::isinf(free.upper));
  EXPECT_EQ(free.effort, 7);
  EXPECT_EQ(free.velocity, 8);
  EXPECT_EQ(standing.lower, 0.5);
  EXPECT_EQ(standing.upper, 0.5);
  EXPECT_TRUE(faults_of(document.robot).empty());
}

// The joint that is not in the file takes no name that is.
TEST(Urdf, CallsTheRootsJointAsNoOther) {
  for (const char* name : {"name='world_to_base'", ""}) {
    const Document document =
        read(fmt::format("<robot name='r'><link name='base'/><link name='world_to_base'/>"
                         "<joint {} type='continuous'><parent link='base'/>"
                         "<child link='world_to_base'/></joint></robot>",
                         name));
    EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
    EXPECT_EQ(document.robot.bodies[1].joint.name, "world_to_base_");
  }
}

TEST(Urdf, TakesLinksCalledWorldAndBase) {  // as in the files of Universal Robots
  const Document document = read(R"(<robot name="r"><link name="world"/><link name="base_link"/><link name="base"/>
    <joint name="a" type="revolute"><parent link="world"/><child link="base_link"/></joint>
    <joint name="b" type="fixed"><parent link="base_link"/><child link="base"/></joint></robot>)");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_EQ(document.robot.find("base"), 3);
}

// The ground carries, and is carried by nothing: only as a parent is `world` known where no link declares it.
TEST(Urdf, TheGroundOfNoLinkIsAParentOnly) {
  const auto joint_of = [](const char* parent, const char* child) {
    return read(
        fmt::format("<robot name='r'><link name='a'/>\n<joint name='j' type='revolute'>\n"
                    "<parent link='{}'/>\n<child link='{}'/></joint></robot>",
                    parent, child));
  };
  const Document carried = joint_of("world", "a"), carrying = joint_of("a", "world");
  EXPECT_TRUE(carried.faults.empty()) << all_texts(carried.faults);
  EXPECT_TRUE(says(carried.warnings, 3, "no link is called 'world'")) << all_texts(carried.warnings);
  EXPECT_TRUE(says(carrying.faults, 4, "unknown link 'world'")) << all_texts(carrying.faults);
  for (const auto& [parent, child] : {std::pair("World", "a"), {"a", "World"}, {"ground", "a"}})
    EXPECT_TRUE(says(joint_of(parent, child).faults, 0, "unknown link")) << parent << ' ' << child;
}

TEST(Urdf, WarnsOfUnknownAndMisspeltElements) {
  const Document document = read(R"(<robot name="r">
  <link name="a">
    <inertal/>
    <weather/>
    <drake:thing/>
  </link>
  <inertial/>
</robot>)");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  EXPECT_TRUE(says(document.warnings, 3, "did you mean 'inertial'?")) << all_texts(document.warnings);
  EXPECT_TRUE(says(document.warnings, 4, "'weather' is ignored")) << all_texts(document.warnings);
  EXPECT_TRUE(says(document.warnings, 7, "robot: unknown element 'inertial'")) << all_texts(document.warnings);
  EXPECT_EQ(document.warnings.size(), 3u) << all_texts(document.warnings);
}

// Those of other namespaces and of planners say nothing of dynamics.
TEST(Urdf, WarnsOfUnknownAttributes) {
  const Document document = read(R"(<robot name="r" xmlns="here" xmlns:drake="there"
    huh="">
  <link name="a"/><link name="b"
    huh=""><inertial><origin
    huh=""/><mass value="1"
    huh=""/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"
    huh=""/></inertial></link><link name="c"/>
  <joint name="first" type="revolute" drake:kind="x"
    huh=""><origin quat="1 0 0 0"/>
    <parent link="a" huh=""/>
    <child link="b" huh=""/>
    <axis xyz="0 0 1" huh=""/>
    <limit min="-1" lower="0" upper="1" effort="1" velocity="1" acceleration="1" deceleration="1" jerk="1"/>
    <dynamics damping="1" spring_stiffness="30"/></joint>
  <joint name="second" type="continuous"><parent link="b"/><child link="c"/>
    <mimic joint="first" huh=""/></joint>
</robot>)");
  EXPECT_TRUE(document.faults.empty()) << all_texts(document.faults);
  std::size_t told = 0;
  const auto expect = [&](int line, const char* what) {
    EXPECT_TRUE(says(document.warnings, line, what)) << what << "\n" << all_texts(document.warnings);
    ++told;
  };
  for (const int line : {1, 3, 4, 5, 6, 8, 10, 11, 12, 16}) expect(line, "unknown attribute 'huh' is ignored");
  expect(9, "unknown attribute 'quat'");
  expect(13, "unknown attribute 'min'");
  expect(14, "unknown attribute 'spring_stiffness' is ignored");
  EXPECT_EQ(std::count_if(document.warnings.begin(), document.warnings.end(),
                          [](const Fault& f) { return f.rule.find("attribute") != std::string::npos; }),
            told)
      << all_texts(document.warnings);
}

TEST(Urdf, ReadsLongChainsWithoutRecursion) {
  const int n = 100000;
  std::string text = "<robot name='chain'><link name='l0'/>";
  for (int i = 1; i <= n; ++i) {
    text += fmt::format(
        "<link name='l{1}'/><joint name='j{1}' type='continuous'><parent link='l{0}'/><child link='l{1}'/></joint>\n",
        i - 1, i);
  }
  const Document document = read(text + "</robot>");
  EXPECT_TRUE(document.faults.empty()) << document.faults.size();
  EXPECT_EQ(document.robot.bodies.size(), static_cast<std::size_t>(n) + 2);
}

TEST(Urdf, RefusesElementsWithMoreAttributesThanTheParserCompares) {
  const auto with = [](int attributes) {
    std::string link = "<robot name='r'><!-- <a b='' -->\n<link name='a'";
    for (int i = 1; i < attributes; ++i) link += fmt::format(" x{}=\"'>\"", i);
    return read(link + "/></robot>");
  };
  EXPECT_TRUE(with(256).faults.empty()) << all_texts(with(256).faults);
  const Document crowded = with(100'000);
  EXPECT_TRUE(says(crowded.faults, 2, "<link>: it has 100000 attributes; an element may have 256"))
      << all_texts(crowded.faults);
  EXPECT_EQ(crowded.faults.size(), 1u);
}

TEST(Urdf, TellsEveryFaultAtOnce) {
  const Document document = read(R"(<robot name="r">
  <link name="a"/>
  <link name="b"><inertial><mass value="-1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="5"/></inertial></link>
  <link name="c"/>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint>
  <joint name="k" type="hinge"><parent link="b"/><child link="d"/></joint>
</robot>)");
  EXPECT_TRUE(says(document.faults, 3, "link 'b': mass: a mass is not negative: -1"));
  EXPECT_FALSE(says(document.warnings, 0, "triangle inequality")) << "of a mass below zero nothing else is asked";
  EXPECT_TRUE(says(document.faults, 5, "joint 'j': axis: a zero vector"));
  EXPECT_TRUE(says(document.faults, 6, "unknown joint type 'hinge'"));
  EXPECT_TRUE(says(document.faults, 6, "unknown link 'd'"));
  EXPECT_TRUE(says(document.faults, 4, "several roots"));
  EXPECT_EQ(document.faults.size(), 5u) << all_texts(document.faults);
  EXPECT_EQ(document.faults.front().text().find(document.faults.front().source.file + ":3: "), 0u);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
