// Instants of a run that are the same but for rounding are taken as one; what laws are handed, and asked for.
#include "simulation/run.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "denoc/control/controllers.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/random_robot.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(Run, TakesMultiplesThatRoundingMovesOffItsEndAsItsEnd) {
  Robot robot;
  add(robot, joint(JointType::prismatic), mass(1));
  const Model model(robot);
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double count = std::floor(std::pow(10, random.uniform(0, 13))), every = random.uniform(0.1, 1);
    // count times a number that rounds to every
    const auto written =
        static_cast<long double>(every) * (1 + 1e-16L * static_cast<long double>(random.uniform(-1, 1)));
    const auto end = static_cast<double>(static_cast<long double>(count) * written);
    const SimulationSetup setup = setup_of({0}, {0}, end, every, fixed(every));
    const Observer nobody;
    const simulation::Run run(model, setup, nobody);
    EXPECT_LE(std::abs(count * every - end), run.same_instant(every)) << count;
    EXPECT_LE(run.same_instant(every), every / 4) << count;
  }
}

// A law that adds to the torques it is handed is the law that sets them.
TEST(Run, HandsTorquesOfZeroToLaws) {
  Robot robot;
  add(robot, joint(JointType::prismatic), mass(1));
  const Model model(robot);
  const auto run = [&](bool adds) {
    SimulationSetup setup = setup_of({1}, {0}, 2, 0.1, fixed(0.01));
    setup.control = feedback([adds](double, std::span<const double> q, std::span<const double> v,
                                    std::span<double> tau) { tau[0] = (adds ? tau[0] : 0) - 4 * q[0] - v[0]; });
    return simulated(model, setup).samples.back().q;
  };
  EXPECT_EQ(run(true), run(false));
}

// Integrators ask at stages of steps that they may take back: no samples to sum over.
TEST(Run, WantsARateOfLawsThatSum) {
  Robot robot;
  add(robot, joint(JointType::prismatic), mass(1));
  const auto model = std::make_shared<const Model>(robot);
  SimulationSetup setup = setup_of({1}, {0}, 1, 0.5, fixed(0.01));
  setup.control = pid(model, hold(model, {0}, 1), {{4}, {1}}, {1});
  try {
    simulated(*model, setup);
    ADD_FAILURE() << "a sum without samples";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("give it a control_rate"), std::string::npos) << refused.what();
  }
  setup.control_rate = 1000;
  EXPECT_EQ(simulated(*model, setup).samples.size(), 3u);
}

// A mass that falls from the height 0 has m v^2/2 and -m g z = m v^2/2, v = g t; thrown up, it has the most at its start.
TEST(Run, TellsTheLargestEnergies) {
  Robot robot;
  robot.gravity = {0, 0, -10};
  add(robot, joint(JointType::prismatic), mass(3));
  const Statistics fallen = simulated(Model(robot), setup_of({0}, {0}, 2, 0.5, tight(1e-10))).statistics;
  EXPECT_NEAR(fallen.largest_kinetic, 600, 1e-6);
  EXPECT_NEAR(fallen.largest_energy, 1200, 1e-6);
  const Statistics thrown = simulated(Model(robot), setup_of({0}, {20}, 2, 0.5, tight(1e-10))).statistics;
  EXPECT_NEAR(thrown.largest_kinetic, 600, 1e-6);
  EXPECT_NEAR(thrown.largest_energy, 600, 1e-6);
}

// 2 kg are led from rest to rest in a second, at v = pi sin(2 pi t): they have v^2 J, the most after a quarter and three
// quarters of it. Ends of steps are h/2 from there at most, where that is less by (pi h)^2 of it.
TEST(Run, MeasuresItsLargestKineticEnergyWhateverItsSamples) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::prismatic), mass(2));
  const Model model(robot);
  constexpr double pi = std::numbers::pi;
  for (const double every : {1.0, 0.5, 0.01}) {
    SimulationSetup setup = setup_of({0}, {0}, 1, every, tight(1e-8));
    setup.integrator.max_step = 0.05;
    setup.control = given_torques([](double t, std::span<double> tau) { tau[0] = 4 * pi * pi * std::cos(2 * pi * t); });
    const Statistics run = simulated(model, setup).statistics;
    EXPECT_NEAR(run.largest_kinetic, pi * pi, pi * pi * std::pow(pi * setup.integrator.max_step, 2)) << every;
    EXPECT_TRUE(warnings_of(run, setup.integrator).empty());
  }
}

