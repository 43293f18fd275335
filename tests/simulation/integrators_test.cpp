// The integrators themselves: order of convergence, quaternions, jumps, samples, the same bits twice.
#include <algorithm>
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/simulation/arkode.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

void know_arkode() {
#ifdef DENOC_ARKODE
  use_arkode();
#endif
}

// A spinning top on a ball joint with an arm on it: rotations, gravity, nothing symmetric.
Model top() {
  Robot robot;
  add(robot, joint(JointType::spherical), mass(1.2, {0.05, -0.02, 0.3}, {0.03, 0.002, 0.04, 0.001, -0.003, 0.02}));
  add(robot, joint(JointType::revolute, {1, 1, 0}), mass(0.4, {0, 0.1, 0.1}, {0.004, 0, 0.003, 0, 0, 0.005}),
      {0, 0, 0.4});
  return Model(robot);
}
SimulationSetup spinning(const IntegratorOptions& options) {
  return setup_of({1, 0, 0, 0, 0.3}, {1, -2, 8, 1}, 0.25, 0.25, options);
}
// How far the end of a run is from that of a much finer one.
double error_of(const Model& model, const Simulated& run, const Simulated& reference) {
  std::vector<double> d(size_t(model.nv()));
  difference<double>(model, run.samples.back().q, reference.samples.back().q, d);
  double worst = largest(d);
  for (size_t k = 0; k < d.size(); ++k) {
    worst = std::max(worst, std::abs(run.samples.back().v[k] - reference.samples.back().v[k]));
  }
  return worst;
}

