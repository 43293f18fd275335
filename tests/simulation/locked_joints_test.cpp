// Joints that loops lock have nothing to rub: friction in them changes nothing, by no method.
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A slider with friction of 1 N carries a bar that cannot turn: 2 kg that stop from 1 m/s in 2 s, after 1 m.
Robot locked_bar(LoopType by) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  Joint slide = joint(JointType::prismatic, {1, 0, 0}), hinge = joint(JointType::revolute);
  slide.friction.coulomb = 1;
  hinge.friction.coulomb = 2;
  const Inertial body = mass(1, {0.1, 0.05, 0}, {0.01, 0, 0.01, 0, 0, 0.02});
  const int slider = add_to(robot, 0, slide, body), bar = add_to(robot, slider, hinge, body);
  close(robot, by, bar, {0.3, 0.1, 0}, slider, {0.3, 0.1, 0});
  return robot;
}

TEST(LockedJoints, DoNotRub) {
  for (const LoopType by : {LoopType::revolute, LoopType::weld}) {
    const Model model(locked_bar(by));
    for (const Integrator& method : integrators()) {
      if (!is_available(method.method) || method.method == IntegrationMethod::euler ||
          method.method == IntegrationMethod::symplectic_euler || method.method == IntegrationMethod::backward_euler)
        continue;  // of first order: their last step ends elsewhere
      for (const double every : {0.05, 0.5}) {
        SCOPED_TRACE(std::string(method.name) + " every " + std::to_string(every));
        IntegratorOptions options = tight(1e-9, method.method);
        options.step = 1e-3;
        // The run takes the bar's rate away, but for rounding.
        auto setup = setup_of({0.3, 0}, {1, 0.1}, 3, every, options);
        setup.integrator.max_evaluations = 20'000;
        const auto run = simulated(model, setup);
        EXPECT_NEAR(run.samples.back().q[0], 1.3, 1e-8);
        EXPECT_LE(run.statistics.balance_defect, 1e-8);
        ASSERT_EQ(run.events.size(), 1u);
        EXPECT_NEAR(run.events[0].t, 2, 1e-8);
        EXPECT_EQ(run.events[0].dof, 0);
      }
    }
  }
}

// The plane of a four-bar is turned in space, and its rocker may slide along its axis, where the loop holds it: it comes to
// rest as the four-bar does that cannot slide.
TEST(LockedJoints, DoNotChatterAtRest) {
  const auto with = [](bool slides, const Mat3<double>& turned) {
    Robot robot = four_bar(slides ? LoopType::revolute : LoopType::spherical);
    robot.gravity = turned * robot.gravity;
    for (Body& body : robot.bodies) {
      if (body.parent == 0) body.joint_frame = Pose<double>{turned, turned * body.joint_frame.r};
      body.joint.friction.coulomb = 0.3;
    }
    if (slides) robot.bodies.back().joint.type = JointType::cylindrical;
    return robot;
  };
  const Mat3<double> turned = rotation(Quaternion<double>{0.8, 0.36, -0.48, 0});
  for (const IntegrationMethod method : {IntegrationMethod::dopri5, IntegrationMethod::bdf, IntegrationMethod::adams}) {
    if (!is_available(method)) continue;
    SCOPED_TRACE(name_of(method));
    std::vector<double> ends;
    for (const bool slides : {false, true}) {
      const Model model(with(slides, turned));
      const std::size_t n = std::size_t(model.nv());
      std::vector<double> near(n);
      near[0] = 1, near[1] = -0.7, near[2] = 0.9;
      auto setup = setup_of(ClosedChain(model).assemble(near), std::vector<double>(n), 2, 0.05, tight(1e-9, method));
      setup.integrator.max_evaluations = 100'000;
      ends.push_back(simulated(model, setup).samples.back().q[0]);
    }
    EXPECT_NEAR(ends[1], ends[0], 1e-6);  // some hundred steps of 1e-9, and what friction makes of them
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
