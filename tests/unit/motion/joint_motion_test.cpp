#include "denoc/motion/joint_motion.hpp"

#include "support/data.hpp"

namespace denoc::test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Point {
  std::vector<double> q, v, a;
};
Point at(const Model& model, const Trajectory& motion, double t) {
  Point p{std::vector<double>(model.nq()), std::vector<double>(model.nv()), std::vector<double>(model.nv())};
  motion.at(t, p.q, p.v, p.a);
  return p;
}
std::vector<double> difference_of(const Model& model, const std::vector<double>& q0, const std::vector<double>& q1) {
  std::vector<double> v(model.nv());
  difference<double>(model, q0, q1, v);
  return v;
}
// v and a against central differences of q (on the manifold) and v; `third` bounds the third derivative.
void expect_derivatives(const Model& model, const Trajectory& motion, double t, double third) {
  const double h = 1e-4;
  const Point p = at(model, motion, t), after = at(model, motion, t + h), before = at(model, motion, t - h);
  auto rate = difference_of(model, before.q, after.q), acceleration = after.v;
  for (size_t k = 0; k < rate.size(); ++k) {
    rate[k] /= 2 * h;
    acceleration[k] = (after.v[k] - before.v[k]) / (2 * h);
  }
  const double tolerance = h * h * third + 64 * eps / h;
  expect_near(p.v, rate, tolerance, "v");
  expect_near(p.a, acceleration, tolerance, "a");
}

std::shared_ptr<const Model> any_robot(unsigned seed, std::vector<JointType> types = RandomRobot::all_types()) {
  Random random(seed);
  return std::make_shared<const Model>(random_robot(random, {.bodies = 8, .types = std::move(types)}));
}

// Every joint type: the way is v = s' d with d fixed in the moving body.
TEST(PointToPoint, MovesOnTheManifold) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto model = any_robot(seed);
    Random random(seed + 100);
    const auto q0 = random_q<double>(random, *model), q1 = random_q<double>(random, *model);
    const auto way = difference_of(*model, q0, q1);
    for (const Profile profile : {Profile::cycloidal, Profile::poly345, Profile::poly4567}) {
      const auto motion = point_to_point(model, q0, q1, 2.5, profile);
      EXPECT_EQ(motion->duration(), 2.5);
      const double size = largest(way) + largest(q0);
      expect_near(at(*model, *motion, 0).q, q0, 4 * eps * size, "start");
      // q and -q are one attitude, so the end is compared by the way that is left
      expect_near(difference_of(*model, at(*model, *motion, 2.5).q, q1), std::vector<double>(model->nv(), 0.0),
                  64 * eps * size * size, "end");
      expect_near(at(*model, *motion, 0).v, std::vector<double>(model->nv(), 0.0), eps * size, "rest");
      for (const double t : {0.3, 1.0, 1.7, 2.2}) expect_derivatives(*model, *motion, t, 100 * size);
      const Point middle = at(*model, *motion, 1.25), ended = at(*model, *motion, 4);
      const double rate = profile_at(profile, 0.5).rate / 2.5;
      for (size_t k = 0; k < way.size(); ++k) EXPECT_NEAR(middle.v[k], rate * way[k], 4 * eps * size);
      EXPECT_EQ(largest(ended.v) + largest(ended.a), 0);
      EXPECT_EQ(ended.q, at(*model, *motion, 2.5).q);
    }
  }
}

TEST(PointToPoint, LinearHasItsRateFromEndToEnd) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto motion = point_to_point(model, {0, 0, 0}, {1, 2, -3}, 2, Profile::linear);
  for (const double t : {0.0, 1.0, 2.0}) EXPECT_EQ(at(*model, *motion, t).v, (std::vector<double>{0.5, 1, -1.5}));
  for (const double t : {-1e-9, 2.0000001}) EXPECT_EQ(at(*model, *motion, t).v, (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(motion->breaks().empty());
}

TEST(PointToPoint, TrapezoidalBreaksAtTheThirds) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto motion = point_to_point(model, {0, 0, 0}, {1, 2, -3}, 3, Profile::trapezoidal);
  expect_near(motion->breaks(), {1, 2}, 2 * eps, "breaks");
}