TEST(Integrators, FixedStepsConvergeWithTheirOrder) {
  const Model model = top();
  const auto reference = simulated(model, spinning(tight(1e-13)));
  for (const auto& [method, order, step] :
       {std::tuple{IntegrationMethod::euler, 1, 1e-4}, std::tuple{IntegrationMethod::symplectic_euler, 1, 1e-4},
        std::tuple{IntegrationMethod::backward_euler, 1, 1e-4}, std::tuple{IntegrationMethod::rk4, 4, 4e-3}}) {
    const double coarse = error_of(model, simulated(model, spinning(fixed(step, method))), reference);
    const double fine = error_of(model, simulated(model, spinning(fixed(step / 2, method))), reference);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << name_of(method);
  }
}
// With the tolerances out of the way the pairs take the steps they are given.
TEST(Integrators, PairsHaveTheirOrder) {
  const Model model = top();
  const auto reference = simulated(model, spinning(tight(1e-13)));
  const auto error_for = [&](IntegrationMethod method, double step) {
    IntegratorOptions options = tight(1e3, method);
    options.max_step = step;
    const auto run = simulated(model, spinning(options));
    EXPECT_EQ(run.statistics.rejected, 0);
    return error_of(model, run, reference);
  };
  for (const auto& [method, order] : {std::pair{IntegrationMethod::dopri5, 5}, {IntegrationMethod::bs23, 3}})
    EXPECT_NEAR(std::log2(error_for(method, 1.0 / 256) / error_for(method, 1.0 / 512)), order, 0.25) << name_of(method);
}
// Nor a longer one to land where a run ends, however near that is.
TEST(Integrators, StepsAreNoLongerThanTheyMayBe) {
  know_arkode();
  for (const Integrator& row : integrators()) {
    if (!is_available(row.method)) continue;
    for (const double duration : {3.141, 1.05, 2.3, 5.07}) {
      IntegratorOptions options = row.has_fixed_step ? fixed(0.3, row.method) : tight(1, row.method);
      options.max_step = 0.1;
      const auto run = simulated(slider(), setup_of({0}, {1}, duration, duration, options));
      EXPECT_LE(run.statistics.largest_step, options.max_step * (1 + 1e-9)) << row.name << ", " << duration << " s";
    }
  }
}
// All steps together are the run: so many of the longest are no less, of the shortest no more, wherever in the run those
// were. What slides freely errs in no step: but for the first and the last they are as long as they may be.
TEST(Integrators, TheLongestAndTheShortestStepAreThoseOfTheWholeRun) {
  constexpr double most = 0.1;
  know_arkode();
  for (const Integrator& row : integrators()) {
    if (!is_available(row.method)) continue;
    for (const double duration : {3.141, 1.05, 2.32, 5.07}) {
      SCOPED_TRACE(testing::Message() << row.name << ", " << duration << " s");
      IntegratorOptions options = row.has_fixed_step ? fixed(most, row.method) : tight(1, row.method);
      options.max_step = most;
      const Statistics run = simulated(slider(), setup_of({0}, {1}, duration, duration, options)).statistics;
      const double mean = duration / double(run.steps), rounding = 1e-9 * duration;
      EXPECT_GE(run.largest_step, mean - rounding);
      EXPECT_LE(run.least_step, mean + rounding);
      EXPECT_NEAR(run.largest_step, most, 1e-2 * most);
    }
  }
}
// Every method with a tolerance comes near to the same end, the nearer the tighter.
TEST(Integrators, TolerancesAreKept) {
  const Model model = top();
  const auto reference = simulated(model, spinning(tight(1e-13)));
  know_arkode();
  for (const Integrator& row : integrators()) {
    if (row.has_fixed_step || !is_available(row.method)) continue;
    const auto error_at = [&](double tolerance) {
      return error_of(model, simulated(model, spinning(tight(tolerance, row.method))), reference);
    };
    EXPECT_LE(error_at(1e-5), 1e-2) << row.name;
    EXPECT_LE(error_at(1e-8), 1e-5) << row.name;
  }
}
// A joint with a damper of 1e5 /s: implicit methods step over what dies out at once, explicit ones do not.
TEST(Integrators, ImplicitOnesAreForStiffRobots) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic);
  slide.spring = {1e5, 0};
  slide.friction.viscous = 1e5;
  add(robot, slide, mass(1));
  const Model model(robot);
  // x'' = -1e5 x' - 1e5 x: the slow mode is exp(-t) to 1e-5.
  const auto end = [&](const IntegratorOptions& options) {
    return simulated(model, setup_of({1}, {-1}, 1, 1, options));
  };
  EXPECT_NEAR(end(fixed(1e-3, IntegrationMethod::backward_euler)).samples.back().q[0], std::exp(-1.0), 1e-3);
  EXPECT_THROW(end(fixed(1e-3, IntegrationMethod::rk4)), SimulationFailure);
  know_arkode();
  for (const IntegrationMethod method : {IntegrationMethod::sdirk4, IntegrationMethod::bdf}) {
    if (!is_available(method)) continue;
    const auto run = end(tight(1e-6, method));
    EXPECT_NEAR(run.samples.back().q[0], std::exp(-1.0), 2e-5) << name_of(method);
    EXPECT_LT(run.statistics.steps, 200) << name_of(method);
  }
  EXPECT_GT(end(tight(1e-6, IntegrationMethod::bs23)).statistics.steps, 10'000);
  EXPECT_TRUE(end(tight(1e-6, IntegrationMethod::bs23)).statistics.stiff);
}
// A mass that falls on an end stop, in other units of length and time: powers of two round nothing, so fixed steps do the
// same to the bit.
TEST(Integrators, FixedStepsKnowNoUnits) {
  const auto bounces = [](double length, double time, IntegrationMethod method) {
    Robot robot;
    robot.gravity = {0, 0, -10 * length / (time * time)};
    Joint slide = joint(JointType::prismatic);
    slide.limits = {.lower = 0, .stiffness = 1e4 / (time * time), .damping = 0.3 * time / length};
    slide.friction.viscous = 0.1 / time;
    add(robot, slide, mass(1));
    auto run =
        simulated(Model(robot), setup_of({0.3 * length}, {0}, 2 * time, 0.05 * time, fixed(0.005 * time, method)));
    std::vector<double> q;
    for (const Kept& sample : run.samples) q.push_back(sample.q[0] / length);
    return q;
  };
  for (const Integrator& row : integrators()) {
    if (!row.has_fixed_step) continue;
    const std::vector<double> expected = bounces(1, 1, row.method);
    for (const auto& [length, time] : {std::pair{0x1p-30, 1.0}, {0x1p20, 1.0}, {1.0, 0x1p-20}, {1.0, 0x1p20}}) {
      EXPECT_EQ(bounces(length, time, row.method), expected) << row.name << " " << length << " " << time;
    }
  }
}
// The list is in the order of the methods, and a word names one of them.
TEST(Integrators, AreListedOnce) {
  std::vector<std::string_view> words;
  for (const Integrator& row : integrators()) {
    EXPECT_EQ(&integrator(row.method), &row) << row.name;
    words.push_back(row.name);
    for (const std::string_view word : row.also)
      if (!word.empty()) words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}
TEST(Integrators, QuaternionsKeepUnitLength) {
  const Model model = top();
  for (const IntegratorOptions& options :
       {fixed(0.05, IntegrationMethod::euler), fixed(0.02), tight(1e-3),
        fixed(0.05, IntegrationMethod::symplectic_euler), fixed(0.01, IntegrationMethod::backward_euler),
        tight(1e-3, IntegrationMethod::bs23)}) {
    auto setup = spinning(options);
    setup.every = 0.013;
    for (const Kept& s : simulated(model, setup).samples) {
      EXPECT_NEAR(s.q[0] * s.q[0] + s.q[1] * s.q[1] + s.q[2] * s.q[2] + s.q[3] * s.q[3], 1, 8e-16);
    }
  }
}
// Symplectic: the energy of a swinging pendulum stays within a band that does not grow.
TEST(Integrators, SymplecticEulerDoesNotDrift) {
  const Model model(shipped("pendulum"));
  const auto drift = [&](double duration) {
    return simulated(model, setup_of({-1}, {0}, duration, 0.1, fixed(1e-3, IntegrationMethod::symplectic_euler)))
        .energy_drift();
  };
  EXPECT_LE(drift(100), 1.05 * drift(10));
}

TEST(Samples, ComeOnTimeAndAtTheEnd) {
  const Model model(shipped("pendulum"));
  for (const IntegratorOptions& options : {fixed(0.004), tight(1e-8), tight(1e-3)}) {
    const auto run = simulated(model, setup_of({-1}, {0}, 1.05, 0.1, options));
    ASSERT_EQ(run.samples.size(), 12u);
    for (size_t i = 0; i < 11; ++i) EXPECT_DOUBLE_EQ(run.samples[i].t, 0.1 * double(i));
    EXPECT_EQ(run.samples.back().t, 1.05);
  }
}
// Samples between the steps are as good as the steps.
TEST(Samples, BetweenTheStepsAreInterpolated) {
  const Model model = top();
  const auto reference = simulated(model, spinning(tight(1e-13)));
  for (const auto& [options, tolerance] : {std::pair{fixed(1e-3), 1e-6}, std::pair{tight(1e-9), 1e-6}}) {
    auto setup = spinning(options), fine = spinning(tight(1e-13));
    setup.every = fine.every = 0.00037;
    const auto run = simulated(model, setup), exact = simulated(model, fine);
    ASSERT_EQ(run.samples.size(), exact.samples.size());
    for (size_t i = 0; i < run.samples.size(); ++i) {
      expect_near(run.samples[i].v, exact.samples[i].v, tolerance, "v");
    }
  }
}

// A torque that jumps: v follows exactly, as the steps end where it jumps.
TEST(Jumps, AreSteppedOnto) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::prismatic), mass(2));
  const Model model(robot);
  auto setup = setup_of({0}, {0}, 1, 0.1, tight(1e-6));
  setup.control = given_torques([](double t, std::span<double> tau) { tau[0] = t < 1.0 / 3 ? 1 : -1; }, {1.0 / 3});
  const auto run = simulated(model, setup);
  // The torque at the jump belongs to what follows: v loses nothing but rounding.
  EXPECT_NEAR(run.samples.back().v[0], 0.5 * (1.0 / 3 - 2.0 / 3), 1e-15);
}
// Between samples of the controller tau is held.
TEST(Control, IsHeldBetweenItsSamples) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::prismatic), mass(1));
  const Model model(robot);
  auto setup = setup_of({0}, {0}, 1, 0.05, fixed(0.01));
  setup.control = given_torques([](double t, std::span<double> tau) { tau[0] = t; });
  setup.control_rate = 10;
  const auto run = simulated(model, setup);
  // v = sum of 0.1 (0 + 0.1 + ... + 0.9)
  EXPECT_NEAR(run.samples.back().v[0], 0.45, 1e-14);
  EXPECT_DOUBLE_EQ(run.at(0.35).tau[0], 0.3);
}

