// Dry friction that sticks: turning points of pendulums, a block on a belt, several joints at rest at once.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "denoc/control/controllers.hpp"
#include "denoc/simulation/arkode.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_robot.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A uniform rod hanging from its end; q from downward.
Model pendulum_of(const Json& given) {
  const double m = number(given["m"]), a = 0.8;
  Robot robot;
  robot.gravity = {0, -number(given["g"]), 0};
  Joint hinge = joint(JointType::revolute);
  hinge.friction = {.viscous = number(given["b"]),
                    .coulomb = number(given["tauC"]),
                    .stribeck_epsilon = number(given["eps"]),
                    .stribeck_gamma = number(given["gamma"])};
  const double across = m * a * a / 12;
  add(robot, hinge, mass(m, {0, -a / 2, 0}, {across, 0, across, 0, 0, across}));
  return Model(robot);
}

class Pendulum : public testing::TestWithParam<std::tuple<const char*, IntegrationMethod>> {};

TEST_P(Pendulum, TurnsAndSticksWhereItShould) {
  const auto [name, method] = GetParam();
  if (is_multistep(method) && !has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const Json given = data("friction.json")[name], turns = given["turning_points"];
  const Model model = pendulum_of(given);
  IntegratorOptions options = tight(1e-11, method);
  if (method == IntegrationMethod::rk4) options = fixed(1e-4);
  // The multistep methods err more for the same tolerance: their local errors do not cancel.
  const double tolerance = method == IntegrationMethod::dopri5 ? 1e-9 : 1e-7;
  auto setup = setup_of({number(given["theta0"])}, {0}, 10, 0.01, options);
  const auto run = simulated(model, setup);
  ASSERT_EQ(run.events.size(), turns.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    EXPECT_NEAR(run.events[i].t, number(turns[i]["t"]), tolerance) << i;
    EXPECT_NEAR(run.events[i].position, number(turns[i]["theta"]), tolerance) << i;
    const bool is_last = i + 1 == turns.size();
    EXPECT_EQ(run.events[i].kind, is_last ? FrictionEvent::Kind::stick : FrictionEvent::Kind::turn) << i;
  }
  const Kept& end = run.samples.back();
  EXPECT_EQ(end.v[0], 0);
  EXPECT_NEAR(end.q[0], number(given["final_stick_theta"]), tolerance);
  EXPECT_NEAR(end.dissipated, number(turns[turns.size() - 1]["dissipated_total"]), 10 * tolerance);
  EXPECT_LE(run.statistics.balance_defect, 10 * tolerance);
}
INSTANTIATE_TEST_SUITE_P(All, Pendulum,
                         testing::Combine(testing::Values("pendulum_coulomb", "pendulum_stribeck"),
                                          testing::Values(IntegrationMethod::dopri5, IntegrationMethod::rk4,
                                                          IntegrationMethod::adams, IntegrationMethod::bdf,
                                                          IntegrationMethod::ida)),
                         [](const auto& given) {
                           return std::string(std::get<0>(given.param)) + "_" +
                                  std::string(name_of(std::get<1>(given.param)));
                         });

TEST(Belt, BlockSticksAndSlips) {
  const Json given = data("friction.json")["belt_stick_slip"], events = given["events"];
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic, {1, 0, 0});
  slide.spring = {.stiffness = number(given["k"])};
  slide.friction = {.coulomb = number(given["tauC"]),
                    .stribeck_epsilon = number(given["eps"]),
                    .stribeck_gamma = number(given["gamma"]),
                    .surface_speed = number(given["belt_speed"])};
  add(robot, slide, mass(number(given["m"])));
  const Model model(robot);
  const auto run = simulated(model, setup_of({0}, {number(given["belt_speed"])}, 2.4, 0.01, tight(1e-11)));
  ASSERT_EQ(run.events.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool sticks = events[i]["event"].Scalar() == "stick";
    EXPECT_EQ(run.events[i].kind == FrictionEvent::Kind::stick, sticks) << i;
    EXPECT_NEAR(run.events[i].t, number(events[i]["t"]), 1e-8) << i;
    EXPECT_NEAR(run.events[i].position, number(events[i]["x"]), 1e-8) << i;
  }
  const Kept& end = run.samples.back();
  // After the last stick the belt only pulls the block: no heat, and its work is the spring's.
  EXPECT_NEAR(end.dissipated, number(events[5]["friction_dissipated"]), 1e-8);
  EXPECT_LE(run.statistics.balance_defect, 1e-9);
}

