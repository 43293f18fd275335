#include "denoc/motion/joint_motion.hpp"

#include "denoc/model/quaternions.hpp"
#include "support/build.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

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
  EXPECT_THROW(spline(model, {0, 1}, {q, q}, {SplineEnd::Kind::rate, {1}}), ArgumentError);
  // Joints with quaternions stand still, all others move.
  const auto floating = std::make_shared<const Model>(shipped("free_flying_arm"));
  std::vector<double> start(floating->nq()), moved, turned;
  start[3] = 1;
  moved = turned = start;
  moved[8] = 0.5;
  const Point middle = at(*floating, *spline(floating, {0, 1}, {start, moved}), 0.5);
  EXPECT_EQ(middle.q[8], 0.25);
  EXPECT_EQ(middle.q[3], 1);
  turned[0] = 0.1;
  try {
    spline(floating, {0, 1}, {start, turned});
    FAIL() << "a spline through quaternions";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find(floating->joint_name(1)), std::string::npos) << refused.what();
  }
  turned[3] = 2;  // longer than a unit
  try {
    spline(floating, {0, 1}, {start, turned});
    FAIL() << "a quaternion of any length";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("point 2"), std::string::npos) << refused.what();
  }
  // Wherever they stand in the tree: a ball at the tip may neither turn nor have a rate.
  Robot with_ball = shipped("planar3r");
  with_ball.bodies.back().joint.type = JointType::spherical;
  const auto ball = std::make_shared<const Model>(with_ball);
  const std::vector<double> still = {0, 0, 1, 0, 0, 0}, half_turn = {0, 0, 0, 1, 0, 0};
  EXPECT_NO_THROW(spline(ball, {0, 1}, {still, still}));
  EXPECT_THROW(spline(ball, {0, 1}, {still, half_turn}), ArgumentError);
  EXPECT_THROW(spline(ball, {0, 1}, {still, still}, {SplineEnd::Kind::rate, {0, 0, 0, 0, 1}}), ArgumentError);
}
// A rate at either end: of plain coordinates it is had, of a joint with a quaternion none is, not of a base's place either.
TEST(Spline, GivesRatesToPlainCoordinatesAlone) {
  Robot robot = shipped("free_flying_arm");
  robot.bodies.back().joint.type = JointType::spherical;
  const auto model = std::make_shared<const Model>(robot);
  const auto nv = size_t(model->nv());
  const std::vector<double> q = neutral_posture(robot);
  for (size_t k = 0; k < nv; ++k)
    for (const bool at_the_end : {false, true}) {
      SplineEnd moving, still;
      moving.rate.resize(nv);
      moving.rate[k] = 0.5;
      const auto make = [&] {
        return spline(model, {0, 1}, {q, q}, at_the_end ? still : moving, at_the_end ? moving : still);
      };
      const Joint& joint = robot.bodies[size_t(model->body_of_dof(int(k)))].joint;
      if (coordinates(joint.type) == degrees_of_freedom(joint.type))
        EXPECT_EQ(at(*model, *make(), at_the_end ? 1 : 0).v[k], 0.5) << k;
      else
        EXPECT_THROW(make(), ArgumentError) << k;
    }
}