// A joint that is limited on one side may have no way between its limits to take a part of; one whose limits are the same
// has none.
TEST(Run, TellsOfJointsBeyondOneLimit) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [lower, upper, is_told] :
       {std::tuple(-5.0, infinity, true), {-infinity, -5.0, false}, {-infinity, 5.0, false}, {0.0, 0.0, true}}) {
    Robot robot;
    robot.gravity = {0, 0, -10};
    Joint slide = joint(JointType::prismatic);
    slide.limits.lower = lower, slide.limits.upper = upper;
    add(robot, slide, mass(1));
    const auto run = simulated(Model(robot), setup_of({0}, {0}, 2, 0.1, tight(1e-8)));
    EXPECT_EQ(run.statistics.beyond_limits.size(), is_told ? 1u : 0u) << lower << " to " << upper;
  }
  // Held where it is, but for what rounding and gravity do to a stiff drive: a thousandth of a metre is nothing.
  Robot robot;
  robot.gravity = {0, 0, -10};
  Joint slide = joint(JointType::prismatic);
  slide.limits.lower = slide.limits.upper = 0;
  add(robot, slide, mass(1));
  SimulationSetup setup = setup_of({0}, {0}, 2, 0.1, tight(1e-8));
  setup.control = feedback([](double, std::span<const double> q, std::span<const double> v, std::span<double> tau) {
    tau[0] = -1e5 * q[0] - 500 * v[0];
  });
  EXPECT_TRUE(simulated(Model(robot), setup).statistics.beyond_limits.empty());
}

// `effort` of a joint's limits cuts what drives give where that is asked for, and only there.
TEST(Run, CutsForcesAtTheEffortOfJointsWhereItIsAskedTo) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic);
  slide.limits.effort = 1;
  add(robot, slide, mass(2));
  for (const bool is_asked : {false, true}) {
    SimulationSetup setup = setup_of({0}, {0}, 1, 1, tight(1e-8));
    setup.control = given_torques([](double, std::span<double> tau) { tau[0] = 5; });
    setup.effort_limits = is_asked;
    EXPECT_NEAR(simulated(Model(robot), setup).samples.back().v[0], is_asked ? 0.5 : 2.5, 1e-12);
  }
}

// Limits without a stiffness stop nothing: joints that pass them are named, each once, and no others.
TEST(Run, TellsOfJointsBeyondTheirLimits) {
  Robot robot;
  robot.gravity = {0, 0, -10};
  for (const auto& [lower, stiffness] : {std::pair(-5.0, 0.0), {-5.0, 1e5}, {-50.0, 0.0}, {1.0, 0.0}}) {
    Joint slide = joint(JointType::prismatic);
    slide.limits.lower = lower, slide.limits.upper = 100, slide.limits.stiffness = stiffness;
    add(robot, slide, mass(1)).parent = 0;
  }
  const auto run = simulated(Model(robot), setup_of({0, 0, 0, 0}, {0, 0, 0, 0}, 2, 0.1, tight(1e-8)));
  ASSERT_EQ(run.statistics.beyond_limits.size(), 1u);  // the last was beyond them from the start
  EXPECT_EQ(run.statistics.beyond_limits[0].joint, robot.bodies[1].name);
  EXPECT_NEAR(run.statistics.beyond_limits[0].t, 1, 0.2);  // 5 m, at the end of a step
  const auto said = warnings_of(run.statistics, tight(1e-8));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("joint '" + robot.bodies[1].name + "' goes beyond its limits at t = "), std::string::npos);
}

// A run that its method gives up says which joint moves fastest: one of x' = x^2 is at infinity after a second.
TEST(Run, NamesTheFastestJointWhereItIsGivenUp) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::prismatic), mass(1));
  add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, 1}));
  const Model model(robot);
  for (const IntegrationMethod method : {IntegrationMethod::dopri5, IntegrationMethod::bs23, IntegrationMethod::bdf}) {
    if (!is_available(method)) continue;
    SimulationSetup setup = setup_of({0, 0}, {0, 1}, 2, 0.5, tight(1e-8, method));
    setup.control = feedback([](double, std::span<const double>, std::span<const double> v, std::span<double> tau) {
      tau[0] = 0, tau[1] = v[1] * v[1];
    });
    try {
      simulated(model, setup);
      ADD_FAILURE() << name_of(method);
    } catch (const SimulationFailure& failure) {
      const std::string words = "joint '" + robot.bodies[2].name + "' moves fastest, at ";
      EXPECT_NE(std::string(failure.what()).find(words), std::string::npos) << failure.what();
    }
  }
}

