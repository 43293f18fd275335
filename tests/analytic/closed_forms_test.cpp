// Equations of motion that textbooks write down, for every scalar.
#include "support/build.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class T> struct ClosedForm : testing::Test {
  using Number = Real<T>;
  // At q, v the forces tau give the accelerations a, both ways.
  static void expect(const Robot& robot, const std::vector<Number>& q, const std::vector<Number>& v,
                     const std::vector<Number>& a, const std::vector<Number>& tau) {
    const ModelOf<T> model(robot);
    Machine<T> machine(model, as<T>(q), as<T>(v));
    expect_inverse<T, T>(machine, as<T>(a), as<T>(tau), "forces");
    expect_forward<T, T>(machine, as<T>(tau), as<T>(a), "accelerations");
  }
  static Number sin(double x) { return std::sin(Number(x)); }
  static Number cos(double x) { return std::cos(Number(x)); }
  static Vec3<Number> vec(const std::vector<Number>& x, int i) { return {x[i], x[i + 1], x[i + 2]}; }
};
using Scalars = testing::Types<double, float, long double, Counted<double>, Dual<double>>;
TYPED_TEST_SUITE(ClosedForm, Scalars);

const Sym3<double> full_tensor{0.31, 0.02, 0.42, -0.03, 0.05, 0.25};

// m l^2 q'' + m g l sin q = tau
TYPED_TEST(ClosedForm, Pendulum) {
  using R = Real<TypeParam>;
  const R m = 1.5, l = 0.75, g = 9.8125, a = 2.25;
  Robot robot;
  robot.gravity = {0, -double(g), 0};
  add(robot, joint(JointType::revolute), mass(double(m), {0, -double(l), 0}));
  for (const double q : {0.0, 0.3, -1.2, 3.0})
    this->expect(robot, {R(q)}, {R(1.75)}, {a}, {m * l * l * a + m * g * l * this->sin(q)});
}