// A fixed step that overshoots the standstill, where Stribeck's exponential would grow without bound, is only tried:
// it is cut there. So the speed on the belt changes its sign at events alone, and the block goes where an integrator
// with error control leads it, but for the order of the method.
TEST(Belt, IsNotPassedByFixedStepsThatOvershootTheStandstill) {
  const Model model(shipped("belt_block"));
  const double belt = model.robot().bodies[1].joint.friction.surface_speed;
  struct Start {
    double q, v;
  };
  std::vector<Start> starts = {{0.70773894, -0.45288335}};
  Random random(7);
  for (int i = 0; i < 12; ++i) starts.push_back({random.uniform(-1, 1), random.uniform(-1, 1)});
  for (const auto& [method, step, tolerance] :
       {std::tuple{IntegrationMethod::rk4, 0.003, 1e-4}, std::tuple{IntegrationMethod::rk4, 0.01, 2e-3},
        // it damps: of the amplitude it takes step omega^2 t / 2
        std::tuple{IntegrationMethod::backward_euler, 0.003, 0.003 * 100 * 0.6 / 2},
        std::tuple{IntegrationMethod::backward_euler, 0.01, 0.01 * 100 * 0.6 / 2}}) {
    for (const auto& [q, v] : starts) {
      SCOPED_TRACE(fmt::format("{} with {} s from {}, {}", name_of(method), step, q, v));
      const auto run = simulated(model, setup_of({q}, {v}, 0.6, step, fixed(step, method)));
      const auto exact = simulated(model, setup_of({q}, {v}, 0.6, step, tight(1e-10)));
      ASSERT_EQ(run.samples.size(), exact.samples.size());
      auto event = run.events.begin();
      for (std::size_t i = 1; i < run.samples.size(); ++i) {
        const Kept &before = run.samples[i - 1], &now = run.samples[i];
        EXPECT_NEAR(now.q[0], exact.samples[i].q[0], tolerance) << now.t;
        bool has_event = false;
        for (; event != run.events.end() && event->t <= now.t; ++event) has_event = true;
        EXPECT_TRUE(has_event || (before.v[0] - belt) * (now.v[0] - belt) >= 0) << now.t;
      }
    }
  }
}

// Trial steps beyond the standstill leave nothing in a run but what its tolerances allow: some steps' worth of it, those
// that are cut at the standstill among them. In the mean, as one step now and then is better or worse than its estimate.
TEST(Belt, IsFollowedAsWellAsTheTolerancesSay) {
  const Model model(shipped("belt_block"));
  constexpr int starts = 40;
  std::map<double, double> mean = {{1e-4, 0}, {1e-5, 0}, {1e-6, 0}, {1e-8, 0}};  // error by tolerance
  Random random(8);
  for (int i = 0; i < starts; ++i) {
    const double q = random.uniform(-1, 1), v = random.uniform(-1, 1);
    const auto exact = simulated(model, setup_of({q}, {v}, 3, 0.01, tight(1e-12)));
    for (auto& [rtol, error] : mean) {
      const auto run = simulated(model, setup_of({q}, {v}, 3, 0.01, tight(rtol)));
      double worst = 0;
      for (std::size_t k = 0; k < run.samples.size(); ++k)
        worst = std::max(worst, std::abs(run.samples[k].q[0] - exact.samples[k].q[0]));
      error += worst / starts;
    }
  }
  for (const auto& [rtol, error] : mean) EXPECT_LE(error, 3.5 * rtol);
}

