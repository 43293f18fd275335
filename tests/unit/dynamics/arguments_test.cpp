// Every public call checks the sizes and the numbers of bodies and of degrees of freedom that it is given, and says
// which is wrong.
#include "denoc/control/controllers.hpp"
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "denoc/dynamics/derivatives/regressor.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/kinematics/inverse_rates.hpp"
#include "denoc/loops/closure.hpp"
#include "denoc/motion/closed_motion.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "denoc/motion/line.hpp"
#include "denoc/simulation/simulation.hpp"
#include "support/build.hpp"
#include "support/expect.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

struct Sizes : testing::Test {
  const Model model = [] {
    Robot robot;
    add(robot, joint(JointType::free), mass(1, {0, 0, 0}, {1, 0, 1, 0, 0, 1}));
    add(robot, joint(JointType::revolute), mass(1, {0.5, 0, 0}));
    return Model(robot);
  }();
  const int n = 7;
  const std::vector<double> q = {0, 0, 0, 1, 0, 0, 0, 0.5}, v = std::vector<double>(7, 0.5),
                            bad = std::vector<double>(6);
  std::vector<double> out = std::vector<double>(7), short_out = std::vector<double>(6);
  std::vector<double> matrix = std::vector<double>(49), short_matrix = std::vector<double>(48);
  Machine<double> machine{model, q, v};

  template <class F> static void expect_refused(const std::string& name, F&& f) {
    try {
      f();
      ADD_FAILURE() << "'" << name << "' of a wrong size was taken";
    } catch (const ArgumentError& refused) {
      EXPECT_EQ(std::string(refused.what()).rfind(name + " has ", 0), 0u) << refused.what();
    }
  }
};

TEST_F(Sizes, OfTheDynamics) {
  auto& m = machine;
  expect_refused("q", [&] { place<double>(model, v, m.at); });
  expect_refused("v", [&] { inverse_dynamics<double>(model, m.at, bad, v, m.inverse_scratch, out); });
  expect_refused("a", [&] { inverse_dynamics<double>(model, m.at, v, bad, m.inverse_scratch, out); });
  expect_refused("tau", [&] { inverse_dynamics<double>(model, m.at, v, v, m.inverse_scratch, short_out); });
  expect_refused("v", [&] { bias_forces<double>(model, m.at, bad, m.inverse_scratch, out); });
  expect_refused("tau", [&] { bias_forces<double>(model, m.at, v, m.inverse_scratch, short_out); });
  expect_refused("tau", [&] { gravity_forces<double>(model, m.at, m.inverse_scratch, short_out); });
  expect_refused("v", [&] { forward_dynamics<double>(model, m.at, bad, v, m.forward_scratch, out); });
  expect_refused("tau", [&] { forward_dynamics<double>(model, m.at, v, bad, m.forward_scratch, out); });
  expect_refused("a", [&] { forward_dynamics<double>(model, m.at, v, v, m.forward_scratch, short_out); });
  CompositeScratch<double> composite(model);
  expect_refused("inertia", [&] { inertia_matrix<double>(model, m.at, composite, short_matrix); });
  CoriolisScratch<double> coriolis(model);
  expect_refused("coriolis", [&] { coriolis_matrix<double>(model, m.at, v, coriolis, short_matrix); });
  expect_refused("v", [&] { coriolis_matrix<double>(model, m.at, bad, coriolis, matrix); });
  ReactionScratch<double> reactions(model);
  std::vector<Wrench<double>> wrenches(3), few(2);
  expect_refused("reactions", [&] { joint_reactions<double>(model, m.at, v, v, reactions, few); });
  expect_refused("v", [&] { joint_reactions<double>(model, m.at, bad, v, reactions, wrenches); });
  expect_refused("a", [&] { joint_reactions<double>(model, m.at, v, bad, reactions, wrenches); });
}

TEST_F(Sizes, OfEveryFormulation) {
  Configuration<double> at(model);
  place<double>(model, q, at);
  for (const auto& method : inverse_formulations<double>()) {
    SCOPED_TRACE(method.name);
    const auto run = method.prepare(model);
    expect_refused("v", [&] { run(at, bad, v, out, {}); });
    expect_refused("a", [&] { run(at, v, bad, out, {}); });
    expect_refused("tau", [&] { run(at, v, v, short_out, {}); });
    for (const int body : {-1, int(model.bodies().size())}) {
      const std::vector<BodyWrench<double>> wrenches = {{body, zero_wrench<double>}};
      EXPECT_THROW(run(at, v, v, out, wrenches), ArgumentError);
    }
  }
  for (const auto& method : inertia_formulations<double>()) {
    SCOPED_TRACE(method.name);
    EXPECT_THROW(method.prepare(model)(at, short_matrix), ArgumentError);
  }
  for (const auto& method : forward_formulations<double>()) {
    SCOPED_TRACE(method.name);
    const auto run = method.prepare(model);
    expect_refused("v", [&] { run(at, bad, v, out, {}); });
    expect_refused("tau", [&] { run(at, v, bad, out, {}); });
    expect_refused("a", [&] { run(at, v, v, short_out, {}); });
    for (const int body : {-1, int(model.bodies().size())}) {
      const std::vector<BodyWrench<double>> wrenches = {{body, zero_wrench<double>}};
      EXPECT_THROW(run(at, v, v, out, wrenches), ArgumentError);
    }
  }
}

