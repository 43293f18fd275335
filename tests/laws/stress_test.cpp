// Mechanisms at random with everything at once: loops, some of them twice, bodies that fly, massless links, springs, dry
// friction, stops, ground. Whatever it is, a run ends, its energy is accounted for, its loops stay closed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "support/random_forces.hpp"
#include "support/random_loops.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Stressed {
  Closed mechanism;
  SimulationSetup setup;
};

// A link that carries others loses its mass; they have theirs.
void lighten(Random& random, Robot& robot) {
  const int b = 1 + random.below(int(robot.bodies.size()) - 1);
  for (const Body& body : robot.bodies)
    if (body.parent == b && body.joint.type == JointType::revolute) robot.bodies[std::size_t(b)].inertial = {};
}

Stressed stressed(Random& random) {
  RandomRobot tree{.bodies = 4 + random.below(4), .types = moving_joints()};
  tree.free_root = random.below(4) == 0;
  std::vector<LoopType> types;
  for (int i = random.below(3); i > 0; --i)
    types.push_back(geometric_loops()[std::size_t(random.below(int(geometric_loops().size())))]);
  Stressed result{closed_robot(random, types, tree), {}};
  Robot& robot = result.mechanism.robot;
  if (random.below(2) == 0) lighten(random, robot);
  if (random.below(3) == 0 && !robot.loops.empty()) robot.loops.push_back(robot.loops.front());  // says it again
  const bool has_forces = random.below(2) == 0;
  if (has_forces) add_forces(random, robot);
  SimulationSetup& setup = result.setup;
  setup.q = result.mechanism.q;
  setup.v = random_vector<double>(random, Model(robot).nv());
  setup.duration = random.below(10) == 0 ? 1 : 0.1;
  setup.every = 0.02;
  setup.integrator.rtol = 1e-7;
  setup.integrator.atol = 1e-9;
  setup.integrator.max_evaluations = long(300'000 * setup.duration);
  if (random.below(2) == 0) setup.ground = random_ground(random, robot);
  if (random.below(3) == 0) setup.wrenches = random_external_wrenches(random, robot);
  const IntegrationMethod methods[] = {IntegrationMethod::dopri5, IntegrationMethod::dopri5, IntegrationMethod::adams,
                                       IntegrationMethod::bdf, IntegrationMethod::ida};
  setup.integrator.method = methods[random.below(has_multistep() ? 5 : 1)];
  return result;
}

// All that went to and fro.
double turnover(const Simulated& run) {
  double most = 0;
  for (const Kept& s : run.samples) {
    most = std::max(most, s.kinetic + std::abs(s.potential) + std::abs(s.work) + std::abs(s.dissipated));
  }
  return most;
}

// A joint sticks where it slid, and breaks loose where it stuck.
void expect_in_turn(const Model& model, const Simulated& run) {
  std::vector<int> last(std::size_t(model.nv()), -1);  // stick 0, slip or turn 1
  for (const FrictionEvent& e : run.events) {
    int& before = last[std::size_t(e.dof)];
    if (before >= 0) RC_ASSERT((e.kind == FrictionEvent::Kind::slip) == (before == 0));
    before = e.kind == FrictionEvent::Kind::stick ? 0 : 1;
  }
}

TEST(Stress, RunsEndBalancedAndClosed) {
  long done = 0, failed = 0;
  const bool held = rc::check([&] {
    Random random(*rc::gen::noShrink(rc::gen::inRange(0u, 1'000'000'000u)));
    const Stressed s = stressed(random);
    const Model model(s.mechanism.robot);
    Simulated run;
    try {
      run = simulated(model, s.setup);
    } catch (const SimulationFailure& failure) {  // says when, and why
      RC_ASSERT(std::string(failure.what()).starts_with("t = "));
      ++failed;
      return;
    }
    ++done;
    RC_ASSERT(run.statistics.evaluations <= s.setup.integrator.max_evaluations);
    RC_ASSERT(run.statistics.loop_defect <= 1e-11);
    for (const Kept& sample : run.samples)
      for (const double x : sample.q) RC_ASSERT(std::isfinite(x));
    // Every entry of the state errs by rtol of what there is in a step, at most; energies, which are squares, by twice that.
    const double entries = model.nq() + model.nv(), steps = double(run.statistics.steps);
    RC_ASSERT(run.statistics.balance_defect <=
              2 * std::sqrt(entries) * steps * s.setup.integrator.rtol * turnover(run));
    expect_in_turn(model, run);
  });
  EXPECT_TRUE(held);
  EXPECT_LE(failed, done / 10) << "mechanisms that nobody can move are rare";
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
