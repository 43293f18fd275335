// Rows at the ends of what numbers hold: what doubles hold and floats do not, what neither does, and rows with several
// things wrong. Packs say of each what the way row by row says.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/state_by_state.hpp"
#include "denoc/batch/batch.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using batch::Problem;
using enum RowStatus;
template <class E> using Vector = std::vector<E>;

// Rows of states, and the answers.
template <class E> struct Rows {
  Vector<E> q, v, x;
  std::vector<Vector<E>> wrenches = {};  // of bodies 1, 2, ...
  int count = 0;
  void add(const std::vector<double>& q1, const std::vector<double>& v1, const std::vector<double>& x1) {
    q.insert(q.end(), q1.begin(), q1.end());
    v.insert(v.end(), v1.begin(), v1.end());
    x.insert(x.end(), x1.begin(), x1.end());
    ++count;
  }
  std::vector<RowWrenches<E>> given() const {
    std::vector<RowWrenches<E>> all;
    for (std::size_t i = 0; i < wrenches.size(); ++i) all.push_back({int(i) + 1, wrenches[i]});
    return all;
  }
};
template <class E> struct Answers {
  Vector<E> y;
  std::vector<RowStatus> status;
};
template <class E>
Answers<E> in_packs(const Mechanism& mechanism, Problem problem, const Rows<E>& rows, Forces forces = Forces::none) {
  Executor executor(1);
  Batch<E> batch(mechanism, executor, forces);
  Answers<E> found{Vector<E>(rows.x.size(), E(7)), std::vector<RowStatus>(std::size_t(rows.count), singular)};
  if (problem == Problem::inverse)
    batch.inverse_dynamics(rows.q, rows.v, rows.x, found.y, found.status, rows.given());
  else
    batch.forward_dynamics(rows.q, rows.v, rows.x, found.y, found.status, rows.given());
  return found;
}
template <class E>
Answers<E> one_by_one(const Mechanism& mechanism, Problem problem, const Rows<E>& rows, Forces forces = Forces::none) {
  Executor executor(1);
  batch::StateByState singly(mechanism, executor, forces, Loops::closed);
  Answers<E> found{Vector<E>(rows.x.size(), E(7)), std::vector<RowStatus>(std::size_t(rows.count), singular)};
  const auto wrenches = rows.given();
  singly.run<E>(problem, {rows.q, rows.v, rows.x, {found.y}, found.status, wrenches}, rows.count);
  return found;
}
template <class E> Vector<E> row(const Answers<E>& found, int r) {
  const std::size_t n = found.y.size() / found.status.size();
  return {found.y.begin() + std::ptrdiff_t(std::size_t(r) * n),
          found.y.begin() + std::ptrdiff_t(std::size_t(r + 1) * n)};
}
// A status says what stands in the row: numbers if it is done, else nothing at all (of packs: something that is no
// number).
template <class E> void expect_told(const Answers<E>& found, const std::string& what) {
  for (int r = 0; r < int(found.status.size()); ++r) {
    const Vector<E> y = row(found, r);
    const bool is_finite = std::all_of(y.begin(), y.end(), [](E each) { return std::isfinite(each); });
    EXPECT_EQ(found.status[std::size_t(r)] == done, is_finite) << what << ", row " << r;
  }
}

template <class E> struct BatchRanges : testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(BatchRanges, Reals);

// Loops go by doubles: where the answer is beyond what the numbers of the rows hold, the row says so and has no answer,
// also where the doubles had one; and the rows beside it are as they were. tau / I of rods below a kilogram is above
// tau.
TYPED_TEST(BatchRanges, OfAnswersOfClosedChains) {
  using E = TypeParam;
  const Mechanism mechanism(four_bar());
  Dynamics d(mechanism);
  const auto assembled = d.assemble(std::vector<double>{1, -0.55, 1.3});
  const std::vector<double> q(assembled.begin(), assembled.end()), still(3);
  const double most = double(std::numeric_limits<E>::max());
  Rows<E> rows;
  const double torques[] = {1, most / 2, 0.5, -most / 2, most / 1e6, 0};
  for (const double torque : torques) rows.add(q, still, {torque, 0, 0});
  const std::vector<RowStatus> expected = {done, not_finite, done, not_finite, done, done};
  const Answers<E> found = in_packs(mechanism, Problem::forward, rows);
  EXPECT_EQ(found.status, expected);
  expect_told(found, "closed");
  for (const int r : {1, 3})
    for (const E y : row(found, r)) EXPECT_TRUE(std::isnan(y)) << r;
  for (const int r : {0, 2, 4, 5}) {
    const auto a = d.forward(std::vector<double>(rows.q.begin() + 3 * r, rows.q.begin() + 3 * r + 3), still,
                             std::vector<double>{double(E(torques[r])), 0, 0});
    const Vector<E> y = row(found, r);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(y[k], E(a[k])) << r;
  }
}