TEST_F(Sizes, AndBodiesOfWrenches) {
  for (const int body : {-1, int(model.bodies().size())}) {
    const std::vector<BodyWrench<double>> wrenches = {{body, zero_wrench<double>}};
    EXPECT_THROW(machine.inverse(v, wrenches), ArgumentError);
    EXPECT_THROW(machine.forward(v, wrenches), ArgumentError);
    EXPECT_THROW(machine.reactions(v, wrenches), ArgumentError);
  }
}

TEST_F(Sizes, OfTheFactor) {
  auto& m = machine;
  factorize<double>(model, m.at, m.factor);
  expect_refused("phi", [&] { solve<double>(model, m.at, m.factor, bad, m.dense.solve, out); });
  expect_refused("x", [&] { solve<double>(model, m.at, m.factor, v, m.dense.solve, short_out); });
  expect_refused("x", [&] { multiply<double>(model, m.at, m.factor, bad, m.dense.solve, out); });
  expect_refused("y", [&] { multiply<double>(model, m.at, m.factor, v, m.dense.solve, short_out); });
  expect_refused("matrix", [&] { unit_upper<double>(model, m.at, m.factor, m.dense, short_matrix); });
  expect_refused("matrix", [&] { unit_upper_inverse<double>(model, m.at, m.factor, m.dense, short_matrix); });
  expect_refused("inverse",
                 [&] { inertia_inverse<double>(model, m.at, m.factor, m.inertia_inverse_scratch, short_matrix); });
  expect_refused("d", [&] { pivots<double>(m.factor, short_out); });
}

TEST_F(Sizes, OfTheDerivatives) {
  const auto& at = machine.at;
  std::vector<double> two = matrix, three = matrix, by_v = out, by_a = out;
  InverseDerivativesScratch<double> inverse(model);
  ForwardDerivativesScratch<double> forward(model);
  expect_refused("v", [&] { inverse_derivatives<double>(model, at, bad, v, inverse, matrix, two, three); });
  expect_refused("a", [&] { inverse_derivatives<double>(model, at, v, bad, inverse, matrix, two, three); });
  expect_refused("dtau/dq", [&] { inverse_derivatives<double>(model, at, v, v, inverse, short_matrix, two, three); });
  expect_refused("dtau/dv",
                 [&] { inverse_derivatives<double>(model, at, v, v, inverse, matrix, short_matrix, three); });
  expect_refused("dtau/da", [&] { inverse_derivatives<double>(model, at, v, v, inverse, matrix, two, short_matrix); });
  expect_refused("v", [&] { forward_derivatives<double>(model, at, bad, v, forward, matrix, two, three); });
  expect_refused("tau", [&] { forward_derivatives<double>(model, at, v, bad, forward, matrix, two, three); });
  expect_refused("da/dq", [&] { forward_derivatives<double>(model, at, v, v, forward, short_matrix, two, three); });
  expect_refused("da/dv", [&] { forward_derivatives<double>(model, at, v, v, forward, matrix, short_matrix, three); });
  expect_refused("da/dtau", [&] { forward_derivatives<double>(model, at, v, v, forward, matrix, two, short_matrix); });
  GradientScratch<double> gradient(model);
  expect_refused("lambda", [&] { inverse_gradient<double>(model, at, v, v, bad, gradient, out, by_v, by_a); });
  expect_refused("by_q", [&] { inverse_gradient<double>(model, at, v, v, v, gradient, short_out, by_v, by_a); });
  expect_refused("by_v", [&] { inverse_gradient<double>(model, at, v, v, v, gradient, out, short_out, by_a); });
  expect_refused("by_a", [&] { inverse_gradient<double>(model, at, v, v, v, gradient, out, by_v, short_out); });
  expect_refused("lambda", [&] { forward_gradient<double>(model, at, v, v, bad, gradient, out, by_v, by_a); });
  DirectionScratch<double> scratch(model);
  const Direction<double> right{q, v, v, v, v, v};
  expect_refused("dtau", [&] { inverse_along<double>(model, right, scratch, short_out); });
  expect_refused("da", [&] { forward_along<double>(model, right, scratch, short_out); });
  expect_refused("q", [&] { inverse_along<double>(model, {v, v, v, v, v, v}, scratch, out); });
  expect_refused("v", [&] { inverse_along<double>(model, {q, bad, v, v, v, v}, scratch, out); });
  expect_refused("a or tau", [&] { inverse_along<double>(model, {q, v, bad, v, v, v}, scratch, out); });
  expect_refused("dq", [&] { forward_along<double>(model, {q, v, v, bad, v, v}, scratch, out); });
  expect_refused("dv", [&] { forward_along<double>(model, {q, v, v, v, bad, v}, scratch, out); });
  expect_refused("da or dtau", [&] { forward_along<double>(model, {q, v, v, v, v, bad}, scratch, out); });
  std::vector<double> regressor(7 * 20), few(7 * 20 - 1), parameters(20), fewer(19);
  Kinematics<double>& kin = machine.kin;
  accelerations<double>(model, v, v, kin);
  EXPECT_NO_THROW(inertial_regressor<double>(model, kin, regressor));
  EXPECT_NO_THROW(parameter_gradient<double>(model, kin, kin, parameters));
  expect_refused("regressor", [&] { inertial_regressor<double>(model, kin, few); });
  expect_refused("gradient", [&] { parameter_gradient<double>(model, kin, kin, fewer); });
  std::vector<RigidInertia<double>> composite(model.links().size()), one_less(composite.size() - 1);
  std::vector<double> momentum(42), short_momentum(41);
  EXPECT_NO_THROW(momentum_matrix<double>(model, kin, {0, 0, 0}, composite, momentum));
  expect_refused("composite", [&] { momentum_matrix<double>(model, kin, {0, 0, 0}, one_less, momentum); });
  expect_refused("matrix", [&] { momentum_matrix<double>(model, kin, {0, 0, 0}, composite, short_momentum); });
}

