// Robots whose base floats: what drives do to it, and what it takes to hold it.                    [Angeles7 7.5.2]
#include <cmath>

#include "denoc/control/controllers.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/gains.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// A motor turns a wheel against the base that carries it: T = I_w (w + w_b)' = -I_b w_b'.
TEST(Floating, TheBaseTurnsAgainstItsWheel) {
  const double base = 3, wheel = 0.2, torque = 0.7;
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::free), mass(10, {0, 0, 0}, {base, 0, base, 0, 0, base}));
  add(robot, joint(JointType::revolute), mass(0.5, {0, 0, 0}, {wheel, 0, wheel, 0, 0, wheel}));
  const Model model(robot);
  auto setup = setup_of({0, 0, 0, 1, 0, 0, 0, 0}, std::vector<double>(7), 2, 0.5, tight(1e-11));
  setup.control = given_torques([&](double, std::span<double> tau) { tau[6] = torque; });
  const Simulated run = simulated(model, setup);
  for (const Kept& sample : run.samples) {
    const double t = sample.t, turned = -torque / base * t * t / 2;
    expect_near(sample.v, {0, 0, 2 * turned / (t > 0 ? t : 1), 0, 0, 0, torque * (1 / base + 1 / wheel) * t}, 1e-9,
                "v");
    EXPECT_NEAR(sample.q[6], std::sin(turned / 2), 1e-9) << t;
  }
}

// The arm moves; a base without drives moves as well, so that the momenta stay zero; one with thrusters is held.
TEST(Floating, AnArmMovesItsBaseUnlessItIsHeld) {
  const auto model = std::make_shared<const Model>(shipped("free_flying_arm"));
  std::vector<double> from = {0, 0, 0, 1, 0, 0, 0, 0.4, -0.8, 1.3}, to = from;
  for (std::size_t i = 7; i < 10; ++i) to[i] += 0.5;
  const auto motion = point_to_point(model, from, to, 1, Profile::poly345);
  const std::vector<int> arm = {6, 7, 8}, all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const Gains gains = gains_of(arm, 9, 400, 40);
  auto setup = setup_of(from, std::vector<double>(9), 1.5, 0.1, tight(1e-10));

  setup.control = pd(model, motion, gains);  // a base that is not named is not driven
  const Simulated floating = simulated(*model, setup);
  const std::vector<double>& end = floating.samples.back().q;
  EXPECT_GT(std::hypot(end[4], end[5], end[6]), 0.01) << "the base did not turn";
  for (const Kept& sample : floating.samples) {
    for (int k = 0; k < 6; ++k) EXPECT_EQ(sample.tau[std::size_t(k)], 0);
    const Wrench<double> p = momentum(*model, sample);
    EXPECT_LE(norm(p.f), 1e-7) << sample.t;
    EXPECT_LE(norm(p.n), 1e-7) << sample.t;
  }

  setup.control = computed_torque(model, motion, gains_of(all, 9, 400, 40), all);
  const Simulated flying = simulated(*model, setup);
  for (const Kept& sample : flying.samples) {
    expect_near<double>({sample.q.begin(), sample.q.begin() + 7}, {0, 0, 0, 1, 0, 0, 0}, 1e-8, "base");
  }
  expect_near(flying.samples.back().q, to, 1e-8, "q");

  // The law knows what the base does by itself: the arm is on its motion all the way.
  setup.control = computed_torque(model, motion, gains, arm);
  for (const Kept& sample : simulated(*model, setup).samples) {
    std::vector<double> q(10), v(9), a(9);
    motion->at(sample.t, q, v, a);
    expect_near<double>({sample.q.begin() + 7, sample.q.end()}, {q.begin() + 7, q.end()}, 1e-8, "arm");
    for (int k = 0; k < 6; ++k) EXPECT_EQ(sample.tau[std::size_t(k)], 0);
    const Wrench<double> p = momentum(*model, sample);
    EXPECT_LE(norm(p.f), 1e-7) << sample.t;
    EXPECT_LE(norm(p.n), 1e-7) << sample.t;
  }

  // Any other joint without a drive is one that the law cannot lead.
  const std::vector<int> without_forearm = {6, 7};
  try {
    computed_torque(model, motion, gains_of(without_forearm, 9, 400, 40), {0, 1, 2, 3, 4, 5, 6, 7});
    FAIL() << "the forearm has no drive";
  } catch (const NotDriveable& refused) {
    EXPECT_NE(std::string(refused.what()).find("'forearm'"), std::string::npos) << refused.what();
  }
}

// Inverse dynamics with the base undriven: what fits the momenta is had, anything else is refused with the base's name.
TEST(Floating, OnlyMotionsThatKeepTheMomentaNeedNoBaseDrive) {
  const Model model(shipped("free_flying_arm"));
  ClosedChain tree(model);
  const std::vector<double> q = {0.1, 0, 0, 0.8, 0, 0.6, 0, 0.4, -0.8, 1.3},
                            v = {0.1, -0.2, 0.3, 0.05, 0, 0, 0.5, -0.4, 0.3}, tau = {0, 0, 0, 0, 0, 0, 2, -1, 0.5};
  std::vector<double> a = tree.forward_dynamics(q, v, tau).a;
  expect_near(tree.inverse_dynamics(q, v, a, {6, 7, 8}).tau, tau, 1e-10, "tau");
  a[2] += 0.1;
  EXPECT_THROW(tree.inverse_dynamics(q, v, a, {6, 7, 8}), NotDriveable);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
