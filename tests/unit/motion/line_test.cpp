#include "denoc/motion/line.hpp"
#include "denoc/motion/circle.hpp"

#include <fmt/format.h>

#include "denoc/kinematics/inverse_rates.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Moved {
  Pose<double> pose;
  Twist<double> velocity, acceleration;
};
Moved at(const Model& model, int body, const Trajectory& motion, double t, std::vector<double>& q) {
  std::vector<double> v(model.nv()), a(model.nv());
  motion.at(t, q, v, a);
  Machine<double> machine(model, q, v);
  accelerations<double>(model, v, a, machine.kin);
  return {pose_in_world<double>(model, machine.kin, body), velocity_in_world<double>(model, machine.kin, body),
          acceleration_in_world<double>(model, machine.kin, body)};
}

// The body goes along the line, does not turn, and its joints do not jump.
void expect_line(const std::shared_ptr<const Model>& model, int body, const std::vector<double>& start,
                 const Vec3<double>& way, Profile profile) {
  const double T = 2;
  const auto line = straight_line(model, body, start, way, T, profile);
  EXPECT_EQ(line->duration(), T);
  std::vector<double> q = start, before = start;
  const Pose<double> from = at(*model, body, *line, 0, q).pose;
  expect_near(q, start, 1e3 * eps, "start");
  for (int i = 0; i <= 1000; ++i) {
    const double t = T * i / 1000;
    const ProfilePoint p = profile_at(profile, t / T);
    const Moved now = at(*model, body, *line, t, q);
    const Mat3<double> turned = now.pose.R - from.R;
    const double tolerance = 7 * 16 * eps * 3;
    EXPECT_LE(norm(now.pose.r - (from.r + way * p.s)), tolerance) << t;
    EXPECT_LE(largest<double>({turned.xx, turned.xy, turned.xz, turned.yx, turned.yy, turned.yz, turned.zx, turned.zy}),
              tolerance);
    // rates and accelerations are rounded as joints that move by a few rad/s are
    EXPECT_LE(norm(now.velocity.v - way * (p.rate / T)) + norm(now.velocity.w), 1e3 * eps) << t;
    EXPECT_LE(norm(now.acceleration.v - way * (p.acceleration / T / T)) + norm(now.acceleration.w), 1e4 * eps) << t;
    EXPECT_LE(largest_difference(q, before), 0.05) << t;
    before = q;
  }
}

TEST(StraightLine, LeadsTheBody) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  for (const Profile profile : {Profile::linear, Profile::cycloidal, Profile::poly345, Profile::trapezoidal})
    expect_line(puma, 6, start, {-0.3, 0.25, 0.1}, profile);
  expect_line(puma, 6, start, {0, 0, 0}, Profile::cycloidal);
  // three joints lead their hand where they can: in the plane
  const auto planar = std::make_shared<const Model>(shipped("planar3r"));
  expect_line(planar, 3, {0.5, 0.7, -0.3}, {-0.5, 0.1, 0}, Profile::poly345);
}

// Joint angles are counted on, not wrapped: the seventh turn stays the seventh.
TEST(StraightLine, KeepsTheTurnsOfItsStart) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> once = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  std::vector<double> again = once, q(6), r(6), v(6), a(6);
  again[3] += 14 * M_PI;
  const auto line = straight_line(puma, 6, once, {-0.3, 0.25, 0.1}, 1, Profile::linear),
             turned = straight_line(puma, 6, again, {-0.3, 0.25, 0.1}, 1, Profile::linear);
  for (const double t : {0.1, 0.5, 1.0}) {
    line->at(t, q, v, a);
    turned->at(t, r, v, a);
    r[3] -= 14 * M_PI;
    expect_near(r, q, 1e4 * eps, "q");
  }
}