TEST_F(Sizes, OfTheKinematics) {
  auto& m = machine;
  std::vector<double> jacobian(42), short_jacobian(41), q_out(8);
  expect_refused("v", [&] { velocities<double>(model, bad, m.kin); });
  expect_refused("v", [&] { accelerations<double>(model, bad, v, m.kin); });
  expect_refused("a", [&] { accelerations<double>(model, v, bad, m.kin); });
  expect_refused("jacobian", [&] { jacobian_in_body<double>(model, m.kin, 1, short_jacobian); });
  expect_refused("jacobian", [&] { jacobian_in_world<double>(model, m.kin, 1, short_jacobian); });
  InverseRatesScratch<double> scratch(model);
  expect_refused("v", [&] { joint_rates<double>(model, m.kin, 2, zero_twist<double>, scratch, short_out); });
  expect_refused("q", [&] { integrate<double>(model, v, v, q_out); });
  expect_refused("v", [&] { integrate<double>(model, q, bad, q_out); });
  expect_refused("result", [&] { integrate<double>(model, q, v, out); });
  expect_refused("q0", [&] { difference<double>(model, v, q, out); });
  expect_refused("q1", [&] { difference<double>(model, q, v, out); });
  expect_refused("v", [&] { difference<double>(model, q, q, short_out); });
  expect_refused("q", [&] { normalise<double>(model, out); });
}

template <class F> void expect_unknown(const std::string& said, F&& f) {
  try {
    f();
    ADD_FAILURE() << "taken, where this was expected: " << said;
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find(said), std::string::npos) << refused.what();
  }
}

TEST_F(Sizes, AndBodiesByNumber) {
  auto& m = machine;
  std::vector<double> jacobian(42);
  InverseRatesScratch<double> scratch(model);
  const auto shared = std::make_shared<const Model>(model.robot());
  for (const int b : {model.robot().find("unknown"), -2, 3, std::numeric_limits<int>::max()}) {
    const std::string said =
        "no body " + std::to_string(b) + ": the bodies of this model are 0 ('world') to 2 ('body2')";
    expect_unknown(said, [&] { model.body(b); });
    expect_unknown(said, [&] { model.joint_name(b); });
    expect_unknown(said, [&] { pose_in_world<double>(model, m.kin, b); });
    expect_unknown(said, [&] { twist_in_body<double>(model, m.kin, b); });
    expect_unknown(said, [&] { twist_rate_in_body<double>(model, m.kin, b); });
    expect_unknown(said, [&] { velocity_in_world<double>(model, m.kin, b); });
    expect_unknown(said, [&] { acceleration_in_world<double>(model, m.kin, b); });
    expect_unknown(said, [&] { jacobian_in_body<double>(model, m.kin, b, jacobian); });
    expect_unknown(said, [&] { jacobian_in_world<double>(model, m.kin, b, jacobian); });
    expect_unknown(said, [&] { joint_rates<double>(model, m.kin, b, zero_twist<double>, scratch, out); });
    expect_unknown(said, [&] { joint_accelerations<double>(model, m.kin, b, v, zero_twist<double>, scratch, out); });
    expect_unknown(said, [&] { coordinate_of(model, b); });
    Loop loop;
    loop.b.body = b;
    expect_unknown(said, [&] { path_of(model, loop); });
    expect_unknown(said, [&] { is_wrist_partitioned(model, b); });
    expect_unknown(said, [&] { wrist_partitioned_postures(model, b, {}); });
    expect_unknown(said, [&] { posture_near(model, b, {}, q); });
    expect_unknown(said, [&] { straight_line(shared, b, q, {0.1, 0, 0}, 1, Profile::linear); });
    SimulationSetup setup{.q = q, .v = v, .duration = 1};
    setup.wrenches = {{.body = b, .at = [](double) { return zero_wrench<double>; }}};
    expect_unknown(said, [&] { simulate(model, setup, {}); });
    setup.wrenches = {};
    setup.ground = GroundContact{.stiffness = 1, .points = {{b, {0, 0, 0}}}};
    expect_unknown(said, [&] { simulate(model, setup, {}); });
  }
  expect_unknown("-1 is what find gives for a name that no body has", [&] { pose_in_world<double>(model, m.kin, -1); });
}