// What a surface that moves does to a joint counts as work, whether it sticks or slides, by every method.
TEST(Belt, WorksForWhatItDrags) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic, {1, 0, 0});
  slide.spring = {.stiffness = 30};
  slide.friction = {.coulomb = 2, .stribeck_epsilon = 1, .stribeck_gamma = 5, .surface_speed = 0.3};
  add(robot, slide, mass(1));
  const Model model(robot);
  for (const IntegrationMethod method :
       {IntegrationMethod::dopri5, IntegrationMethod::adams, IntegrationMethod::bdf, IntegrationMethod::ida}) {
    if (is_multistep(method) && !has_multistep()) continue;
    SCOPED_TRACE(name_of(method));
    const auto run = simulated(model, setup_of({0}, {0.3}, 2, 0.02, tight(1e-10, method)));
    EXPECT_GE(run.events.size(), 3u) << "it sticks and slides";
    EXPECT_GT(run.samples.back().work, 0.1);
    EXPECT_LE(run.statistics.balance_defect, 1e-6 * run.samples.back().work);
  }
}

// An oiled belt drags a block along: v = s (1 - exp(-c t / m)). What heats the oil is c (v - s)^2, and the belt works
// for that and for the block.
TEST(Belt, DragsByViscousFriction) {
  const double m = 2, c = 3, s = 0.7, duration = 0.9;
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic, {1, 0, 0});
  slide.friction = {.viscous = c, .surface_speed = s};
  add(robot, slide, mass(m));
  const Model model(robot);
  const Kept end = simulated(model, setup_of({0}, {0}, duration, 0.1, tight(1e-11))).samples.back();
  const double left = std::exp(-c * duration / m), v = s * (1 - left);
  const double heat = m * s * s / 2 * (1 - left * left);
  EXPECT_NEAR(end.v[0], v, 1e-10);
  EXPECT_NEAR(end.dissipated, heat, 1e-10);
  EXPECT_NEAR(end.work, heat + m * v * v / 2, 1e-10);
  // Between steps of h as well, to h^4 times the fourth derivative: of the cubic 1/384 of it, of the steps about as much.
  const double h = 0.01, rate = 2 * c / m, error = std::pow(h * rate, 4) * m * s * s / 2;
  for (const Kept& sample : simulated(model, setup_of({0}, {0}, duration, 0.0037, fixed(h))).samples) {
    const double rest = std::exp(-c * sample.t / m), warm = m * s * s / 2 * (1 - rest * rest);
    EXPECT_NEAR(sample.dissipated, warm, error) << sample.t;
    EXPECT_NEAR(sample.work, m * s * s * (1 - rest), error) << sample.t;
  }
}

// Two blocks of 1 kg on belts of the same speed s, tied together: q2 = r q1. The first comes to rest on its belt. With
// r = 1 so does the second; with r = -1 it goes against its belt, which heats them for ever, and the first holds it.
TEST(Belt, TiedBlocksRestOnTheirBeltsTogetherOrApart) {
  const double s = 0.3, first = 2, second = 1, duration = 1;
  for (const double r : {1.0, -1.0}) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    for (const double limit : {first, second}) {
      Joint slide = joint(JointType::prismatic, {1, 0, 0});
      slide.friction = {.coulomb = limit, .surface_speed = s};
      add(robot, slide, mass(1)).parent = 0;
    }
    Loop tie;
    tie.type = LoopType::coupler;
    tie.a.body = 1;
    tie.b.body = 2;
    tie.ratio = r;
    robot.loops = {tie};
    const Model model(robot);
    const auto run = simulated(model, setup_of({0, 0}, {1, r}, duration, 0.1, tight(1e-11)));
    // Both belts brake: (1 + r^2) v' = -(first + second), from 1 to s
    const double stop = (1 - s) * 2 / (first + second), mean = (1 + s) / 2;
    const double heat = r > 0 ? (first + second) * (mean - s) * stop
                              : first * (mean - s) * stop + second * ((mean + s) * stop + 2 * s * (duration - stop));
    ASSERT_EQ(run.events.size(), r > 0 ? 2u : 1u) << r;
    for (const FrictionEvent& event : run.events) {
      EXPECT_EQ(event.kind, FrictionEvent::Kind::stick);
      EXPECT_NEAR(event.t, stop, 1e-9);
    }
    const Kept& end = run.samples.back();
    expect_near(end.v, {s, r * s}, 1e-9, "v");
    EXPECT_NEAR(end.dissipated, heat, 1e-9);
    EXPECT_LE(run.statistics.balance_defect, 1e-9);
  }
}

