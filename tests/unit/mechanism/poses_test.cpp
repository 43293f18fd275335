// Poses, Jacobians and their bias of trees with every type of joint, against frames composed here in long double and
// differentiated numerically.
#include <gtest/gtest.h>

#include "denoc/mechanism/dynamics.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Real = long double;
using Frame = Pose<Real>;
using Vector = Vec3<Real>;

Mat3<Real> turn(const Vector& axis, Real angle) {
  const Real half = angle / 2, s = std::sin(half);
  return rotation(Quaternion<Real>{std::cos(half), axis.x * s, axis.y * s, axis.z * s});
}
Vector unit_of(const Vec3<double>& axis) {
  const Vector a = full<Real>(axis);
  return a * (1 / std::sqrt(dot(a, a)));
}
Mat3<Real> turn_by(const Vector& w) {
  const Real angle = std::sqrt(dot(w, w));
  return angle == 0 ? identity3<Real>() : turn(w * (1 / angle), angle);
}
Mat3<Real> attitude(const double* q) { return rotation(unit(Quaternion<Real>{q[0], q[1], q[2], q[3]})); }
// The integral of turn_by(w s) u over s from 0 to 1.
Vector mean_turned(const Vector& w, const Vector& u) {
  const Real angle = std::sqrt(dot(w, w));
  if (angle == 0) return u;
  const Vector wu = cross(w, u);
  return u + wu * ((1 - std::cos(angle)) / (angle * angle)) +
         cross(w, wu) * ((angle - std::sin(angle)) / (angle * angle * angle));
}

// The joint's moving frame in its fixed one, after it has moved from q with constant v for the time t.
Frame moved(const Joint& joint, const double* q, const double* v, Real t) {
  const Vector axis = unit_of(joint.axis), axis2 = unit_of(joint.axis2);
  const auto x = [&](int i) { return Real(q[i]) + Real(v[i]) * t; };
  const auto vec = [](const double* e) { return Vector{e[0], e[1], e[2]}; };
  const Mat3<Real> still = identity3<Real>();
  switch (joint.type) {
    case JointType::fixed:
      return {still, {0, 0, 0}};
    case JointType::revolute:
    case JointType::continuous:
      return {turn(axis, x(0)), {0, 0, 0}};
    case JointType::prismatic:
      return {still, axis * x(0)};
    case JointType::helical:
      return {turn(axis, x(0)), axis * (Real(joint.pitch) * x(0))};
    case JointType::universal:
      return {turn(axis, x(0)) * turn(axis2, x(1)), {0, 0, 0}};
    case JointType::cylindrical:
      return {turn(axis, x(0)), axis * x(1)};
    case JointType::planar:
      return {turn({0, 0, 1}, x(2)), {x(0), x(1), 0}};
    case JointType::spherical:
      return {attitude(q) * turn_by(vec(v) * t), {0, 0, 0}};
    case JointType::free:
      return {attitude(q + 3) * turn_by(vec(v) * t),
              vec(q) + attitude(q + 3) * mean_turned(vec(v) * t, vec(v + 3) * t)};
  }
  throw std::logic_error("a joint type");
}

struct Body6 {
  Vector w, v;
};