TEST_F(Sizes, AndDegreesOfFreedomByNumber) {
  const auto closed = std::make_shared<const Model>(four_bar());
  ClosedChain chain(*closed);
  const std::vector<double> q0 = chain.assemble(std::vector<double>{0.5, 0.5, 1}), rest(3);
  const auto motion = point_to_point(closed, q0, q0, 1, Profile::linear);
  const Gains gains{rest, rest};
  for (const int k : {-1, 3, std::numeric_limits<int>::min()}) {
    const std::string said = "no degree of freedom " + std::to_string(k) + ": those of this model are 0 to 2";
    const std::vector<int> dofs = {0, k};
    expect_unknown(said, [&] { closed->body_of_dof(k); });
    expect_unknown(said, [&] { chain.inverse_dynamics(q0, rest, rest, dofs); });
    expect_unknown(said, [&] { chain.subsystems(q0, dofs); });
    expect_unknown(said, [&] { chain.assemble(q0, dofs); });
    expect_unknown(said, [&] { leading(*closed, q0, dofs); });
    expect_unknown(said, [&] { closed_motion(closed, motion, dofs); });
    expect_unknown(said, [&] { feed_forward(closed, motion, dofs); });
    expect_unknown(said, [&] { pd(closed, motion, gains, dofs); });
    expect_unknown(said, [&] { pd_with_gravity(closed, motion, gains, dofs); });
    expect_unknown(said, [&] { computed_torque(closed, motion, gains, dofs); });
  }
  expect_refused("a", [&] { chain.inverse_dynamics(q0, rest, std::vector<double>(2), {0}); });
}

// Several right-hand sides, one after the other; in place.
TEST_F(Sizes, OfSeveralRightHandSides) {
  auto& m = machine;
  factorize<double>(model, m.at, m.factor);
  Random random(51);
  const auto phi = random_vector<double>(random, 3 * n);
  std::vector<double> together(3 * n), one(n);
  solve<double>(model, m.at, m.factor, phi, m.dense.solve, together);
  for (int b = 0; b < 3; ++b) {
    solve<double>(model, m.at, m.factor, std::span(phi).subspan(b * n, n), m.dense.solve, one);
    EXPECT_EQ(one, std::vector<double>(together.begin() + b * n, together.begin() + (b + 1) * n));
  }
  auto in_place = phi;
  solve<double>(model, m.at, m.factor, in_place, m.dense.solve, in_place);
  EXPECT_EQ(in_place, together);
}

// Which there are is told of a model with any number of them; of one without any, that it has none.
TEST_F(Sizes, AndTellsHowManyDegreesOfFreedomThereAre) {
  Robot robot;
  for (int nv = 0; nv < 12; ++nv) {
    if (nv == 0)
      add(robot, joint(JointType::fixed), mass(1));
    else
      add(robot, joint(nv % 2 == 0 ? JointType::revolute : JointType::prismatic), mass(1));
    const Model of(robot);
    ASSERT_EQ(of.nv(), nv);
    for (const int k : {-1, nv, nv + 7, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
      const std::string said =
          "there is no degree of freedom " + std::to_string(k) + ": " +
          (nv == 0 ? "this model has none" : "those of this model are 0 to " + std::to_string(nv - 1));
      try {
        of.body_of_dof(k);
        ADD_FAILURE() << k << " of " << nv;
      } catch (const ArgumentError& refused) {
        EXPECT_EQ(std::string(refused.what()), said);
      }
    }
    for (int k = 0; k < nv; ++k) EXPECT_EQ(of.body_of_dof(k), k + 2) << "the first body is welded to the ground";
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