// Where a joint sticks, slips or turns is told by its own coordinate, whatever q has before it: quaternions have one more
// than degrees of freedom, fixed joints none.
TEST(Run, TellsWhereFrictionChanges) {
  for (const JointType before : {JointType::free, JointType::spherical, JointType::fixed, JointType::planar}) {
    SCOPED_TRACE(name_of(before));
    Robot robot;
    robot.gravity = {0, 0, 0};
    add(robot, joint(before), mass(5, {0, 0, 0}, {2, 0, 3, 0, 0, 4}));
    for (const double limit : {3.0, 1.0}) {
      Joint hinge = joint(JointType::revolute, {1, limit, 0});
      hinge.friction.coulomb = limit;
      add(robot, hinge, mass(1, {0, 0, 0.1}, {0.1, 0, 0.1, 0, 0, 0.1}), {0, 0, 0.2});
    }
    const Model model(robot);
    std::vector<double> q(std::size_t(model.nq())), v(std::size_t(model.nv()), 0.0);
    if (before == JointType::free) q[3] = 1;
    if (before == JointType::spherical) q[0] = 1;
    const std::size_t first = q.size() - 2;
    q[first] = 0.4, q[first + 1] = -0.7;
    v[v.size() - 2] = 1, v[v.size() - 1] = -2;
    std::vector<double> stuck;
    std::vector<FrictionEvent> events;
    Observer observer;
    observer.event = [&](const FrictionEvent& event) { events.push_back(event); };
    observer.sample = [&](const Sample& sample) { stuck.assign(sample.q.begin(), sample.q.end()); };
    simulate(model, setup_of(q, v, 2, 2, tight(1e-8)), observer);
    ASSERT_EQ(events.size(), 2u);  // both have stuck by the end, where they are then
    for (const FrictionEvent& event : events) {
      EXPECT_EQ(event.kind, FrictionEvent::Kind::stick);
      const std::size_t which = std::size_t(event.dof) - (v.size() - 2);
      EXPECT_NEAR(event.position, stuck[first + which], 1e-9);
    }
  }
}

// A hundredth of the kinetic energy; where nothing moves, what the tolerances, or rounding, let forces do.
TEST(Run, IsDoubtedWhereItsBooksDoNotClose) {
  const auto is_doubted = [](double defect, double kinetic, double energy, const IntegratorOptions& options) {
    Statistics run;
    run.balance_defect = defect;
    run.largest_kinetic = kinetic;
    run.largest_energy = energy;
    return !warnings_of(run, options).empty();
  };
  EXPECT_TRUE(is_doubted(0.013, 1, 1, tight(1e-8)));
  EXPECT_FALSE(is_doubted(0.009, 1, 1, tight(1e-8)));
  EXPECT_TRUE(is_doubted(1e-3, 0, 100, tight(1e-8)));
  EXPECT_FALSE(is_doubted(0.9e-4, 0, 100, tight(1e-8)));
  EXPECT_TRUE(is_doubted(0.013, 1, 1, fixed(1e-3)));
  EXPECT_FALSE(is_doubted(0.009, 1, 1, fixed(1e-3)));
  EXPECT_TRUE(is_doubted(1e-11, 0, 100, fixed(1e-3)));
  EXPECT_FALSE(is_doubted(1e-13, 0, 100, fixed(1e-3)));
}

TEST(Run, WarnsOfStiffnessByItsMethodThenOfItsBooks) {
  Statistics run;
  EXPECT_TRUE(warnings_of(run, tight(1e-8)).empty());
  run.stiff = true;
  run.balance_defect = 1;
  const std::vector<std::string> said = warnings_of(run, tight(1e-8));
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[0].find("held the steps of dopri5 small"), std::string::npos) << said[0];
  EXPECT_NE(said[1].find("1 J are unaccounted for"), std::string::npos) << said[1];
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
