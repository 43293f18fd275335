// Closed chains in motion: planar linkages, the benchmarks A02 to A04, a spatial slider-crank.
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Gap and rate of the loops, the largest of all samples.
void expect_closed(const Model& model, const Simulated& run) {
  ClosedChain chain(model);
  for (const Kept& sample : run.samples) {
    EXPECT_LE(largest(chain.residual(sample.q)), 1e-10) << sample.t;
    EXPECT_LE(largest(chain.rate(sample.q, sample.v)), 1e-9) << sample.t;
  }
}

// It stands still for two seconds, in steps that grow, and is set off: the long step that is tried then, and those that
// are tried instead, leave it on its branch.
TEST(SliderCrank, StaysOnItsBranchWhenItSetsOff) {
  struct Push final : Controller {
    explicit Push(double since) : since_(since) {}
    void torques(double t, std::span<const double>, std::span<const double>, std::span<double> tau) override {
      std::fill(tau.begin(), tau.end(), 0.0);
      tau[0] = t < since_ ? 0 : 3;
    }
    double next_break(double t) const override { return t < since_ ? since_ : INFINITY; }
    double since_;
  };
  Robot robot = shipped("slider_crank");
  robot.gravity = {0, 0, 0};
  const Model model(robot);
  const auto slider = [](double crank) {
    return 0.15 * std::cos(crank) + std::sqrt(0.45 * 0.45 - std::pow(0.15 * std::sin(crank), 2));
  };
  const double crank = 0.5, rod = -crank - std::asin(0.15 * std::sin(crank) / 0.45);
  const auto run = [&](double since, IntegrationMethod method) {
    auto setup = setup_of({crank, rod, slider(crank)}, {0, 0, 0}, since + 0.3, 0.01, tight(1e-8, method));
    setup.control = std::make_shared<Push>(since);
    return simulated(model, setup);
  };
  const Kept expected = run(0, IntegrationMethod::dopri5).samples.back();
  for (const IntegrationMethod method : {IntegrationMethod::dopri5, IntegrationMethod::bs23}) {
    SCOPED_TRACE(name_of(method));
    const Simulated later = run(2, method);
    for (const Kept& sample : later.samples) EXPECT_NEAR(sample.q[2], slider(sample.q[0]), 1e-12) << sample.t;
    expect_near(later.samples.back().q, expected.q, 1e-5, "q");
  }
}
// At rest as drawn, crank and rod in one line, the slider does not feel the crank, nor the crank the slider's friction: it
// falls, as from a millionth of a radian beside, whether or not other joints rub as well and have to be let go of first.
TEST(SliderCrank, FrictionDoesNotHoldTheSliderAtTheDeadPoint) {
  for (const double others : {0.0, 0.3}) {
    Robot robot = shipped("slider_crank");
    robot.bodies[1].joint.friction.coulomb = robot.bodies[2].joint.friction.coulomb = others;
    robot.bodies[3].joint.friction.coulomb = 2;
    const Model model(robot);
    ClosedChain chain(model);
    const auto run = [&](double crank, const IntegratorOptions& options) {
      return simulated(model, setup_of(chain.assemble(std::vector<double>{crank, -crank * 4 / 3, 0.6}), {0, 0, 0}, 0.6,
                                       0.01, options));
    };
    const Simulated beside = run(1e-6, tight(1e-9));
    EXPECT_LT(beside.samples.back().q[0], -0.5);
    std::vector<IntegratorOptions> all = {tight(1e-9), tight(1e-9, IntegrationMethod::bs23), fixed(1e-3)};
    if (has_multistep()) {
      all.push_back(tight(1e-9, IntegrationMethod::bdf));
      all.push_back(tight(1e-9, IntegrationMethod::ida));
    }
    for (const IntegratorOptions& options : all)
      for (const double crank : {0.0, 1e-9, -1e-9}) {
        SCOPED_TRACE(testing::Message() << name_of(options.method) << " from " << crank << ", others " << others);
        const Simulated found = run(crank, options);
        expect_near(found.samples.back().q, beside.samples.back().q, 1e-4, "q");
        EXPECT_GT(found.samples.back().dissipated, 0.1);
        EXPECT_LE(found.statistics.balance_defect, 1e-4);
      }
  }
}
TEST(FourBar, TurnsFreely) {
  const Json rows = data("closed_loop.json")["fourbar"]["free_motion_tau0"];
  const Model model(four_bar());
  const auto run = simulated(model, setup_of(numbers(rows[0]["q"]), numbers(rows[0]["v"]),
                                             number(rows[rows.size() - 1]["t"]), 0.5, tight(1e-12)));
  for (const Json& row : rows) {
    const Kept& sample = run.at(number(row["t"]));
    expect_near(sample.q, numbers(row["q"]), 1e-8, "q");
    expect_near(sample.v, numbers(row["v"]), 1e-7, "v");
  }
  expect_closed(model, run);
  EXPECT_LE(run.energy_drift(), 1e-9);
}
// Multistep methods pull the loops shut by feedback, and what they err is their own tolerance over thousands of steps.
TEST(FourBar, TurnsFreelyByMultistepMethods) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const Json rows = data("closed_loop.json")["fourbar"]["free_motion_tau0"];
  const Model model(four_bar());
  for (const IntegrationMethod method : {IntegrationMethod::adams, IntegrationMethod::bdf, IntegrationMethod::ida}) {
    const auto run = simulated(
        model, setup_of(numbers(rows[0]["q"]), numbers(rows[0]["v"]), number(rows[1]["t"]), 0.1, tight(1e-11, method)));
    expect_near(run.samples.back().q, numbers(rows[1]["q"]), 1e-5, std::string(name_of(method)));
    expect_closed(model, run);
  }
}
// IDA carries the multipliers along: those of rows that depend on others are left at zero.
TEST(SliderCrank, TurnsFreelyByIda) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const Json rows = data("closed_loop.json")["slider_crank"]["free_motion"];
  const Model model(slider_crank());
  const auto run = simulated(model, setup_of(numbers(rows[0]["q"]), numbers(rows[0]["v"]), number(rows[1]["t"]), 0.25,
                                             tight(1e-11, IntegrationMethod::ida)));
  expect_near(run.samples.back().q, numbers(rows[1]["q"]), 1e-5, "q");
  expect_near(run.samples.back().v, numbers(rows[1]["v"]), 1e-4, "v");
  expect_closed(model, run);
}
TEST(A04, BricardByIda) {
  if (!has_multistep()) GTEST_SKIP() << "SUNDIALS is not there";
  const Model model(bricard());
  const std::vector<double> still(5);
  const auto found = simulated(model, setup_of(still, still, 2, 0.5, tight(1e-10, IntegrationMethod::ida))),
             expected = simulated(model, setup_of(still, still, 2, 0.5, tight(1e-10)));
  for (std::size_t i = 0; i < found.samples.size(); ++i)
    expect_near(found.samples[i].q, expected.samples[i].q, 1e-5, "q");
  expect_closed(model, found);
}
// Dry friction in all joints of a four-bar: at rest they hold together what they can, all of them break loose and stop
// at once, and the rocker turns back where friction could not hold it.
TEST(FourBar, SticksAndBreaksLooseByEveryMethod) {
  Robot robot = four_bar();
  const double most[] = {2, 0.5, 1.5};
  for (std::size_t k = 0; k < 3; ++k) robot.bodies[k + 1].joint.friction.coulomb = most[k];
  const Model model(robot);
  ClosedChain chain(model);
  const std::vector<double> still(3), q = chain.assemble(std::vector<double>{1, -0.55, 1.3}),
                                      ratio = chain.closed_rates(q, std::vector<double>{1, 0, 0});
  double limit =
      chain.inverse_dynamics(q, still, still, {0}).tau[0];  // of the crank: gravity, and every joint by its ratio
  for (std::size_t k = 0; k < 3; ++k) limit += most[k] * std::abs(ratio[k] / ratio[0]);
  const auto torque = [](double t) { return 100 * t * std::exp(-5 * t); };
  std::vector<Simulated> runs;
  for (const IntegrationMethod method :
       {IntegrationMethod::dopri5, IntegrationMethod::adams, IntegrationMethod::bdf, IntegrationMethod::ida}) {
    if (is_multistep(method) && !has_multistep()) continue;
    SCOPED_TRACE(name_of(method));
    auto setup = setup_of(q, still, 1.5, 0.1, tight(1e-10, method));
    setup.control = given_torques([&](double t, std::span<double> tau) { tau[0] = torque(t); });
    runs.push_back(simulated(model, setup));
    const std::vector<FrictionEvent>& events = runs.back().events;
    ASSERT_GE(events.size(), 6u);
    ASSERT_EQ(events.size(), runs[0].events.size());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(torque(events[i].t), limit, 1e-8);
      EXPECT_EQ(events[i].kind, FrictionEvent::Kind::slip);
      EXPECT_EQ((events.end() - 1 - long(i))->kind, FrictionEvent::Kind::stick);
    }
    for (std::size_t i = 0; i < events.size(); ++i) EXPECT_NEAR(events[i].t, runs[0].events[i].t, 1e-6) << i;
    expect_near(runs.back().samples.back().q, runs[0].samples.back().q, 1e-6, "q");
    expect_near(runs.back().samples.back().v, still, 1e-13, "v");
    EXPECT_LE(runs.back().statistics.balance_defect, 1e-6 * runs.back().statistics.largest_kinetic);
    expect_closed(model, runs.back());
  }
}
// A crank of a five-bar that friction holds, whatever jumps elsewhere: an integrator leaves its speed not quite zero. The
// accelerations are those of BDF at 1e-12.
TEST(FiveBar, FrictionHoldsItsCrankWhenOtherForcesJump) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  Joint hinge = joint(JointType::revolute), held = hinge;
  held.friction.coulomb = 30;
  const Inertial crank = mass(1, {0.15, 0, 0}, {0, 0, 0.01, 0, 0, 0.01}), link = mass(1, {0.2, 0, 0}, crank.inertia);
  const int c1 = add_to(robot, 0, held, crank), r1 = add_to(robot, c1, hinge, link, {0.3, 0, 0}),
            c2 = add_to(robot, 0, hinge, crank, {0.5, 0, 0}), r2 = add_to(robot, c2, hinge, link, {0.3, 0, 0});
  close(robot, LoopType::spherical, r1, {0.4, 0, 0}, r2, {0.4, 0, 0});
  const Model model(robot);
  for (const Integrator& each : integrators()) {
    if (!is_available(each.method)) continue;
    SCOPED_TRACE(each.name);
    const bool is_coarse = each.has_fixed_step && each.method != IntegrationMethod::rk4;  // of order 1
    auto setup = setup_of({0, -0.6, 0.5, 1.5}, std::vector<double>(4), 0.3, 0.05,
                          each.has_fixed_step ? fixed(is_coarse ? 1e-4 : 1e-3, each.method) : tight(1e-9, each.method));
    setup.wrenches = {{.body = r2,
                       .in_world_axes = true,
                       .at =
                           [](double t) {
                             return Wrench<double>{{0, 0, 0}, {0, (t >= 0.1 ? 1.0 : 0.0) + (t >= 0.2 ? 1.0 : 0.0), 0}};
                           },
                       .breaks = {0.1, 0.2}}};
    const Simulated run = simulated(model, setup);
    EXPECT_TRUE(run.events.empty());
    for (const Kept& sample : run.samples) EXPECT_EQ(sample.v[0], 0) << sample.t;
    expect_near(run.at(0.1).a, {0, -23.852085793, -37.499579437, 26.957329888}, is_coarse ? 0.1 : 1e-5, "a");
    if (!is_coarse) expect_closed(model, run);
  }
}
// What the world exerts on a robot by joints, a loop, a spring and the ground, with what pushes it from outside, is the
// rate of its momentum.
TEST(Reactions, OfTheWorldMoveTheWholeRobot) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const Joint hinge = joint(JointType::revolute);
  const int crank = add_to(robot, 0, hinge, rod(1, 0.2)),
            coupler = add_to(robot, crank, hinge, rod(1, 0.5), {0.2, 0, 0});
  close(robot, LoopType::point_on_line, 0, {0, 0, 0}, coupler, {0.5, 0, 0}, {1, 0, 0});
  PointSpring spring;
  spring.a.frame.r = {0.1, 0.4, 0.1};
  spring.b.body = coupler;
  spring.b.frame.r = {0.3, 0, 0};
  spring.stiffness = 50;
  robot.springs.push_back(spring);
  const Model model(robot);
  const double push = 0.7, every = 1e-4;
  auto setup = setup_of({0.5, -0.8}, {1, 0}, 20 * every, every, tight(1e-12));
  setup.with_reactions = true;
  // What pushes the world pushes no robot.
  setup.wrenches = {{.body = crank,
                     .at =
                         [&](double) {
                           return Wrench<double>{{0, 0, push}, {0, 0, 0}};
                         }},
                    {.body = 0, .at = [](double) {
                       return Wrench<double>{{3, -2, 1}, {4, 5, 6}};
                     }}};
  setup.ground = GroundContact{.point = {0, 0.2, 0},
                               .normal = {0, 1, 0},
                               .stiffness = 100,
                               .friction = 0.3,
                               .points = {{coupler, {0.25, 0, 0}}}};
  std::vector<Wrench<double>> by_world, momenta;
  Observer observer;
  observer.sample = [&](const Sample& s) {
    by_world.push_back(s.reactions[0]);
    Kept kept{};
    kept.q.assign(s.q.begin(), s.q.end());
    kept.v.assign(s.v.begin(), s.v.end());
    momenta.push_back(momentum(model, kept));
  };
  simulate(model, setup, observer);
  for (std::size_t i = 1; i + 1 < momenta.size(); ++i) {
    const Wrench<double> rate = momenta[i + 1] - momenta[i - 1];
    const auto per_second = [&](const Vec3<double>& x) { return std::vector<double>{x.x, x.y, x.z}; };
    expect_near(per_second(by_world[i].f), per_second(rate.f * (1 / (2 * every))), 1e-3, "force");
    expect_near(per_second(by_world[i].n + Vec3<double>{0, 0, push}), per_second(rate.n * (1 / (2 * every))), 1e-3,
                "moment");
  }
}
TEST(SliderCrank, TurnsFreely) {
  const Json rows = data("closed_loop.json")["slider_crank"]["free_motion"];
  const Model model(slider_crank());
  const auto run = simulated(model, setup_of(numbers(rows[0]["q"]), numbers(rows[0]["v"]),
                                             number(rows[rows.size() - 1]["t"]), 0.25, tight(1e-12)));
  for (const Json& row : rows) {
    const Kept& sample = run.at(number(row["t"]));
    expect_near(sample.q, numbers(row["q"]), 1e-8, "q");
    expect_near(sample.v, numbers(row["v"]), 1e-7, "v");
  }
  expect_closed(model, run);
}

