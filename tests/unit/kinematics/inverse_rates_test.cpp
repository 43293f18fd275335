// Joint rates of robots whose joints stand along the axes of the world, or nearly so: where reflections cancel digits
// if they may.
#include "denoc/kinematics/inverse_rates.hpp"

#include <gtest/gtest.h>

#include "support/build.hpp"
#include "support/laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class T> struct NearlySquareRates : testing::Test {};
using Scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(NearlySquareRates, Scalars);

// Hinges and slides along x, y and z, the way of either sign, that meet in the body's origin: J = +-1 but for the tilt.
Robot tilted_gantry(Random& random, int joints, double tilt) {
  const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Robot robot;
  for (int k = 0; k < joints; ++k) {
    const Vec3<double> axis = axes[k % 3] * (random.below(2) == 0 ? 1.0 : -1.0) + random.vector(tilt);
    add(robot, joint(k % 6 < 3 ? JointType::revolute : JointType::prismatic, axis * (1 / norm(axis))), mass(1));
  }
  return robot;
}

// J v = t gives the v that t was made of, and of more than six joints none longer. The columns of J are square to each
// other but for the tilt, so that c n eps is all that reflections may leave of either; c as in dynamics/rounding.hpp.
TYPED_TEST(NearlySquareRates, AreThoseThatTheTwistWasMadeOf) {
  using T = TypeParam;
  for (const int joints : {1, 2, 3, 4, 5, 6, 8})
    for (const double tilt : {0.0, 1e-17, 1e-14, 1e-11, 1e-9, 3e-9, 1e-8, 3e-8, 1e-7, 1e-5, 3e-4, 1e-3, 0.01, 0.1})
      for (unsigned seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(testing::Message() << joints << " joints, tilted by " << tilt << ", " << seed);
        Random random(seed);
        const BasicModel<T> model(tilted_gantry(random, joints, tilt));
        const std::vector<T> given = random_vector<T>(random, joints), still(given.size());
        Machine<T> machine(model, std::vector<T>(given.size()), given);
        const Twist<T> twist = velocity_in_world<T>(model, machine.kin, joints);
        InverseRatesScratch<T> scratch(model);
        std::vector<T> found(given.size());
        joint_rates<T>(model, machine.kin, joints, twist, scratch, found);
        const double rounding = 8 * joints * double(Epsilon<T>::epsilon()) * joints;
        if (joints <= 6) {
          EXPECT_LE(largest_difference(found, given), rounding);
          continue;
        }
        velocities<T>(model, found, machine.kin);
        const Twist<T> again = velocity_in_world<T>(model, machine.kin, joints);
        EXPECT_LE(double(norm(again.w - twist.w) + norm(again.v - twist.v)), rounding);
        const auto length = [](const std::vector<T>& v) {
          double squares = 0;
          for (const T& each : v) squares += double(each * each);
          return std::sqrt(squares);
        };
        EXPECT_LE(length(found), length(given) * (1 + rounding));
      }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