TEST(StraightLine, SaysWhereItEnds) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  try {
    straight_line(puma, 6, start, {2, 0, 0}, 1, Profile::linear);
    FAIL() << "the PUMA reaches 2 m farther";
  } catch (const Unreachable& refused) {
    EXPECT_NE(std::string(refused.what()).find(" m along a line of 2 m"), std::string::npos) << refused.what();
  }
  // Along the axis of the forearm with the wrist straight the line begins in a singular posture.
  EXPECT_THROW(straight_line(puma, 6, {0.3, 0.6, -0.4, 0.5, 0, -0.2}, {0.1, 0, 0}, 1, Profile::linear),
               SingularPosture);
  // Out of its plane no planar arm goes.
  const auto planar = std::make_shared<const Model>(shipped("planar3r"));
  EXPECT_THROW(straight_line(planar, 3, {0.5, 0.7, -0.3}, {0, 0, 0.1}, 1, Profile::linear), Unreachable);
}

TEST(StraightLine, RefusesWhatMakesNoSense) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  EXPECT_THROW(straight_line(puma, 7, start, {0.1, 0, 0}, 1, Profile::linear), ArgumentError);
  EXPECT_THROW(straight_line(puma, 6, {0, 0}, {0.1, 0, 0}, 1, Profile::linear), ArgumentError);
  EXPECT_THROW(straight_line(puma, 6, start, {NAN, 0, 0}, 1, Profile::linear), ArgumentError);
  EXPECT_THROW(straight_line(puma, 6, start, {0.1, 0, 0}, 0, Profile::linear), ArgumentError);
  const auto floating = std::make_shared<const Model>(shipped("free_flying_arm"));
  std::vector<double> q(floating->nq(), 0.0);
  q[3] = 1;
  EXPECT_THROW(straight_line(floating, int(floating->bodies().size()) - 1, q, {0.1, 0, 0}, 1, Profile::linear),
               ArgumentError);
}

// The guided point and how it moves, in the world.
struct PointMoved {
  Vec3<double> r, velocity, acceleration;
};
PointMoved point_at(const Model& model, const Guide& guide, const Trajectory& motion, double t) {
  std::vector<double> q(model.nq());
  const Moved m = at(model, guide.body, motion, t, q);
  const Vec3<double> arm = m.pose.R * guide.point;
  return {m.pose.r + arm, m.velocity.v + cross(m.velocity.w, arm),
          m.acceleration.v + cross(m.acceleration.w, arm) + cross(m.velocity.w, cross(m.velocity.w, arm))};
}

// Three joints of the PUMA lead the tip of a tool, whatever its attitude; the wrist rests.
TEST(StraightLine, LeadsAPointWithFreeAttitude) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const Guide guide{6, {0.05, -0.02, 0.1}, false, {0, 1, 2}};
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  const Vec3<double> way{0.1, 0.15, -0.2};
  const auto line = straight_line(puma, guide, start, way, 2, Profile::poly345);
  const Vec3<double> from = point_at(*puma, guide, *line, 0).r;
  for (const double t : {0.0, 0.3, 1.0, 1.6, 2.0}) {
    const ProfilePoint p = profile_at(Profile::poly345, t / 2);
    const PointMoved now = point_at(*puma, guide, *line, t);
    EXPECT_LE(norm(now.r - (from + way * p.s)), 1e3 * eps) << t;
    EXPECT_LE(norm(now.velocity - way * (p.rate / 2)), 1e3 * eps) << t;
    EXPECT_LE(norm(now.acceleration - way * (p.acceleration / 4)), 1e4 * eps) << t;
    std::vector<double> q(6), v(6), a(6);
    line->at(t, q, v, a);
    for (const size_t k : {3u, 4u, 5u}) EXPECT_EQ(q[k], start[k]);
  }
  // The tip stands beside the plane of joints 2 and 3, so nearer to the axis of joint 1 it cannot come.
  const double beside = -std::sin(start[0]) * from.x + std::cos(start[0]) * from.y;
  const Vec3<double> inwards{-0.2, 0.15, 0.1};
  EXPECT_LT(std::hypot(from.x + inwards.x, from.y + inwards.y), std::abs(beside));
  EXPECT_THROW(straight_line(puma, guide, start, inwards, 2, Profile::poly345), Unreachable);
}

