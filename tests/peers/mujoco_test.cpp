// MuJoCo as an oracle: another formulation (composite bodies about the mass centre of the tree, L^T D L) by other
// people.
#include "support/mujoco.hpp"

#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

void expect_agreement(const Robot& robot, unsigned seed) {
  const Model model(robot);
  MujocoRobot mujoco(robot);
  ASSERT_EQ(mujoco.model()->nv, model.nv());
  const int n = model.nv();
  Random random(seed);
  for (int state = 0; state < 5; ++state) {
    const auto q = random_q<double>(random, model), v = random_vector<double>(random, n),
               a = random_vector<double>(random, n, 5), tau = random_vector<double>(random, n, 10);
    std::vector<BodyWrench<double>> wrenches;
    mujoco.set_state(q, v);
    for (size_t b = 1; b < robot.bodies.size(); ++b) {
      wrenches.push_back({int(b), {random.vector(3), random.vector(3)}});
      mujoco.apply(int(b), wrenches.back().wrench.n, wrenches.back().wrench.f);
    }
    Machine<double> machine(model, q, v);
    // Relative to the largest entry, as the project's bar has it. Both engines lose some units of rounding, times the
    // condition of I in forward dynamics: the robots here are not worse than 1e5.
    const auto inverse = mujoco.inverse(a);
    expect_near(machine.inverse(a), inverse, 1e-10 * largest(inverse), "forces");
    const auto I = mujoco.inertia();
    expect_near(machine.inertia(), I, 1e-10 * largest(I), "inertia matrix");
    const auto forward = mujoco.forward(tau);
    expect_near(machine.forward(tau, wrenches), forward, 1e-10 * largest(forward), "accelerations");
  }
}

class Shipped : public testing::TestWithParam<std::string> {};
TEST_P(Shipped, AgreesWithMujoco) { expect_agreement(shipped(GetParam()), 91); }
INSTANTIATE_TEST_SUITE_P(Robots, Shipped,
                         testing::Values("puma560", "puma_mohan07", "kuka_kr5", "planar3r", "spatial3r", "gripper",
                                         "two_body_mata02", "free_flying_arm", "humanoid"),
                         [](const auto& robot) { return robot.param; });

TEST(Humanoid, FloatsAndIsATree) {
  const Model model(shipped("humanoid"));
  EXPECT_EQ(model.nv(), 36);
  EXPECT_EQ(model.robot().bodies[1].joint.type, JointType::free);
}

// The rope's inertia matrix has condition 2e7: there MuJoCo's own accelerations are not good to 1e-10. Forces are.
TEST(Rope, ForcesAgreeWithMujoco) {
  const Robot robot = shipped("rope50");
  const Model model(robot);
  MujocoRobot mujoco(robot);
  Random random(92);
  const auto q = random_q<double>(random, model), v = random_vector<double>(random, model.nv()),
             a = random_vector<double>(random, model.nv(), 5);
  mujoco.set_state(q, v);
  const auto expected = mujoco.inverse(a);
  expect_near(Machine<double>(model, q, v).inverse(a), expected, 1e-10 * largest(expected), "forces");
}

// What MuJoCo calls armature: in every joint but free ones, balls too.
TEST(Rotors, AgreeWithMujoco) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    RandomRobot wanted{.bodies = 12, .free_root = seed % 2 == 0};
    wanted.types = {JointType::revolute,  JointType::prismatic,   JointType::spherical,
                    JointType::universal, JointType::cylindrical, JointType::planar};
    Random random(seed);
    Robot robot = random_robot(random, wanted);
    for (Body& body : robot.bodies)
      if (body.joint.type != JointType::free && body.joint.type != JointType::fixed)
        body.joint.armature = random.uniform(0.1, 3);
    expect_agreement(robot, seed);
  }
}

struct Tree {
  int bodies;
  bool free_root, chain;
  unsigned seed;
};
class RandomTree : public testing::TestWithParam<Tree> {};
TEST_P(RandomTree, AgreesWithMujoco) {
  const Tree tree = GetParam();
  RandomRobot wanted{.bodies = tree.bodies, .chain = tree.chain, .free_root = tree.free_root};
  wanted.types = {JointType::revolute,    JointType::prismatic, JointType::spherical, JointType::universal,
                  JointType::cylindrical, JointType::planar,    JointType::revolute,  JointType::fixed};
  Random random(tree.seed);
  expect_agreement(random_robot(random, wanted), tree.seed);
}
INSTANTIATE_TEST_SUITE_P(Robots, RandomTree,
                         testing::Values(Tree{6, false, true, 1}, Tree{6, true, true, 2}, Tree{10, false, false, 3},
                                         Tree{10, true, false, 4}, Tree{20, false, false, 5}, Tree{20, true, false, 6},
                                         Tree{40, true, false, 7}, Tree{40, false, false, 8}));

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
