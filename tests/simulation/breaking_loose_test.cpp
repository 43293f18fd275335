// Friction that lets go, or stops a joint, at an instant that a formula gives: by every integrator.
#include <cmath>
#include <functional>

#include "denoc/control/controllers.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/simulation/arkode.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

void for_each_integrator(const std::function<void(const IntegratorOptions&)>& f) {
#ifdef DENOC_ARKODE
  use_arkode();
#endif
  for (const Integrator& each : integrators()) {
    if (!is_available(each.method)) continue;
    SCOPED_TRACE(each.name);
    f(each.has_fixed_step ? fixed(0.01, each.method) : tight(1e-8, each.method));
  }
}
std::shared_ptr<Controller> pulled(std::function<double(double)> first) {
  return given_torques([=](double t, std::span<double> tau) {
    for (double& x : tau) x = 0;
    tau[0] = first(t);
  });
}
// Two joints that loops make one rest until t, and then both break loose at once.
void expect_slip(const Simulated& run, double t, double tolerance) {
  ASSERT_EQ(run.events.size(), 2u);
  for (const FrictionEvent& event : run.events) {
    EXPECT_EQ(event.kind, FrictionEvent::Kind::slip);
    EXPECT_NEAR(event.t, t, tolerance);
  }
}

// Two blocks of 1 kg that are tied together hold what both can: pulled by 2 t they let go at the sum of both limits, whatever
// each of them had before, and x = (t - t0)^3 / 6.
TEST(TiedBlocks, LetGoAtTheSumOfTheirLimits) {
  for (const auto& [first, second] : {std::pair(2.0, 1.0), {1.0, 2.0}, {1.0, 1.0}, {0.3, 2.4}}) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    for (const double limit : {first, second}) {
      Joint slide = joint(JointType::prismatic, {1, 0, 0});
      slide.friction.coulomb = limit;
      add(robot, slide, mass(1)).parent = 0;
    }
    Loop tie;
    tie.type = LoopType::coupler;
    tie.a.body = 1;
    tie.b.body = 2;
    robot.loops = {tie};
    const Model model(robot);
    const double slips = (first + second) / 2;
    for_each_integrator([&](const IntegratorOptions& options) {
      auto setup = setup_of({0, 0}, {0, 0}, slips + 1, 0.1, options);
      setup.control = pulled([](double t) { return 2 * t; });
      const auto run = simulated(model, setup);
      expect_slip(run, slips, 1e-9);
      EXPECT_NEAR(run.samples.back().q[1], 1.0 / 6, has_tolerances(options.method) ? 1e-6 : 0.02);
    });
  }
}

// A crank of r beside its dead point, whose slider rubs, too: a torque t lets both go at c + d |dx/dq| by virtual work. The
// nearer to the dead point, the more a force of the slider is lost in rounding.
TEST(SliderCrank, LetsGoBesideItsDeadPoint) {
  const double r = 0.5, l = 1;
  for (const auto& [c, d] : {std::pair(1.0, 1.0), {2.0, 0.3}, {0.1, 5.0}})
    for (const double q : {0.5, 1e-2, 1e-3, 1e-4}) {
      Robot robot;
      robot.gravity = {0, 0, 0};
      const Inertial rod = mass(1, {0.25, 0, 0}, {0.01, 0, 0.02, 0, 0, 0.02});
      add(robot, joint(JointType::revolute), rod).joint.friction.coulomb = c;
      add(robot, joint(JointType::revolute), rod, {r, 0, 0});
      Body& slider = add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1));
      slider.parent = 0;
      slider.joint.friction.coulomb = d;
      close(robot, LoopType::spherical, 2, {l, 0, 0}, 3, {0, 0, 0});
      const Model model(robot);
      const double below = std::asin(r / l * std::sin(q));
      const double rate = r * std::sin(q) + r * std::cos(q) * std::tan(below), slips = c + d * rate;
      for_each_integrator([&](const IntegratorOptions& options) {
        SCOPED_TRACE(q);
        if (!has_tolerances(options.method)) return;  // their steps may pass a dead point, or not
        auto setup =
            setup_of({q, -q - below, r * std::cos(q) + l * std::cos(below)}, {0, 0, 0}, slips + 0.05, 0.1, options);
        setup.control = pulled([](double t) { return t; });
        expect_slip(simulated(model, setup), slips, 1e-7);
      });
    }
}