TEST(Runs, GiveTheSameBitsTwice) {
  const Model model = top();
  for (const IntegratorOptions& options :
       {fixed(1e-3), tight(1e-8), tight(1e-8, IntegrationMethod::bdf), tight(1e-8, IntegrationMethod::ida),
        fixed(1e-3, IntegrationMethod::backward_euler), tight(1e-6, IntegrationMethod::bs23),
        tight(1e-6, IntegrationMethod::sdirk4)}) {
    if (!is_available(options.method)) continue;
    const auto first = simulated(model, spinning(options)), second = simulated(model, spinning(options));
    EXPECT_EQ(first.samples.back().q, second.samples.back().q);
    EXPECT_EQ(first.samples.back().v, second.samples.back().v);
  }
}

// Rotor inertia behind a gear adds gear^2 J to the joint; stops store and give back.
TEST(Actuators, RotorsAndLimits) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic);
  slide.actuator = {.gear = 10, .rotor_inertia = 0.03, .max_torque = 0.2};
  add(robot, slide, mass(2));
  const Model model(robot);
  for (const IntegrationMethod method : {IntegrationMethod::dopri5, IntegrationMethod::bdf, IntegrationMethod::ida}) {
    if (is_multistep(method) && !has_multistep()) continue;
    for (const double way : {1.0, -1.0}) {
      SCOPED_TRACE(name_of(method));
      auto setup = setup_of({0}, {0}, 1, 0.1, tight(1e-10, method));
      setup.control = given_torques([&](double, std::span<double> tau) { tau[0] = 5 * way; });
      const auto run = simulated(model, setup);
      // 10 * 0.2 N on 2 + 100 * 0.03 kg
      const double tolerance = is_multistep(method) ? 1e-8 : 1e-12;
      EXPECT_NEAR(run.samples.back().a[0], way * 2.0 / 5, 1e-15);
      EXPECT_NEAR(run.samples.back().q[0], way * 0.2, tolerance);
      EXPECT_EQ(run.samples.back().tau[0], way * 2);
      EXPECT_LE(run.statistics.balance_defect, tolerance);
    }
  }
}
TEST(EndStops, GiveBackWhatTheyStoreAndDampTheRest) {
  for (const double damping : {0.0, 0.5}) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    Joint slide = joint(JointType::prismatic);
    slide.limits.upper = 1;
    slide.limits.lower = -1;
    slide.limits.stiffness = 1e4;
    slide.limits.damping = damping;
    add(robot, slide, mass(2));
    const Model model(robot);
    const auto run = simulated(model, setup_of({0}, {1}, 3, 0.01, tight(1e-10)));
    if (damping == 0) {
      // The force has a kink at the stop: a step across it errs more than the tolerance. m v dv is what the books may lack.
      EXPECT_NEAR(run.samples.back().v[0], -1, 1e-7 / 2);
    } else {
      EXPECT_GT(run.samples.back().v[0], -0.9);
      EXPECT_GT(run.samples.back().dissipated, 0.1);
    }
    EXPECT_LE(run.statistics.balance_defect, 1e-7);
    for (const Kept& s : run.samples) EXPECT_LE(std::abs(s.q[0]), 1.02);
  }
}

