#include "denoc/model/manifold.hpp"

#include <gtest/gtest.h>

#include "denoc/model/chart.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

const double pi = std::acos(-1.0);

template <class R> struct Manifold : testing::Test {
  Random random{21};
  const BasicModel<R> model = [] {
    Robot robot;
    add(robot, joint(JointType::free), mass(1));
    add(robot, joint(JointType::spherical), mass(1));
    add(robot, joint(JointType::revolute), mass(1));
    add(robot, joint(JointType::planar), mass(1));
    return BasicModel<R>(robot);
  }();
  const R eps = std::numeric_limits<R>::epsilon();

  std::vector<R> moved(const std::vector<R>& q, const std::vector<R>& v) const {
    std::vector<R> result(model.nq());
    integrate<R>(model, q, v, result);
    return result;
  }
  std::vector<R> between(const std::vector<R>& q0, const std::vector<R>& q1) const {
    std::vector<R> v(model.nv());
    difference<R>(model, q0, q1, v);
    return v;
  }
  // Rates whose rotations (of the free joint at 0, of the spherical one at 6) are by this angle.
  std::vector<R> rates(R angle) {
    auto v = random_vector<R>(random, model.nv());
    for (const int k : {0, 6}) {
      const Vec3<R> axis = full<R>(random.direction());
      const R scale = angle / norm(axis);
      v[k] = axis.x * scale, v[k + 1] = axis.y * scale, v[k + 2] = axis.z * scale;
    }
    return v;
  }
  // A quaternion and its opposite are one attitude.
  void expect_same(std::vector<R> found, const std::vector<R>& expected, double tolerance, const char* what) const {
    for (const int i : {3, 7}) {
      R product = 0;
      for (int k = 0; k < 4; ++k) product += found[i + k] * expected[i + k];
      if (product < 0)
        for (int k = 0; k < 4; ++k) found[i + k] = -found[i + k];
    }
    expect_near<R>(found, expected, tolerance, what);
  }
};
using Reals = testing::Types<double, float, long double>;
TYPED_TEST_SUITE(Manifold, Reals);

// The series end and the closed forms begin at a half angle of 1/2 and, in the displacement, at an angle of 1/2.
const double angles[] = {0, 1e-30, 1e-9, 1e-4, 0.1, 0.4999, 0.5, 0.5001, 0.9999, 1, 1.0001, 2, 3, 3.14, 3.1415};

TYPED_TEST(Manifold, DifferenceUndoesIntegrate) {
  using R = TypeParam;
  for (const double angle : angles)
    for (int round = 0; round < 20; ++round) {
      const auto q = random_q<R>(this->random, this->model), v = this->rates(R(angle)), end = this->moved(q, v);
      // Some tens of operations on numbers of the size of v and of one.
      expect_near<R>(this->between(q, end), v, double(64 * this->eps) * (1 + largest(v)), "v");
      for (const int i : {3, 7}) {
        const R square = end[i] * end[i] + end[i + 1] * end[i + 1] + end[i + 2] * end[i + 2] + end[i + 3] * end[i + 3];
        EXPECT_NEAR(square, R(1), 4 * this->eps) << "unit length";
      }
    }
}

TYPED_TEST(Manifold, IntegrateUndoesDifference) {
  using R = TypeParam;
  for (int round = 0; round < 200; ++round) {
    const auto q0 = random_q<R>(this->random, this->model), q1 = random_q<R>(this->random, this->model);
    const auto v = this->between(q0, q1);
    this->expect_same(this->moved(q0, v), q1, double(64 * this->eps) * (1 + largest(v)), "q1");
    for (const int k : {0, 6})
      EXPECT_LE(norm(Vec3<R>{v[k], v[k + 1], v[k + 2]}), R(pi) * (1 + 4 * this->eps)) << "the shorter way";
  }
}

// The half turn has two rotation vectors, one of them is found; next to it the length is right to rounding.
TYPED_TEST(Manifold, NearAHalfTurn) {
  using R = TypeParam;
  const R half_turn = std::acos(R(-1));
  for (const R away : {R(0), R(1e-3), R(1e-6), 4 * this->eps})
    for (int round = 0; round < 20; ++round) {
      const auto q = random_q<R>(this->random, this->model), v = this->rates(half_turn - away), end = this->moved(q, v);
      const auto found = this->between(q, end);
      this->expect_same(this->moved(q, found), end, double(64 * this->eps) * (1 + largest(v)), "end");
      EXPECT_NEAR(norm(Vec3<R>{found[6], found[7], found[8]}), half_turn - away, 64 * this->eps);
      if (away > R(100) * this->eps) expect_near<R>(found, v, double(128 * this->eps) * (1 + largest(v)), "v");
    }
}

// From the identity small rotations keep all their digits, down to where squares underflow.
TYPED_TEST(Manifold, TinyStepsKeepTheirDigits) {
  using R = TypeParam;
  std::vector<R> origin(this->model.nq(), R(0));
  origin[3] = origin[7] = 1;
  for (const double angle : {1e-3, 1e-8, 1e-15, 1e-25, 1e-35}) {
    const auto v = this->rates(R(angle)), found = this->between(origin, this->moved(origin, v));
    for (int k = 6; k < 9; ++k) EXPECT_NEAR(found[k], v[k], R(angle) * 8 * this->eps);
  }
  const std::vector<R> none(this->model.nv(), R(0));
  EXPECT_EQ(this->moved(origin, none), origin);
  EXPECT_EQ(this->between(origin, origin), none);
}