// In trees: rates whose squares overflow, beside others that do not; and springs that do, which packs do not know.
TYPED_TEST(BatchRanges, OfAnswersOfTrees) {
  using E = TypeParam;
  const double most = double(std::numeric_limits<E>::max()), large = std::sqrt(most);
  Robot robot = shipped("planar3r");
  const Mechanism plain(robot);
  Rows<E> fast;
  const double rates[] = {1, 4 * large, 1e-3 * large, -4 * large, 0, most, 1, 1, 1, 1, 1};
  for (const double rate : rates) fast.add({0.3, -0.7, 1.1}, {rate, -rate, rate}, {0, 0, 0});
  const auto is_fast = [&](int r) { return std::abs(rates[r]) > 2 * large; };
  for (const Problem problem : {Problem::inverse, Problem::forward}) {
    const Answers<E> found = in_packs(plain, problem, fast), singly = one_by_one(plain, problem, fast);
    expect_told(found, "packs");
    expect_told(singly, "singly");
    for (int r = 0; r < fast.count; ++r) {
      EXPECT_EQ(found.status[std::size_t(r)], is_fast(r) ? not_finite : done) << int(problem) << " " << r;
      EXPECT_EQ(singly.status[std::size_t(r)], is_fast(r) ? not_finite : done) << int(problem) << " " << r;
    }
  }
  // stiffness x q: beyond the range in the third row alone
  for (Body& body : robot.bodies) body.joint.spring.stiffness = body.joint.type == JointType::fixed ? 0 : most / 16;
  const Mechanism sprung(robot);
  Rows<E> stretched;
  for (const double q : {0.25, -1.5, 100.0, 0.5, 2.0}) stretched.add({q, 0, 0}, {0, 0, 0}, {0, 0, 0});
  const std::vector<RowStatus> expected = {done, done, not_finite, done, done};
  for (const auto& found : {in_packs(sprung, Problem::inverse, stretched, Forces::all),
                            one_by_one(sprung, Problem::inverse, stretched, Forces::all)}) {
    EXPECT_EQ(found.status, expected);
    expect_told(found, "sprung");
    EXPECT_NEAR(double(row(found, 3)[0]) / most, 0.5 / 16, 8 * double(std::numeric_limits<E>::epsilon()));
  }
}

// A joint that follows another by a fixed ratio goes in packs; where these find no number, the way by doubles is asked,
// and what it finds is said as far as the rows can hold it.
TYPED_TEST(BatchRanges, OfAnswersOfFollowers) {
  using E = TypeParam;
  Robot robot;
  robot.gravity = {0, 0, 0};
  for (int i = 0; i < 2; ++i) add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(i == 0 ? 1 : 1e-3)).parent = 0;
  Loop coupler;
  coupler.type = LoopType::coupler;
  coupler.a.body = 1;
  coupler.b.body = 2;
  coupler.ratio = 2;
  robot.loops.push_back(coupler);
  const Mechanism mechanism(robot);
  const double most = double(std::numeric_limits<E>::max()), inertia = 1 + 4e-3;
  // (m + 4 m') a = tau + 2 tau': the tree alone would move by tau' / m', a thousand times as much, which doubles hold
  // for floats
  const double forces[][2] = {{1, 0}, {0, most / 64}, {0, most / 2}, {most / 4, 0}, {0, 1}};
  Rows<E> rows;
  for (const auto& f : forces) rows.add({0, 0}, {0, 0}, {f[0], f[1]});
  for (const auto& found :
       {in_packs(mechanism, Problem::forward, rows), one_by_one(mechanism, Problem::forward, rows)}) {
    expect_told(found, "follower");
    for (int r = 0; r < rows.count; ++r) {
      const double a = (forces[r][0] + 2 * forces[r][1]) / inertia;
      const bool fits = 2 * a <= most && (sizeof(E) < sizeof(double) || forces[r][1] / 1e-3 <= most);
      EXPECT_EQ(found.status[std::size_t(r)], fits ? done : not_finite) << r;
      if (!fits) continue;
      EXPECT_NEAR(double(row(found, r)[0]) / a, 1, 16 * double(std::numeric_limits<E>::epsilon())) << r;
      EXPECT_NEAR(double(row(found, r)[1]) / (2 * a), 1, 16 * double(std::numeric_limits<E>::epsilon())) << r;
    }
  }
}

