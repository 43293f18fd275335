// A mass on a spring under a force that swings: linear equations, whose solution is known.
//   m q'' + k q = sin(w t),   q = A sin(w t) + B sin(w0 t),   A = 1 / (k - m w^2)
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/simulation/arkode.hpp"
#include "support/build.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {

constexpr double stiffness = 10, w = 40, start_speed = 1;

Model mass_on_a_spring() {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint along = joint(JointType::prismatic);
  along.spring = {.stiffness = stiffness, .rest = 0};
  add(robot, along, mass(1, {0, 0, 0}, {0, 0, 0, 0, 0, 0}));
  return Model(robot);
}
struct Exact {
  double q, v;
  explicit Exact(double t) {
    const double w0 = std::sqrt(stiffness), A = 1 / (stiffness - w * w), B = (start_speed - A * w) / w0;
    q = A * std::sin(w * t) + B * std::sin(w0 * t);
    v = A * w * std::cos(w * t) + B * w0 * std::cos(w0 * t);
  }
};

// A step adds no more than its tolerance, and nothing makes it grow: an error of as many tolerances as there are steps.
// (Tolerances are those of an error that is estimated: a few of them at a time.)
TEST(LinearMotion, EveryMethodKeepsItsTolerance) {
#ifdef DENOC_ARKODE
  use_arkode();
#endif
  const Model model = mass_on_a_spring();
  for (const Integrator& each : integrators()) {
    if (each.has_fixed_step) continue;
    for (const double rtol : {1e-5, 1e-8}) {
      SimulationSetup setup = setup_of({0}, {start_speed}, 5, 5, tight(rtol, each.method));
      setup.control = given_torques([](double time, std::span<double> tau) { tau[0] = std::sin(w * time); });
      const Simulated run = simulated(model, setup);
      const Exact exact(5);
      const double allowed = 3 * rtol * double(run.statistics.steps + run.statistics.rejected);
      EXPECT_NEAR(run.samples.back().q[0], exact.q, allowed) << each.name << " " << rtol;
      EXPECT_NEAR(run.samples.back().v[0], exact.v, allowed) << each.name << " " << rtol;
    }
  }
}

}  // namespace
}  // namespace denoc::test