// Constant twists: twice half the way is the way.
TYPED_TEST(Manifold, HalvesAddUp) {
  using R = TypeParam;
  for (const double angle : angles) {
    const auto q = random_q<R>(this->random, this->model), v = this->rates(R(angle));
    auto half = v;
    for (R& x : half) x *= R(0.5);
    this->expect_same(this->moved(this->moved(q, half), half), this->moved(q, v),
                      double(64 * this->eps) * (1 + largest(v)), "two halves");
  }
}

// The displacement against the exact screw about a fixed axis: turning by x about z while the origin at distance one
// circles: v = w x r gives r -> R r.
TYPED_TEST(Manifold, ScrewsAboutAFixedAxis) {
  using R = TypeParam;
  for (const double angle : angles) {
    std::vector<R> q(this->model.nq(), R(0)), v(this->model.nv(), R(0));
    q[0] = 1, q[3] = q[7] = 1;  // the origin at x = 1, the axis z through the world's origin, with a pitch
    const R x = R(angle);
    v[2] = x, v[4] = x, v[5] = R(0.25) * x;
    const auto end = this->moved(q, v);
    expect_near<R>({end[0], end[1], end[2], end[3], end[6]},
                   {std::cos(x), std::sin(x), R(0.25) * x, std::cos(x / 2), std::sin(x / 2)}, double(16 * this->eps),
                   "end");
  }
}

// To the last bit: nothing is read that was written before.
TYPED_TEST(Manifold, InPlaceIsThatIntoAnotherVector) {
  using R = TypeParam;
  Robot robot;
  for (const JointType type :
       {JointType::fixed, JointType::revolute, JointType::continuous, JointType::prismatic, JointType::helical,
        JointType::cylindrical, JointType::universal, JointType::planar, JointType::spherical, JointType::free})
    add(robot, joint(type), mass(1));
  const BasicModel<R> every(robot);
  for (int round = 0; round < 20; ++round) {
    const auto q = random_q<R>(this->random, every), v = random_vector<R>(this->random, every.nv());
    std::vector<R> expected(q.size()), found = q;
    integrate<R>(every, q, v, expected);
    integrate<R>(every, found, v, found);
    EXPECT_EQ(found, expected);
    place_around<R>(every, q, v, expected);
    found = q;
    place_around<R>(every, found, v, found);
    EXPECT_EQ(found, expected);
  }
}

TYPED_TEST(Manifold, Normalise) {
  using R = TypeParam;
  auto q = random_q<R>(this->random, this->model);
  const auto expected = q;
  for (int k = 0; k < 4; ++k) q[3 + k] *= R(3), q[7 + k] *= R(1) / 7;
  normalise<R>(this->model, q);
  expect_near<R>(q, expected, double(4 * this->eps), "q");
}

// At v = 0 the derivative of integrate is the kinematic relation: p' = R v, quaternion' = quaternion (0, w)/2.
TEST(ManifoldDerivative, IsTheKinematicRelation) {
  Random random(22);
  for (const bool free : {true, false}) {
    Robot robot;
    add(robot, joint(free ? JointType::free : JointType::spherical), mass(1));
    add(robot, joint(JointType::helical), mass(1));
    const Model model(robot);
    const auto q = random_q<double>(random, model), v = random_vector<double>(random, model.nv());
    const auto state = moving(model, q, v, v);
    const int at = free ? 3 : 0;
    const Quaternion<double> u{q[at], q[at + 1], q[at + 2], q[at + 3]};
    const Quaternion<double> rate = u * Quaternion<double>{0, v[0] / 2, v[1] / 2, v[2] / 2};
    std::vector<double> expected;
    if (free) {
      const Vec3<double> p = rotation(u) * Vec3<double>{v[3], v[4], v[5]};
      expected = {p.x, p.y, p.z};
    }
    for (const double x : {rate.w, rate.x, rate.y, rate.z, v.back()}) expected.push_back(x);
    std::vector<double> found;
    for (const Moving& x : state.q) found.push_back(x.d);
    expect_near(found, expected, rounding<double>(1, 2), "q'");
  }
}

// What tolerances are relative to: the distance of a free body, whichever way it is and in all of its coordinates, so that
// a run does not depend on how the world's axes lie; 1 for rotations; and |q| of a joint.
TEST(ChartOfAFreeBody, MeasuresAllDirectionsAlike) {
  Robot robot;
  add(robot, joint(JointType::prismatic), mass(1));
  add(robot, joint(JointType::free), mass(1));
  add(robot, joint(JointType::spherical), mass(1));
  const Model model(robot);
  Random random(4);
  for (const Vec3<double>& way :
       {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0.6, -0.8}, {2. / 3, -1. / 3, 2. / 3}})
    for (const double distance : {0.0, 3.0, 1e6}) {
      std::vector<double> q = random_q<double>(random, model);
      q[1] = distance * way.x, q[2] = distance * way.y, q[3] = distance * way.z;
      std::vector<double> size(size_t(model.nv()));
      Chart(model, q).magnitudes(q, size);
      const double d = distance;
      expect_near(size, {std::abs(q[0]), 1, 1, 1, d, d, d, 1, 1, 1}, 4e-16 * distance, "sizes");
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
