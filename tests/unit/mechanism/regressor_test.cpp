// The regressor of a mechanism, and which parameters motions can tell apart.
#include "denoc/mechanism/regressor.hpp"

#include <gtest/gtest.h>

#include "denoc/model/serial_chain.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

std::vector<double> product(const MatrixView& Y, const std::vector<double>& parameters) {
  std::vector<double> tau(size_t(Y.rows()), 0.0);
  for (int i = 0; i < Y.rows(); ++i)
    for (int k = 0; k < Y.columns(); ++k) tau[size_t(i)] += Y(i, k) * parameters[size_t(k)];
  return tau;
}

// What rounding explains of Y pi: an entry of Y has come through as many frames as there are bodies, some 30 operations
// each, and a row of it adds up; all in parts of the largest sum of |Y| |pi|.
double rounding_of(const MatrixView& Y, const std::vector<double>& parameters, const Mechanism& mechanism) {
  double most = 0;
  for (int i = 0; i < Y.rows(); ++i) {
    double sum = 0;
    for (int k = 0; k < Y.columns(); ++k) sum += std::abs(Y(i, k) * parameters[size_t(k)]);
    most = std::max(most, sum);
  }
  const double operations = 30.0 * double(mechanism.robot().bodies.size()) + Y.columns();
  return operations * std::numeric_limits<double>::epsilon() * most;
}

TEST(MechanismRegressor, TimesTheParametersIsTau) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    Robot robot = random_robot(random, {.bodies = 6, .free_root = trial % 2 == 0});
    for (Body& body : robot.bodies) {
      body.joint.friction.viscous = random.uniform(0, 2);
      body.joint.friction.coulomb = random.uniform(0, 2);
      body.joint.friction.surface_speed = random.uniform(-1, 1);
    }
    const Mechanism mechanism(robot);
    if (mechanism.nv() == 0) continue;
    Dynamics without(mechanism), with(mechanism, Forces::all);
    const State<double> s(random, mechanism.tree());
    const auto check = [&](Regressor&& regressor, Dynamics& d) {
      const auto tau = d.inverse(s.q, s.v, s.a);
      const std::vector<double> expected(tau.begin(), tau.end());
      const MatrixView Y = regressor.at(s.q, s.v, s.a);
      EXPECT_LE(largest_difference(product(Y, regressor.parameters()), expected),
                rounding_of(Y, regressor.parameters(), mechanism));
    };
    check(Regressor(mechanism), without);
    check(Regressor(mechanism, Regressor::Friction::viscous_and_coulomb), with);
  }
}

TEST(MechanismRegressor, OfManyStatesIsThatOfEach) {
  Random random(6);
  const Mechanism mechanism(random_robot(random, {.bodies = 5}));
  Regressor regressor(mechanism);
  const size_t count = 9, numbers = size_t(mechanism.nv()) * size_t(regressor.columns());
  std::vector<double> q, v, a, all(count * numbers);
  for (size_t r = 0; r < count; ++r) {
    const State<double> s(random, mechanism.tree());
    q.insert(q.end(), s.q.begin(), s.q.end());
    v.insert(v.end(), s.v.begin(), s.v.end());
    a.insert(a.end(), s.a.begin(), s.a.end());
  }
  for (const int threads : {1, 3}) {
    Executor executor(threads);
    regressor.at(q, v, a, all, executor);
    for (size_t r = 0; r < count; ++r) {
      const auto part = [&](const std::vector<double>& x, int n) {
        return std::span(x).subspan(r * size_t(n), size_t(n));
      };
      const MatrixView one = regressor.at(part(q, mechanism.nq()), part(v, mechanism.nv()), part(a, mechanism.nv()));
      EXPECT_TRUE(std::equal(one.entries().begin(), one.entries().end(), all.begin() + std::ptrdiff_t(r * numbers)));
    }
  }
}

// Numbers are counted to the last, however many: 2^32 too few are too few.
TEST(MechanismRegressor, OfManyStatesCountsNumbersBeyondInt) {
  const Mechanism mechanism(serial_chain(200));
  Regressor regressor(mechanism);
  const size_t nv = 200, numbers = nv * size_t(regressor.columns()), beyond = size_t(1) << 32,
               count = beyond / numbers + 1;
  const std::vector<double> rest(count * nv);
  std::vector<double> some(count * numbers - beyond);
  Executor executor(1);
  EXPECT_THROW(regressor.at(rest, rest, rest, some, executor), ArgumentError);
}

