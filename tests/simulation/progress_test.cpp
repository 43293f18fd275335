// Every run ends: where it cannot go on, or would go on for ever, it fails with time and cause.
#include <cmath>

#include "denoc/control/controller.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A force on a slider of 1 kg by time, place and speed, which counts how often it is asked.
struct Law final : Controller {
  using Force = double (*)(double t, double q, double v);
  explicit Law(Force f) : force(f) {}
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    ++asked;
    tau[0] = force(t, q[0], v[0]);
  }
  Force force;
  long asked = 0;
};
std::vector<IntegratorOptions> adaptive() {
  std::vector<IntegratorOptions> all = {tight(1e-8)};
  if (!has_multistep()) return all;
  for (const IntegrationMethod method : {IntegrationMethod::adams, IntegrationMethod::bdf, IntegrationMethod::ida})
    all.push_back(tight(1e-8, method));
  return all;
}

struct Failed {
  double t;
  std::string text;
  long evaluations;
};
Failed failed(const Model& model, Law::Force force, double q, double v, const IntegratorOptions& options) {
  const auto law = std::make_shared<Law>(force);
  auto setup = setup_of({q}, {v}, 2, 0.1, options);
  setup.control = law;
  try {
    simulate(model, setup, {});
  } catch (const SimulationFailure& failure) {
    EXPECT_TRUE(std::isfinite(failure.q.at(0)) && std::isfinite(failure.v.at(0)));
    return {failure.t, failure.what(), law->asked};
  }
  ADD_FAILURE() << name_of(options.method) << " ended";
  return {};
}

// Where the motion has no continuation the steps shrink until the digits of t end them: by a constant factor, so they
// are few.
TEST(Progress, EndsAtASingularInstant) {
  struct Singular {
    Law::Force force;
    double q, v, t;
  };
  for (const auto& [force, q, v, t] :
       {Singular{[](double at, double, double) { return 1 / (at - 0.5); }, 0, 0, 0.5},
        Singular{[](double at, double, double) { return 1 / ((at - 0.5) * (at - 0.5)); }, 0, 0, 0.5},
        Singular{[](double, double, double u) { return u * u; }, 0, 2, 0.5},  // v = 1 / (1/2 - t)
        // a fall from rest at x = 1 into the centre: pi / (2 sqrt(2))
        Singular{[](double, double x, double) { return -1 / (x * x); }, 1, 0, M_PI / std::sqrt(8)}}) {
    for (const IntegratorOptions& options : adaptive()) {
      const Failed run = failed(slider(), force, q, v, options);
      EXPECT_NEAR(run.t, t, 1e-5) << run.text;
      // What fails in the shortest step is its error, or, in implicit ones, its equations.
      EXPECT_TRUE(run.text.find("the step fell below") != std::string::npos ||
                  (is_multistep(options.method) && run.text.find("the corrector does not") != std::string::npos))
          << run.text;
      EXPECT_LE(run.evaluations, 10'000) << run.text;
    }
  }
}

// Steps that stay minuscule: a force that swings ever faster, and a drive that friction can neither hold nor let go.
// The run is given up when the work it may do is out of all proportion to what is left, long before it is done.
TEST(Progress, IsGivenUpWhereStepsStayMinuscule) {
  struct Endless {
    Law::Force force;
    double friction, v, t;
  };
  for (const auto& [force, friction, v, t] :
       {Endless{[](double at, double, double) { return std::sin(1 / (at - 0.5)) / (at - 0.5); }, 0, 0, 0.5},
        Endless{[](double, double, double u) { return u > 0 ? -5.0 : 5.0; }, 0.3, 1, 1 / 5.3}}) {
    for (IntegratorOptions options : adaptive()) {
      options.max_evaluations = 10'000'000;
      const Failed run = failed(slider(friction), force, 0, v, options);
      EXPECT_NEAR(run.t, t, 0.01) << run.text;
      EXPECT_NE(run.text.find("gets nowhere"), std::string::npos) << run.text;
      EXPECT_LE(run.evaluations, options.max_evaluations / 10) << run.text;
    }
  }
}

// A long run is none that gets nowhere: many steps, or many samples of few steps.
TEST(Progress, IsWhatALongRunMakes) {
  const auto run = [](double every, const IntegratorOptions& options) {
    long samples = 0;
    Observer observer;
    observer.sample = [&](const Sample&) { ++samples; };
    auto setup = setup_of({0}, {1}, 1, every, options);
    setup.integrator.max_evaluations = 2'000'000;
    simulate(slider(), setup, observer);
    return samples;
  };
  EXPECT_EQ(run(0.5, fixed(1 / 4e5)), 3);
  EXPECT_EQ(run(1 / 4e5, tight(1e-8)), 400'001);
}
TEST(Progress, SamplesWithoutEndAreTooMuchWork) {
  auto setup = setup_of({0}, {1}, 1, 1e-12, tight(1e-8));
  setup.integrator.max_evaluations = 100'000;
  EXPECT_THROW(simulate(slider(), setup, {}), SimulationFailure);
}

// A look for stiffness tries states beside the motion. Where they cannot be computed, the run goes on.
TEST(Progress, IsNotStoppedByStatesBesideTheMotion) {
  auto setup = setup_of({0}, {1 - 1e-9}, 1, 0.1, tight(1e-8));
  setup.control = std::make_shared<Law>([](double, double, double v) { return v > 1 + 1e-12 ? std::nan("") : 1 - v; });
  EXPECT_NEAR(simulated(slider(), setup).samples.back().v[0], 1, 1e-9);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
