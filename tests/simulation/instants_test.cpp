// When things happen in a run: what jumps, when a sampled law is asked, when a run is sampled.
#include <fmt/format.h>

#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/io/formula.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/simulation/arkode.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::vector<IntegratorOptions> all_integrators(double step, double rtol) {
#ifdef DENOC_ARKODE
  use_arkode();
#endif
  std::vector<IntegratorOptions> all;
  for (const Integrator& each : integrators()) {
    if (is_available(each.method))
      all.push_back(each.has_fixed_step ? fixed(step, each.method) : tight(rtol, each.method));
  }
  return all;
}

// One that pushes nobody, but says that it jumps.
ExternalWrench nothing(std::vector<double> breaks) {
  return {.body = 1, .at = [](double) { return Wrench<double>{{0, 0, 0}, {0, 0, 0}}; }, .breaks = std::move(breaks)};
}
ExternalWrench push_from(double start) {
  return {.body = 1,
          .at =
              [start](double t) {
                return Wrench<double>{{0, 0, 0}, {0, 0, t < start ? 0.0 : 1.0}};
              },
          .breaks = {start}};
}

// A law that jumps by itself, and knows when it was asked.
struct Asked final : Controller {
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    instants.push_back(t);
    tau[0] = -4 * q[0] - v[0] + (t < 0.5 ? 0 : 1);
  }
  double next_break(double t) const override { return t < 0.5 ? 0.5 : std::numeric_limits<double>::infinity(); }
  std::vector<double> instants;
};

TEST(SampledControl, IsAskedAtMultiplesOfItsPeriodAndNeverElse) {
  for (const double rate : {1.0, 3.0, 10.0}) {
    std::vector<double> expected, near = {0.0123, 0.5};
    for (int k = 0; k / rate <= 1.1; ++k) {
      expected.push_back(k / rate);
      // before it, after it, and as near as the digits allow
      for (const double off : {-5e-7, -1e-12, 1e-12, 3e-7}) near.push_back(k / rate + off);
      for (const double way : {-10.0, 10.0}) near.push_back(std::nextafter(k / rate, way));
    }
    std::sort(near.begin(), near.end());
    for (const IntegratorOptions& options : all_integrators(0.01, 1e-8)) {
      for (const double friction : {0.0, 0.3}) {
        SCOPED_TRACE(std::string(name_of(options.method)) + " at " + std::to_string(rate) + " Hz");
        const auto law = std::make_shared<Asked>();
        auto setup = setup_of({0.5}, {0}, 1.1, 0.05, options);
        setup.control = law;
        setup.control_rate = rate;
        setup.wrenches = {nothing(near)};
        simulate(slider(friction), setup, {});
        EXPECT_EQ(law->instants, expected);
      }
    }
  }
}
TEST(SampledControl, IsAskedAtTheEndHoweverThatIsRounded) {
  for (const double duration : {0.3, 0.1 * 3, 0.1 + 0.7, 0.8}) {
    for (const IntegratorOptions& options : all_integrators(0.01, 1e-8)) {
      SCOPED_TRACE(name_of(options.method));
      const auto law = std::make_shared<Asked>();
      auto setup = setup_of({0.5}, {0}, duration, 0.1, options);
      setup.control = law;
      setup.control_rate = 10;
      const auto run = simulated(slider(), setup);
      EXPECT_EQ(law->instants.size(), std::size_t(std::lround(10 * duration)) + 1);
      EXPECT_EQ(run.samples.size(), law->instants.size());
      EXPECT_EQ(run.samples.back().t, duration);
    }
  }
}
// Steps end at other instants, by which a run changes as little as its integrator errs.
TEST(SampledControl, DoesNotFeelAWrenchThatIsZero) {
  const Model model(shipped("pendulum"));
  for (const IntegratorOptions& options : all_integrators(1e-3, 1e-9)) {
    if (options.method == IntegrationMethod::euler || options.method == IntegrationMethod::symplectic_euler ||
        options.method == IntegrationMethod::backward_euler)
      continue;  // of order 1
    SCOPED_TRACE(name_of(options.method));
    auto setup = setup_of({0.5}, {0}, 3, 0.1, options);
    struct Spring final : Controller {
      void torques(double, std::span<const double> q, std::span<const double>, std::span<double> tau) override {
        tau[0] = -10 * q[0];
      }
    };
    setup.control = std::make_shared<Spring>();
    setup.control_rate = 1;
    const auto alone = simulated(model, setup);
    setup.wrenches = {nothing({0.35, 0.9999995, 2.5})};
    const auto disturbed = simulated(model, setup);
    ASSERT_EQ(alone.samples.size(), disturbed.samples.size());
    for (std::size_t i = 0; i < alone.samples.size(); ++i)
      EXPECT_NEAR(alone.samples[i].tau[0], disturbed.samples[i].tau[0], 1e-4) << alone.samples[i].t;
    EXPECT_EQ(disturbed.at(0.9).tau[0], -5);
  }
}