// Not a knot: every cubic is found again from its points. Natural: no acceleration at the ends. Given rates are those.
TEST(Spline, HasTheEndsThatAreAskedFor) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto cubic = [](double t) {
    return Point{{t, 1 - t * t, t * t * t - 2 * t}, {1, -2 * t, 3 * t * t - 2}, {0, -2, 6 * t}};
  };
  using enum SplineEnd::Kind;
  const std::vector<double> all_times = {0, 0.3, 1, 1.2, 2, 2.1};
  for (const size_t n : {size_t(4), size_t(5), size_t(6)}) {
    const std::vector<double> times(all_times.begin(), all_times.begin() + std::ptrdiff_t(n));
    std::vector<std::vector<double>> points;
    for (const double t : times) points.push_back(cubic(t).q);
    const auto free_ends = spline(model, times, points, {not_a_knot}, {not_a_knot});
    const auto clamped = spline(model, times, points, {rate, cubic(0).v}, {rate, cubic(times.back()).v});
    for (const auto& motion : {free_ends, clamped})
      for (const double t : {0.0, 0.1, 0.7, 1.1, times.back()}) {
        const Point found = at(*model, *motion, t), expected = cubic(t);
        expect_near(found.q, expected.q, 64 * eps * 10, "q");
        expect_near(found.v, expected.v, 64 * eps * 100, "v");
        expect_near(found.a, expected.a, 64 * eps * 1000, "a");
      }
    const auto natural_ends = spline(model, times, points, {natural}, {natural});
    for (const double t : {0.0, times.back()})
      expect_near(at(*model, *natural_ends, t).a, {0, 0, 0}, 64 * eps * 100, "a");
  }
  // With three points one end more is needed for the two pieces to be one cubic, here from either side.
  const std::vector<double> times = {0, 0.5, 2};
  for (const bool is_last : {false, true}) {
    // a = 0 at the end that is said
    const auto one_cubic = [&](double t) {
      const double x = is_last ? t - times.back() : t;
      return Point{{t, x * x * x, x * x * x - 2 * x}, {1, 3 * x * x, 3 * x * x - 2}, {0, 6 * x, 6 * x}};
    };
    std::vector<std::vector<double>> points;
    for (const double t : times) points.push_back(one_cubic(t).q);
    for (const SplineEnd& said : {SplineEnd{rate, one_cubic(is_last ? times.back() : 0).v}, SplineEnd{natural}}) {
      const auto motion =
          is_last ? spline(model, times, points, {not_a_knot}, said) : spline(model, times, points, said, {not_a_knot});
      for (const double t : {0.0, 0.3, 0.5, 1.7, 2.0}) {
        const Point found = at(*model, *motion, t), expected = one_cubic(t);
        expect_near(found.q, expected.q, 64 * eps * 10, "q");
        expect_near(found.v, expected.v, 64 * eps * 100, "v");
        expect_near(found.a, expected.a, 64 * eps * 1000, "a");
      }
    }
  }
  // Three points alone are a parabola, two a line.
  const auto parabola = spline(model, {0, 1, 3}, {{0, 0, 0}, {1, 1, 1}, {9, 3, 0}}, {not_a_knot}, {not_a_knot});
  expect_near(at(*model, *parabola, 2).a, {2, 0, -1}, 64 * eps * 10, "a");
  expect_near(at(*model, *parabola, 0).v, {0, 1, 1.5}, 64 * eps * 10, "v");
  const auto line = spline(model, {0, 2}, {{0, 0, 0}, {2, 4, 6}}, {not_a_knot}, {natural});
  expect_near(at(*model, *line, 0.5).v, {1, 2, 3}, 64 * eps * 10, "v");
}

TEST(Hold, StandsStill) {
  const auto model = any_robot(3);
  Random random(4);
  const auto q = random_q<double>(random, *model);
  const auto motion = hold(model, q, 2);
  EXPECT_EQ(motion->duration(), 2);
  for (const double t : {-1.0, 0.0, 1.0, 3.0}) {
    const Point p = at(*model, *motion, t);
    expect_near(p.q, q, 4 * eps * (1 + largest(q)), "q");
    EXPECT_EQ(largest(p.v) + largest(p.a), 0);
  }
}

Robot one_body(JointType type) {
  Robot robot;
  add(robot, joint(type), mass(1, {}, {1, 0, 1, 0, 0, 1}));
  return robot;
}

