#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "denoc/spatial/attitude.hpp"
#include "denoc/spatial/placement.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
const double tolerance = 64 * std::numeric_limits<double>::epsilon();  // entries of order one, some tens of operations

Matrix3 dense(const Mat3<double>& m) {
  Matrix3 d;
  d << m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz;
  return d;
}
Matrix3 dense(const Sym3<double>& s) {
  Matrix3 d;
  d << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return d;
}
Eigen::Vector3d dense(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Vector6 dense(const Twist<double>& t) { return (Vector6() << dense(t.w), dense(t.v)).finished(); }
Vector6 dense(const Wrench<double>& w) { return (Vector6() << dense(w.n), dense(w.f)).finished(); }
Matrix6 dense(const ArticulatedInertia<double>& a) {
  return (Matrix6() << dense(a.I), dense(a.H), dense(a.H).transpose(), dense(a.M)).finished();
}
Matrix6 dense(const RigidInertia<double>& b) {
  const Matrix3 h = dense(skew(b.h));
  return (Matrix6() << dense(angular_inertia(b)), h, h.transpose(), b.m * Matrix3::Identity()).finished();
}
// Child twist from parent twist: w = R^T w, v = R^T (v + w x r).
Matrix6 propagation(const Pose<double>& pose) {
  const Matrix3 back = dense(pose.R).transpose();
  return (Matrix6() << back, Matrix3::Zero(), -back * dense(skew(pose.r)), back).finished();
}
void expect_same(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, const char* what) {
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), tolerance * (1 + expected.cwiseAbs().maxCoeff())) << what;
}

struct Spatial : testing::Test {
  Random random{7};
  Pose<double> pose{rotation(random.attitude()), random.vector(1)};
  Twist<double> t{random.vector(1), random.vector(1)};
  Wrench<double> w{random.vector(1), random.vector(1)};
  struct Particle {
    double m;
    Vec3<double> p;
  };
  std::vector<Particle> particles;
  Spatial() {
    for (int k = 0; k < 5; ++k) particles.push_back({random.uniform(0.1, 1), random.vector(1)});
  }
  // Moments of the particles as seen from outside the frame.
  RigidInertia<double> moments(const Pose<double>& frame) const {
    RigidInertia<double> b = zero_inertia<double>;
    for (const auto& [m, inside] : particles) {
      const Vec3<double> p = frame.r + frame.R * inside;
      b += RigidInertia<double>{
          m, p * m, m * p.x * p.x, m * p.y * p.y, m * p.x * p.y, m * p.x * p.z, m * p.y * p.z, m * p.z * p.z};
    }
    return b;
  }
  ArticulatedInertia<double> random_articulated() {
    const Matrix6 a = Matrix6::NullaryExpr([&] { return random.uniform(-1, 1); }), s = a * a.transpose();
    const auto sym = [&](int o) {
      return Sym3<double>{s(o, o), s(o, o + 1), s(o + 1, o + 1), s(o, o + 2), s(o + 1, o + 2), s(o + 2, o + 2)};
    };
    return {sym(0), {s(0, 3), s(0, 4), s(1, 3), s(1, 4), s(2, 3), s(2, 4), s(0, 5), s(1, 5), s(2, 5)}, sym(3)};
  }
};

TEST_F(Spatial, PosesKeepPower) {
  EXPECT_NEAR(dot(pose.to_child(t), w), dot(t, pose.to_parent(w)), tolerance);
  EXPECT_NEAR(dot(pose.to_parent(t), w), dot(t, pose.to_child(w)), tolerance);
  EXPECT_NEAR(dot(t, w), dense(t).dot(dense(w)), tolerance);
}

TEST_F(Spatial, PosesAreMatrices) {
  const Matrix6 A = propagation(pose);
  expect_same(dense(pose.to_child(t)), A * dense(t), "twist outward");
  expect_same(dense(pose.to_parent(w)), A.transpose() * dense(w), "wrench inward");
  expect_same(dense(pose.to_parent(pose.to_child(t))), dense(t), "there and back");
  expect_same(dense(pose.to_child(pose.to_parent(w))), dense(w), "there and back");
  const Pose<double> other{rotation(random.attitude()), random.vector(1)};
  expect_same(propagation(pose * other), propagation(other) * A, "product");
  expect_same(propagation(inverse(pose)), A.inverse(), "inverse");
}

