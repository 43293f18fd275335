// Inverse dynamics along a motion: when dry friction lets joints without a drive go, and when rows are written.
#include "denoc/forces/dry_friction.hpp"
#include "denoc/motion/forces_along.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Blocks of 1 kg, each on the one before, with these frictions; the lowest lies on a cart of 3 kg.
Robot stack(const std::vector<Friction>& frictions) {
  Robot robot;
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(3));
  for (const Friction& friction : frictions)
    add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1)).joint.friction = friction;
  return robot;
}
// The cart is led along x(t), the blocks go where they must.
std::shared_ptr<const Trajectory> lead(const Robot& robot, const std::function<Jet(double)>& x, double duration) {
  return given_motion(
      std::make_shared<const Model>(robot),
      [x](double t, std::span<Jet> q) {
        std::fill(q.begin(), q.end(), Jet{0});
        q[0] = x(t);
      },
      duration);
}

// Shaken by A sin(2t + phase), 4 A just above 2 N, the block is let go for a moment only, in which a step has no need to end:
// wherever in a step that falls, it slides as far as it must.
//   u = 2 A (cos s1 - cos s) - s + s1,  s = 2t + phase, from 4 A sin s1 = 2 on, until u = 0
TEST(ForcesAlong, NoMomentIsTooShortForDryFrictionToLetGo) {
  const Robot robot = stack({{.coulomb = 2}});
  const Mechanism mechanism(robot);
  for (const double A : {0.5001, 0.50003}) {
    const double s1 = std::asin(1 / (2 * A));
    const auto rate = [&](double s) { return 2 * A * (std::cos(s1) - std::cos(s)) - (s - s1); };
    double s2 = M_PI / 2 + 4 * (M_PI / 2 - s1);
    for (int turn = 0; turn < 50; ++turn) s2 -= rate(s2) / (2 * A * std::sin(s2) - 1);
    ASSERT_GT(s2, M_PI / 2);
    const double s = s2 - s1, way = (2 * A * (std::cos(s1) * s - std::sin(s2) + std::sin(s1)) - s * s / 2) / 2;
    ASSERT_GT(way, 1e-9);
    for (int i = 0; i < 24; ++i) {
      const double phase = 0.04 * i, duration = (s2 - phase) / 2 + 0.1;
      const auto motion = lead(
          robot,
          [=](double t) {
            return Jet{A} * sin(Jet{2 * t + phase, 2, 0});
          },
          duration);
      double q = 0;
      forces_along(mechanism, *motion, {duration, duration, Forces::all, {0}},
                   [&](const AlongSample& sample) { q = sample.q[1]; });
      EXPECT_NEAR(q, way, 0.1 * way) << A << " " << phase;
    }
  }
}

// Pulled by c t, a block holds up to what dry friction gives at rest, c t m = coulomb + epsilon, however it falls when
// the block slides.
TEST(ForcesAlong, DryFrictionHoldsUpToItsLimitAtRest) {
  const double c = 4;
  for (const Friction& friction : {Friction{.coulomb = 2},
                                   {.coulomb = 1, .stribeck_epsilon = 1, .stribeck_gamma = 8},
                                   {.stribeck_epsilon = 2, .stribeck_gamma = 0.5},
                                   {.coulomb = 3, .stribeck_epsilon = -1, .stribeck_gamma = 1}}) {
    const Robot robot = stack({friction});
    const auto pull = lead(
        robot,
        [=](double t) {
          return Jet{c * t * t * t / 6, c * t * t / 2, c * t};
        },
        1);
    forces_along(Mechanism(robot), *pull, {1, 0.02, Forces::all, {0}}, [&](const AlongSample& s) {
      if (s.t < 0.5 - 1e-6) {
        EXPECT_EQ(s.v[1], 0) << s.t;
        EXPECT_NEAR(s.tau[0], 4 * c * s.t, 1e-12) << s.t;
      }
      if (s.t > 0.5 + 1e-6) {
        EXPECT_LT(s.v[1], 0) << s.t;
        EXPECT_NEAR(s.a[1], dry_friction<double>(friction, -s.v[1]) - c * s.t, 1e-12) << s.t;
      }
    });
  }
}

// Two blocks on a cart that sets off at once. Where the upper cannot hold on to the lower, that one goes with the cart,
// though it could not carry both; where the lower cannot hold on to the cart, both lag behind as one. (Of 1 kg each,
// friction f1 of the lower, f2 of the upper: a2 = f2 and a1 = f1 - f2, or 10 where that is less; as one, f1 / 2.)
TEST(ForcesAlong, TheBlockThatIsStrainedMostSetsOffFirst) {
  struct Case {
    double lower, upper;        // the most that friction holds, N
    double of_lower, of_upper;  // accelerations in the world, of a cart with 10 m/s^2
  };
  for (const Case& c : {Case{15, 1, 10, 1}, {11.5, 4, 7.5, 4}, {8, 9, 4, 4}, {5, 1, 4, 1}, {21, 11, 10, 10}})
    for (const double way : {1.0, -1.0}) {
      const Robot robot = stack({{.coulomb = c.lower}, {.coulomb = c.upper}});
      const double a = 10 * way, first = c.of_lower * way - a, second = (c.of_upper - c.of_lower) * way;
      const auto pull = lead(
          robot,
          [=](double t) {
            return Jet{a * t * t / 2, a * t, a};
          },
          1);
      forces_along(Mechanism(robot), *pull, {1, 0.1, Forces::all, {0}}, [&](const AlongSample& s) {
        EXPECT_NEAR(s.a[1], first, 1e-12) << s.t;
        EXPECT_NEAR(s.a[2], second, 1e-12) << s.t;
        EXPECT_NEAR(s.q[1], first * s.t * s.t / 2, 1e-9) << s.t;
        EXPECT_NEAR(s.q[2], second * s.t * s.t / 2, 1e-9) << s.t;
      });
    }
}

// A row at 0, every, 2 every, ... and at the end: none twice, where the end is one of them but for rounding.
TEST(ForcesAlong, NoRowIsWrittenTwice) {
  const Mechanism mechanism(shipped("pendulum"));
  const auto motion = hold(std::make_shared<const Model>(mechanism.robot()), mechanism.neutral(), 100);
  for (const double every : {0.1, 0.3, 0.07})
    for (int rows = 1; rows <= 40; ++rows)
      for (const bool is_between : {false, true}) {
        const double duration = double(std::lround(every * 100) * rows) / 100 + (is_between ? every / 2 : 0);
        std::vector<double> times;
        forces_along(mechanism, *motion, {duration, every}, [&](const AlongSample& s) { times.push_back(s.t); });
        ASSERT_EQ(times.size(), size_t(rows) + (is_between ? 2 : 1)) << every << " to " << duration;
        for (size_t i = 0; i < times.size(); ++i)
          EXPECT_NEAR(times[i], std::min(double(i) * every, duration), 1e-15 * duration) << i;
        EXPECT_EQ(times.back(), duration);
      }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