// q'(t) of a joint is v in its own words: a turn by t^2 about x has w = 2t, w' = 2, a position v = R^T r'.
TEST(GivenMotion, DifferentiatesQuaternions) {
  const auto ball = std::make_shared<const Model>(one_body(JointType::spherical));
  const auto half_square = [](double t) { return Jet{t * t / 2, t, 1}; };
  const auto turning = given_motion(
      ball,
      [&](double t, std::span<Jet> q) {
        q[0] = cos(half_square(t));
        q[1] = sin(half_square(t));
        q[2] = q[3] = {};
      },
      2);
  for (const double t : {0.0, 0.4, 1.7}) {
    const Point p = at(*ball, *turning, t);
    expect_near(p.v, {2 * t, 0, 0}, 16 * eps * 4, "w");
    expect_near(p.a, {2, 0, 0}, 64 * eps * 16, "w'");
  }
  // Up a screw while it turns with it: v = (0, 0, 1; 0, 1, 1/2), all constant in its own axes.
  const auto flyer = std::make_shared<const Model>(one_body(JointType::free));
  const auto round = given_motion(
      flyer,
      [](double s, std::span<Jet> q) {
        const Jet t{s, 1, 0}, half = t * Jet{0.5};
        q[0] = cos(t);
        q[1] = sin(t);
        q[2] = half;
        q[4] = q[5] = {};
        q[3] = cos(half);
        q[6] = sin(half);
      },
      6);
  for (const double t : {0.0, 1.3, 5.0}) {
    const Point p = at(*flyer, *round, t);
    expect_near(p.q, {std::cos(t), std::sin(t), t / 2, std::cos(t / 2), 0, 0, std::sin(t / 2)}, 4 * eps, "q");
    expect_near(p.v, {0, 0, 1, 0, 1, 0.5}, 32 * eps, "twist");
    expect_near(p.a, {0, 0, 0, 0, 0, 0}, 64 * eps, "its rate");
    expect_derivatives(*flyer, *round, 1.3, 10);
  }
  EXPECT_EQ(largest(at(*flyer, *round, 7).v), 0);
}

TEST(GivenMotion, RefusesJumps) {
  const auto model = std::make_shared<const Model>(one_body(JointType::prismatic));
  const auto made = [&](const std::function<Jet(double)>& f, const std::vector<double>& breaks) {
    return given_motion(
        model, [f](double t, std::span<Jet> q) { q[0] = f(t); }, 3, breaks);
  };
  const auto expect_refused = [&](const std::function<Jet(double)>& f, const char* words) {
    try {
      made(f, {1});
      ADD_FAILURE() << words;
    } catch (const ArgumentError& refused) {
      EXPECT_NE(std::string(refused.what()).find(words), std::string::npos) << refused.what();
    }
  };
  expect_refused([](double t) { return Jet{t < 1 ? 0.0 : 1.0}; }, "jumps by 1 at t = 1 s");
  expect_refused([](double t) { return abs(Jet{t - 1, 1, 0}); }, "the rate of joint 'body1' jumps from -1 to 1");
  // ... and those that nobody has told of, however small, but no motion that is only fast, or has a pole of its acceleration.
  expect_refused([](double t) { return Jet{std::sin(2 * t) < 0 ? 1.0 : 0.0}; }, "jumps by 1 at t = 1.5708 s");
  expect_refused(
      [](double t) {
        return Jet{1e-6} * abs(sin(Jet{2 * t, 2, 0}));
      },
      "jumps from -2e-06 to 2e-06 at t = 1.5708");
  for (const double rate : {30.0, 3000.0, 1e5})
    EXPECT_NO_THROW(made([=](double t) { return sin(Jet{rate * t, rate, 0}); }, {1})) << rate;
  EXPECT_NO_THROW(made([](double t) { return exp(-(Jet{t - 1.1, 1, 0} * Jet{t - 1.1, 1, 0} * Jet{1e6})); }, {1}));
  EXPECT_NO_THROW(made([](double t) { return pow(abs(Jet{t - 1.1, 1, 0}), Jet{1.5}); }, {1}));
  EXPECT_NO_THROW(made(
      [](double t) {
        return Jet{t < 1 ? 0 : (t - 1) * (t - 1), t < 1 ? 0 : 2 * (t - 1), t < 1 ? 0.0 : 2.0};
      },
      {1}));
  const auto ball = std::make_shared<const Model>(one_body(JointType::spherical));
  EXPECT_THROW(given_motion(
                   ball,
                   [](double t, std::span<Jet> q) {
                     q[0] = Jet{1 + t, 1, 0};
                   },
                   1),
               ArgumentError);
  EXPECT_THROW(given_motion(ball, nullptr, 1), ArgumentError);
}