// Where a point of a body is after the time t.
class Moving {
 public:
  Moving(const Model& model, const std::vector<double>& q, const std::vector<double>& v, int body,
         const Vec3<double>& p)
      : model_(model), q_(q), v_(v), body_(body), point_(full<Real>(p)) {}
  Frame at(Real t) const {
    Frame pose = in_world(body_, t);
    pose.r = pose.r + pose.R * point_;
    return pose;
  }
  // Of order eight.
  Body6 velocity() const {
    constexpr Real weights[] = {0, 4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
    Frame rate = zero();
    for (int i = 1; i <= 4; ++i) {
      add(rate, at(h * i), weights[i] / h);
      add(rate, at(-h * i), -weights[i] / h);
    }
    return {spin(rate.R * transposed(at(0).R)), rate.r};
  }
  // (R'R^T)' = R''R^T + R'R'^T, of which the first has all that is skew.
  Body6 acceleration() const {
    constexpr Real weights[] = {-205.0L / 72, 8.0L / 5, -1.0L / 5, 8.0L / 315, -1.0L / 560};
    Frame rate = zero();
    add(rate, at(0), weights[0] / (h * h));
    for (int i = 1; i <= 4; ++i)
      for (const Real side : {h, -h}) add(rate, at(side * i), weights[i] / (h * h));
    return {spin(rate.R * transposed(at(0).R)), rate.r};
  }

 private:
  static constexpr Real h = 2e-3L;

  Frame in_world(int b, Real t) const {
    if (b == 0) return {identity3<Real>(), {0, 0, 0}};
    const Body& body = model_.robot().bodies[size_t(b)];
    const auto& place = model_.bodies()[size_t(b)];
    const auto as_frame = [](const Pose<double>& pose) { return Frame{full<Real>(pose.R), full<Real>(pose.r)}; };
    return in_world(body.parent, t) * as_frame(body.joint_frame) *
           moved(body.joint, q_.data() + place.q, v_.data() + place.v, t) * as_frame(body.own_frame);
  }
  static Frame zero() { return {Mat3<Real>{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0}}; }
  static void add(Frame& sum, const Frame& pose, Real weight) {
    const auto entries = [](Mat3<Real>& m) {
      return std::array<Real*, 9>{&m.xx, &m.xy, &m.xz, &m.yx, &m.yy, &m.yz, &m.zx, &m.zy, &m.zz};
    };
    Mat3<Real> R = pose.R;
    const auto to = entries(sum.R), from = entries(R);
    for (size_t i = 0; i < 9; ++i) *to[i] += weight * *from[i];
    sum.r = sum.r + pose.r * weight;
  }
  static Vector spin(const Mat3<Real>& m) { return {(m.zy - m.yz) / 2, (m.xz - m.zx) / 2, (m.yx - m.xy) / 2}; }

  const Model& model_;
  const std::vector<double>&q_, &v_;
  int body_;
  Vector point_;
};

void expect_near(const Vec3<double>& found, const Vector& expected, double size, const char* what) {
  const Vector off = full<Real>(found) - expected;
  EXPECT_LE(double(std::sqrt(dot(off, off))), 1e-12 * (1 + size)) << what;
}
double size_of(const Vector& v) { return double(std::sqrt(dot(v, v))); }

TEST(Poses, AndTheirRatesAreThoseOfComposedFrames) {
  Random random(7);
  for (int trial = 0; trial < 30; ++trial) {
    RandomRobot wanted;
    wanted.bodies = 7;
    wanted.chain = trial % 2 == 0;
    const Mechanism robot(random_robot(random, wanted));
    const Model& model = robot.tree();
    const std::vector<double> q = random_q(random, model);
    std::vector<double> v(size_t(robot.nv()));
    for (double& x : v) x = random.uniform(-1, 1);
    Dynamics dynamics(robot);
    for (const int body : {1, 4, 7}) {
      const Vec3<double> point = random.vector(0.5);
      const Moving moving(model, q, v, body, point);
      const Frame pose = moving.at(0);
      const Pose<double> found = dynamics.pose(q, body, point);
      expect_near(found.r, pose.r, size_of(pose.r), "position");
      for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
        expect_near(found.R * axis, pose.R * full<Real>(axis), 1, "attitude");

      const auto bias = dynamics.jacobian_bias(q, v, body, point);
      const Body6 expected = moving.acceleration();
      expect_near(bias.w, expected.w, size_of(expected.w), "angular bias");
      expect_near(bias.v, expected.v, size_of(expected.v), "bias");
      const auto own = dynamics.jacobian_bias(q, v, body, point, Axes::body);
      expect_near(found.R * own.v, expected.v, size_of(expected.v), "bias in body axes");

      const std::vector<double> J = [&] {
        const auto entries = dynamics.jacobian(q, body, point).entries();
        return std::vector<double>(entries.begin(), entries.end());
      }();
      const size_t n = v.size();
      for (size_t k = 0; k < n; ++k) {
        std::vector<double> one(n);
        one[k] = 1;
        const Body6 column = Moving(model, q, one, body, point).velocity();
        expect_near({J[k], J[n + k], J[2 * n + k]}, column.w, 1, "angular column");
        expect_near({J[3 * n + k], J[4 * n + k], J[5 * n + k]}, column.v, size_of(column.v), "column");
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