// Whatever is wrong with a row, and where two things are, packs say what the way row by row says: entries that are no
// numbers before all, of wrenches too, then quaternions, then inertias.
TYPED_TEST(BatchRanges, HaveTheSameStatusEitherWay) {
  using E = TypeParam;
  Robot robot = gimbal();
  robot.bodies[1].joint.type = JointType::spherical;
  robot.bodies[1].inertial = mass(1, {0, 0, 0}, {0.1, 0, 0.2, 0, 0, 0.25});
  for (int i = 0; i < 3; ++i)
    add(robot, joint(JointType::revolute, i == 1 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1}), {});
  robot.bodies.back().inertial = mass(1, {0, 0, 0}, {0.1, 0, 0.2, 0, 0, 0.25});
  robot.bodies[2].joint.spring.stiffness = 3;
  const Mechanism mechanism(robot);  // q: ball, two hinges, then a gimbal, singular where its second is 0
  const int nq = mechanism.nq(), nv = mechanism.nv();
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  struct Wrong {
    bool in_quaternion, in_q, in_v, in_x, in_wrench, is_singular;
  };
  for (const Problem problem : {Problem::inverse, Problem::forward})
    for (const double none : {nan, infinite, -infinite}) {
      Rows<E> rows;
      std::vector<RowStatus> expected;
      rows.wrenches.resize(1);
      for (int bits = 0; bits < 64; ++bits) {
        const Wrong w{(bits & 1) != 0, (bits & 2) != 0,  (bits & 4) != 0,
                      (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0};
        std::vector<double> q(std::size_t(nq), 0.4), v(std::size_t(nv), 0.2), x(std::size_t(nv), 0.3);
        const double turned[] = {0.5, -0.5, 0.5, 0.5};
        for (std::size_t i = 0; i < 4; ++i) q[i] = turned[i] * (w.in_quaternion ? 1.25 : 1);
        if (w.is_singular) q[std::size_t(nq) - 2] = 0;
        if (w.in_q) q[4] = none;
        if (w.in_v) v[2] = none;
        if (w.in_x) x[3] = none;
        rows.add(q, v, x);
        for (int i = 0; i < 6; ++i) rows.wrenches[0].push_back(E(w.in_wrench && i == 4 ? none : 0.5));
        const bool is_no_number = w.in_q || w.in_v || w.in_x || w.in_wrench;
        expected.push_back(is_no_number                                   ? not_finite
                           : w.in_quaternion                              ? refused
                           : w.is_singular && problem == Problem::forward ? singular
                                                                          : done);
      }
      for (const Forces forces : {Forces::none, Forces::all}) {
        const Answers<E> found = in_packs(mechanism, problem, rows, forces),
                         singly = one_by_one(mechanism, problem, rows, forces);
        expect_told(found, "packs");
        expect_told(singly, "singly");
        for (std::size_t r = 0; r < expected.size(); ++r) {
          EXPECT_EQ(singly.status[r], expected[r]) << "singly, problem " << int(problem) << ", row " << r;
          EXPECT_EQ(found.status[r], expected[r]) << "packs, problem " << int(problem) << ", row " << r;
        }
      }
    }
}

// A quaternion is off unit length however far, to the ends of the range.
TYPED_TEST(BatchRanges, RefuseQuaternionsOfAnyLength) {
  using E = TypeParam;
  Robot robot;
  add(robot, joint(JointType::spherical), mass(1, {0.1, 0, 0}, {0.1, 0, 0.2, 0, 0, 0.25}));
  const Mechanism mechanism(robot);
  const double most = double(std::numeric_limits<E>::max()), least = double(std::numeric_limits<E>::denorm_min());
  Rows<E> rows;
  std::vector<RowStatus> expected;
  for (const double length : {1.0, 2.0, 0.5, 1e10, 1e-10, std::sqrt(most) * 4, most / 4, least, 0.0}) {
    rows.add({length, 0, 0, 0}, {0.1, 0.2, 0.3}, {1, 2, 3});
    expected.push_back(length == 1 ? done : refused);
  }
  for (const Problem problem : {Problem::inverse, Problem::forward})
    for (const auto& found : {in_packs(mechanism, problem, rows), one_by_one(mechanism, problem, rows)})
      for (std::size_t r = 0; r < expected.size(); ++r)
        EXPECT_EQ(found.status[r], expected[r]) << r << " " << rows.q[4 * r];
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
