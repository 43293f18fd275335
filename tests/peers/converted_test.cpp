// Robots of ours in other formats, as MuJoCo's own readers take them: the same inertia matrix and forces.
#include "denoc/io/save.hpp"
#include "peers/same_reading.hpp"
#include "support/random_robot.hpp"
#include "unit/io/files.hpp"

namespace denoc::test {
namespace {

// Rods and point masses, which MuJoCo refuses; told, and read by us.
bool is_refused(const RobotText& said) {
  return std::any_of(said.unsaid.begin(), said.unsaid.end(),
                     [](const std::string& each) { return each.find("MuJoCo refuses") != std::string::npos; });
}
void expect_mujoco_reads(const RobotText& said, const char* name, double relative) {
  const denoc::testing::TemporaryFile file(name, said.text);
  expect_the_same_reading(file.path(), relative);
}

class Converted : public ::testing::TestWithParam<std::string> {};

// Loops that are not closed as drawn are said by sites, which MuJoCo knows since 3.2: the tree is compared.
TEST_P(Converted, ToMjcfIsTheSameToMujoco) {
  Robot robot = load(GetParam());
  robot.loops.clear();
  const RobotText said = robot_text(robot, "robot.xml");
  static const std::set<std::string> with_rods = {};
  EXPECT_EQ(is_refused(said), with_rods.contains(GetParam())) << fmt::format("{}", fmt::join(said.unsaid, "\n"));
  if (!is_refused(said)) expect_mujoco_reads(said, "robot.xml", 1e-10);
}

TEST_P(Converted, ToUrdfIsTheSameToMujoco) {
  Robot robot = load(GetParam());
  robot.loops.clear();
  const RobotText said = robot_text(robot, "robot.urdf");
  expect_mujoco_reads(said, "robot.urdf", 1e-10);
}
INSTANTIATE_TEST_SUITE_P(ShippedRobots, Converted, ::testing::ValuesIn(shipped_robots()),
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
    expect_mujoco_reads(said, "robot.xml", 1e-10);
  }
}

}  // namespace
}  // namespace denoc::test