void expect_four_bars(int n, double x, double y, double vx, double vy, double tolerance) {
  const Model model(four_bars(n));
  std::vector<double> q(size_t(model.nv())), v(q.size());
  for (size_t k = 0; k < v.size(); ++k) v[k] = k % 2 == 0 ? -1 : 1;  // the couplers do not turn
  // Which of the singular positions a step comes how near to is chance: of seven tolerances about 1e-12 six end within
  // 3e-10 with 40 bars, one 2e-9 away. At 3e-13 it is 4e-11.
  const auto run = simulated(model, setup_of(q, v, 10, 0.1, tight(n < 10 ? 1e-13 : 3e-13)));
  const Kept& end = run.samples.back();
  EXPECT_NEAR(-std::sin(end.q[0]), x, tolerance);
  EXPECT_NEAR(std::cos(end.q[0]), y, tolerance);
  if (vx != 0) {
    EXPECT_NEAR(-std::cos(end.q[0]) * end.v[0], vx, 10 * tolerance);
    EXPECT_NEAR(-std::sin(end.q[0]) * end.v[0], vy, 10 * tolerance);
  }
  expect_closed(model, run);
  // On the branch: every rod is parallel to the first, every coupler horizontal.
  for (size_t k = 1; k < q.size(); ++k)
    EXPECT_NEAR(std::remainder(end.q[k] - (k % 2 == 0 ? 1 : -1) * end.q[0], 2 * M_PI), 0, 1e-8);
  EXPECT_LE(run.energy_drift(), 1e-9);
}
TEST(A02, TwoFourBarsPassTheirSingularPositions) {
  expect_four_bars(2, 0.3284581115, 0.9445185382, 1.4230514702, -0.4948688455, 1e-9);
}
TEST(A02, FortyFourBars) { expect_four_bars(40, 0.1805122267, 0.9835727406, 0, 0, 1e-9); }

