// What is refused or doubted of a robot by how large a number is: against what it is measured.
#include <gtest/gtest.h>

#include <algorithm>

#include "denoc/model/quaternions.hpp"
#include "support/build.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

bool says(const std::vector<Fault>& faults, const char* words) {
  return std::any_of(faults.begin(), faults.end(),
                     [&](const Fault& fault) { return fault.rule.find(words) != std::string::npos; });
}

// R diag(moments) R^T
Sym3<double> with_moments(const Mat3<double>& R, const Vec3<double>& moments) {
  const Vec3<double> x = column_x(R), y = column_y(R), z = column_z(R);
  const auto entry = [&](double Vec3<double>::*i, double Vec3<double>::*j) {
    return moments.x * x.*i * x.*j + moments.y * y.*i * y.*j + moments.z * z.*i * z.*j;
  };
  constexpr auto X = &Vec3<double>::x, Y = &Vec3<double>::y, Z = &Vec3<double>::z;
  return {entry(X, X), entry(X, Y), entry(Y, Y), entry(X, Z), entry(Y, Z), entry(Z, Z)};
}

// A moment below zero is a fault, or what products of axes have left of a zero: by its part of the largest moment,
// however large the hub is and whatever its axes.
TEST(RulesOfSize, HubsHaveNoNegativeMomentsButForRounding) {
  Random random(3);
  for (int decade = -12; decade <= 12; ++decade)
    for (const double part : {-1.0, -1e-3, -1e-7, -1e-11, -1e-15, 0.0, 1e-11, 1e-3, 1.0})
      for (const double middle : {0.0, 0.5, 1.0})
        for (const bool is_askew : {false, true}) {
          const double size = std::pow(10, decade);
          Robot robot;
          add(robot, joint(JointType::revolute), mass(1, {0.1, 0, 0}, {1, 0, 1, 0, 0, 1})).inertial.hub = with_moments(
              is_askew ? rotation(random.attitude()) : identity3<double>(), Vec3<double>{part, middle, 1} * size);
          EXPECT_EQ(says(faults_of(robot), "an inertia is positive semidefinite"), part < -1e-9)
              << size << " " << part << " " << middle;
        }
}

// How far a body reaches is what any of these tells: its mass centre, its own frame, the joints that it carries. The
// radius of gyration of what is so small is doubted above 1 m and a hundred times that, and above 10 m of any body.
TEST(DoubtsOfSize, AreOfGyrationBeyondWhateverTellsHowFarABodyReaches) {
  int doubted = 0;
  for (const double com : {0.0, 0.001, 0.015, 0.08})
    for (const double own : {0.0, 0.001, 0.015, 0.08})
      for (const double next : {0.0, 0.001, 0.015, 0.08})
        for (const double radius : {0.5, 0.99, 1.01, 1.49, 1.51, 7.9, 8.1, 9.9, 10.1}) {
          Robot robot;
          const double m = 2, moment = m * radius * radius;
          // in three directions: the distance is what counts
          add(robot, joint(JointType::revolute),
              mass(m, Vec3<double>{0.6, 0, -0.8} * com, {moment, 0, moment, 0, 0, moment}))
              .own_frame.r = Vec3<double>{-0.48, 0.6, 0.64} * own;
          if (next > 0) add(robot, joint(JointType::revolute), mass(1), Vec3<double>{0, -0.8, 0.6} * next);
          const double extent = std::max({com, own, next});
          const bool is_doubted = radius > 10 || (extent > 0 && radius > 100 * extent && radius > 1);
          EXPECT_EQ(says(warnings_of(robot), "its radius of gyration"), is_doubted)
              << radius << " m, of " << com << ", " << own << ", " << next;
          doubted += is_doubted ? 1 : 0;
        }
  EXPECT_GT(doubted, 100);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
