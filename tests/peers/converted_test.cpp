// Robots of ours in other formats, as MuJoCo's own readers take them: the same inertia matrix and forces.
#include "denoc/io/save.hpp"
#include "peers/same_reading.hpp"
#include "support/random_robot.hpp"
#include "unit/io/files.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Rods and point masses, which MuJoCo refuses; told, and read by us.
bool is_refused(const RobotText& said) {
  return std::any_of(said.unsaid.begin(), said.unsaid.end(),
                     [](const std::string& each) { return each.find("MuJoCo refuses") != std::string::npos; });
}
void expect_mujoco_reads(const RobotText& said, const char* name, PrincipalAxes axes) {
  const denoc::test::TemporaryFile file(name, said.text);
  expect_the_same_reading(file.path(), axes);
}

// Loops that are not closed as drawn are said by sites, which MuJoCo knows since 3.2, and limits of effort in a word that
// it knows since 3: the tree is compared.
Robot tree_of(const std::string& name) {
  Robot robot = load(name);
  robot.loops.clear();
  for (Body& body : robot.bodies) body.joint.limits.effort = Limits{}.effort;
  return robot;
}

// MuJoCo takes it, or refuses it where we tell so.
void expect_mujoco_reads_unless_told(const RobotText& said) {
  if (!is_refused(said)) return expect_mujoco_reads(said, "robot.xml", PrincipalAxes::given);
  const denoc::test::TemporaryFile file("robot.xml", said.text);
  EXPECT_THROW(MujocoRobot(load(file.path().string()), file.path().string()), std::runtime_error);
}

class ToMjcf : public ::testing::TestWithParam<std::string> {};
// Rods, point masses and hubs MuJoCo refuses, and only those that we tell.
TEST_P(ToMjcf, IsTheSameToMujoco) { expect_mujoco_reads_unless_told(robot_text(tree_of(GetParam()), "robot.xml")); }
INSTANTIATE_TEST_SUITE_P(ShippedRobots, ToMjcf, ::testing::ValuesIn(shipped_robots()),
                         [](const auto& robot) { return robot.param; });

// Robots whose joints URDF has and whose inertias MuJoCo takes. It finds the axes of a full tensor, which is what URDF
// has, itself.
class ToUrdf : public ::testing::TestWithParam<std::string> {};
TEST_P(ToUrdf, IsTheSameToMujoco) {
  expect_mujoco_reads(robot_text(tree_of(GetParam()), "robot.urdf"), "robot.urdf", PrincipalAxes::found);
}
INSTANTIATE_TEST_SUITE_P(ShippedRobots, ToUrdf,
                         ::testing::Values("kuka_kr5", "chain20", "decoupled_arm", "floating_7link", "free_flying_arm",
                                           "governor", "humanoid", "pointing_device", "rrp", "spatial3r", "three_link",
                                           "two_body_mata02", "two_link", "wrist"),
                         [](const auto& robot) { return robot.param; });

// Every joint that a body can have, in frames of any kind.
TEST(ConvertedTrees, AreTheSameToMujoco) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    RandomRobot wanted{.bodies = 12, .free_root = seed % 2 == 0};
    wanted.types = {JointType::revolute,    JointType::prismatic, JointType::spherical, JointType::universal,
                    JointType::cylindrical, JointType::planar,    JointType::helical,   JointType::fixed};
    Random random(seed);
    const RobotText said = robot_text(random_robot(random, wanted), "robot.xml");
    ASSERT_FALSE(is_refused(said));
    expect_mujoco_reads(said, "robot.xml", PrincipalAxes::given);
  }
}

// MuJoCo takes six freedoms of a body, and no body without mass that moves: of longer chains without mass it is told.
TEST(ConvertedChains, WithoutMassAreTheSameToMujocoOrTold) {
  for (unsigned massless = 1; massless <= 8; ++massless)
    for (const JointType type : {JointType::revolute, JointType::universal}) {
      Random random(massless);
      const std::vector<JointType> types = {type};
      Robot robot = random_robot(random, {.bodies = int(massless) + 1, .types = types, .chain = true, .rotors = false});
      for (unsigned b = 1; b <= massless; ++b) robot.bodies[b].inertial = {};
      const RobotText said = robot_text(robot, "robot.xml");
      EXPECT_EQ(is_refused(said), (int(massless) + 1) * degrees_of_freedom(type) > 6) << said.text;
      expect_mujoco_reads_unless_told(said);
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
