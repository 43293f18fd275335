// What driven joints lead, and with what forces, in whatever units.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/driven_chain.hpp"
#include "support/mechanisms.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

// A motor that moves a stage by so many metres for each radian.
Robot stage(double pitch) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  const int motor = add_to(robot, 0, joint(JointType::revolute), mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, 1})),
            table = add_to(robot, 0, joint(JointType::prismatic), mass(1));
  Loop screw;
  screw.type = LoopType::polynomial;
  screw.a.body = motor;
  screw.b.body = table;
  screw.coefficients = {0, pitch};
  robot.loops.push_back(screw);
  return robot;
}

// v = q' (1, pitch): whoever of the two is driven leads the other, and does its work. The motions that loops leave are known
// to some roundings of their largest part.
TEST(DrivenChain, LeadsHoweverFineTheScrew) {
  for (const double pitch : {1.0, 1e-3, 1e-6, 1e-8, 1e-10, 1e3})
    for (const int driven : {0, 1}) {
      SCOPED_TRACE(testing::Message() << pitch << ", driven " << driven);
      const double rounding = 16 * std::numeric_limits<double>::epsilon() / std::min(pitch, 1 / pitch);
      const Model model(stage(pitch));
      motion::DrivenChain chain(model, {driven});
      chain.place(Vector{0, 0});
      EXPECT_EQ(chain.leading(), std::vector<int>{driven});
      const Vector way = {1, pitch}, all = {0.7, 0.3 / pitch};
      Vector v(2), a(2), tau(2);
      Vector given(2);
      given[std::size_t(driven)] = way[std::size_t(driven)];
      chain.rates(given, v);
      chain.accelerations(v, given, a);
      chain.forces(all, tau);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(v[k], way[k], rounding * way[k]);
        EXPECT_NEAR(a[k], way[k], rounding * way[k]);
      }
      EXPECT_EQ(tau[std::size_t(1 - driven)], 0);
      EXPECT_NEAR(tau[std::size_t(driven)] * way[std::size_t(driven)], 1, rounding);
    }
}

// A slider-crank of any size, driven by either or by both.
TEST(DrivenChain, LeadsHoweverSmallTheRobot) {
  for (const std::vector<int>& driven : {std::vector<int>{0}, {2}, {2, 0}, {0, 1}}) {
    const auto found = [&](double length) {
      const Model model(scaled(slider_crank(), {length}));
      motion::DrivenChain chain(model, driven);
      const Vector q = chain.chain().assemble(Vector{0.9, -1.2, 0.5 * length}, {0});
      Vector v(3), a(3), tau(3);
      chain.place(q);
      chain.rates(Vector{1, -0.4, -0.1 * length}, v);
      chain.accelerations(v, Vector{0.5, 0.2, 0.3 * length}, a);
      return std::tuple{chain.leading(), Vector{v[0], v[1], v[2] / length}, Vector{a[0], a[1], a[2] / length}};
    };
    const auto [leading, v, a] = found(1);
    for (const double length : {0x1p-40, 0x1p-20, 0x1p-10, 0x1p10, 0x1p20}) {
      SCOPED_TRACE(testing::Message() << length << ", driven " << driven[0]);
      const auto [leading_now, v_now, a_now] = found(length);
      EXPECT_EQ(leading_now, leading);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(v_now[k], v[k], 1e-9 * (1 + std::abs(v[k])));
        EXPECT_NEAR(a_now[k], a[k], 1e-9 * (1 + std::abs(a[k])));
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