// Point masses on massless rods, the second angle relative to the first:
//   [(m1+m2) l1^2 + m2 l2^2 + 2 m2 l1 l2 c2] a1 + [m2 l2^2 + m2 l1 l2 c2] a2 - m2 l1 l2 s2 (2 v1 v2 + v2^2)
//     + (m1+m2) g l1 s1 + m2 g l2 s12 = tau1
//   [m2 l2^2 + m2 l1 l2 c2] a1 + m2 l2^2 a2 + m2 l1 l2 s2 v1^2 + m2 g l2 s12 = tau2
TYPED_TEST(ClosedForm, DoublePendulum) {
  using R = Real<TypeParam>;
  const R m1 = 1.5, m2 = 0.625, l1 = 0.75, l2 = 1.25, g = 9.8125, v1 = 1.5, v2 = -2.25, a1 = 3, a2 = -4.5;
  Robot robot;
  robot.gravity = {0, -double(g), 0};
  add(robot, joint(JointType::revolute), mass(double(m1), {0, -double(l1), 0}));
  add(robot, joint(JointType::revolute), mass(double(m2), {0, -double(l2), 0}), {0, -double(l1), 0});
  for (const double q2 : {0.0, 0.5, -2.0}) {
    const double q1 = 0.4;
    const R c2 = this->cos(q2), s2 = this->sin(q2), s1 = this->sin(q1), s12 = std::sin(R(q1) + R(q2));
    const R coupling = m2 * l1 * l2;
    const R tau1 = ((m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2 * coupling * c2) * a1 + (m2 * l2 * l2 + coupling * c2) * a2 -
                   coupling * s2 * (2 * v1 * v2 + v2 * v2) + (m1 + m2) * g * l1 * s1 + m2 * g * l2 * s12;
    const R tau2 =
        (m2 * l2 * l2 + coupling * c2) * a1 + m2 * l2 * l2 * a2 + coupling * s2 * v1 * v1 + m2 * g * l2 * s12;
    this->expect(robot, {R(q1), R(q2)}, {v1, v2}, {a1, a2}, {tau1, tau2});
  }
}

// Euler's equations in body axes, I w' + w x I w = n, and m (v' + w x v) = f + m R^T g.
TYPED_TEST(ClosedForm, FreeRigidBody) {
  using R = Real<TypeParam>;
  Random random(1);
  Robot robot;
  robot.gravity = random.vector(10);
  add(robot, joint(JointType::free), mass(2.5, {0, 0, 0}, full_tensor));
  const ModelOf<TypeParam> model(robot);
  const auto q = random_q<R>(random, model), v = random_vector<R>(random, 6), a = random_vector<R>(random, 6, 5);
  const auto w = this->vec(v, 0), linear = this->vec(v, 3);
  const Sym3<R> I = full<R>(full_tensor);
  const Mat3<R> attitude = rotation(Quaternion<R>{q[3], q[4], q[5], q[6]});
  const Vec3<R> n = I * this->vec(a, 0) + cross(w, I * w);
  const Vec3<R> f = (this->vec(a, 3) + cross(w, linear) - back(attitude, full<R>(robot.gravity))) * R(2.5);
  this->expect(robot, q, v, a, {n.x, n.y, n.z, f.x, f.y, f.z});
}

// Thrown: the mass centre falls by g whatever the spin, and the body turns by Euler's equations, I w' = -w x I w.
TYPED_TEST(ClosedForm, Projectile) {
  using T = TypeParam;
  using R = Real<TypeParam>;
  Random random(2);
  Robot robot;
  robot.gravity = {0, 0, -9.8125};
  const Vec3<double> com{0.25, -0.125, 0.375};
  add(robot, joint(JointType::free), mass(2.5, com, full_tensor));
  const ModelOf<T> model(robot);
  const auto q = random_q<R>(random, model), v = random_vector<R>(random, 6);
  Machine<T> machine(model, as<T>(q), as<T>(v));
  const auto a = machine.forward(std::vector<T>(6, T(0)));
  accelerations<T>(model, machine.v, a, machine.kin);
  const Twist<T> t = velocity_in_world<T>(model, machine.kin, 1),
                 rate = acceleration_in_world<T>(model, machine.kin, 1);
  const Vec3<T> arm = pose_in_world<T>(model, machine.kin, 1).R * full<T>(full<R>(com));
  const Vec3<T> fall = rate.v + cross(rate.w, arm) + cross(t.w, cross(t.w, arm));
  const double tolerance = rounding<T>(6, row_sum(machine.inertia(), 6) / 0.25 * largest(a));
  expect_near<T>({fall.x, fall.y, fall.z}, {T(0), T(0), T(R(-9.8125))}, tolerance, "the mass centre's acceleration");
  const Sym3<T> I = full<T>(full<R>(full_tensor));
  const Vec3<T> w{machine.v[0], machine.v[1], machine.v[2]}, moment = I * Vec3<T>{a[0], a[1], a[2]} + cross(w, I * w);
  expect_near<T>({moment.x, moment.y, moment.z}, {T(0), T(0), T(0)}, tolerance, "Euler's equations");
}

// A body on an axis along z: the force of gravity along d(com)/d(angle), and along the axis.
//   (Izz + m (cx^2 + cy^2)) a1 - m g . dc/dq1 = tau1,  m a2 - m gz = tau2
struct OnAnAxis {
  double m = 2.5;
  Vec3<double> com{0.25, -0.125, 0.375}, gravity{1.5, -2.25, -9.5};
  Robot robot(JointType type, double pitch = 0) const {
    Robot r;
    r.gravity = gravity;
    Joint j = joint(type);
    j.pitch = pitch;
    add(r, j, mass(m, com, full_tensor), {0.5, -1, 0.25});
    return r;
  }
  template <class R> R inertia() const {
    return R(full_tensor.zz) + R(m) * (R(com.x) * R(com.x) + R(com.y) * R(com.y));
  }
  template <class R> R weight(double q) const {
    const R c = std::cos(R(q)), s = std::sin(R(q)), x = R(com.x), y = R(com.y);
    return R(m) * (R(gravity.x) * (-x * s - y * c) + R(gravity.y) * (x * c - y * s));
  }
};
TYPED_TEST(ClosedForm, CylindricalJoint) {
  using R = Real<TypeParam>;
  const OnAnAxis given;
  const R a1 = 2, a2 = -3, m = R(given.m);
  this->expect(given.robot(JointType::cylindrical), {R(0.7), R(1.25)}, {R(-1.5), R(2)}, {a1, a2},
               {given.inertia<R>() * a1 - given.weight<R>(0.7), m * a2 - m * R(given.gravity.z)});
}
// The screw couples both: (Izz + m (cx^2 + cy^2) + m h^2) a - m g . dc/dq - m h gz = tau
TYPED_TEST(ClosedForm, HelicalJoint) {
  using R = Real<TypeParam>;
  const OnAnAxis given;
  const R a = 2, m = R(given.m);
  for (const double h : {0.375, -0.25, 0.0})
    this->expect(given.robot(JointType::helical, h), {R(0.7)}, {R(-1.5)}, {a},
                 {(given.inertia<R>() + m * R(h) * R(h)) * a - given.weight<R>(0.7) - m * R(h) * R(given.gravity.z)});
}

// x, y and the angle: with d = R c the mass centre from the origin, e = dd/dangle = z x d,
//   m (ax + ex a3 - dx v3^2 - gx),  m (ay + ey a3 - dy v3^2 - gy),  (Izz + m d^2) a3 + m e . (a - g)
TYPED_TEST(ClosedForm, PlanarJoint) {
  using R = Real<TypeParam>;
  const OnAnAxis given;
  const double q3 = 0.7;
  const R c = this->cos(q3), s = this->sin(q3), x = R(given.com.x), y = R(given.com.y), m = R(given.m);
  const R dx = c * x - s * y, dy = s * x + c * y, ex = -dy, ey = dx;
  const R v3 = -1.75, ax = 2, ay = -3, a3 = 1.25, gx = R(given.gravity.x), gy = R(given.gravity.y);
  this->expect(given.robot(JointType::planar), {R(0.4), R(-0.9), R(q3)}, {R(1.5), R(0.5), v3}, {ax, ay, a3},
               {m * (ax + ex * a3 - dx * v3 * v3 - gx), m * (ay + ey * a3 - dy * v3 * v3 - gy),
                given.inertia<R>() * a3 + m * (ex * (ax - gx) + ey * (ay - gy))});
}

// A universal joint, about the vertical and then about the horizontal, with the bob at -l(sin th cos ph, sin th sin ph,
// cos th):  m l^2 sin^2 th ph'' + 2 m l^2 sin th cos th th' ph' = tau1,
//           m l^2 th'' - m l^2 sin th cos th ph'^2 + m g l sin th = tau2
TYPED_TEST(ClosedForm, SphericalPendulum) {
  using R = Real<TypeParam>;
  const R m = 1.5, l = 0.75, g = 9.8125, v1 = 2, v2 = -1.25, a1 = 3, a2 = -2.5;
  Robot robot;
  robot.gravity = {0, 0, -double(g)};
  add(robot, joint(JointType::universal, {0, 0, 1}, {0, 1, 0}), mass(double(m), {0, 0, -double(l)}));
  const double theta = 0.8;
  const R s = this->sin(theta), c = this->cos(theta), I = m * l * l;
  this->expect(robot, {R(-0.6), R(theta)}, {v1, v2}, {a1, a2},
               {I * s * s * a1 + 2 * I * s * c * v1 * v2, I * a2 - I * s * c * v1 * v1 + m * g * l * s});
}

// A body on a ball joint: I w' + w x I w = n + c x m R^T g with I about the joint.
TYPED_TEST(ClosedForm, SphericalJoint) {
  using R = Real<TypeParam>;
  Random random(3);
  const OnAnAxis given;
  const Robot robot = given.robot(JointType::spherical);
  const ModelOf<TypeParam> model(robot);
  const auto q = random_q<R>(random, model), v = random_vector<R>(random, 3), a = random_vector<R>(random, 3, 5);
  const Vec3<R> com = full<R>(given.com), w = this->vec(v, 0);
  const R m = R(given.m), square = dot(com, com);
  const Sym3<R> steiner = minus_outer(Sym3<R>{square * m, 0, square * m, 0, 0, square * m}, com * m, com);
  const Sym3<R> I = full<R>(full_tensor) + steiner;
  const Vec3<R> weight = back(rotation(Quaternion<R>{q[0], q[1], q[2], q[3]}), full<R>(given.gravity)) * m;
  const Vec3<R> n = I * this->vec(a, 0) + cross(w, I * w) - cross(com, weight);
  this->expect(robot, q, v, a, {n.x, n.y, n.z});
}

// A gyroscope in massless gimbals (a universal joint, z then x), moments of the rotor A, A, C:
//   (A s^2 + C c^2) psi'' + C c phi'' + 2 (A - C) s c psi' th' - C s th' phi' = tau1
//   A th'' - (A - C) s c psi'^2 + C s psi' phi' = tau2
//   C (phi'' + c psi'' - s psi' th') = tau3
TYPED_TEST(ClosedForm, GyroscopeInGimbals) {
  using R = Real<TypeParam>;
  const R A = 0.25, C = 0.375, v1 = 0.75, v2 = -1.25, v3 = 20, a1 = 3, a2 = -2.5, a3 = 4;
  Robot robot;
  add(robot, joint(JointType::universal, {0, 0, 1}, {1, 0, 0}), mass(0));
  add(robot, joint(JointType::revolute), mass(1.5, {0, 0, 0}, {double(A), 0, double(A), 0, 0, double(C)}));
  const double theta = 0.9;
  const R s = this->sin(theta), c = this->cos(theta);
  this->expect(robot, {R(0.3), R(theta), R(2.1)}, {v1, v2, v3}, {a1, a2, a3},
               {(A * s * s + C * c * c) * a1 + C * c * a3 + 2 * (A - C) * s * c * v1 * v2 - C * s * v2 * v3,
                A * a2 - (A - C) * s * c * v1 * v1 + C * s * v1 * v3, C * (a3 + c * a1 - s * v1 * v2)});
}

// A slider of mass m on a rod that turns (moment I with the slider's own): Coriolis and centrifugal force.
//   (I + m r^2) a1 + 2 m r r' v1 = tau1,  m r'' - m r v1^2 = tau2
TYPED_TEST(ClosedForm, SliderOnARotatingRod) {
  using R = Real<TypeParam>;
  const R rod = 0.5, own = 0.125, m = 1.5, r = 0.875, v1 = 3, v2 = -1.25, a1 = 2, a2 = 0.5;
  Robot robot;
  add(robot, joint(JointType::revolute), mass(1, {0, 0, 0}, {double(rod), 0, double(rod), 0, 0, double(rod)}));
  add(robot, joint(JointType::prismatic, {1, 0, 0}),
      mass(double(m), {0, 0, 0}, {double(own), 0, double(own), 0, 0, double(own)}));
  this->expect(robot, {R(0.8), r}, {v1, v2}, {a1, a2},
               {(rod + own + m * r * r) * a1 + 2 * m * r * v2 * v1, m * a2 - m * r * v1 * v1});
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
