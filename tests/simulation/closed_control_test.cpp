// Robots with loops under control: the motion is given for the driven joints, the closed chain does the rest.
#include <cmath>
#include <complex>
#include <filesystem>

#include "denoc/control/controllers.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/scenario/scenario.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const std::filesystem::path folder = std::filesystem::path(DENOC_MODELS_DIR).parent_path() / "examples" / "scenarios";

std::vector<double> desired(const Trajectory& motion, const Model& model, double t) {
  std::vector<double> q(std::size_t(model.nq())), v(std::size_t(model.nv())), a = v;
  motion.at(t, q, v, a);
  return q;
}
// e'' + kd e' + kp e = 0 from e(0), e'(0) = 0, by the roots of s^2 + kd s + kp.
double error_at(double t, double e0, double kp, double kd) {
  const std::complex<double> root = std::sqrt(std::complex<double>(kd * kd / 4 - kp));
  const std::complex<double> s1 = -kd / 2 + root, s2 = -kd / 2 - root;
  if (std::abs(root) < 1e-9) return e0 * (1 + kd / 2 * t) * std::exp(-kd / 2 * t);
  return e0 * ((s1 * std::exp(s2 * t) - s2 * std::exp(s1 * t)) / (s1 - s2)).real();
}
void expect_closed(const Model& model, const Simulated& run) {
  ClosedChain chain(model);
  for (const Kept& sample : run.samples) {
    EXPECT_LE(largest(chain.residual(sample.q)), 1e-10) << sample.t;
    EXPECT_LE(largest(chain.rate(sample.q, sample.v)), 1e-9) << sample.t;
  }
}

// Every step errs by rtol of the state: a thousand times that for some hundred steps.
double tolerance_of(const SimulationSetup& setup) { return 1e3 * setup.integrator.rtol; }

TEST(ClosedControl, AFourBarUnderComputedTorqueErrsAsItsGainsSay) {
  const Scenario scenario = load_scenario(folder / "fourbar_computed_torque.yaml");
  const Model& model = *scenario.model;
  const Simulated run = simulated(model, scenario.setup);
  const double e0 = desired(*scenario.motion, model, 0)[0] - run.samples[0].q[0];
  ASSERT_GT(std::abs(e0), 0.1);
  for (const Kept& sample : run.samples) {
    const double e = desired(*scenario.motion, model, sample.t)[0] - sample.q[0];
    EXPECT_NEAR(e, error_at(sample.t, e0, 100, 20), tolerance_of(scenario.setup)) << sample.t;
    EXPECT_EQ(sample.tau[1], 0);
    EXPECT_EQ(sample.tau[2], 0);
  }
  expect_closed(model, run);
}

// ... on a frame that floats, too, wherever that goes; by feedforward alone from an exact start.
TEST(ClosedControl, AFourBarOnAFloatingFrame) {
  const auto model = std::make_shared<const Model>(floating_four_bar());
  const std::vector<int> crank = {6};
  const std::vector<double> start =
                                ClosedChain(*model).assemble(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, -0.55, 1.3}),
                            still(9);
  std::vector<double> to = start, off = start, kp(9), kd(9);
  to[7] += 1.5;
  off[7] -= 0.1;
  kp[6] = 100, kd[6] = 20;
  const auto motion = closed_motion(model, point_to_point(model, start, to, 1, Profile::cycloidal), crank);
  for (const bool is_led_back : {true, false}) {
    auto setup = setup_of(is_led_back ? ClosedChain(*model).assemble(off, crank) : start, still, 1, 0.05, tight(1e-10));
    setup.control = is_led_back ? computed_torque(model, motion, {kp, kd}, crank) : feed_forward(model, motion, crank);
    const Simulated run = simulated(*model, setup);
    const double e0 = start[7] - run.samples[0].q[7];
    for (const Kept& sample : run.samples) {
      const double e = desired(*motion, *model, sample.t)[7] - sample.q[7];
      EXPECT_NEAR(e, error_at(sample.t, e0, 100, 20), tolerance_of(setup)) << sample.t;
      std::vector<double> undriven = sample.tau;
      undriven[6] = 0;
      EXPECT_EQ(undriven, still);
      const Wrench<double> p = momentum(*model, sample);
      EXPECT_LE(norm(p.n) + norm(p.f), tolerance_of(setup)) << sample.t;
    }
    EXPECT_GT(std::abs(run.samples.back().q[6]), 0.01) << "the frame turns";
    expect_closed(*model, run);
  }
}

