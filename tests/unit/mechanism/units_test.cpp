// Physics does not know the metre nor the kilogram: the same robot in other units has the same answers. Units that are
// powers of 2^5 are exact in floating point, and how far loops reach is known to such a power: there the answers are the
// same to the last digits.
#include <gtest/gtest.h>

#include "denoc/control/lqr.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/mechanism/regressor.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/postures.hpp"
#include "denoc/model/serial_chain.hpp"
#include "denoc/simulation/simulation.hpp"
#include "support/data.hpp"
#include "support/expect.hpp"
#include "support/mechanisms.hpp"
#include "support/random_laws.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double million = 0x1p20;

struct Named {
  const char* name;
  Robot robot;
};
std::vector<Named> closed_robots() {
  return {{"four_bar", four_bar()},
          {"slider_crank", slider_crank()},
          {"spatial_slider_crank", spatial_slider_crank()},
          {"andrews", andrews()},
          {"bricard", bricard()},
          {"three_rrr", shipped("three_rrr")},
          {"equal_slider_crank", shipped("equal_slider_crank")},
          {"robotic_leg", shipped("robotic_leg")}};
}
const Units all_units[] = {{1 / million, 1, 1}, {million, 1, 1}, {1.0 / 1024, million, 8}, {32, 1 / million, 1.0 / 4}};

TEST(Units, ALoopIsAsLongAsTheWayAroundIt) {
  const Robot bar = four_bar();  // 0.2 + 0.5 + 0.4 + 0.45 m
  EXPECT_EQ(lengths_of_loops(bar), Vector{1});
  for (const Units& by : all_units) {
    const Robot other = scaled(bar, by);
    EXPECT_EQ(lengths_of_loops(other), Vector{by.length});
    EXPECT_EQ(length_of(other), by.length);
  }
  // Where it stands does not matter.
  Robot away = bar;
  for (Body& body : away.bodies)
    if (body.parent == 0) body.joint_frame.r = body.joint_frame.r + Vec3<double>{1000, 0, 0};
  EXPECT_EQ(lengths_of_loops(away), Vector{1});
  EXPECT_EQ(length_of(Robot{}), 1);
}

// From postures that are open by as much as the joints can do.
TEST(Units, LoopsCloseInTheSamePosture) {
  for (const auto& [name, robot] : closed_robots()) {
    const Model one(robot);
    ClosedChain chain(one);
    Random random(3);
    for (int trial = 0; trial < 5; ++trial) {
      Vector start(size_t(one.nq()));
      for (double& x : start) x = random.uniform(-1, 1);
      Vector expected;
      try {
        expected = chain.assemble(start);
      } catch (const NotAssembled&) {
      }
      for (const Units& by : all_units) {
        const Model other(scaled(robot, by));
        ClosedChain same(other);
        Vector found;
        try {
          found = same.assemble(scaled_q(one, start, by));
        } catch (const NotAssembled&) {
        }
        expect_near(scaled_q(one, found, {1 / by.length}), expected, 64 * eps * (1 + largest(expected)), name);
        if (found.empty()) continue;
        EXPECT_EQ(same.mobility(found).anywhere, chain.mobility(expected).anywhere) << name;
        EXPECT_EQ(same.independent(found), chain.independent(expected)) << name;
      }
    }
  }
}

// A slider that has kilometres to go, and the ways of it.
TEST(Units, AsManyWaysCloseALargeSlider) {
  const Model one(slider_crank());
  const auto expected = ClosedChain(one).assemblies(Vector{0.4, 0, 0});
  ASSERT_EQ(expected.size(), 2u);
  for (const double length : {1e-6, 1e-3, 70.0, 1e3, 1e6}) {
    const Model other(scaled(slider_crank(), {length}));
    ClosedChain chain(other);
    const Vector stretched = chain.assemble(Vector(3));
    EXPECT_NEAR(stretched[2] / length, 0.6, 1e-12) << length;
    EXPECT_EQ(chain.assemblies(Vector{0.4, 0, 0}).size(), 2u) << length;
  }
}

TEST(Units, OpenLoopsAreRefusedHoweverSmall) {
  for (const double length : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    const Mechanism mechanism(scaled(four_bar(), {length}));
    Dynamics dynamics(mechanism);
    const Vector zero(3);
    EXPECT_THROW(dynamics.forward(Vector{0.3, 0.5, -0.6}, zero, zero), NotAssembled) << length;
    const Vector given = {1, -0.55, 1.3};
    const auto closed = dynamics.assemble(given);
    const Vector q(closed.begin(), closed.end());
    EXPECT_NO_THROW(dynamics.forward(q, zero, zero)) << length;
    EXPECT_THROW(dynamics.forward(q, Vector{1, 0, 0}, zero), NotAssembled) << length;
  }
}