// The wrist of two equal links passes the shoulder at the distance e: q2 = -2 acos(|r| / 2 l) never folds the arm quite, and
// q1 = atan2(y, x) + acos(|r| / 2 l) turns by half a turn there, however small e is.
TEST(StraightLine, StaysOnItsSideHoweverNearTheShoulderItPasses) {
  Robot robot;
  const double l = 0.8;
  add(robot, joint(JointType::revolute), mass(1, {l / 2, 0, 0}));
  add(robot, joint(JointType::revolute), mass(1, {l / 2, 0, 0}), {l, 0, 0});
  const auto arm = std::make_shared<const Model>(robot);
  const Guide tip{2, {l, 0, 0}, false};
  const auto posture = [&](double x, double y) {
    const double half = std::acos(std::hypot(x, y) / (2 * l));
    return std::vector{std::atan2(y, x) + half, -2 * half};
  };
  for (const double from : {0.34375, 0.31371, 0.37773})
    for (const double e : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      const auto line = straight_line(arm, tip, posture(from, e), {-1, 0, 0}, 1, Profile::linear);
      for (const double t : {from - 0.1, from - e, from + e / 2, from + 0.1, 1.0}) {
        std::vector<double> q(2), v(2), a(2);
        line->at(t, q, v, a);
        // Beside the fold the arm is turned by rounding over the distance from the shoulder.
        const double tolerance = 1e4 * eps / std::hypot(from - t, e);
        expect_near(q, posture(from - t, e), tolerance, fmt::format("{} m past the shoulder, t = {}", e, t));
      }
    }
}

// Where the reach of two links ends: |from + d u| is what they reach stretched out.
TEST(StraightLine, SaysHowFarItComes) {
  const auto planar = std::make_shared<const Model>(shipped("planar3r"));
  const Guide wrist{2, {0, 0, 0}, false, {0, 1}};
  const auto place = [&](const std::vector<double>& q) {
    return point_at(*planar, wrist, *straight_line(planar, wrist, q, {0, 0, 0}, 1, Profile::linear), 0).r;
  };
  const std::vector<double> start = {0.3, 1.4, 0};
  const double reach = norm(place({0.2, 1e-3, 0}));  // but for a part of 1e-7
  const Vec3<double> from = place(start);
  for (const double length : {0.8, 2.0, 5.0})
    for (const double heading : {0.3, 1.5}) {
      const Vec3<double> u{std::cos(heading), std::sin(heading), 0};
      const double along = dot(from, u), d = -along + std::sqrt(along * along + reach * reach - dot(from, from));
      if (d >= length) continue;
      try {
        straight_line(planar, wrist, start, u * length, 1, Profile::linear);
        ADD_FAILURE() << "the arm reaches " << length << " m farther";
      } catch (const Error& stuck) {
        const std::string told = stuck.what();
        const std::size_t at = told.find(", ");
        ASSERT_NE(at, std::string::npos) << told;
        EXPECT_NEAR(std::stod(told.substr(at + 2)), d, 1e-3) << told;  // four digits are shown
        EXPECT_NE(told.find(fmt::format(" m along a line of {:.4g} m", length)), std::string::npos) << told;
      }
    }
}