TEST_F(Spatial, CrossProductsAreRatesOfTransformation) {
  // d/ds of pose(s) = exp(s t) at s = 0 acting on a twist and on a wrench fixed in the moving frame.
  const double h = 1e-6;
  const auto moved = [&](double s) {
    const Vec3<double> a = t.w * s;
    return Pose<double>{rotation(detail::exponential(a)), detail::displacement(a, t.v * s)};
  };
  const Twist<double> p{random.vector(1), random.vector(1)};
  const Vector6 twist_rate = (dense(moved(h).to_parent(p)) - dense(moved(-h).to_parent(p))) / (2 * h);
  const Vector6 wrench_rate = (dense(moved(h).to_parent(w)) - dense(moved(-h).to_parent(w))) / (2 * h);
  // Central differences: h^2 and eps/h.
  EXPECT_LE((dense(cross(t, p)) - twist_rate).norm(), 1e-9);
  EXPECT_LE((dense(cross(t, w)) - wrench_rate).norm(), 1e-9);
}

TEST_F(Spatial, RigidInertiaIsThatOfItsParticles) {
  const RigidInertia<double> b = moments({});
  Matrix6 direct = Matrix6::Zero();
  for (const auto& [m, p] : particles) {
    const Matrix3 x = dense(skew(p));
    direct += m * (Matrix6() << -x * x, x, -x, Matrix3::Identity()).finished();
  }
  expect_same(dense(b), direct, "from moments");
  expect_same(dense(full<double>(b * t)), direct * dense(t), "M t");
  expect_same(dense(full<double>(blocks(b))), direct, "as an articulated one");
  expect_same(dense(zero_articulated<double> + b), direct, "added to nothing");
  const ArticulatedInertia<double> a = random_articulated();
  expect_same(dense(a + b), dense(a) + direct, "added to an articulated one");
}

TEST_F(Spatial, RigidInertiaMovesWithItsFrame) {
  const RigidInertia<double> inside = moments({}), outside = moments(pose), carried = pose.to_parent(inside);
  const Matrix6 A = propagation(pose);
  expect_same(dense(carried), dense(outside), "seen from outside");
  expect_same(dense(carried), A.transpose() * dense(inside) * A, "A^T M A");
}

TEST_F(Spatial, NewtonAndEulerBodyByBody) {
  const Vec3<double> omega = random.vector(2), rate = random.vector(2), a = random.vector(2);
  const Mat3<double> B = rate_tensor(omega, rate);
  expect_same(dense(B), dense(skew(rate)) + dense(skew(omega)) * dense(skew(omega)), "B = [w'] + [w][w]");
  const Wrench<double> found = moments({}).wrench(Motion<double>{omega, rate, a, B});
  Wrench<double> expected = zero_wrench<double>;
  for (const auto& [m, p] : particles) {
    const Vec3<double> f = (a + cross(rate, p) + cross(omega, cross(omega, p))) * m;
    expected += {cross(p, f), f};
  }
  expect_same(dense(found), dense(expected), "sum over the particles");
}

TEST_F(Spatial, ArticulatedInertiaShifts) {
  const ArticulatedInertia<double> a = random_articulated();
  const auto expect_shift = [&](const ArticulatedInertia<double>& found, const Vec3<double>& r, const char* what) {
    const Matrix6 A = propagation({identity3<double>(), r});
    expect_same(dense(found), A.transpose() * dense(a) * A, what);
  };
  expect_shift(shift_x(0.7, a), {0.7, 0, 0}, "x");
  expect_shift(shift_y(0.7, a), {0, 0.7, 0}, "y");
  expect_shift(shift_z(0.7, a), {0, 0, 0.7}, "z");
  expect_shift(shift(pose.r, a), pose.r, "any way");
}

