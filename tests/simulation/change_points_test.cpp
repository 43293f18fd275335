// Where two motions of a linkage cross, a run stays on its own: a parallelogram that goes round is one pendulum, by every
// method.
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double crank = 0.3, base = 0.6;

// Its links have the mass 1 kg and the inertia I about their middles.
Robot parallelogram() {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const int first = add_to(robot, 0, hinge, rod(1, crank));
  const int coupler = add_to(robot, first, hinge, rod(1, base), {crank, 0, 0});
  const int rocker = add_to(robot, 0, hinge, rod(1, crank), {base, 0, 0});
  close(robot, LoopType::revolute, coupler, {base, 0, 0}, rocker, {crank, 0, 0});
  return robot;
}
// The coupler does not turn: J q'' = -9.81 M cos q, J = 2 m l^2/3 + m l^2, M = 2 m l/2 + m l.
Robot pendulum() {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const double J = 2 * crank * crank / 3 + crank * crank, m = 3, c = 2 * crank / m;
  add_to(robot, 0, joint(JointType::revolute), mass(m, {c, 0, 0}, {0, 0, 0, 0, 0, J - m * c * c}));
  return robot;
}

// Steps err by their tolerances, atol + rtol |q|: all of them together are far less than another branch is off.
TEST(ChangePoints, AParallelogramStaysOne) {
  const Model four_bar(parallelogram()), one(pendulum());
  for (const auto& [q, v] : {std::pair(1.0, 3.0), {1.0, 10.0}, {0.5, -12.0}}) {
    const auto expected = simulated(one, setup_of({q}, {v}, 2, 0.1, tight(1e-12)));
    double farthest = 0;
    for (const Kept& sample : expected.samples) farthest = std::max(farthest, largest(sample.q));
    for (const Integrator& method : integrators()) {
      if (method.has_fixed_step || !is_available(method.method)) continue;
      for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        SCOPED_TRACE(std::string(method.name) + " at " + std::to_string(-std::log10(tolerance)) + " digits, from " +
                     std::to_string(q));
        auto setup = setup_of({q, -q, q}, {v, -v, v}, 2, 0.1, tight(tolerance, method.method));
        setup.integrator.max_evaluations = 200'000;
        const auto found = simulated(four_bar, setup);
        const double most = double(found.statistics.steps) * tolerance * (1 + farthest);
        for (std::size_t i = 0; i < expected.samples.size(); ++i) {
          const double there = expected.samples[i].q[0];
          expect_near(found.samples[i].q, std::vector{there, -there, there}, most, "q");
        }
        EXPECT_LE(found.energy_drift(), most);
      }
    }
  }
}
// Five of them change at once, upright, with rates of about 10.
TEST(ChangePoints, ARowOfFourBarsStaysOne) {
  const Model model(four_bars(5));
  ClosedChain chain(model);
  const std::vector<double> q = chain.assemble(std::vector<double>(11, 0.3)), still(11);
  const auto expected = simulated(model, setup_of(q, still, 3, 0.5, tight(1e-11)));
  for (const Integrator& method : integrators()) {
    if (method.has_fixed_step || !is_available(method.method)) continue;
    SCOPED_TRACE(method.name);
    const auto found = simulated(model, setup_of(q, still, 3, 0.5, tight(1e-8, method.method)));
    for (std::size_t i = 0; i < expected.samples.size(); ++i)
      expect_near(found.samples[i].q, expected.samples[i].q, double(found.statistics.steps) * 1e-8 * 10,
                  "q");  // q < 10
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