TEST(PointToPoint, RefusesWhatMakesNoSense) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const std::vector<double> q(3), nan(3, NAN);
  EXPECT_THROW(point_to_point(model, {0, 0}, q, 1, Profile::linear), ArgumentError);
  EXPECT_THROW(point_to_point(model, q, nan, 1, Profile::linear), ArgumentError);
  for (const double duration : {0.0, -1.0, double(INFINITY), double(NAN)})
    EXPECT_THROW(point_to_point(model, q, q, duration, Profile::linear), ArgumentError) << duration;
  const auto floating = std::make_shared<const Model>(shipped("free_flying_arm"));
  std::vector<double> start(floating->nq());
  try {
    point_to_point(floating, start, start, 1, Profile::linear);
    FAIL() << "a quaternion of length 0 passed";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("quaternion"), std::string::npos) << refused.what();
  }
}

// A cubic from rest to rest is the spline of two points; three cubics that join smoothly are found again.
TEST(Spline, PassesItsPointsWithContinuousAccelerations) {
  using enum JointType;
  const auto model = any_robot(5, {revolute, prismatic, helical, universal, cylindrical, planar});
  Random random(6);
  const std::vector<double> times = {0, 0.4, 1.1, 1.5, 3};
  std::vector<std::vector<double>> points;
  for (size_t i = 0; i < times.size(); ++i) points.push_back(random_vector<double>(random, model->nq(), 2));
  const auto motion = spline(model, times, points);
  EXPECT_EQ(motion->duration(), 3);
  EXPECT_TRUE(motion->breaks().empty());
  for (size_t i = 0; i < times.size(); ++i)
    expect_near(at(*model, *motion, times[i]).q, points[i], 16 * eps * 2, "point");
  for (const double t : {-1.0, 0.0, 3.0, 4.0})
    expect_near(at(*model, *motion, t).v, std::vector<double>(model->nv(), 0.0), 64 * eps * 100, "rest");
  for (size_t i = 1; i + 1 < times.size(); ++i) {
    const double h = 1e-9;
    const Point after = at(*model, *motion, times[i] + h), before = at(*model, *motion, times[i] - h);
    expect_near(after.v, before.v, 1e3 * h, "v is continuous");
    expect_near(after.a, before.a, 1e4 * h, "a is continuous");
  }
  for (const double t : {0.2, 0.7, 1.3, 2.0}) expect_derivatives(*model, *motion, t, 1e4);
}

TEST(Spline, OfTwoPointsIsTheCubicOfRest) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto motion = spline(model, {0, 2}, {{0, 1, 2}, {1, 1, -2}});
  const Point p = at(*model, *motion, 0.5);  // 3 x^2 - 2 x^3 at x = 1/4
  expect_near(p.q, {10.0 / 64, 1, 2 - 4 * 10.0 / 64}, 8 * eps, "q");
  expect_near(p.v, {0.5625, 0, -2.25}, 8 * eps, "v");
  expect_near(p.a, {0.75, 0, -3}, 16 * eps, "a");
}

TEST(Spline, RefusesWhatMakesNoSense) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const std::vector<double> q(3);
  EXPECT_THROW(spline(model, {0}, {q}), ArgumentError);
  EXPECT_THROW(spline(model, {0, 1}, {q}), ArgumentError);
  EXPECT_THROW(spline(model, {0.1, 1}, {q, q}), ArgumentError);
  EXPECT_THROW(spline(model, {0, 1, 1}, {q, q, q}), ArgumentError);
  EXPECT_THROW(spline(model, {0, NAN}, {q, q}), ArgumentError);
  EXPECT_THROW(spline(model, {0, 1}, {q, {0, 0}}), ArgumentError);
  const auto floating = std::make_shared<const Model>(shipped("free_flying_arm"));
  const std::vector<double> start(floating->nq());
  try {
    spline(floating, {0, 1}, {start, start});
    FAIL() << "a spline through quaternions";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find(floating->joint_name(1)), std::string::npos) << refused.what();
  }
}

}  // namespace
}  // namespace denoc::test