TEST(A03, AndrewsSqueezer) {
  const Json given = data("closed_loop.json")["andrews"];
  const Model model(andrews());
  const auto reordered = [](const std::vector<double>& x) {  // beta Theta gamma Phi delta Omega eps, as the file has it
    return std::vector<double>{x[0], x[1], x[2], x[4], x[3], x[6], x[5]};
  };
  auto setup = setup_of(reordered(numbers(given["q0"])), std::vector<double>(7), 0.05, 0.01, tight(1e-12));
  setup.control = given_torques([](double, std::span<double> tau) { tau[0] = 0.033; });
  const auto run = simulated(model, setup);
  expect_near(reordered(run.at(0.03).q),
              {15.81077119515371, -15.75637105841184, 0.0408222401196458, -0.5347301163420795, 0.5244099658799541,
               0.5347301163420795, 1.048080741041938},
              1e-8, "q");
  EXPECT_NEAR(run.at(0.05).q[0], 33.825867767, 1e-7);
  expect_closed(model, run);
}

TEST(A04, BricardIsOverconstrained) {
  const Model model(bricard());
  const auto run = simulated(model, setup_of(std::vector<double>(5), std::vector<double>(5), 10, 0.1, tight(1e-11)));
  struct Known {
    double t, x, y, z;
  };
  for (const auto& [t, x, y, z] :
       {Known{1, .2744813193, -.8867079387, -.4623300027}, Known{2, -.7781353730, -.9803526834, -.1972526706},
        Known{10, .9997309873, -.9999999638, -.0002689765}}) {
    Configuration<double> at(model);
    Kinematics<double> kin(model);
    place<double>(model, run.at(t).q, at);
    positions<double>(model, at, kin);
    const Vec3<double> p = pose_in_world<double>(model, kin, 3).r;
    expect_near<double>({p.x, p.y, p.z}, {x, y, z}, 1e-8, "P2");
  }
  for (const Kept& sample : run.samples) EXPECT_NEAR(sample.energy(), -29.43, 29.43e-9);
  expect_closed(model, run);
}

TEST(SpatialSliderCrank, Turns) {
  const Model model(spatial_slider_crank());
  ClosedChain chain(model);
  // from the slider at (0.2, 0, 0) to the crank's tip at (0, 0.1, 0.2): about x, then y
  const std::vector<double> q = {0, 0, -std::atan2(0.1, 0.2), std::acos(2.0 / 3)};
  EXPECT_LE(largest(chain.residual(q)), 1e-15);
  std::vector<double> v = chain.closed_rates(q, std::vector<double>{1, 0, 0, 0});
  const double faster = 6 / v[0];
  for (double& x : v) x *= faster;
  const auto run = simulated(model, setup_of(q, v, 5, 0.5, tight(1e-12)));
  struct Known {
    double t, x;
  };
  for (const auto& [t, x] : {Known{1, .2117216614}, Known{3, .228484814}, Known{5, .24071957}}) {
    EXPECT_NEAR(0.2 + run.at(t).q[1], x, 1e-8) << t;
  }
  expect_closed(model, run);
  EXPECT_LE(run.energy_drift(), 1e-9);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
