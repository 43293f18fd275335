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

// A body that loops lock, and a slide on it that falls: s = g t^2 / 2 along its axis. In millimetres the forces that lock
// it are a million times what they are in metres, and so they are where it is a million times as heavy; beside their
// rounding the accelerations stay what they are.
TEST(Overconstrained, LockedBodiesAreLockedInAnyUnits) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  for (const auto& [length, m] : {std::pair(1.0, 1.0), {1000.0, 1.0}, {1.0, 1e6}, {1.0, 1e9}, {1e-3, 1e-6}}) {
    const double I = m * length * length;
    Robot robot;
    robot.gravity = {0, -9.81 * length, 0};
    const int held = add_to(robot, 0, joint(JointType::spherical),
                            mass(m, {0.2 * length, 0, 0}, {0.02 * I, 0, 0.02 * I, 0, 0, 0.02 * I}));
    add_to(robot, held, joint(JointType::prismatic, {0, 1, 0}),
           mass(m, {0.5 * length, 0, 0}, {0.02 * I, 0, 0.1 * I, 0, 0, 0.1 * I}), {0.4 * length, 0, 0});
    const Vec3<double> at{0.3 * length, 0.1 * length, 0};
    close(robot, LoopType::revolute, held, at, 0, at, {1, 0.3, 0.2});
    const Model model(robot);
    for (const IntegrationMethod method : by_sundials) {
      SCOPED_TRACE(std::string(name_of(method)) + " in " + std::to_string(length) + ", " + std::to_string(m));
      for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        const auto found = simulated(model, setup_of({1, 0, 0, 0, 0}, {0, 0, 0, 0}, 1, 1, tight(tolerance, method)));
        const double fallen = found.samples.back().q[4];
        EXPECT_NEAR(fallen, -9.81 * length / 2, 1e3 * tolerance * (1 + length)) << tolerance;
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