// A pendulum about y under gravity feels the two moments of mass across its axis, and its moment of inertia with the rotor.
TEST(MechanismRegressor, APendulumHasThreeBaseParameters) {
  Robot robot;
  Body body;
  body.name = "bob";
  body.joint.type = JointType::revolute;
  body.joint.axis = {0, 1, 0};
  body.inertial = {2, {0.1, 0.2, -0.5}, {0.3, 0, 0.4, 0, 0, 0.5}, {}};
  robot.bodies.push_back(body);
  const Mechanism mechanism(robot);
  Regressor regressor(mechanism);
  const BaseParameters base = base_parameters(regressor);
  EXPECT_EQ(base.names, (std::vector<std::string>{"bob.hx", "bob.hz", "bob.Iyy + bob.rotor"}));
  const std::vector<double> beta = base.grouped(regressor.parameters());
  EXPECT_NEAR(beta[0], 0.2, 1e-15);
  EXPECT_NEAR(beta[1], -1, 1e-15);
  EXPECT_NEAR(beta[2], 0.4 + 2 * (0.01 + 0.25), 1e-14);
}

// What is grouped gives the same tau.
TEST(MechanismRegressor, BaseParametersGiveTheSameTau) {
  Random random(9);
  const Mechanism mechanism(serial_chain(4));
  Regressor regressor(mechanism);
  const BaseParameters base = base_parameters(regressor);
  const std::vector<double> beta = base.grouped(regressor.parameters());
  for (int trial = 0; trial < 5; ++trial) {
    const State<double> s(random, mechanism.tree());
    const MatrixView Y = regressor.at(s.q, s.v, s.a);
    const std::vector<double> expected = product(Y, regressor.parameters());
    std::vector<double> found(expected.size(), 0.0);
    for (size_t i = 0; i < found.size(); ++i)
      for (size_t k = 0; k < beta.size(); ++k) found[i] += Y(int(i), base.independent[k]) * beta[k];
    // The relations are known to the condition of the independent columns, some 1e3, times that.
    EXPECT_LE(largest_difference(found, expected), 1e3 * rounding_of(Y, regressor.parameters(), mechanism));
  }
}

// Dry friction has a sign of its own however fast the surface runs below the joint: it is no weight.
TEST(MechanismRegressor, BaseParametersKnowDryFrictionOnABelt) {
  for (const double speed : {0.0, 0.5, 5.0, -20.0})
    for (const JointType type : {JointType::prismatic, JointType::planar, JointType::cylindrical, JointType::helical}) {
      Robot robot;
      Joint lift = joint(type);
      lift.pitch = 0.1;
      lift.friction.viscous = 3, lift.friction.coulomb = 0.5, lift.friction.surface_speed = speed;
      add(robot, lift, mass(2, {0, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
      const Mechanism mechanism(robot);
      Dynamics d(mechanism, Forces::all);
      Regressor regressor(mechanism, Regressor::Friction::viscous_and_coulomb);
      const BaseParameters base = base_parameters(regressor);
      const std::vector<double> beta = base.grouped(regressor.parameters());
      const size_t n = size_t(mechanism.nv());
      for (const double v : {-50.0, -1.0, 0.25, 4.9, 6.0, 30.0}) {
        const std::vector<double> q(size_t(mechanism.nq()), 0.25), rates(n, v), a(n, 0.5);
        const auto expected = d.inverse(q, rates, a);
        const MatrixView Y = regressor.at(q, rates, a);
        for (size_t i = 0; i < n; ++i) {
          double tau = 0;
          for (size_t k = 0; k < beta.size(); ++k) tau += Y(int(i), base.independent[k]) * beta[k];
          EXPECT_NEAR(tau, expected[i], 1e-9 * 500) << name_of(type) << " " << speed << " " << v;  // of terms to 500 N
        }
      }
    }
}

TEST(MechanismRegressor, RefusesClosedLoops) {
  const Mechanism fourbar(shipped("fourbar"));
  EXPECT_THROW(Regressor{fourbar}, NotCovered);
  EXPECT_NO_THROW(Regressor(fourbar, Regressor::Friction::none, Loops::open));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
