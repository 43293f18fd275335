// Equilibria of linkages with dead points: what is found is where the linkage rests, not where its equations are singular.
#include <gtest/gtest.h>

#include <cmath>

#include "denoc/mechanism/linearize.hpp"
#include "support/overconstrained.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// Wheels coupled by rods that all lie in line at 0, where the wheels may turn either way: gravity pulls hardest there, and
// rests below and above. In any unit, and tilted with gravity.
TEST(Equilibrium, IsFoundBesideDeadPoints) {
  for (const double length : {1.0, 1024.0, 1.0 / 1024})
    for (const double tilt : {0.0, 1e-6, 0.7}) {
      Robot wheels = scaled(coupled_wheels(), {length});
      const Mat3<double> R =
          rotation(Quaternion<double>{std::cos(tilt / 2), 0.6 * std::sin(tilt / 2), 0, 0.8 * std::sin(tilt / 2)});
      wheels.gravity = R * wheels.gravity;
      for (Body& body : std::span(wheels.bodies).subspan(1))
        if (body.parent == 0) body.joint_frame = Pose<double>{R, {0, 0, 0}} * body.joint_frame;
      for (Loop& loop : wheels.loops)
        for (Attachment* end : {&loop.a, &loop.b})
          if (end->body == 0) end->frame = Pose<double>{R, {0, 0, 0}} * end->frame;
      const Mechanism mechanism(wheels);
      Dynamics d(mechanism);
      const std::vector<double> none(std::size_t(mechanism.nv()));
      for (const double from : {0.0, 1e-9, 1e-6, 1e-4, 1e-3, -0.1, 0.3}) {
        SCOPED_TRACE(testing::Message() << length << ' ' << tilt << ' ' << from);
        const std::vector<double> q = equilibrium(d, std::vector<double>{from, -from, from, from}, none);
        EXPECT_NEAR(std::abs(q[0]), M_PI / 2, 1e-6);
        EXPECT_NEAR(std::abs(q[2]), M_PI / 2, 1e-6);
      }
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
