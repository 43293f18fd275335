#include "denoc/motion/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace denoc {
namespace {
namespace THIS_FILE {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr Profile all[] = {Profile::linear, Profile::cycloidal, Profile::poly345, Profile::poly4567,
                           Profile::trapezoidal};

TEST(Profile, HasAName) {
  for (const Profile profile : all) EXPECT_EQ(profile_named(name_of(profile)), profile);
  EXPECT_EQ(name_of(Profile::poly4567), "poly4567");
  EXPECT_FALSE(profile_named("sudden"));
}

TEST(Profile, GoesFromZeroToOneAndRestsBeyond) {
  for (const Profile profile : all) {
    EXPECT_EQ(profile_at(profile, 0).s, 0) << name_of(profile);
    EXPECT_NEAR(profile_at(profile, 1).s, 1, 2 * eps) << name_of(profile);
    for (const double x : {-0.1, 1.1}) {
      const ProfilePoint p = profile_at(profile, x);
      EXPECT_EQ(p.s, x < 0 ? 0 : 1);
      EXPECT_EQ(p.rate, 0);
      EXPECT_EQ(p.acceleration, 0);
    }
  }
}

TEST(Profile, EndsAsItsOrderSays) {
  for (const double x : {0.0, 1.0}) {
    EXPECT_EQ(profile_at(Profile::linear, x).rate, 1);
    for (const Profile profile : {Profile::cycloidal, Profile::poly345, Profile::poly4567}) {
      EXPECT_NEAR(profile_at(profile, x).rate, 0, eps) << name_of(profile);
      EXPECT_NEAR(profile_at(profile, x).acceleration, 0, 40 * eps) << name_of(profile);  // (2 pi)^2 eps
    }
    EXPECT_EQ(profile_at(Profile::trapezoidal, x).rate, 0);
    EXPECT_EQ(profile_at(Profile::trapezoidal, x).acceleration, x == 0 ? 4.5 : -4.5);
    // the third derivative of 4-5-6-7 vanishes, too: what is left grows with the square
    const double h = 1e-4;
    EXPECT_NEAR(profile_at(Profile::poly4567, std::abs(x - h)).acceleration, (x == 0 ? 420 : -420) * h * h,
                2000 * h * h * h);
  }
}

TEST(Profile, IsThatOfItsFormula) {
  for (const double x : {0.1, 0.3, 0.5, 0.8, 0.95}) {
    EXPECT_NEAR(profile_at(Profile::poly345, x).s, 6 * std::pow(x, 5) - 15 * std::pow(x, 4) + 10 * std::pow(x, 3),
                32 * eps);
    EXPECT_NEAR(profile_at(Profile::poly4567, x).s,
                -20 * std::pow(x, 7) + 70 * std::pow(x, 6) - 84 * std::pow(x, 5) + 35 * std::pow(x, 4), 200 * eps);
    EXPECT_NEAR(profile_at(Profile::cycloidal, x).s, x - std::sin(2 * M_PI * x) / (2 * M_PI), 4 * eps);
  }
  EXPECT_NEAR(profile_at(Profile::trapezoidal, 1.0 / 3).s, 0.25, eps);
  EXPECT_NEAR(profile_at(Profile::trapezoidal, 2.0 / 3).s, 0.75, eps);
}

TEST(Profile, IsSymmetric) {
  for (const Profile profile : all)
    for (int i = 0; i <= 100; ++i) {
      const double x = (i + 0.25) / 101;
      const ProfilePoint p = profile_at(profile, x), mirrored = profile_at(profile, 1 - x);
      EXPECT_NEAR(p.s + mirrored.s, 1, 200 * eps) << name_of(profile) << x;
      EXPECT_NEAR(p.rate, mirrored.rate, 64 * eps) << name_of(profile) << x;
      EXPECT_NEAR(p.acceleration, -mirrored.acceleration, 256 * eps) << name_of(profile) << x;
    }
}

// Central differences err by h^2/6 times a third derivative (at most 1.2e3 here), and by rounding over h.
TEST(Profile, DerivativesAreDerivatives) {
  const double h = 1e-5, tolerance = h * h / 6 * 1.2e3 * 6 + 100 * eps / h;
  for (const Profile profile : all)
    for (int i = 0; i < 100; ++i) {
      const double x = 0.005 + 0.0099 * i;
      const ProfilePoint p = profile_at(profile, x), after = profile_at(profile, x + h),
                         before = profile_at(profile, x - h);
      EXPECT_NEAR(p.rate, (after.s - before.s) / (2 * h), tolerance) << name_of(profile) << x;
      EXPECT_NEAR(p.acceleration, (after.rate - before.rate) / (2 * h), tolerance) << name_of(profile) << x;
    }
}

TEST(Profile, BreaksAreWhereTheAccelerationJumps) {
  for (const Profile profile : all) {
    for (const double x : profile_breaks(profile))
      EXPECT_GT(std::abs(profile_at(profile, x + 1e-9).acceleration - profile_at(profile, x - 1e-9).acceleration), 1);
    EXPECT_EQ(profile_breaks(profile).size(), profile == Profile::trapezoidal ? 2u : 0u);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc
