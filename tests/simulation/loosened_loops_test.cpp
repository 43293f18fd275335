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
  for (const LoopType type : {LoopType::revolute, LoopType::spherical, LoopType::point_on_line})
    for (const double friction : {0.2, 1.0})
      for (const IntegratorOptions& options :
           {tight(1e-6), tight(1e-6, IntegrationMethod::bs23), fixed(5e-3, IntegrationMethod::rk4),
            fixed(1e-3, IntegrationMethod::symplectic_euler), fixed(1e-3, IntegrationMethod::euler)}) {
        SCOPED_TRACE(testing::Message() << name_of(options.method) << ", friction " << friction << ", loop "
                                        << int(type));
        Robot robot = hanging_parallelogram(friction);
        robot.loops[0].type = type;
        const Model model(robot);
        ClosedChain chain(model);
        EXPECT_LT(chain.mobility(std::vector<double>{-M_PI / 2, 0, -M_PI / 2}).rank,
                  chain.mobility(std::vector<double>{-1, -M_PI / 2 + 1, -1}).rank);
        const Simulated run = simulated(model, setup_of({-1, -M_PI / 2 + 1, -1}, {0, 0, 0}, 30, 30, options));
        const std::vector<double>& q = run.samples.back().q;
        EXPECT_NEAR(q[0], -M_PI / 2, 0.01);
        EXPECT_NEAR(q[1], 0, 0.02);
        EXPECT_NEAR(q[2], -M_PI / 2, 0.01);
        EXPECT_LE(run.statistics.loop_defect, 1e-9);
      }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