// Two wheels on one gear, where the first one's friction brings both to rest: also the second, whose surface goes on moving
// below it and heats up for ever. The gear is kept all the time.
TEST(Belt, AGearRestsThoughTheSurfaceOfOneWheelMoves) {
  const double s = 0.5, holds = 3, drags = 1, I = 0.2, duration = 2;
  for (const double ratio : {1.0, -2.0}) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    for (const Friction& law : {Friction{.coulomb = holds}, Friction{.coulomb = drags, .surface_speed = s}}) {
      Joint hinge = joint(JointType::revolute);
      hinge.friction = law;
      add(robot, hinge, mass(1, {0, 0, 0}, {I, 0, I, 0, 0, I})).parent = 0;
    }
    Loop gear;
    gear.type = LoopType::gear;
    gear.a.body = 1;
    gear.b.body = 2;
    gear.ratio = ratio;
    robot.loops = {gear};
    const Model model(robot);
    for (const bool pushed : {false, true}) {  // before it comes to rest, or from the rest on
      const double v = pushed ? 0 : -std::copysign(0.4, ratio);
      const auto run = simulated(model, setup_of({0, 0}, {v, ratio * v}, duration, 0.05, tight(1e-10)));
      for (const Kept& sample : run.samples) EXPECT_NEAR(sample.v[1], ratio * sample.v[0], 1e-9) << sample.t;
      // (I + r^2 I) v' = holds + |r| drags, until they stand
      const double stop = std::abs(v) * I * (1 + ratio * ratio) / (holds + std::abs(ratio) * drags);
      ASSERT_LT(stop, duration / 2);
      const Kept &half = run.at(duration / 2), &end = run.samples.back();
      expect_near(end.v, {0, 0}, 1e-9, "v");
      EXPECT_NEAR(end.dissipated - half.dissipated, drags * s * duration / 2, 1e-9);
      EXPECT_LE(run.statistics.balance_defect, 1e-8);
    }
  }
}

// Joints at rest under gravity: friction is within its limits, holds a joint that is inside of them, and at its limit
// opposes the way the joint sets off. What friction gives is what inverse dynamics asks for.
TEST(Friction, HoldsWhatItsLimitsAllow) {
  const double m = 1, a = 0.5;
  std::set<int> seen;
  for (const double first : {1.0, 5.0, 40.0}) {
    for (const double second : {0.01, 1.0, 15.0}) {
      for (const double third : {0.01, 0.5, 5.0}) {
        const std::vector<double> limits = {first, second, third};
        Robot robot;
        robot.gravity = {0, -9.81, 0};
        for (const double limit : limits) {
          Joint hinge = joint(JointType::revolute);
          hinge.friction.coulomb = limit;
          add(robot, hinge, mass(m, {a / 2, 0, 0}, {0, 0, m * a * a / 12, 0, 0, m * a * a / 12}),
              {robot.bodies.size() > 1 ? a : 0, 0, 0});
        }
        const Model model(robot);
        const auto run = simulated(model, setup_of({0, 0.4, -0.9}, {0, 0, 0}, 0.05, 0.01, tight(1e-10)));
        const Kept& start = run.samples.front();
        Machine<double> machine(model, start.q, start.v);
        const auto friction = machine.inverse(start.a);
        const double rounding_error = rounding<double>(3, terms_of(machine, start.a, friction));
        int holds = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          if (start.a[k] == 0) {
            ++holds;
            EXPECT_LE(std::abs(friction[k]), limits[k] + rounding_error);
          } else {
            EXPECT_NEAR(friction[k], start.a[k] > 0 ? -limits[k] : limits[k], 2e-12 * limits[k] + rounding_error);
          }
        }
        seen.insert(holds);
        EXPECT_LE(run.statistics.balance_defect, 1e-9);
      }
    }
  }
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2, 3}));
}