// Every kind of placement is the pose [T(r) Rz(gamma)] Tx(a) Rx(alpha) Rz(theta) Tz(d).
template <class Base>
void expect_placement(Spatial& s, const Base& base, const Pose<double>& constant, const char* what) {
  SCOPED_TRACE(what);
  const double theta = 0.8, d = -0.35;
  const JointScrew<double> screw{{std::cos(theta), std::sin(theta)}, d};
  const Placement<double, const Base&> placement{base, screw};
  const Mat3<double> turn{std::cos(theta), -std::sin(theta), std::sin(theta), std::cos(theta), 0, 0, 0, 0, 1};
  const Pose<double> pose = constant * Pose<double>{turn, {0, 0, d}};
  const Matrix6 A = propagation(pose);
  expect_same(dense(full<double>(placement.to_child(s.t))), A * dense(s.t), "twist");
  expect_same(dense(full<double>(placement.to_parent(s.w))), A.transpose() * dense(s.w), "wrench");
  const ArticulatedInertia<double> m = s.random_articulated();
  expect_same(dense(full<double>(placement.to_parent(m))), A.transpose() * dense(m) * A, "articulated inertia");
  // A motion arrives at the foot of the common normal: before the shift along the axis.
  const Vec3<double> rate = s.random.vector(1), a = s.random.vector(1);
  const Motion<double> motion{s.t.w, rate, a, rate_tensor(s.t.w, rate)};
  const auto carried = placement.to_child(motion);
  const Pose<double> foot = constant * Pose<double>{turn, {0, 0, 0}};
  expect_same(dense(carried.w), dense(back(foot.R, motion.w)), "w");
  expect_same(dense(carried.wd), dense(back(foot.R, motion.wd)), "w'");
  expect_same(dense(carried.a), dense(back(foot.R, motion.a + motion.B * foot.r)), "a");
}
TEST_F(Spatial, PlacementsArePoses) {
  const Planar<double> alpha{std::cos(0.6), std::sin(0.6)}, gamma{std::cos(-1.1), std::sin(-1.1)};
  const auto about_x = [](double c, double s) { return Mat3<double>{1, 0, 0, c, 0, s, 0, -s, c}; };
  const Mat3<double> Rx = about_x(alpha.c, alpha.s), Rz{gamma.c, -gamma.s, gamma.s, gamma.c, 0, 0, 0, 0, 1};
  const double a = 0.45;
  const Vec3<double> r{0.45, -0.2, 0.9};
  const Screw<double> screw{alpha, a, PlanarTensor<double>(alpha)};
  const Offset<double> offset{screw, r};
  expect_placement(*this, screw, {Rx, {a, 0, 0}}, "screw");
  expect_placement(*this, QuarterScrew<double>{{}, a, {}}, {about_x(0, 1), {a, 0, 0}}, "right angle");
  expect_placement(*this, ParallelScrew<double>{{}, a, {}}, {identity3<double>(), {a, 0, 0}}, "parallel axes");
  expect_placement(*this, offset, {Rx, r}, "offset");
  expect_placement(*this, Branch<double>{offset, gamma, PlanarTensor<double>(gamma)}, {Rz * Rx, r}, "branch");
}

TEST_F(Spatial, QuaternionsTurnAsTheirMatrices) {
  const Quaternion<double> a = random.attitude(), b = random.attitude();
  expect_same(dense(rotation(a * b)), dense(rotation(a)) * dense(rotation(b)), "product");
  expect_same(dense(rotation(conjugate(a))), dense(rotation(a)).transpose(), "conjugate");
  expect_same(dense(rotation(a)) * dense(rotation(a)).transpose(), Matrix3::Identity(), "orthogonal");
  const double half = 0.35;
  expect_same(dense(rotation(Quaternion<double>{std::cos(half), 0, 0, std::sin(half)})),
              Eigen::AngleAxisd(2 * half, Eigen::Vector3d::UnitZ()).toRotationMatrix(), "about z");
}

// Any turn, about any axis: near the axes of the frame and between them, by small angles and by half turns.
TEST_F(Spatial, MatricesHaveTheirQuaternions) {
  for (int trial = 0; trial < 400; ++trial) {
    Vec3<double> axis = random.direction();
    const double aside = trial % 4 == 0 ? 1 : trial % 4 == 1 ? 0.3 : trial % 4 == 2 ? 1e-6 : 0;
    if (trial % 3 != 0) axis.x *= aside;
    if (trial % 3 != 1) axis.y *= aside;
    if (trial % 3 != 2) axis.z *= aside;
    for (const double angle : {0.0, 1e-9, 0.5, 2.0, 2.1, 2.8, 3.14, std::acos(-1.0), -1e-9, -2.0, -2.8, -3.14}) {
      const Matrix3 expected = Eigen::AngleAxisd(angle, dense(axis).normalized()).toRotationMatrix();
      Mat3<double> m;
      m.xx = expected(0, 0), m.xy = expected(0, 1), m.xz = expected(0, 2);
      m.yx = expected(1, 0), m.yy = expected(1, 1), m.yz = expected(1, 2);
      m.zx = expected(2, 0), m.zy = expected(2, 1), m.zz = expected(2, 2);
      const Quaternion<double> q = quaternion_of(m);
      expect_same(dense(rotation(q)), expected, "rotation");
      EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, tolerance);
      EXPECT_GE(q.w, 0);
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
