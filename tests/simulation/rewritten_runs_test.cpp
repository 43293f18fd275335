// How a robot is written is no part of how it runs: from the same state, under the same forces, it comes to the same.
#include "denoc/loops/closed_chain.hpp"
#include "support/expect.hpp"
#include "support/random_forces.hpp"
#include "support/random_loops.hpp"
#include "support/rewritten.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Numbers = std::vector<double>;

TEST(RewrittenRuns, ComeToTheSame) {
  for (int trial = 0; trial < 24; ++trial) {
    Random random{unsigned(trial)};
    Closed closed{random_robot(random, {.bodies = 4, .types = moving_joints(), .free_root = trial % 3 == 0}), {}};
    closed.q = random_q<double>(random, Model(closed.robot));
    if (trial % 2 == 1) close_at(random, geometric_loops()[size_t(trial / 2) % geometric_loops().size()], 1, 4, closed);
    if (trial % 4 > 1) add_forces(random, closed.robot);
    const Model model(closed.robot);
    const Numbers v = ClosedChain(model).closed_rates(closed.q, random_vector<double>(random, model.nv()));
    const Mechanism original(closed.robot);
    for (const IntegratorOptions& options : {tight(1e-9), fixed(1e-3)}) {
      SCOPED_TRACE(testing::Message() << trial << ' ' << name_of(options.method));
      SimulationSetup setup = setup_of(closed.q, v, 0.2, 0.1, options);
      const Simulated was = simulated(model, setup);
      const Rewritten w = rewritten(random, closed.robot, 1, true);
      const Otherwise now(original, w);
      setup.q = now.q(closed.q), setup.v = now.v(v);
      const Simulated is = simulated(now.mechanism().tree(), setup);
      const Kept &expected = was.samples.back(), &found = is.samples.back();
      const double part = 1e-6;  // hundreds of steps that err by 1e-9, and what has grown of that
      expect_near(now.q_of(found.q), expected.q, part * (1 + largest(expected.q)), "q");
      expect_near(now.v_of(found.v), expected.v, part * (1 + largest(expected.v)), "v");
      expect_near(now.v_of(found.a), expected.a, part * (1 + largest(expected.a)), "a");
      EXPECT_NEAR(found.energy(), expected.energy(), part * (1 + was.statistics.largest_energy));
      // The books are kept less closely than the motion, and say how closely.
      EXPECT_NEAR(found.dissipated, expected.dissipated,
                  part + was.statistics.balance_defect + is.statistics.balance_defect);
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