// Rounding of q is no jump, however far from zero the joint is: by parts of what q and its rate are, a motion that is
// smooth there is smooth anywhere, and one that jumps is seen.
TEST(GivenMotion, MayBeFarFromZero) {
  const auto model = std::make_shared<const Model>(one_body(JointType::prismatic));
  for (const double far : {0.0, 1e3, -1e6, 1e8, -1e10, 1e12, 1e15})
    for (const double rate : {0.0, 1.0, 300.0}) {
      const auto made = [&](double jump) {
        return given_motion(
            model,
            [=](double t, std::span<Jet> q) {
              q[0] = Jet{far} + sin(Jet{rate * t, rate, 0}) + Jet{std::sin(2 * t) < 0 ? jump : 0};
            },
            3);
      };
      EXPECT_NO_THROW(made(0)) << far << " " << rate;
      if (rate > 1) continue;
      EXPECT_THROW(made(1e-6 * (1 + rate + std::abs(far))), ArgumentError) << far << " " << rate;
    }
}

TEST(Sequence, GoesOnWhereTheLastMotionEnds) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const auto first = point_to_point(model, {0, 0, 0}, {1, 0, 0}, 2, Profile::trapezoidal),
             second = hold(model, {1, 0, 0}, 1),
             third = point_to_point(model, {1, 0, 0}, {1, 2, 0}, 4, Profile::cycloidal);
  const auto all = sequence(model, {first, second, third});
  EXPECT_EQ(all->duration(), 7);
  expect_near(all->breaks(), {2.0 / 3, 4.0 / 3, 2, 3}, 4 * eps, "breaks");
  const auto expect_part = [&](double t, const Trajectory& part, double own) {
    const Point p = at(*model, *all, t), of_part = at(*model, part, own);
    EXPECT_EQ(p.q, of_part.q) << t;
    EXPECT_EQ(p.v, of_part.v) << t;
    EXPECT_EQ(p.a, of_part.a) << t;
  };
  expect_part(0.5, *first, 0.5);
  expect_part(2, *second, 0);
  expect_part(2.5, *second, 0.5);
  expect_part(4, *third, 1);
  expect_part(9, *third, 6);
  try {
    sequence(model, {first, third, second});
    FAIL() << "a sequence with a gap";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("motion 3 of the sequence begins with joint '" + model->joint_name(2)),
              std::string::npos)
        << refused.what();
  }
  EXPECT_THROW(sequence(model, {}), ArgumentError);
}

// Motions with the rate 1 in a row have it from 0 to the end, however the sums of their durations round.
TEST(Sequence, MovesUpToItsEnd) {
  const auto model = std::make_shared<const Model>(one_body(JointType::prismatic));
  Random random(8);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::shared_ptr<const Trajectory>> motions;
    std::vector<double> instants;
    double t = 0;
    for (int i = 0; i < 6; ++i) {
      const double start = t, duration = random.uniform(0.1, 1);
      t += duration;
      instants.insert(instants.end(), {std::nextafter(t, 0.0), t});
      if (i % 3 == 0)
        motions.push_back(point_to_point(model, {start}, {start + duration}, duration, Profile::linear));
      else if (i % 3 == 1)
        motions.push_back(spline(model, {0, duration}, {{start}, {start + duration}}, {SplineEnd::Kind::natural},
                                 {SplineEnd::Kind::natural}));
      else
        motions.push_back(given_motion(
            model,
            [start](double x, std::span<Jet> q) {
              q[0] = {start + x, 1, 0};
            },
            duration));
    }
    const auto all = sequence(model, motions);
    EXPECT_EQ(all->duration(), t);
    // (start + duration) - start is off by an ulp of some seconds, over a duration of a tenth
    for (const double x : instants) EXPECT_NEAR(at(*model, *all, x).v[0], 1, 8 * 6 * eps / 0.1) << x;
    EXPECT_EQ(at(*model, *all, std::nextafter(t, 2 * t)).v[0], 0) << "and then rests";
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