// Three cranks with gains of their own: swinging, critically damped, creeping. None disturbs the others.
TEST(ClosedControl, APlatformUnderComputedTorqueDecouplesItsCranks) {
  const auto model = std::make_shared<const Model>(shipped("three_rrr"));
  const std::vector<int> cranks = {0, 3, 5};
  std::vector<double> from(7), to(7), kp(7), kd(7);
  const double ends[] = {0.5, 0.3, 0.6}, stiff[] = {400, 100, 50}, damped[] = {10, 20, 30};
  for (std::size_t j = 0; j < 3; ++j) {
    to[std::size_t(cranks[j])] = ends[j];
    kp[std::size_t(cranks[j])] = stiff[j];
    kd[std::size_t(cranks[j])] = damped[j];
  }
  const auto motion = closed_motion(model, point_to_point(model, from, to, 1, Profile::poly345), cranks);
  ClosedChain chain(*model);
  std::vector<double> start = desired(*motion, *model, 0);
  for (const std::size_t k : {0u, 3u, 5u}) start[k] += k == 3 ? -0.1 : 0.07;
  auto setup = setup_of(chain.assemble(start, cranks), std::vector<double>(7), 1, 0.05, tight(1e-10));
  setup.control = computed_torque(model, motion, {kp, kd}, cranks);
  const Simulated run = simulated(*model, setup);
  const std::vector<double> q0 = desired(*motion, *model, 0);
  for (const Kept& sample : run.samples) {
    const std::vector<double> wanted = desired(*motion, *model, sample.t);
    for (std::size_t j = 0; j < 3; ++j) {
      const auto k = std::size_t(cranks[j]);
      EXPECT_NEAR(wanted[k] - sample.q[k], error_at(sample.t, q0[k] - run.samples[0].q[k], stiff[j], damped[j]),
                  tolerance_of(setup))
          << sample.t;
    }
  }
  expect_closed(*model, run);
}

TEST(ClosedControl, FeedforwardAloneFollowsFromAnExactStart) {
  const Scenario scenario = load_scenario(folder / "three_rrr_feedforward.yaml");
  const Simulated run = simulated(*scenario.model, scenario.setup);
  for (const Kept& sample : run.samples) {
    expect_near(sample.q, desired(*scenario.motion, *scenario.model, sample.t), tolerance_of(scenario.setup), "q");
    for (const std::size_t k : {1u, 2u, 4u, 6u}) EXPECT_EQ(sample.tau[k], 0);
  }
  expect_closed(*scenario.model, run);
}

// Gravity compensation holds a closed chain where it is, driven at one joint or at two.
TEST(ClosedControl, GravityIsHeldByTheDrivenJoints) {
  const auto model = std::make_shared<const Model>(shipped("slider_crank"));
  const std::vector<double> q = ClosedChain(*model).assemble(std::vector<double>{0.5, -0.6, 0.57});
  for (const std::vector<int>& driven : {std::vector<int>{0}, {2}, {0, 2}}) {
    const auto resting = point_to_point(model, q, q, 1, Profile::linear);
    auto setup = setup_of(q, std::vector<double>(3), 1, 0.1, tight(1e-10));
    setup.control = pd_with_gravity(model, resting, {std::vector<double>(3), std::vector<double>(3)}, driven);
    const Simulated run = simulated(*model, setup);
    expect_near(run.samples.back().q, q, tolerance_of(setup), "q");
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