// After its end a motion rests, and a law follows that: a step from there on does not see it move any more. Where its
// parts end is rounded, as in 0.7 + 0.6.
TEST(Motions, RestFromTheirEndOn) {
  const auto model = std::make_shared<const Model>(shipped("pendulum"));
  const auto there = point_to_point(model, {0}, {1}, 0.7, Profile::trapezoidal),
             back = point_to_point(model, {1}, {0.5}, 0.6, Profile::trapezoidal);
  const auto off = [&](double step) {
    auto setup = setup_of({0}, {0}, 1.5, 0.1, fixed(step));
    setup.control = feed_forward(model, sequence(model, {there, back}));
    return std::abs(simulated(*model, setup).samples.back().q[0] - 0.5);
  };
  EXPECT_LT(off(0.01), 1e-6);
  EXPECT_LT(off(0.005), off(0.01) / 10) << "rk4 has order 4";
}
TEST(Motions, AreHeldBySampledLawsAsTheyGoOn) {
  const auto model = std::make_shared<const Model>(slider());
  const auto motion = given_motion(
      model,
      [](double t, std::span<Jet> q) {
        q[0] = {t * t, 2 * t, 2};
      },
      0.5);
  for (const double duration : {1.0, 0.5}) {
    for (const double rate : {0.0, 10.0}) {
      auto setup = setup_of({0}, {0}, duration, 0.1, tight(1e-8));
      setup.control = computed_torque(model, motion, {{0}, {0}});
      setup.control_rate = rate;
      for (const Kept& sample : simulated(*model, setup).samples) {
        // At the very end of a run nothing follows.
        const bool moves = sample.t < 0.5 - 1e-9 || (duration == 0.5 && sample.t == 0.5);
        EXPECT_NEAR(sample.tau[0], moves ? 2 : 0, 1e-12) << sample.t << " s of " << duration << ", " << rate << " Hz";
      }
    }
  }
}

std::vector<IntegratorOptions> with_tolerances(double rtol) {
  std::vector<IntegratorOptions> all = all_integrators(1, rtol);
  std::erase_if(all, [](const IntegratorOptions& options) { return !has_tolerances(options.method); });
  return all;
}

// A robot at rest errs in no step, however long. With samples apart, the knots of the motion are what steps do not pass.
TEST(Rests, AreFollowedByTheMoveThatComesNext) {
  constexpr double pi = 3.14159265358979323846, between = 0.05, start = 20, takes = 1;
  const auto model = std::make_shared<const Model>(slider());
  std::vector<double> times;
  std::vector<std::vector<double>> points;
  for (int i = 0; i <= 600; ++i) {
    times.push_back(i * between);
    const double x = std::clamp((times.back() - start) / takes, 0.0, 1.0);
    points.push_back({x - std::sin(2 * pi * x) / (2 * pi)});
  }
  const auto motion = sequence(model, {hold(model, {0}, 1), spline(model, times, points)});
  std::vector<double> q(1), v(1), a(1);
  for (const IntegratorOptions& options : with_tolerances(1e-8))
    for (const double every : {0.01, 10.0}) {
      SCOPED_TRACE(testing::Message() << name_of(options.method) << " every " << every);
      auto setup = setup_of({0}, {0}, motion->duration(), every, options);
      setup.control = feed_forward(model, motion);
      const auto run = simulated(*model, setup);
      double furthest = 0;
      for (const Kept& sample : run.samples) {
        motion->at(sample.t, q, v, a);
        furthest = std::max(furthest, std::abs(sample.q[0] - q[0]));
      }
      // Each step errs by its tolerance, and an error of v goes on.
      EXPECT_LE(furthest, double(run.statistics.steps) * options.rtol * (1 + setup.duration));
    }
}
// The integral of 10 exp(-((t - 20) / 0.3)^2) is what a kilogram gets.
TEST(Rests, AreEndedByAPulseThatSamplesCanTell) {
  const auto pulse = [](double t) { return 10 * std::exp(-std::pow((t - 20) / 0.3, 2)); };
  const double impulse = 10 * 0.3 * std::sqrt(3.14159265358979323846);
  for (const IntegratorOptions& options : with_tolerances(1e-8))
    for (const bool is_drive : {true, false}) {
      SCOPED_TRACE(testing::Message() << name_of(options.method) << (is_drive ? ", a drive" : ", a wrench"));
      auto setup = setup_of({0}, {0}, 60, 0.03, options);
      if (is_drive) {
        setup.control = given_torques([&](double t, std::span<double> tau) { tau[0] = pulse(t); });
      } else {
        setup.wrenches = {{.body = 1, .at = [&](double t) { return Wrench<double>{{0, 0, 0}, {0, 0, pulse(t)}}; }}};
      }
      const auto run = simulated(slider(), setup);
      EXPECT_NEAR(run.samples.back().v[0], impulse, double(run.statistics.steps) * options.rtol * impulse);
    }
}
TEST(Runs, MayBeAsLongAsTheirMotionIsSlow) {
  for (const double duration : {1e-6, 1e12, 1e100})
    for (const IntegratorOptions& options : with_tolerances(1e-8)) {
      SCOPED_TRACE(testing::Message() << name_of(options.method) << " for " << duration);
      const auto run = simulated(slider(), setup_of({0}, {1 / duration}, duration, duration, options));
      EXPECT_NEAR(run.samples.back().q[0], 1, 1e-6);
    }
}