// r = c + cos(phi) rho + sin(phi) n x rho: the acceleration points to the axis where the speed is constant.
TEST(Circle, LeadsThePointRound) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  for (const bool kept : {true, false}) {
    const Guide guide{6, {0, 0, 0.1}, kept, kept ? std::vector<int>{} : std::vector<int>{0, 1, 2}};
    const auto probe = straight_line(puma, guide, start, {0, 0, 0}, 1, Profile::linear);
    const Vec3<double> from = point_at(*puma, guide, *probe, 0).r, centre = from + Vec3<double>{0.05, 0, 0.3},
                       radius{-0.05, 0, 0};  // the axis is z, through a point above the circle
    const double angle = 2 * M_PI, T = 3;
    const auto round = circle(puma, guide, start, centre, {0, 0, 2}, angle, T, Profile::linear);
    EXPECT_EQ(round->duration(), T);
    for (int i = 1; i < 12; ++i) {
      const double t = T * i / 12, phi = angle * i / 12, w = angle / T;
      const PointMoved now = point_at(*puma, guide, *round, t);
      const Vec3<double> rho = radius * std::cos(phi) + Vec3<double>{0, radius.x, 0} * std::sin(phi);
      EXPECT_LE(norm(now.r - (from - radius + rho)), 1e3 * eps) << t;
      EXPECT_LE(norm(now.velocity - cross(Vec3<double>{0, 0, w}, rho)), 1e4 * eps) << t;
      EXPECT_LE(norm(now.acceleration + rho * (w * w)), 1e5 * eps) << t;
    }
    EXPECT_THROW(circle(puma, guide, start, from + Vec3<double>{0, 0, 1}, {0, 0, 1}, 1, 1, Profile::linear),
                 ArgumentError)
        << "the point stands on the axis";
    EXPECT_THROW(circle(puma, guide, start, centre, {0, 0, 0}, 1, 1, Profile::linear), ArgumentError);
    const double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
    EXPECT_THROW(circle(puma, guide, start, {none, 0, 0}, {0, 0, 1}, 1, 1, Profile::linear), ArgumentError);
    EXPECT_THROW(circle(puma, guide, start, centre, {0, 0, 1}, endless, 1, Profile::linear), ArgumentError);
  }
}

// Which part of the pose cannot be had.
TEST(StraightLine, SaysWhetherPositionOrAttitudeIsTheReason) {
  const auto expect_reason = [](const std::shared_ptr<const Model>& model, const Guide& guide,
                                const std::vector<double>& start, const Vec3<double>& way, const char* words) {
    try {
      straight_line(model, guide, start, way, 1, Profile::linear);
      ADD_FAILURE() << words;
    } catch (const Unreachable& refused) {
      EXPECT_NE(std::string(refused.what()).find(words), std::string::npos) << refused.what();
    }
  };
  // Two links of the plane cannot keep their attitude, but bring the elbow's point anywhere near.
  const auto planar = std::make_shared<const Model>(shipped("planar3r"));
  expect_reason(planar, {2}, {0.5, 0.7, 0}, {-0.05, 0.02, 0}, "the attitude cannot be kept");
  EXPECT_NO_THROW(
      straight_line(planar, Guide{2, {0.1, 0, 0}, false}, {0.5, 0.7, 0}, {-0.05, 0.02, 0}, 1, Profile::linear));
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  expect_reason(puma, {6}, start, {3, 0, 0}, "the position is the reason");
  expect_reason(puma, {6, {}, false, {0, 1, 2}}, start, {3, 0, 0}, "the position is out of reach");
}

// Where a line is said to lead out of reach, no posture reaches beyond, from wherever one looks for it.
TEST(StraightLine, IsNotOutOfReachWhereAnotherPostureReaches) {
  Random random(5);
  int out_of_reach = 0, ends_otherwise = 0;
  for (int i = 0; i < 40; ++i) {
    const auto arm = std::make_shared<const Model>(
        random_robot(random, {.bodies = 6, .types = {JointType::revolute}, .chain = true}));
    const std::vector<double> start = random_q(random, *arm);
    const Vec3<double> way = random.direction() * 0.8;
    std::vector<double> q = start;
    try {
      straight_line(arm, 6, start, way, 1, Profile::linear);
      continue;
    } catch (const Unreachable& refused) {
      const std::string told = refused.what();
      Pose<double> beyond = at(*arm, 6, *straight_line(arm, 6, start, {0, 0, 0}, 1, Profile::linear), 0, q).pose;
      beyond.r += way * (std::stod(told.substr(told.find(", ") + 2)) / 0.8 + 2e-3);
      for (int attempt = 0; attempt < 10; ++attempt)
        EXPECT_THROW(posture_near(*arm, 6, beyond, random_q(random, *arm)), Unreachable) << told;
      ++out_of_reach;
    } catch (const SingularPosture&) {
      ++ends_otherwise;
    }
  }
  EXPECT_GT(out_of_reach, 0);
  EXPECT_GT(ends_otherwise, 0);
}