// At rest gravity pulls at three arms: one crank cannot hold them, three can. So with accelerations that open loops.
TEST(Units, WhatDrivesCannotGiveIsRefusedHoweverSmall) {
  const Robot robot = shipped("three_rrr");
  const Model one(robot);
  ClosedChain chain(one);
  const Vector q = chain.assemble(Vector(size_t(one.nq()))), rest(size_t(one.nv()));
  std::vector<int> cranks;
  for (int k = 0; k < one.nv(); ++k)
    if (one.joint_name(one.body_of_dof(k)).starts_with("crank")) cranks.push_back(k);
  ASSERT_EQ(cranks.size(), 3u);
  const Vector held = chain.inverse_dynamics(q, rest, rest, cranks).tau;
  Vector parting = rest;
  parting[0] = 1;
  for (const Units& by : {Units{1.0 / 1024, 1 / million}, Units{1 / million, 1 / million}, Units{million, million},
                          Units{1, 1, 1 / million}}) {
    const Model other(scaled(robot, by));
    ClosedChain same(other);
    EXPECT_THROW(same.inverse_dynamics(q, rest, rest, {cranks[0]}), NotDriveable);
    Vector a = parting;
    for (double& x : a) x *= by.rate * by.rate;
    EXPECT_THROW(same.inverse_dynamics(q, rest, a, cranks), NotDriveable);
    const Vector tau = same.inverse_dynamics(q, rest, rest, cranks).tau, expected = scaled_tau(one, held, by);
    expect_near(tau, expected, 64 * eps * largest(expected), "tau");
  }
}

// A motor that moves a stage by any ratio hides no loop beside it, of however small a robot: in forces, and in runs.
TEST(Units, CouplingsOfAnyRatioHideNoLoop) {
  for (const double ratio : {1.0, 4096.0, 4e5, 1e8}) {
    Robot robot = slider_crank();
    const int stage = add_to(robot, 0, joint(JointType::prismatic), mass(1)),
              motor = add_to(robot, 0, joint(JointType::revolute), mass(1, {0, 0, 0}, {1e-3, 0, 1e-3, 0, 0, 1e-3}));
    Loop screw;
    screw.type = LoopType::polynomial;
    screw.a.body = stage;
    screw.b.body = motor;
    screw.coefficients = {0, ratio};
    robot.loops.push_back(screw);
    const auto found = [&](double length) {
      const Units by{length};
      const Model model(scaled(robot, by));
      ClosedChain chain(model);
      const Vector q = chain.assemble(scaled_q(model, {0.9, -1.2, 0.5, 0, 0}, by), {0}), rest(5);
      Vector all = chain.inverse_dynamics(q, rest, rest, {0, 3}).tau;
      all[3] /= length;
      for (double& x : all) x /= length * length;
      SimulationSetup setup;
      setup.q = q;
      setup.v = rest;
      setup.duration = setup.every = 0.05;
      setup.integrator.method = IntegrationMethod::rk4;
      setup.integrator.step = 0.005;
      Vector end;
      Observer observer;
      observer.sample = [&](const Sample& sample) { end.assign(sample.q.begin(), sample.q.end()); };
      simulate(model, setup, observer);
      for (const int k : {2, 3}) end[size_t(k)] /= length;
      all.insert(all.end(), end.begin(), end.begin() + 3);
      return all;
    };
    const Vector expected = found(1);
    for (const double length : {0x1p-30, 0x1p-20, 0x1p-14, 0x1p-10, 0x1p-5, 0x1p10}) {
      SCOPED_TRACE(testing::Message() << ratio << ' ' << length);
      const Vector now = found(length);
      for (size_t k = 0; k < now.size(); ++k) EXPECT_NEAR(now[k], expected[k], 1e-9 * (1 + std::abs(expected[k]))) << k;
    }
  }
}

// Forces that cancel are zero to rounding of what they were, not of what is left: a plane mechanism lying flat.
TEST(Units, ForcesThatCancelAreNotHeldAgainstEachOther) {
  Robot flat = four_bar();
  const Quaternion<double> tilt{std::cos(0.3), std::sin(0.3) * 0.6, std::sin(0.3) * 0.8, 0};
  for (Body& body : flat.bodies)
    if (&body != &flat.bodies[0] && body.parent == 0)
      body.joint_frame = Pose<double>{rotation(tilt), {0, 0, 0}} * body.joint_frame;
  flat.gravity = rotation(tilt) * Vec3<double>{0, 0, -9.81};
  const Model model(flat);
  ClosedChain chain(model);
  const Vector rest(3), q = chain.assemble(Vector{1, -0.55, 1.3});
  EXPECT_NO_THROW(chain.inverse_dynamics(q, rest, rest, {}));
}

