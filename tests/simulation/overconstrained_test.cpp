// Linkages whose rows depend on each other, by methods whose stages are off the loops: they move as by those that stay on
// them.
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "support/data.hpp"
#include "support/overconstrained.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Start {
  const char* name;
  Robot robot;
  std::vector<double> near, v;
};
std::vector<Start> starts() {
  Robot upward = coupled_wheels();
  upward.gravity.y = 9.81;  // swings about pi/2, away from the dead points
  return {{"bennett", bennett(), {0.5, -3.4, -0.5}, {1, 0, 0}},
          {"bricard", bricard(), {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}},
          {"wheels", upward, {0.7, -0.7, 0.7, 0.7}, {1, -1, 1, 1}}};
}
constexpr IntegrationMethod by_sundials[] = {IntegrationMethod::adams, IntegrationMethod::bdf, IntegrationMethod::ida};

// What methods err is their own tolerance, over some hundred steps of a motion that does not part.
TEST(Overconstrained, MoveTheSameByEveryMethod) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  for (const Start& start : starts()) {
    const Model model(start.robot);
    ClosedChain chain(model);
    const std::vector<double> q = chain.assemble(start.near), v = chain.closed_rates(q, start.v);
    const auto expected = simulated(model, setup_of(q, v, 1, 0.25, tight(1e-11)));
    for (const IntegrationMethod method : by_sundials) {
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        SCOPED_TRACE(std::string(start.name) + " by " + std::string(name_of(method)) + " at " +
                     std::to_string(tolerance));
        const auto found = simulated(model, setup_of(q, v, 1, 0.25, tight(tolerance, method)));
        for (std::size_t i = 0; i < expected.samples.size(); ++i) {
          expect_near(found.samples[i].q, expected.samples[i].q, 1e3 * tolerance, "q");
          EXPECT_LE(largest(chain.residual(found.samples[i].q)), 1e-12);
        }
        EXPECT_LE(found.energy_drift(), 1e3 * tolerance);
        EXPECT_LE(found.statistics.steps, 5000);  // those of a locked linkage shrink to nothing
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