// Two pushes that begin one digit after the other: v = 2 (1 - 0.3).
TEST(Jumps, MayBeAsNearToEachOtherAsNumbersAre) {
  for (const IntegratorOptions& options : all_integrators(0.01, 1e-8)) {
    SCOPED_TRACE(name_of(options.method));
    auto setup = setup_of({0}, {0}, 1, 0.1, options);
    setup.wrenches = {push_from(0.3), push_from(0.1 + 0.2)};
    EXPECT_NEAR(simulated(slider(), setup).samples.back().v[0], 1.4, 1e-7);
  }
}

// The end of a mass of 1 kg that is pushed for 2 s, by a wrench, by a law, and by a law that is asked ten times a second.
std::vector<Kept> pushed(const std::string& formula, const IntegratorOptions& options) {
  const io::Formula force = io::Formula::parse(formula).formula;
  const std::vector<double> breaks = force.breaks();
  auto setup = setup_of({0}, {0}, 2, 0.1, options);
  std::vector<Kept> ends;
  const auto run = [&] { ends.push_back(simulated(slider(), setup).samples.back()); };
  setup.wrenches = {{.body = 1,
                     .at =
                         [force](double t) {
                           return Wrench<double>{{0, 0, 0}, {0, 0, force(t)}};
                         },
                     .breaks = breaks}};
  run();
  setup.wrenches = {};
  setup.control = given_torques([force](double t, std::span<double> tau) { tau[0] = force(t); }, breaks);
  run();
  setup.control_rate = 10;
  run();
  return ends;
}
// From a jump on a force is what follows, to whichever side its formula counts the instant.
TEST(Jumps, OfAFormulaAreTheSameHoweverItIsWritten) {
  for (const IntegrationMethod method : {IntegrationMethod::euler, IntegrationMethod::rk4}) {
    SCOPED_TRACE(name_of(method));
    const IntegratorOptions options = fixed(0.1, method);
    const std::vector<Kept> expected = pushed("1 - step(t - 1)", options);
    EXPECT_NEAR(expected[0].v[0], 1, 20 * 0x1p-52) << "20 steps, each rounded";
    for (const std::string formula : {"1 - step(t - 1)", "step(1 - t)", "step(3 - 3*t)"}) {
      for (const Kept& end : pushed(formula, options)) {
        EXPECT_EQ(end.q, expected[0].q) << formula;
        EXPECT_EQ(end.v, expected[0].v) << formula;
      }
    }
  }
}
// ... and however its argument is rounded there, or a sample beside it. Forces are constant in between: fixed steps sum
// them up but for rounding, the others but for their tolerances.
TEST(Jumps, OfAFormulaAreTakenHoweverTheyAreRounded) {
  const std::vector<std::pair<std::string, double>> impulses = {{"step(-t)", 0},
                                                                {"step(3*t - 0.3)", 1.9},
                                                                {"step(3*t - 0.9)", 1.7},
                                                                {"step(7*t - 2.1)", 1.7},
                                                                {"step(0.1*t - 0.03)", 1.7},
                                                                {"step(0.7 - t)", 0.7},
                                                                {"step(2.1 - 3*t)", 0.7},
                                                                {"step(10.3 - (t + 10))", 0.3},
                                                                {"step((t + 10) - 10.3)", 1.7},
                                                                {"step(0.791 - (t + 0.491))", 0.3},
                                                                {"step(3*t - 0.9) + step(7*t - 2.1)", 3.4}};
  for (const IntegratorOptions& options : all_integrators(0.1, 1e-10)) {
    const double error = has_tolerances(options.method) ? 1e-9 : 1e-14;
    for (const auto& [formula, impulse] : impulses) {
      SCOPED_TRACE(std::string(name_of(options.method)) + ": " + formula);
      for (const Kept& end : pushed(formula, options)) EXPECT_NEAR(end.v[0], impulse, error);
    }
  }
}
TEST(Jumps, OfALawAreLater) {
  struct Backward final : Controller {
    void torques(double, std::span<const double>, std::span<const double>, std::span<double> tau) override {
      tau[0] = 0;
    }
    double next_break(double t) const override { return t < 0.5 ? 0.5 : t; }
  };
  auto setup = setup_of({0}, {0}, 1, 0.1, tight(1e-8));
  setup.control = std::make_shared<Backward>();
  EXPECT_THROW(simulate(slider(), setup, {}), SimulationFailure);
}

