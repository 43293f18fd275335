// Instants of a run that are the same but for rounding are taken as one.
#include "simulation/run.hpp"

#include <gtest/gtest.h>

#include "support/build.hpp"
#include "support/random_robot.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {

TEST(Run, TakesMultiplesThatRoundingMovesOffItsEndAsItsEnd) {
  Robot robot;
  add(robot, joint(JointType::prismatic), mass(1));
  const Model model(robot);
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double count = std::floor(std::pow(10, random.uniform(0, 13))), every = random.uniform(0.1, 1);
    // count times a number that rounds to every
    const auto written =
        static_cast<long double>(every) * (1 + 1e-16L * static_cast<long double>(random.uniform(-1, 1)));
    const auto end = static_cast<double>(static_cast<long double>(count) * written);
    const SimulationSetup setup = setup_of({0}, {0}, end, every, fixed(every));
    const Observer nobody;
    const simulation::Run run(model, setup, nobody);
    EXPECT_LE(std::abs(count * every - end), run.same_instant(every)) << count;
    EXPECT_LE(run.same_instant(every), every / 4) << count;
  }
}

}  // namespace
}  // namespace denoc::test