// Y of the independent columns, times what is grouped, is tau: for links of micrometres and of kilometres.
TEST(Units, BaseParametersGiveTheSameTau) {
  Random random(9);
  const Robot arm = serial_chain(3);
  const Mechanism one(arm);
  Regressor first(one);
  const BaseParameters expected = base_parameters(first);
  for (const double length : {1e-6, 1e-5, 1e-4, 1e-2, 1e2, 1e4, 1e6}) {
    const Mechanism mechanism(scaled(arm, {length}));
    Regressor regressor(mechanism);
    const BaseParameters base = base_parameters(regressor);
    EXPECT_EQ(base.independent, expected.independent) << length;
    const Vector beta = base.grouped(regressor.parameters());
    const State<double> s(random, mechanism.tree());
    const MatrixView Y = regressor.at(s.q, s.v, s.a);
    for (int i = 0; i < Y.rows(); ++i) {
      double tau = 0, found = 0, terms = 0;
      for (int k = 0; k < Y.columns(); ++k) {
        tau += Y(i, k) * regressor.parameters()[size_t(k)];
        terms += std::abs(Y(i, k) * regressor.parameters()[size_t(k)]);
      }
      for (size_t k = 0; k < beta.size(); ++k) found += Y(i, base.independent[k]) * beta[k];
      // The relations are known to the condition of the independent columns, some 1e3, times 100 operations.
      EXPECT_NEAR(found, tau, 1e5 * eps * terms) << length;
    }
  }
}

// Whatever a metre and a second are, and whether small robots fall as they do on Earth or not: the rank is that of all
// motions.
TEST(Units, BaseParametersAreTheSame) {
  for (const char* name : {"planar3r", "puma560", "cart_pole", "biped"}) {
    const Robot robot = shipped(name);
    const auto independent = [](const Robot& of) {
      const Mechanism mechanism(of);
      Regressor regressor(mechanism, Regressor::Friction::viscous_and_coulomb);
      return base_parameters(regressor).independent;
    };
    const std::vector<int> expected = independent(robot);
    for (const Units& by : {Units{1 / million}, Units{million}, Units{1, 1, million}, Units{1, 1, 1 / million}})
      EXPECT_EQ(independent(scaled(robot, by)), expected) << name << ": " << by.length << " m, " << by.rate << "/s";
    for (const double length : {1 / million, 1.0 / 1024, 1024.0, million}) {
      Robot on_earth = scaled(robot, {length});
      on_earth.gravity = robot.gravity;
      EXPECT_EQ(independent(on_earth), expected) << name << ": " << length << " m";
    }
  }
}

// Sliders and bases that float go as far as hinges turn.
TEST(Units, TheNearestPostureIsTheSame) {
  for (const char* name : {"pppr", "floating_3link", "biped"}) {
    const Robot robot = shipped(name);
    const Model one(robot);
    const int body = int(robot.bodies.size()) - 1;
    Random random(7);
    const State<double> there(random, one), from(random, one);
    const auto nearest = [&](const Units& by) {
      const Model model(scaled(robot, by));
      Configuration<double> at(model);
      Kinematics<double> kin(model);
      place<double>(model, scaled_q(one, there.q, by), at);
      positions<double>(model, at, kin);
      return inverse_kinematics(model, {body, {0, 0, 0}, false}, pose_in_world<double>(model, kin, body),
                                scaled_q(one, from.q, by))
          .front();
    };
    const Solution expected = nearest({});
    for (const double length : {1 / million, 1.0 / 1024, 1.0 / 32, 32.0, 1024.0, million}) {
      const Solution found = nearest({length});
      expect_near(scaled_q(one, found.q, {1 / length}), expected.q, 64 * eps * (1 + largest(expected.q)), name);
      EXPECT_NEAR(found.distance, expected.distance, 64 * eps * expected.distance) << name;
    }
  }
}

TEST(Units, PosturesAreDrawnAsFarApart) {
  for (const char* name : {"pppr", "biped"}) {
    const Robot robot = shipped(name);
    const auto drawn = [&](const Units& by) {
      Chance chance(5);
      return scaled_q(Model(robot), drawn_posture(scaled(robot, by), chance), {1 / by.length});
    };
    for (const double length : {1 / million, 1024.0}) expect_near(drawn({length}), drawn({}), 0, name);
  }
}

