// Linkages that settle where their loops tie less than elsewhere: more coordinates move from there on.
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A parallelogram that hangs from two pivots, one below the other: at rest its four links are in line.
Robot hanging_parallelogram(double friction) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const int crank = add_to(robot, 0, hinge, rod(1, 0.2)),
            coupler = add_to(robot, crank, hinge, rod(1, 0.3), {0.2, 0, 0}),
            rocker = add_to(robot, 0, hinge, rod(1, 0.2), {0, -0.3, 0});
  for (const int b : {crank, rocker}) robot.bodies[std::size_t(b)].joint.friction.viscous = friction;
  close(robot, LoopType::revolute, coupler, {0.3, 0, 0}, rocker, {0.2, 0, 0});
  return robot;
}

TEST(LoosenedLoops, HangAtRestInLine) {
  for (const LoopType type : {LoopType::revolute, LoopType::point_on_line})
    for (const double friction : {1.0})
      for (const IntegratorOptions& options :
           {tight(1e-6), tight(1e-6, IntegrationMethod::bs23), fixed(5e-3, IntegrationMethod::rk4),
            fixed(4e-3, IntegrationMethod::symplectic_euler), fixed(4e-3, IntegrationMethod::euler)}) {
        SCOPED_TRACE(testing::Message() << name_of(options.method) << ", friction " << friction << ", loop "
                                        << int(type));
        Robot robot = hanging_parallelogram(friction);
        robot.loops[0].type = type;
        const Model model(robot);
        ClosedChain chain(model);
        EXPECT_LT(chain.mobility(std::vector<double>{-M_PI / 2, 0, -M_PI / 2}).rank,
                  chain.mobility(std::vector<double>{-1, -M_PI / 2 + 1, -1}).rank);
        const Simulated run = simulated(model, setup_of({-1, -M_PI / 2 + 1, -1}, {0, 0, 0}, 12, 12, options));
        const std::vector<double>& q = run.samples.back().q;
        EXPECT_NEAR(q[0], -M_PI / 2, 0.01);
        EXPECT_NEAR(q[1], 0, 0.02);
        EXPECT_NEAR(q[2], -M_PI / 2, 0.01);
        EXPECT_LE(run.statistics.loop_defect, 1e-9);
      }
}

// A door on two hinges: the second ties nothing that the first does not, and the door swings as on one.
TEST(LoosenedLoops, ThatTieNothingAreNone) {
  Robot door;
  door.gravity = {0, -9.81, 0};
  add_to(door, 0, joint(JointType::revolute), rod(1, 1));
  Robot on_two_hinges = door;
  close(on_two_hinges, LoopType::revolute, 1, {0, 0, 2}, 0, {0, 0, 2});
  const Model one(door), two(on_two_hinges);
  for (const Integrator& each : integrators()) {
    if (!is_available(each.method)) continue;
    SCOPED_TRACE(each.name);
    const IntegratorOptions options = each.has_fixed_step ? fixed(1e-3, each.method) : tight(1e-8, each.method);
    const Simulated expected = simulated(one, setup_of({0.2}, {0.5}, 1, 0.5, options)),
                    found = simulated(two, setup_of({0.2}, {0.5}, 1, 0.5, options));
    EXPECT_NEAR(found.samples.back().q[0], expected.samples.back().q[0], 1e-6);
    EXPECT_NEAR(found.samples.back().v[0], expected.samples.back().v[0], 1e-6);
  }
}

// A parallelogram that lies flat goes on as one or as an antiparallelogram. With the rates of both it goes nowhere, which a
// run says at its start, whatever its method.
TEST(LoosenedLoops, AreNotStartedOnTwoWaysAtOnce) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const int crank = add_to(robot, 0, joint(JointType::revolute), rod(1, 0.2)),
            coupler = add_to(robot, crank, joint(JointType::revolute), rod(1, 0.5), {0.2, 0, 0}),
            rocker = add_to(robot, 0, joint(JointType::revolute), rod(1, 0.2), {0.5, 0, 0});
  close(robot, LoopType::revolute, coupler, {0.5, 0, 0}, rocker, {0.2, 0, 0});
  const Model model(robot);
  for (const Integrator& each : integrators()) {
    if (!is_available(each.method)) continue;
    SCOPED_TRACE(each.name);
    const IntegratorOptions options = each.has_fixed_step ? fixed(1e-3, each.method) : tight(1e-8, each.method);
    try {
      simulated(model, setup_of({0, 0, 0}, {1, -1.4, 0}, 0.1, 0.1, options));
      ADD_FAILURE() << "it was started";
    } catch (const SimulationFailure& refused) {
      EXPECT_EQ(refused.t, 0);
      EXPECT_NE(std::string(refused.what()).find("leads along none of the motions that cross there"), std::string::npos)
          << refused.what();
    }
  }
  const Simulated one = simulated(model, setup_of({0, 0, 0}, {1, -1, 1}, 0.1, 0.1, tight(1e-8)));
  EXPECT_NEAR(one.samples.back().q[0], 0.1, 1e-6) << "as a parallelogram";
}

// Rows that tie nothing have forces, zero, at every sample, whatever else is held or let go in the run.
TEST(LoosenedLoops, HaveAForceForEachRowAtEverySample) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const int door = add_to(robot, 0, joint(JointType::revolute), rod(1, 1)),
            block = add_to(robot, 0, joint(JointType::prismatic), mass(1));
  robot.bodies[std::size_t(block)].joint.friction.coulomb = 1.5;
  close(robot, LoopType::revolute, door, {0, 0, 2}, 0, {0, 0, 2});
  const Model model(robot);
  for (const Integrator& each : integrators()) {
    if (!is_available(each.method)) continue;
    SCOPED_TRACE(each.name);
    SimulationSetup setup =
        setup_of({0, 0}, {0, 1}, 1, 0.1, each.has_fixed_step ? fixed(1e-3, each.method) : tight(1e-8, each.method));
    Observer observer;
    std::vector<FrictionEvent> events;
    observer.event = [&](const FrictionEvent& event) { events.push_back(event); };
    observer.sample = [&](const Sample& s) {
      EXPECT_EQ(std::vector<double>(s.multipliers.begin(), s.multipliers.end()), std::vector<double>(5)) << s.t;
    };
    simulate(model, setup, observer);
    EXPECT_EQ(events.size(), 1U) << "it slides, then sticks";
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