// A crank, an elbow of two rods that friction holds bent, and a rocker that rubs: it moves as with an elbow that is one
// piece. Where the rocker turns back no force holds it, but the elbow's limit would let it be held for one instant.
TEST(CrankRocker, TurnsBackWhileFrictionHoldsItsElbow) {
  const auto linkage = [](JointType elbow, bool is_last) {
    Robot robot;
    robot.gravity = {0, 0, 0};
    const Joint hinge = joint(JointType::revolute);
    const auto bar = [](double m, double at, double I) { return mass(m, {at, 0, 0}, {0.01, 0, 0.01, 0, 0, I}); };
    const auto add_rocker = [&] {
      const int rocker = add_to(robot, 0, hinge, bar(0.5, 0.25, 0.02), {0.7, 0, 0});
      robot.bodies[size_t(rocker)].joint.friction.coulomb = 0.5;
      return rocker;
    };
    int rocker = is_last ? 0 : add_rocker();  // whichever of the two comes first
    const int crank = add_to(robot, 0, hinge, bar(1, 0.1, 1)),
              first = add_to(robot, crank, hinge, bar(0.3, 0.25, 0.01), {0.2, 0, 0}),
              second = add_to(robot, first, joint(elbow), bar(0.3, 0.2, 0.01), {0.4, 0, 0});
    if (elbow == JointType::revolute) robot.bodies[size_t(second)].joint.friction.coulomb = 50;
    robot.bodies[size_t(second)].joint_frame.R = rotation(Quaternion<double>{std::cos(0.2), 0, 0, std::sin(0.2)});
    if (is_last) rocker = add_rocker();
    close(robot, LoopType::revolute, second, {0.4, 0, 0}, rocker, {0.5, 0, 0});
    return Model(robot);
  };
  for (const bool is_last : {true, false}) {
    const Model one = linkage(JointType::fixed, is_last), two = linkage(JointType::revolute, is_last);
    const auto with_elbow = [&](std::vector<double> x) {
      x.insert(x.begin() + (is_last ? 2 : 3), 0.0);
      return x;
    };
    const int crank = is_last ? 0 : 1;
    ClosedChain chain(one);
    const std::vector<double> q =
        chain.assemble(is_last ? std::vector<double>{0.5, 0.8, 1.2} : std::vector<double>{1.2, 0.5, 0.8});
    std::vector<double> v(3);
    v[size_t(crank)] = 6;
    v = chain.closed_rates(q, v, {crank});
    for_each_integrator([&](const IntegratorOptions& options) {
      if (!has_tolerances(options.method) && options.method != IntegrationMethod::rk4) return;
      IntegratorOptions fine = options;
      fine.step = 1e-3;
      const Simulated expected = simulated(one, setup_of(q, v, 1, 0.5, fine)),
                      found = simulated(two, setup_of(with_elbow(q), with_elbow(v), 1, 0.5, fine));
      const double part = 1e-5;  // hundreds of steps that err by 1e-8, and what grows of that
      expect_near(found.samples.back().q, with_elbow(expected.samples.back().q), part, "q");
      expect_near(found.samples.back().v, with_elbow(expected.samples.back().v), 10 * part, "v");
      EXPECT_LE(found.statistics.balance_defect, 1e-4 * found.statistics.largest_kinetic);
      int turns = 0;
      for (const FrictionEvent& event : found.events)
        turns += event.dof == (is_last ? 3 : 0) && event.kind == FrictionEvent::Kind::turn;
      EXPECT_EQ(turns, 2);
    });
  }
}

// A block that stops where a step ends, or a digit beside: no step goes back there.
TEST(Block, StopsWhereAFixedStepEnds) {
  struct Stop {
    double speed, friction, step;
  };
  for (const Stop& stop : {Stop{0.3, 0.5, 0.1}, {0.3, 1.0, 0.05}, {1.0, 1.0, 0.1}, {0.7, 2.0, 0.05}}) {
    for_each_integrator([&](IntegratorOptions options) {
      if (has_tolerances(options.method)) return;
      options.step = stop.step;
      const auto run = simulated(slider(stop.friction), setup_of({0}, {stop.speed}, 2, 0.5, options));
      ASSERT_EQ(run.events.size(), 1u);
      EXPECT_NEAR(run.events[0].t, stop.speed / stop.friction, 1e-12);
      EXPECT_EQ(run.samples.back().v[0], 0);
      EXPECT_GT(run.statistics.least_step, 0);
    });
  }
}

// A block of 1 kg that slides by v0 is braked by c + 2 k (t - 1), less its friction c: v = v0 - k + k (t - 1)^2, which is
// below zero about t = 1. So it comes to a standstill, stays until the push exceeds c, and has k (t - 1)^2 from there on.
// Both ends of a step may be beside all of it. With e more at rest than sliding, gone at speeds of 1/gamma, it stays until
// 2 k (t - 1) = e, and what it has then is less by e^2 / (4 k), but for the speeds of that size.
TEST(Block, DoesNotPassAStandstill) {
  const double v0 = 1, c = 0.5, gamma = 1e4;
  for (const double e : {0.0, 1.0})
    for (const double below : {0.1, 1e-3, 1e-4, 1e-6}) {
      Robot robot = slider(c).robot();
      if (e > 0) robot.bodies[1].joint.friction = {.coulomb = c, .stribeck_epsilon = e, .stribeck_gamma = gamma};
      const Model model(robot);
      const double k = v0 + below;
      for_each_integrator([&](const IntegratorOptions& options) {
        if (!has_tolerances(options.method)) return;
        for (const double every : {0.2, 0.03}) {
          auto setup = setup_of({0}, {v0}, 2, every, options);
          setup.control = pulled([=](double t) { return c + 2 * k * (t - 1); });
          const auto run = simulated(model, setup);
          EXPECT_EQ(run.events.size(), 2u) << "a stick and a slip, " << below << " below";
          EXPECT_NEAR(run.samples.back().v[0], k - e * e / (4 * k), e > 0 ? 20 / gamma : 1e-6);
        }
      });
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