// An arm that friction cannot hold falls as if alone, however light a wheel is that rests beside it.
TEST(Friction, LetsGoOfHeavyJointsBesideLightOnes) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  add(robot, joint(JointType::revolute), mass(1000, {1, 0, 0}, {0, 0, 80, 0, 0, 80})).joint.friction.coulomb = 100;
  const Model alone(robot);
  Body& wheel = add(robot, joint(JointType::revolute), mass(1e-3, {}, {1e-14, 0, 1e-14, 0, 0, 1e-14}));
  wheel.parent = 0;
  wheel.joint.friction.coulomb = 1e-3;
  const Model both(robot);
  const auto falls = [](const Model& model) {
    const std::vector<double> zero(std::size_t(model.nv()));
    return simulated(model, setup_of(zero, zero, 0.5, 0.1, tight(1e-11))).samples.back().q;
  };
  const std::vector<double> expected = falls(alone), found = falls(both);
  EXPECT_LT(expected[0], -1);
  EXPECT_NEAR(found[0], expected[0], 1e-9);
  EXPECT_EQ(found[1], 0);
}

// Driven through zero again and again by a torque that only just exceeds its friction, a joint neither creeps nor
// chatters: one slip and one stick in each half period.
TEST(Friction, ShakenJointDoesNotChatter) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint hinge = joint(JointType::revolute);
  hinge.friction.coulomb = 1;
  add(robot, hinge, mass(0, {0, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  const Model model(robot);
  ExternalWrench shake;
  shake.body = 1;
  shake.at = [](double t) { return Wrench<double>{{0, 0, 1.2 * std::sin(2 * M_PI * t)}, {0, 0, 0}}; };
  auto setup = setup_of({0}, {0}, 5, 0.01, tight(1e-10));
  setup.wrenches = {shake};
  const auto run = simulated(model, setup);
  ASSERT_EQ(run.events.size(), 20u);
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    EXPECT_EQ(run.events[i].kind, i % 2 == 0 ? FrictionEvent::Kind::slip : FrictionEvent::Kind::stick);
  }
  const double first = std::asin(1 / 1.2) / (2 * M_PI);
  for (std::size_t i = 0; i < run.events.size(); i += 2) {
    EXPECT_NEAR(run.events[i].t, first + 0.25 * double(i), 1e-9);
  }
}

// What holds one joint says nothing of another: two that are shaken against each other by torques that only just exceed
// their friction stick and slip as each does alone.
TEST(Friction, LetsGoOfJointsShakenAgainstEachOther) {
#ifdef DENOC_ARKODE
  use_arkode();
#endif
  const double torque = 1.01, tolerance = 1e-10;
  const auto shaken = [&](const std::vector<double>& ways, IntegrationMethod method) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    for (std::size_t i = 0; i < ways.size(); ++i) {
      Body& rotor = add(robot, joint(JointType::revolute), mass(1, {}, {1, 0, 1, 0, 0, 1}));
      rotor.parent = 0;
      rotor.joint.friction.coulomb = 1;
    }
    const std::vector<double> zero(ways.size());
    auto setup = setup_of(zero, zero, 4 * M_PI, 0.1, tight(tolerance, method));
    setup.control = given_torques([=](double t, std::span<double> tau) {
      for (std::size_t i = 0; i < ways.size(); ++i) tau[i] = ways[i] * torque * std::sin(t);
    });
    return simulated(Model(robot), setup);
  };
  for (const Integrator& each : integrators()) {
    if (each.has_fixed_step || !is_available(each.method)) continue;
    SCOPED_TRACE(each.name);
    const auto alone = shaken({1}, each.method), both = shaken({1, -1}, each.method);
    EXPECT_EQ(alone.events.size(), 8u) << "a slip and a stick in each half period";
    EXPECT_EQ(both.events.size(), 16u);
    ASSERT_EQ(both.samples.size(), alone.samples.size());
    for (std::size_t k = 0; k < alone.samples.size(); ++k) {
      const Kept &one = alone.samples[k], &two = both.samples[k];
      // Each slip is off by a few tolerances.
      const double error = 10 * tolerance * double(alone.events.size());
      EXPECT_NEAR(two.q[0], one.q[0], error) << one.t;
      EXPECT_NEAR(two.q[1], -one.q[0], error) << one.t;
    }
  }
}

