// Rotors behind gears: numbers on the diagonal of the inertia matrix, at the price of a few operations per joint.
#include <gtest/gtest.h>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/model/serial_chain.hpp"
#include "support/expect.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

Robot geared(Robot robot) {
  for (Body& body : robot.bodies)
    if (body.joint.type == JointType::revolute) body.joint.actuator = {.gear = 100, .rotor_inertia = 1e-4};
  return robot;
}

// Every method, with and without: I differs by the rotors and nothing else.
TEST(Rotors, StandOnTheDiagonal) {
  Random random(11);
  for (int robots = 0; robots < 10; ++robots) {
    Robot robot = random_robot(random, {.bodies = 7, .rotors = false});
    const Model bare(robot);
    if (bare.nv() == 0) continue;
    for (Body& body : robot.bodies)
      if (body.joint.type != JointType::free && body.joint.type != JointType::fixed)
        body.joint.armature = random.uniform(0.1, 3);
    const Model model(robot);
    const State<double> s(random, model);
    const size_t n = size_t(model.nv());
    Configuration<double> plain(bare), with(model);
    place<double>(bare, s.q, plain);
    place<double>(model, s.q, with);
    for (const auto& method : inertia_formulations<double>()) {
      std::vector<double> I(n * n), J(n * n);
      method.prepare(bare)(plain, I);
      method.prepare(model)(with, J);
      for (const auto& [k, inertia] : model.rotors()) I[size_t(k) * n + size_t(k)] += inertia;
      expect_near(J, I, 64 * double(n) * 2.2e-16 * largest(I), std::string(method.name));
    }
    for (const auto& method : inverse_formulations<double>()) {
      std::vector<double> tau(n), expected(n);
      method.prepare(bare)(plain, s.v, s.a, expected, {});
      method.prepare(model)(with, s.v, s.a, tau, {});
      for (const auto& [k, inertia] : model.rotors()) expected[size_t(k)] += inertia * s.a[size_t(k)];
      expect_near(tau, expected, 256 * double(n) * 2.2e-16 * (1 + largest(expected)), std::string(method.name));
    }
  }
}

// A massless link is no singular joint if its drive has a rotor.
TEST(Rotors, CarryAMasslessLink) {
  Robot robot = serial_chain(2);
  robot.bodies[2].inertial = {};
  robot.bodies[2].joint.armature = 0.5;
  const Model model(robot);
  const std::vector<double> q = {0.3, -0.4}, v = {0, 0}, tau = {0, 1};
  Machine<double> machine(model, q, v);
  EXPECT_NEAR(machine.forward(tau)[1], 2, 1e-14) << "tau / armature: nothing else is there";
  robot.bodies[2].joint.armature = 0;
  const Model without(robot);
  Machine<double> singular(without, q, v);
  EXPECT_THROW(singular.forward(tau), SingularInertia);
}

// Executed operations per joint of a long chain, against those of the same chain without rotors.
TEST(Rotors, CostLessThanAThird) {
  using C = Counted<double>;
  const auto count = [](const Robot& robot) {
    const Model model(robot);
    Configuration<C> at(model);
    ForwardScratch<C> scratch(model);
    const size_t n = size_t(model.nv());
    std::vector<C> q(n, C(0.3)), v(n, C(0.1)), tau(n, C(1.0)), a(n);
    place<C>(model, q, at);
    const OperationCount before = C::count();
    forward_dynamics<C>(model, at, v, tau, scratch, a);
    const OperationCount spent = C::count() - before;
    return double(spent.mul + spent.add + spent.div) / double(n);
  };
  const Robot chain = serial_chain(100);
  const double plain = count(chain), rotors = count(geared(chain));
  EXPECT_GT(rotors, plain);
  EXPECT_LE(rotors, 1.3 * plain) << rotors << " operations a joint instead of " << plain;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
