// Controllers that follow a motion given in the joints do not allocate: they run inside integrators.
#include <gtest/gtest.h>

#include <numeric>

#include "counting_new.hpp"
#include "denoc/denoc.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(ControllerAllocation, NoneInTorques) {
  Random random(82);
  const auto model = std::make_shared<const Model>(random_robot(random, {.bodies = 10}));
  const auto q = random_q<double>(random, *model), v = random_vector<double>(random, model->nv());
  const auto motion = point_to_point(model, random_q<double>(random, *model), q, 1, Profile::trapezoidal);
  const Gains gains{v, v};
  std::vector<int> all(model->nv());  // free joints too
  std::iota(all.begin(), all.end(), 0);
  for (const auto& control : {feed_forward(model, motion, all), pd(model, motion, gains, all),
                              pd_with_gravity(model, motion, gains, all), computed_torque(model, motion, gains, all)}) {
    std::vector<double> tau(model->nv());
    const long before = allocations();
    control->torques(0.4, q, v, tau);
    EXPECT_EQ(control->next_break(0.9), 1);
    EXPECT_EQ(allocations() - before, 0);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
