#include "denoc/mechanism/linearize.hpp"

#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

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

// Where the slider-crank of equal lengths is folded, and its slider rests while the crank turns, a crank that hangs down is
// at a dead point: there the other way to move begins, and forces on the slider move it. da/dq is beyond 1e12 beside it, so
// that anything would be rest in parts of that.
TEST(Equilibrium, RestsAtDeadPointsToo) {
  const Mechanism robot(shipped("equal_slider_crank"));
  Dynamics d(robot);
  const Vector none(3);
  const auto left = [&](const Vector& q, std::span<const BodyWrench<double>> wrenches) {
    const auto a = d.forward(q, none, none, wrenches);
    return largest(Vector(a.begin(), a.end()));
  };
  const double rest = 1e-6;  // 1e-9 of accelerations, which are below 1000 rad/s^2
  const std::pair<double, Wrench<double>> pushed[] = {
      {0.3151744097846937, {{0.38309911, 1.58255892, -0.82035658}, {0.25467739, 0.23876902, 1.22886027}}},
      {0.9359805707963119, {{0.37537473, -1.08810831, -0.37927685}, {1.84149771, 1.2772974, 0.32179609}}},
      {1.8893336311634445, {{-0.7216239, 1.41237311, 0.33376595}, {-0.47590639, 0.089427, -0.41494257}}},
      {0.6221039017040394, {{-0.48528988, -1.64993181, -0.81626152}, {0.49397094, -0.07666459, 0.07853731}}}};
  for (const auto& [crank, wrench] : pushed) {
    const Vector start = {crank, std::acos(-1.0), -2};
    const BodyWrench<double> on_slider[] = {{robot.body("slider"), wrench}};
    try {
      EXPECT_LE(left(equilibrium(d, start, none, on_slider), on_slider), rest) << crank;
    } catch (const NoEquilibrium&) {  // it says so
    }
    EXPECT_LE(left(equilibrium(d, start, none), {}), rest) << "nothing pushes: it hangs";
  }
}