TEST(Units, EquilibriaAreTheSame) {
  const std::pair<Robot, Vector> cases[] = {{shipped("fourbar"), Vector(3)}, {slider_crank(), {-1.5, 1.9, 0.42}}};
  for (const auto& [robot, start] : cases) {
    const Model one(robot);
    const auto found = [&, &same = robot, &from = start](const Units& by) {
      const Mechanism mechanism(scaled(same, by));
      Dynamics dynamics(mechanism);
      return scaled_q(one, equilibrium(dynamics, scaled_q(one, from, by), Vector(3)), {1 / by.length});
    };
    const Vector expected = found({});
    // At rest to 1e-9 of what a step changes, and Newton's method squares what was left before.
    for (const double length : {1 / million, 1.0 / 1024, 32.0, 1024.0, million})
      expect_near(found({length, 1, 1}), expected, 1e-9, "q");
    for (const double weight : {1 / million, million}) expect_near(found({1, weight, 1}), expected, 1e-9, "q");
    for (const double rate : {0x1p-30, 0x1p-10, 32.0, 1024.0, million})
      expect_near(found({1, 1, rate}), expected, 1e-9, "q");
  }
}

// Of links without mass what the loops hold moves alike, however small.
TEST(Units, MasslessLinksMoveTheSame) {
  for (const int massless : {2, 3}) {
    Robot robot = slider_crank();
    for (int b = massless; b <= 3; ++b) robot.bodies[size_t(b)].inertial = {};
    const Model one(robot);
    const auto found = [&](double length) {
      const Mechanism mechanism(scaled(robot, {length}));
      Dynamics d(mechanism);
      const Vector q = {0.9, -1.163954174806, 0.533594}, closed = ClosedChain(one).assemble(q);
      const auto a = d.forward(scaled_q(one, closed, {length}), Vector(3), Vector(3));
      return Vector{a[0], a[1], a[2] / length};
    };
    const Vector expected = found(1);
    for (const double length : {1 / million, 1.0 / 1024, 1024.0, million})
      expect_near(found(length), expected, 1e-9 * largest(expected), "a");
  }
}

// Forces that weigh as the masses do: the gains are those of the light one, times the masses. A common factor of all
// weights changes nothing.
TEST(Units, GainsScaleWithTheMasses) {
  const Robot robot = shipped("cart_pole");
  const Vector one(2, 1.0), zero(2);
  const auto gains = [&](double weight, double factor) {
    const auto law = lqr(std::make_shared<const Model>(scaled(robot, {1, weight})), zero,
                         {Vector(2, factor), Vector(2, factor), Vector(2, factor / (weight * weight))}, {0});
    Vector all;
    for (int k = 0; k < 4; ++k) {
      Vector q = zero, v = zero, tau = zero;
      (k < 2 ? q : v)[size_t(k % 2)] = 1;
      law->torques(0, q, v, tau);
      all.push_back(tau[0] / weight);
    }
    return all;
  };
  const Vector expected = gains(1, 1);
  // riccati() holds its equation to 1e-9 of the terms.
  for (const double weight : {1e-8, 1e3, 3e4, 1e5, 1e8}) expect_near(gains(weight, 1), expected, 1e-6, "heavy");
  for (const double factor : {1e-12, 1e-10, 1e-6, 1e10}) expect_near(gains(1, factor), expected, 1e-6, "weights");
  // No equilibrium, however light.
  EXPECT_THROW(lqr(std::make_shared<const Model>(scaled(robot, {1, 1e-7})), {0, 0.3}, {one, one, one}, {0}),
               ArgumentError);
}

// In another unit of time: q as it was, v and tau in theirs.
TEST(Units, GainsScaleWithTheRates) {
  const Robot robot = shipped("cart_pole");
  const auto gains = [&](double rate) {
    const Vector zero(2);
    const auto law =
        lqr(std::make_shared<const Model>(scaled(robot, {1, 1, rate})), zero,
            {Vector(2, 1.0), Vector(2, 1 / (rate * rate)), Vector(2, 1 / (rate * rate * rate * rate))}, {0});
    Vector all;
    for (int k = 0; k < 4; ++k) {
      Vector q = zero, v = zero, tau = zero;
      (k < 2 ? q : v)[size_t(k % 2)] = k < 2 ? 1 : rate;
      law->torques(0, q, v, tau);
      all.push_back(tau[0] / (rate * rate));
    }
    return all;
  };
  const Vector expected = gains(1);
  for (const double rate : {0x1p-20, 0x1p-8, 0x1p8, 0x1p12, 0x1p20}) expect_near(gains(rate), expected, 1e-6, "rate");
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
