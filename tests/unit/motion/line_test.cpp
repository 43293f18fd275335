#include "denoc/motion/line.hpp"

#include "denoc/kinematics/inverse_rates.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {

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

}  // namespace
}  // namespace denoc::test