// What hangs on joints alone hangs at rest somewhere, wherever the search begins: arms held out level, where no step
// changes what gravity does, and linkages around which Newton's method goes in circles.
TEST(Equilibrium, IsFoundOfEveryRobotThatHangs) {
  for (const char* name : {"two_link", "three_link", "planar3r", "puma_mohan07", "kuka_kr5", "gripper", "chain20",
                           "slider_crank", "equal_slider_crank", "three_rrr", "two_body_mata02"}) {
    const Mechanism robot(shipped(name));
    Dynamics d(robot);
    const Vector none(size_t(robot.nv()));
    const Vector q = equilibrium(d, robot.neutral(), none);
    const auto a = d.forward(q, none, none);
    // 1e-9 of gravity, and 1e-12 of what a unit step changes, below 1e4 rad/s^2
    EXPECT_LE(largest(Vector(a.begin(), a.end())), 1e-7) << name;
  }
}
// On slides without weight and without springs nothing changes as they move: there is rest everywhere, where drives
// balance what pushes to its rounding, and nowhere, where a millionth of it is left.
TEST(Equilibrium, IsAnywhereWhereForcesBalanceToRounding) {
  const Vec3<double> axes[] = {{0.6, 0, 0.8}, {0, -0.28, 0.96}, {0.48, 0.6, -0.64}};
  Random random(2);
  int off = 0;
  for (const int slides : {1, 2, 3})
    for (int trial = 0; trial < 20; ++trial) {
      Robot robot;
      robot.gravity = {0, 0, 0};
      for (int k = 0; k < slides; ++k) add(robot, joint(JointType::prismatic, axes[k]), mass(1), {0.4, 0, 0});
      const Mechanism mechanism(robot);
      Dynamics d(mechanism);
      const Vec3<double> one = random.vector(1), other = random.vector(1);
      const BodyWrench<double> push[] = {{slides, {random.vector(1), one}}, {slides, {{0, 0, 0}, other}}};
      const Vector start = random_vector<double>(random, slides), still(start.size());
      Vector tau;
      for (int k = 0; k < slides; ++k) tau.push_back(-dot(axes[k], one + other));
      const auto left = d.forward(start, still, tau, push);
      off += largest(Vector(left.begin(), left.end())) > 0 ? 1 : 0;
      EXPECT_EQ(equilibrium(d, start, tau, push), start) << slides << " slides, " << trial;
      tau[0] += 1e-6;
      EXPECT_THROW(equilibrium(d, start, tau, push), NoEquilibrium) << slides << " slides, " << trial;
    }
  EXPECT_GT(off, 10) << "nothing was rounded";
}
// What falls freely is nowhere at rest, in however small a field; what nothing pulls is.
TEST(Equilibrium, IsNoneOfWhatFalls) {
  Robot body;
  add(body, joint(JointType::free), mass(1, {0, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  Vector start(7), none(6);
  start[3] = 1;
  for (const double gravity : {9.81, 1e-6, 1e-12}) {
    body.gravity = {0, 0, -gravity};
    const Mechanism robot(body);
    Dynamics d(robot);
    EXPECT_THROW(equilibrium(d, start, none), NoEquilibrium) << gravity;
  }
  body.gravity = {0, 0, 0};
  const Mechanism robot(body);
  Dynamics d(robot);
  EXPECT_EQ(equilibrium(d, start, none), start);
}

// An arm that weighs 4.9 N m at most is nowhere at rest under 8, however stiff a finger stands beside or on it.
TEST(Equilibrium, OfOneJointKnowsNothingOfAStiffOne) {
  for (const double stiffness : {0.0, 1e2, 1e4, 1e6, 1e8})
    for (const bool on_the_arm : {false, true}) {
      Robot robot;
      const Joint hinge = joint(JointType::revolute, {0, 1, 0});
      add(robot, hinge, mass(1, {0, 0, -0.5}, {0.1, 0, 0.1, 0, 0, 0.1}));
      Joint stiff = hinge;
      stiff.spring.stiffness = stiffness;
      add(robot, stiff, mass(0.01, {0, 0, 0}, {1e-5, 0, 1e-5, 0, 0, 1e-5})).parent = on_the_arm ? 1 : 0;
      const Mechanism mechanism(robot);
      Dynamics d(mechanism, Forces::all);
      const double most = 0.5 * 9.81;
      EXPECT_THROW(equilibrium(d, Vector(2), Vector{1.01 * most, 0}), NoEquilibrium) << stiffness << on_the_arm;
      if (stiffness == 0) continue;  // nothing holds the finger
      // m g l sin(q) = tau
      const Vector q = equilibrium(d, Vector(2), Vector{most / 2, 0});
      EXPECT_NEAR(std::sin(q[0]), 0.5, 1e-9) << stiffness << on_the_arm;
    }
}
// At length 0 a spring pulls whichever way: 1.5 N of it do not hold a body of 9.81 N.
TEST(Equilibrium, IsNoneAtTheEndOfASpringWithoutLength) {
  Robot robot;
  add(robot, joint(JointType::free), mass(1, {0.3, 0, 0.1}, {0.1, 0, 0.1, 0, 0, 0.1}));
  PointSpring spring;
  spring.a.body = 1, spring.a.frame.r = {0.5, 0, 0.4};
  spring.stiffness = 5, spring.rest = 0.3;
  robot.springs.push_back(spring);
  const Mechanism mechanism(robot);
  Dynamics d(mechanism, Forces::all);
  Random random(4);
  for (int trial = 0; trial < 60; ++trial) {
    const Vector start = random_q<double>(random, mechanism.tree());
    Vector tau(6);
    for (double& x : tau) x = random.uniform(-1, 1);
    try {
      const Vector q = equilibrium(d, start, tau);
      const auto a = d.forward(q, Vector(6), tau);
      EXPECT_LE(largest(Vector(a.begin(), a.end())), 1e-6) << trial;
    } catch (const NoEquilibrium&) {
    }
  }
}

// A ball pendulum that a moment n of the world turns: p x -m g z + n = 0 wherever it has turned to, and with a force f of
// the world at a point s of it s x f is added. The numbers are given in the axes of the body where the search begins.
TEST(Equilibrium, HoldsWhatStaysInWorldAxes) {
  const double m = 2, c = 0.5, g = 9.81;
  Robot robot;
  add(robot, joint(JointType::spherical), mass(m, {0, 0, -c}, {0.1, 0, 0.1, 0, 0, 0.1}));
  add(robot, joint(JointType::fixed), {}, {0.1, 0, -0.3});
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  const Vector none(3);
  const Axes axes[] = {Axes::world};
  for (const Quaternion<double>& at : {Quaternion<double>{1, 0, 0, 0}, {0.9, 0.3, -0.2, 0.1}, {0.8, -0.1, 0.4, 0.5}}) {
    const Quaternion<double> u = unit(at);
    const Vector start{u.w, u.x, u.y, u.z};
    for (const Wrench<double>& w : {Wrench<double>{{3, -4, 0}, {}}, {{3, -4, 0}, {2, 1, -3}}, {{}, {2, 1, -3}}}) {
      const Mat3<double> R = rotation(u);
      const BodyWrench<double> given[] = {{2, {back(R, w.n), back(R, w.f)}}};
      const Vector q = equilibrium(d, start, none, given, axes);
      const Pose<double> body = d.pose(q, 1), tool = d.pose(q, 2);
      const Vec3<double> left =
          cross(body.R * Vec3<double>{0, 0, -c}, Vec3<double>{0, 0, -m * g}) + w.n + cross(tool.r, w.f);
      EXPECT_LE(norm(left), 1e-8 * m * g * c);  // at rest to 1e-9 of what a step changes, and of gravity
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