// A robot without a moving joint, and one that its loop holds: there is nothing to integrate.
TEST(Integrators, WhatCannotMoveStandsStill) {
  know_arkode();
  Robot fixed, held;
  add(fixed, joint(JointType::fixed), mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  add(held, joint(JointType::revolute), mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  held.loops.emplace_back().type = LoopType::weld;
  held.loops[0].a.body = 1;
  for (const Integrator& each : integrators()) {
    if (!is_available(each.method)) continue;
    const IntegratorOptions options{.method = each.method, .step = 0.01};
    for (const Robot& robot : {fixed, held}) {
      const Model model(robot);
      const std::vector<double> zeros(std::size_t(model.nv()));
      const Simulated run = simulated(model, setup_of(zeros, zeros, 0.1, 0.05, options));
      ASSERT_EQ(run.samples.size(), 3u) << each.name;
      for (const Kept& sample : run.samples)
        for (const double x : sample.q) EXPECT_LE(std::abs(x), 1e-12) << each.name;
    }
  }
}

// The books of Euler's methods are sums of what they say: the power of the drives and of friction at the beginning of each
// step, or at its end, times the step. In every joint, with torques that change, and wherever the run begins.
TEST(Integrators, EulersBooksAreSumsOfPowers) {
  Robot robot;
  const double damping[] = {0.3, 0.05, 0.2};
  for (const double c : damping) {
    Joint j = joint(c == 0.05 ? JointType::prismatic : JointType::revolute, {0.6, 0, 0.8});
    j.friction.viscous = c;
    add(robot, j, mass(1, {0.2, 0.1, 0.3}, {0.1, 0, 0.2, 0, 0, 0.25}), {0.3, 0, 0});
  }
  const Model model(robot);
  const std::vector<double> drive = {3, -20, 1.5};
  for (const auto& [method, is_at_end] :
       {std::pair{IntegrationMethod::euler, false}, std::pair{IntegrationMethod::backward_euler, true}})
    for (const double step : {0x1p-8, 0x1p-6}) {
      auto setup = setup_of({0.3, 0, -0.5}, {1, -0.5, 0.7}, 32 * step, step, fixed(step, method));
      setup.control = given_torques([&](double t, Out<double> tau) {
        for (std::size_t k = 0; k < 3; ++k) tau[k] = drive[k] * (1 + t);
      });
      const Simulated run = simulated(model, setup);
      ASSERT_EQ(run.samples.size(), 33u) << name_of(method);
      double work = 0, heat = 0, sizes = 0;
      for (std::size_t i = 1; i < run.samples.size(); ++i) {
        const Kept& at = run.samples[is_at_end ? i : i - 1];
        for (std::size_t k = 0; k < 3; ++k) {
          const double power = drive[k] * (1 + at.t) * at.v[k], lost = damping[k] * at.v[k] * at.v[k];
          work += step * power;
          heat += step * lost;
          sizes += step * (std::abs(power) + lost);
        }
        EXPECT_NEAR(run.samples[i].work, work, 1e-11 * sizes) << name_of(method) << " at " << run.samples[i].t;
        EXPECT_NEAR(run.samples[i].dissipated, heat, 1e-11 * sizes) << name_of(method) << " at " << run.samples[i].t;
      }
    }
}

// How far quaternions were off unit length before they were projected back: told of every method that takes them for plain
// numbers, of whichever joint, and whether they shrink or grow; the less the tighter the tolerance, and of robots without
// any, or methods that turn, nothing.
TEST(Integrators, TellHowFarQuaternionsLeftUnitLength) {
  know_arkode();
  for (const Integrator& row : integrators()) {
    if (row.has_fixed_step || !is_available(row.method)) continue;
    const bool has_plain = row.library != Integrator::Library::none;
    for (const JointType type : {JointType::spherical, JointType::free})
      for (const int before : {0, 2})
        for (const double rate : {3.0, -3.0}) {
          Robot robot;
          robot.gravity = {0, 0, 0};
          for (int i = 0; i < before; ++i)
            add(robot, joint(i == 0 ? JointType::spherical : JointType::prismatic),
                mass(1, {0, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
          add(robot, joint(type), mass(1, {0, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
          const Model model(robot);
          std::vector<double> v(std::size_t(model.nv()), 0.0);
          v[std::size_t(model.body(before + 1).v) + 2] = rate;
          const auto defect = [&](double tolerance) {
            return simulated(model, setup_of(neutral_posture(robot), v, 4, 4, tight(tolerance, row.method)))
                .statistics.quaternion_defect;
          };
          const double loose = defect(1e-3), near = defect(1e-8);
          if (!has_plain) {
            EXPECT_EQ(loose, 0) << row.name;
            continue;
          }
          EXPECT_GT(loose, 1e-5) << row.name << ' ' << rate << ", " << before << " joints before";
          EXPECT_GT(near, 0) << row.name;
          EXPECT_LT(near, 1e-5) << row.name;
        }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