TEST(StraightLine, AsksWhoTakesPart) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  EXPECT_THROW(straight_line(puma, Guide{6, {}, false}, start, {0.1, 0, 0}, 1, Profile::linear), ArgumentError)
      << "six joints for three coordinates";
  EXPECT_THROW(straight_line(puma, Guide{2, {}, false, {5}}, start, {0.1, 0, 0}, 1, Profile::linear), ArgumentError)
      << "a joint beyond the body";
}

// About an axis in any direction, given by a vector of any length and either sign, from a point above or below the centre:
//   r = c + along + cos(phi) rho + sin(phi) n x rho
TEST(Circle, TurnsAboutAnyAxis) {
  const auto puma = std::make_shared<const Model>(shipped("puma560"));
  const std::vector<double> start = {0.3, 0.6, -0.4, 0.5, 0.7, -0.2};
  const Guide guide{6, {0, 0, 0.1}, false, {0, 1, 2}};
  const auto probe = straight_line(puma, guide, start, {0, 0, 0}, 1, Profile::linear);
  const Vec3<double> from = point_at(*puma, guide, *probe, 0).r;
  std::vector<Vec3<double>> axes = {{1, 1, 0}, {0, 1, 1}, {-1, 0, 1}, {1, -2, 3}, {-3, -1, -1}, {0, -1, 0}, {1, 0, 0}};
  Random random(4);
  for (int i = 0; i < 8; ++i) axes.push_back(random.direction());
  for (const Vec3<double>& axis : axes)
    for (const double length : {1.0, 0.1, 7.0, 1e-160, 1e160}) {
      const Vec3<double> n = axis * (1 / norm(axis)), across = cross(n, random.direction());
      const Vec3<double> rho = across * (0.05 / norm(across)), along = n * random.uniform(-0.3, 0.3);
      const double angle = random.uniform(-6, 6), T = 3, w = angle / T;
      const auto round = circle(puma, guide, start, from - rho - along, axis * length, angle, T, Profile::linear);
      for (int i = 1; i < 8; ++i) {
        const double phi = angle * i / 8;
        const PointMoved now = point_at(*puma, guide, *round, T * i / 8);
        const Vec3<double> turned = rho * std::cos(phi) + cross(n, rho) * std::sin(phi);
        EXPECT_LE(norm(now.r - (from - rho + turned)), 1e3 * eps)
            << axis.x << ' ' << axis.y << ' ' << axis.z << ' ' << length;
        EXPECT_LE(norm(now.velocity - cross(n, turned) * w), 1e4 * eps);
        EXPECT_LE(norm(now.acceleration + turned * (w * w)), 1e5 * eps);
      }
    }
  // What is no direction or no place, in whichever entry.
  for (const double none : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int i = 0; i < 3; ++i) {
      Vec3<double> bad{0.1, 0.2, 0.3};
      (i == 0 ? bad.x : i == 1 ? bad.y : bad.z) = none;
      EXPECT_THROW(circle(puma, guide, start, from, bad, 1, 1, Profile::linear), Error) << i << ' ' << none;
      EXPECT_THROW(circle(puma, guide, start, bad, {0, 0, 1}, 1, 1, Profile::linear), ArgumentError)
          << i << ' ' << none;
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
