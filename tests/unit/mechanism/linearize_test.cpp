#include "denoc/mechanism/linearize.hpp"

#include "support/build.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
using Vector = std::vector<double>;

LinearModel linear(const Robot& robot, const Vector& q, const Vector& v, const Vector& tau) {
  const Mechanism mechanism(robot);
  Dynamics dynamics(mechanism, Forces::all);
  return linearize(dynamics, q, v, tau, mechanism.leading());
}

// m l^2 q'' = tau - k q - c q' - m g l sin q
TEST(Linearize, IsThatOfAPendulum) {
  Robot robot;
  Body& bob = add(robot, joint(JointType::revolute, {0, 1, 0}), mass(2, {0, 0, -0.5}));
  bob.joint.friction.viscous = 0.3;
  bob.joint.spring.stiffness = 4;
  const double q = 0.7, inertia = 2 * 0.25;
  const LinearModel found = linear(robot, Vector{q}, Vector{1.5}, Vector{0.2});
  expect_near(found.A, {0, 1, (-4 - 2 * 9.81 * 0.5 * std::cos(q)) / inertia, -0.3 / inertia}, 64 * eps * 40, "A");
  expect_near(found.B, {0, 1 / inertia}, 16 * eps, "B");
}

// Upright: (M + m) x'' + m h p'' = u,  m h x'' + (J + m h^2) p'' = m g h p
TEST(Linearize, IsThatOfTheCartPole) {
  const double M = 1, m = 0.2, h = 0.5, J = 1.0 / 60 + m * h * h, D = (M + m) * J - m * m * h * h;
  const LinearModel found = linear(shipped("cart_pole"), Vector(2), Vector(2), Vector(2));
  const double slide = -m * h * m * 9.81 * h / D, turn = (M + m) * m * 9.81 * h / D;
  expect_near(found.A, {0, 0, 1, 0, 0, 0, 0, 1, 0, slide, 0, 0, 0, turn, 0, 0}, 64 * eps * 20, "A");
  expect_near(found.B, {0, 0, 0, 0, J / D, -m * h / D, -m * h / D, (M + m) / D}, 64 * eps * 20, "B");
}

// Of a body turning freely, d' = v - v x d, and Euler's equations J w' = J w x w have the derivative
// J dw' = J dw x w + J w x dw.
TEST(Linearize, TurnsWithTheBody) {
  Robot robot;
  const Vec3<double> J{1, 2, 4}, w{0.3, -0.5, 0.7};
  add(robot, joint(JointType::spherical), mass(1, {}, {J.x, 0, J.y, 0, 0, J.z}));
  const LinearModel found = linear(robot, Vector{1, 0, 0, 0}, Vector{w.x, w.y, w.z}, Vector(3));
  const auto entry = [&](int i, int j) { return found.A[size_t(i) * 6 + size_t(j)]; };
  const double cross_w[3][3] = {{0, -w.z, w.y}, {w.z, 0, -w.x}, {-w.y, w.x, 0}};
  const double of_rates[3][3] = {{0, (J.y - J.z) / J.x * w.z, (J.y - J.z) / J.x * w.y},
                                 {(J.z - J.x) / J.y * w.z, 0, (J.z - J.x) / J.y * w.x},
                                 {(J.x - J.y) / J.z * w.y, (J.x - J.y) / J.z * w.x, 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(entry(i, j), -cross_w[i][j], 8 * eps);
      EXPECT_EQ(entry(i, 3 + j), i == j ? 1 : 0);
      EXPECT_NEAR(entry(3 + i, j), 0, 8 * eps);  // nothing depends on the attitude
      EXPECT_NEAR(entry(3 + i, 3 + j), of_rates[i][j], 16 * eps);
    }
}

TEST(Linearize, RefusesWrongSizes) {
  EXPECT_THROW(linear(shipped("planar3r"), Vector(2), Vector(3), Vector(3)), ArgumentError);
}

}  // namespace
}  // namespace denoc::test
