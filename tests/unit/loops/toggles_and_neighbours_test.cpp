// What says nothing of a linkage: in which direction it lies where it is stretched, and what else there is in the robot.
#include <gtest/gtest.h>

#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

Quaternion<double> about_z(double angle) { return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}; }

// Crank and coupler in one line, turned in the plane with gravity: the rocker is at its extreme.
Robot stretched(double turn, LoopType type) {
  const Mat3<double> R = rotation(about_z(turn));
  Robot robot;
  robot.gravity = R * Vec3<double>{0, -9.81, 0};
  const Joint hinge = joint(JointType::revolute);
  const Sym3<double> upright{0, 0, 0, 0, 0, 0.02};
  const int crank = add_to(robot, 0, hinge, mass(0.4, R * Vec3<double>{0.1, 0, 0}, upright)),
            coupler = add_to(robot, crank, hinge, mass(1, R * Vec3<double>{0.25, 0, 0}, upright),
                             R * Vec3<double>{0.2, 0, 0}),
            rocker = add_to(robot, 0, hinge, mass(0.8, R * Vec3<double>{0.05, 0.2, 0}, upright),
                            R * Vec3<double>{0.6, -0.4, 0});
  close(robot, type, coupler, R * Vec3<double>{0.5, 0, 0}, rocker, R * Vec3<double>{0.1, 0.4, 0});
  return robot;
}

// At its extreme the rocker cannot hold the crank, whatever it gives, and needs to give nothing for what happens by itself.
TEST(Toggles, AreNotDrivenByWhatStandsStillThere) {
  for (const LoopType type : {LoopType::revolute, LoopType::spherical})
    for (const double turn : {0.0, 0.3, M_PI / 4, M_PI / 2, 2.0, M_PI, -M_PI / 2}) {
      SCOPED_TRACE(testing::Message() << int(type) << ' ' << turn);
      const Model model(stretched(turn, type));
      ClosedChain chain(model);
      const Vector rest(3);
      EXPECT_FALSE(chain.mobility(rest).is_dead_point());
      EXPECT_THROW(chain.inverse_dynamics(rest, rest, rest, {2}), NotDriveable);
      const Vector falling = chain.forward_dynamics(rest, rest, rest).a;
      EXPECT_NEAR(chain.inverse_dynamics(rest, rest, falling, {2}).tau[2], 0, 1e-12);
      EXPECT_NEAR(chain.inverse_dynamics(rest, rest, falling, {0}).tau[0], 0, 1e-12);
    }
}

// A four-bar whose massless coupler nothing but the loop holds, of such a size and mass.
int add_massless(Robot& robot, int on, double size, double m) {
  const Joint hinge = joint(JointType::revolute);
  const int crank = add_to(robot, on, hinge, rod(m, 0.2 * size)),
            coupler = add_to(robot, crank, hinge, {}, {0.2 * size, 0, 0}),
            rocker = add_to(robot, on, hinge, rod(m, 0.4 * size), {0.45 * size, 0, 0});
  close(robot, LoopType::revolute, coupler, {0.5 * size, 0, 0}, rocker, {0.4 * size, 0, 0});
  return crank;
}

// A linkage moves as it does alone beside a pendulum of any mass, and so do its derivatives.
TEST(Neighbours, OfAnyMassDoNotDrownALinkage) {
  Robot alone;
  alone.gravity = {0, -9.81, 0};
  add_massless(alone, 0, 0.1, 0.01);
  const Mechanism one(alone);
  Dynamics of_one(one);
  const Vector rest(3), tau = {1e-3, 0, 0};
  const auto closed = of_one.assemble(Vector{1, -0.5, 1.3});
  const Vector q(closed.begin(), closed.end());
  const auto a = of_one.forward(q, rest, tau);
  const Vector expected(a.begin(), a.end());
  const auto derivatives = of_one.forward_derivatives(q, rest, tau);
  for (const double heavy : {1.0, 1e3, 1e5, 1e8}) {
    SCOPED_TRACE(heavy);
    Robot both = alone;
    add_to(both, 0, joint(JointType::revolute), rod(heavy, 2));
    const Mechanism two(both);
    Dynamics d(two);
    const Vector q2 = {q[0], q[1], q[2], 0.3}, rest2(4), tau2 = {tau[0], 0, 0, 0};
    const auto found = d.forward(q2, rest2, tau2);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12 * std::abs(expected[k])) << k;
    const auto by = d.forward_derivatives(q2, rest2, tau2);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(by.dtau(i, k), derivatives.dtau(i, k), 1e-10 * std::abs(derivatives.dtau(0, 0))) << i << k;
  }
}

// ... and on a boom of any mass that turns freely: as if it was cut where its tree is regular, at the rocker's foot.
TEST(Neighbours, OfAnyMassMayCarryALinkage) {
  for (const double heavy : {1.0, 1e3, 1e5})
    for (const double size : {1.0, 0.1, 0.01})
      for (const double m : {1.0, 1e-3}) {
        SCOPED_TRACE(testing::Message() << heavy << ' ' << size << ' ' << m);
        Robot cut_at_coupler, cut_at_foot;
        for (Robot* robot : {&cut_at_coupler, &cut_at_foot}) {
          robot->gravity = {0, -9.81, 0};
          add_to(*robot, 0, joint(JointType::revolute), rod(heavy, 2));
        }
        add_massless(cut_at_coupler, 1, size, m);
        const Joint hinge = joint(JointType::revolute);
        const int crank = add_to(cut_at_foot, 1, hinge, rod(m, 0.2 * size)),
                  coupler = add_to(cut_at_foot, crank, hinge, {}, {0.2 * size, 0, 0}),
                  rocker = add_to(cut_at_foot, coupler, hinge, rod(m, 0.4 * size), {0.5 * size, 0, 0});
        cut_at_foot.bodies[std::size_t(rocker)].inertial.com.x *= -1;  // from its tip
        close(cut_at_foot, LoopType::revolute, rocker, {-0.4 * size, 0, 0}, 1, {0.45 * size, 0, 0});
        const Model one(cut_at_coupler), other(cut_at_foot);
        ClosedChain chain(one);
        const Vector q = chain.assemble(Vector{0.4, 1, -0.5, 1.3}), rest(4);
        // The rocker's angle from the coupler.
        const Vector same = {q[0], q[1], q[2], q[3] - q[1] - q[2]};
        const Vector tau = {0, m * size * size, 0, 0};
        const double found = chain.forward_dynamics(q, rest, tau).a[1],
                     expected = ClosedChain(other).forward_dynamics(same, rest, tau).a[1];
        EXPECT_NEAR(found, expected, 1e-10 * std::abs(expected));
      }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
