// Planar chains that close on the ground, most of their joints with dry friction, of any size: what holds, lets go and
// turns back is found the same by methods that have nothing in common, and no energy is lost to it that is not heat.
#include "denoc/loops/closed_chain.hpp"
#include "support/expect.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Start {
  Robot robot;
  std::vector<double> q, v;
};
Start chain_with_friction(Random& random) {
  Start start;
  start.robot.gravity = {0, -9.81, 0};
  const int joints = 3 + random.below(3);
  for (int i = 0; i < joints; ++i) {
    const bool turns = random.below(6) > 0;
    Body& body = add(start.robot, turns ? joint(JointType::revolute) : joint(JointType::prismatic, {1, 0, 0}),
                     mass(1, {0.1, 0.05, 0}, {0.02, 0, 0.02, 0, 0, 0.03}),
                     {random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0});
    const double half = random.uniform(-1, 1);
    body.joint_frame.R = rotation(Quaternion<double>{std::cos(half), 0, 0, std::sin(half)});
    if (random.below(3) > 0) body.joint.friction.coulomb = std::pow(10, random.uniform(-1, 1.5));
  }
  // The end of the last link is pinned where it is.
  const Model tree(start.robot);
  start.q = random_vector<double>(random, tree.nv());
  Configuration<double> at(tree);
  Kinematics<double> kin(tree);
  place<double>(tree, start.q, at);
  positions<double>(tree, at, kin);
  const Vec3<double> end{0.2, 0.1, 0};
  const Pose<double> last = pose_in_world<double>(tree, kin, joints);
  close(start.robot, LoopType::revolute, joints, end, 0, last.r + last.R * end);
  const Model closed(start.robot);
  start.v = ClosedChain(closed).closed_rates(start.q, random_vector<double>(random, tree.nv(), 5));
  return start;
}

TEST(FrictionInChains, IsTheSameByEveryMethod) {
  long events = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Start start = chain_with_friction(random);
    const Model model(start.robot);
    std::vector<Simulated> runs;
    for (const IntegratorOptions& options :
         {tight(1e-9), fixed(1e-4), tight(1e-9, IntegrationMethod::bdf), tight(1e-9, IntegrationMethod::adams)}) {
      if (!is_available(options.method)) continue;
      runs.push_back(simulated(model, setup_of(start.q, start.v, 0.5, 0.5, options)));
      const Simulated& run = runs.back();
      SCOPED_TRACE(name_of(options.method));
      EXPECT_LE(run.statistics.balance_defect, 1e-4 * run.statistics.largest_energy);
      // Thousands of steps that err by 1e-9, beside postures where chains are quick: what grows of that.
      const double part = 1e-4;
      expect_near(run.samples.back().q, runs[0].samples.back().q, part, "q");
      expect_near(run.samples.back().v, runs[0].samples.back().v, part * (1 + largest(run.samples.back().v)), "v");
    }
    events += runs[0].statistics.events;
  }
  EXPECT_GT(events, 40);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