TEST(Samples, FurtherApartThanTheRunIsLongAreTwo) {
  for (const IntegratorOptions& options : all_integrators(1e-3, 1e-8)) {
    for (const double every : {1.0, 1 + 1e-12, 1.5, 1e9, 1e300}) {
      SCOPED_TRACE(std::string(name_of(options.method)) + " every " + std::to_string(every));
      const auto run = simulated(slider(), setup_of({0}, {1}, 1, every, options));
      ASSERT_EQ(run.samples.size(), 2u);
      EXPECT_EQ(run.samples.front().t, 0);
      EXPECT_EQ(run.samples.back().t, 1);
    }
  }
}

// A push that dies out, which begins at a jump or with a kink that nothing foretells, after a rest in which steps have
// grown: a mass of 1 kg takes up what it amounts to. A method that looks at no step where that begins would not see it.
TEST(Pushes, AreFeltFromTheirBeginning) {
  const double begins = 10.3, lasts = 0.1;
  const auto falling = [=](double t) { return t < begins ? 0 : std::max(0.0, 1 - (t - begins) / lasts); };
  const auto rising = [=](double t) { return std::max(0.0, 1 - std::abs(t - begins) / lasts); };
  struct Push {
    std::function<double(double)> force;
    double impulse, every;
  };
#ifdef DENOC_ARKODE
  use_arkode();
#endif
  for (const Push& push : {Push{falling, lasts / 2, 0.01}, {falling, lasts / 2, 1}, {rising, lasts, 0.01}})
    for (const Integrator& each : integrators()) {
      if (each.has_fixed_step || !is_available(each.method)) continue;
      auto setup = setup_of({0}, {0}, 20, push.every, tight(1e-8, each.method));
      setup.control = given_torques([&](double t, std::span<double> tau) { tau[0] = push.force(t); }, {begins});
      const double v = simulated(slider(), setup).samples.back().v[0];
      EXPECT_NEAR(v, push.impulse, 1e-6) << each.name << ", a sample each " << push.every << " s";
    }
}

// Two taps of 1 N s in a millisecond each, after rests in which steps have grown, the later said first: a mass of 1 kg takes up both.
TEST(Pushes, AreFeltInWhateverOrderTheyAreSaid) {
  const auto tap = [](double begins) {
    const double lasts = 1e-3, ends = begins + lasts;
    const auto at = [=](double t) {
      return Wrench<double>{{0, 0, 0}, {0, 0, t >= begins && t < ends ? 1 / lasts : 0}};
    };
    return ExternalWrench{.body = 1, .at = at, .breaks = {begins, ends}};
  };
  for (const Integrator& each : integrators()) {
    if (each.has_fixed_step || !is_available(each.method)) continue;
    auto setup = setup_of({0}, {0}, 40, 20, tight(1e-8, each.method));
    setup.wrenches = {tap(30.3), tap(10.1)};
    EXPECT_NEAR(simulated(slider(), setup).samples.back().v[0], 2, 1e-6) << each.name;
  }
}

// What begins where a run ends is not felt by it: its last sample is that of what acted until then.
TEST(Pushes, ThatBeginAtTheEndAreNotFelt) {
  const double end = 1;
  for (const IntegratorOptions& options : all_integrators(0.01, 1e-8)) {
    for (const double begins : {end, std::nextafter(end, 0.0)}) {
      SCOPED_TRACE(fmt::format("{}, {}", name_of(options.method), begins));
      auto setup = setup_of({0}, {0}, end, 0.1, options);
      setup.wrenches = {push_from(begins)};
      auto by_drive = setup;
      by_drive.wrenches.clear();
      by_drive.control = given_torques([=](double t, std::span<double> tau) { tau[0] = t < begins ? 0 : 1; }, {begins});
      for (const SimulationSetup& each : {setup, by_drive}) {
        const Kept last = simulated(slider(), each).samples.back();
        EXPECT_EQ(last.t, end);
        EXPECT_EQ(last.a[0], 0);
        EXPECT_EQ(last.v[0], 0);
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
