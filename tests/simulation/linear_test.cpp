// A mass on a spring under a force that swings: linear equations, whose solution is known; and the books of such runs.
//   m q'' + k q = sin(w t),   q = A sin(w t) + B sin(w0 t),   A = 1 / (k - m w^2)
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/simulation/arkode.hpp"
#include "support/build.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

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
      // What the force has done is in the motion and the spring: to a hundred tolerances (and the energy's own) a step. (The
      // books of sdirk4 follow its steps and do not control them.)
      if (each.method == IntegrationMethod::sdirk4) continue;
      EXPECT_LE(run.statistics.balance_defect, 100 * allowed * (1 + run.statistics.largest_kinetic))
          << each.name << " " << rtol;
    }
  }
}

// A mass leaves an end stop that was pressed in, faster than that follows: no force, so the motion feels nothing, and all
// that the stop had stored is heat when it has come out, k x^2 / 2. Its power has a kink there.
TEST(LinearMotion, HeatThatNoMotionFeelsIsCounted) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint along = joint(JointType::prismatic);
  along.limits = {.lower = 0, .upper = 100};
  along.limits.stiffness = 100;
  along.limits.damping = 1;
  add(robot, along, mass(1, {0, 0, 0}, {0, 0, 0, 0, 0, 0}));
  const Model model(robot);
  for (const Integrator& each : integrators()) {
    if (each.has_fixed_step || each.method == IntegrationMethod::sdirk4) continue;
    const double rtol = 1e-8, speed = 3, pressed = 0.5;
    const Simulated run = simulated(model, setup_of({-pressed}, {speed}, 0.5, 0.5, tight(rtol, each.method)));
    const Kept& end = run.samples.back();
    EXPECT_NEAR(end.q[0], speed * 0.5 - pressed, 1e-12) << each.name;
    // What a step may add; across a kink its estimate is good to a factor of some ten.
    const double step = 10 * 100 * rtol * (1 + end.kinetic);
    EXPECT_NEAR(end.dissipated, 100 * pressed * pressed / 2,
                step * double(run.statistics.steps + run.statistics.rejected))
        << each.name;
    EXPECT_LE(run.statistics.steps, 2000) << each.name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