// Every 25 steps states beside the motion are evaluated, as far from it as the tolerances, to see whether the problem
// is stiff. They say nothing of a joint that friction only just holds: a swing beside it takes the same steps as beside
// one without a load.
TEST(Friction, HoldsWhateverIsEvaluatedBesideTheMotion) {
  struct Pull final : Controller {
    explicit Pull(double load) : load_(load) {}
    // no more than the load as long as the swing is where it should be
    void torques(double t, std::span<const double> q, std::span<const double>, std::span<double> tau) override {
      tau[0] = 0;
      tau[1] = load_ * (1 - 1e-4 + std::abs(q[0] - std::cos(t)));
    }
    double load_;
  };
  const auto steps = [](double load) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    Joint swing = joint(JointType::prismatic), held = joint(JointType::prismatic);
    swing.spring = {.stiffness = 1};
    held.friction.coulomb = 1;
    add(robot, swing, mass(1));
    add(robot, held, mass(1)).parent = 0;
    IntegratorOptions options = tight(1e-3);
    options.max_step = 0.01;
    auto setup = setup_of({1, 0}, {0, 0}, 3, 3, options);
    setup.control = std::make_shared<Pull>(load);
    return simulated(Model(robot), setup).statistics;
  };
  const Statistics held = steps(1), without = steps(0);
  EXPECT_EQ(held.events, 0);
  EXPECT_EQ(held.steps, without.steps);
  EXPECT_EQ(held.least_step, without.least_step);
  EXPECT_EQ(held.evaluations, without.evaluations);
}

// Steps look for the instant where friction changes at instants beside the motion. Where a law has no answer at one of these
// a shorter step does without it; fixed steps say that a smaller one may help.
TEST(Friction, ChangesWhereALawHasNoAnswerBesideTheMotion) {
  const auto run = [](const IntegratorOptions& options, double without_answer, std::vector<double>& asked,
                      std::vector<double>& passed) {
    auto setup = setup_of({0}, {1}, 2, 2, options);
    setup.control = feedback([&](double t, std::span<const double>, std::span<const double>, std::span<double> tau) {
      asked.push_back(t);
      tau[0] = t == without_answer ? std::nan("") : 2 * std::sin(3 * t);
    });
    std::vector<double> end;
    Observer observer;
    observer.step = [&](double t) { passed.push_back(t); };
    observer.event = [&](const FrictionEvent& event) { passed.push_back(event.t); };
    observer.sample = [&](const Sample& sample) {
      passed.push_back(sample.t);
      end = {sample.q[0], sample.v[0]};
    };
    simulate(slider(1), setup, observer);
    return end;
  };
  for (const IntegratorOptions& options :
       {tight(1e-4), tight(1e-4, IntegrationMethod::bs23), fixed(0.1), fixed(0.1, IntegrationMethod::backward_euler)}) {
    SCOPED_TRACE(name_of(options.method));
    std::vector<double> asked, passed = {std::nextafter(2.0, 0.0)}, unused;  // where the last step ends
    const std::vector<double> expected = run(options, -1, asked, passed);
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    std::erase_if(asked, [&](double t) { return std::find(passed.begin(), passed.end(), t) != passed.end(); });
    ASSERT_FALSE(asked.empty());
    for (const double t : asked) {
      if (!integrator(options.method).has_fixed_step) {
        EXPECT_NO_THROW(expect_near(run(options, t, unused, unused), expected, 1e-3, "end")) << t;
        continue;
      }
      try {
        run(options, t, unused, unused);
        ADD_FAILURE() << t;
      } catch (const SimulationFailure& failure) {
        EXPECT_NE(std::string(failure.what()).find("a smaller step may help"), std::string::npos) << failure.what();
      }
    }
  }
}

// A relay that pushes what stands still, and pushes back what moves: friction and it undo each other at one instant.
TEST(Friction, ThatSticksAndSlipsWithoutEndIsTold) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic, {1, 0, 0});
  slide.friction.coulomb = 1;
  add(robot, slide, mass(1));
  const Model model(robot);
  auto setup = setup_of({0}, {0}, 2, 0.1, tight(1e-8));
  setup.control = feedback([](double t, std::span<const double>, std::span<const double> v, std::span<double> tau) {
    tau[0] = t < 1 ? 0 : v[0] > 0 ? -10 : 10;
  });
  try {
    simulated(model, setup);
    ADD_FAILURE() << "it came to an end";
  } catch (const SimulationFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("friction sticks and slips without end at one instant"),
              std::string::npos)
        << failure.what();
    EXPECT_NEAR(failure.t, 1, 1e-9);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
