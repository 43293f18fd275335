// No algorithm allocates after its scratch is built: operator new is counted.
#include <gtest/gtest.h>

#include "counting_new.hpp"
#include "denoc/denoc.hpp"
#include "support/laws.hpp"
#include "support/random_forces.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class T> struct Allocation : testing::Test {
  template <class F> static void expect_none(const char* what, F&& f) {
    const long before = allocations();
    f();
    EXPECT_EQ(allocations() - before, 0) << what;
  }
};
using Scalars = testing::Types<double, float, long double, Counted<double>, Dual<double>>;
TYPED_TEST_SUITE(Allocation, Scalars);

TEST(AllocationCount, SeesAllocations) {
  const long before = allocations();
  const std::vector<double> v(10);
  EXPECT_EQ(allocations() - before, 1);
  EXPECT_EQ(v.size(), 10u);
}

TYPED_TEST(Allocation, NoneAfterConstruction) {
  using T = TypeParam;
  using R = Real<T>;
  // A tree of every joint type, and a chain of seven for the rates.
  Random random(81);
  Robot robot = random_robot(random, {.bodies = 10, .free_root = true});
  const auto types = RandomRobot::all_types();
  for (size_t b = 1; b <= types.size(); ++b) robot.bodies[b].joint.type = types[types.size() - b];
  robot.bodies[1].joint.type = JointType::free;
  const ModelOf<T> model(robot);
  const int n = model.nv(), body = int(robot.bodies.size()) - 1;
  const auto q = as<T>(random_q<R>(random, model)), v = as<T>(random_vector<R>(random, n)),
             a = as<T>(random_vector<R>(random, n)), several = as<T>(random_vector<R>(random, 3 * n));
  const std::vector<BodyWrench<T>> wrenches = {{1, {{T(1), T(2), T(3)}, {T(4), T(5), T(6)}}},
                                               {body, {{T(1), T(2), T(3)}, {T(4), T(5), T(6)}}}};
  Configuration<T> at(model);
  InverseScratch<T> inverse(model);
  ForwardScratch<T> forward(model);
  CompositeScratch<T> composite(model);
  Factor<T> factor(model);
  DenseScratch<T> dense(model);
  InertiaInverseScratch<T> inverting(model);
  CoriolisScratch<T> coriolis(model);
  ReactionScratch<T> reacting(model);
  InverseRatesScratch<T> rates(model);
  Kinematics<T> kin(model);
  std::vector<T> x(n), matrix(n * n), sides(3 * n), q_out(model.nq()), jacobian(6 * n);
  std::vector<Wrench<T>> reactions(model.bodies().size());

  this->expect_none("place", [&] { place<T>(model, q, at); });
  for (const auto& method : inverse_formulations<T>())
    this->expect_none(method.name.data(), [&, run = method.prepare(model)] { run(at, v, a, x, wrenches); });
  this->expect_none("inverse_dynamics", [&] { inverse_dynamics<T>(model, at, v, a, inverse, x, wrenches); });
  this->expect_none("bias_forces", [&] { bias_forces<T>(model, at, v, inverse, x, wrenches); });
  this->expect_none("gravity_forces", [&] { gravity_forces<T>(model, at, inverse, x); });

  for (const auto& method : forward_formulations<T>())
    this->expect_none(method.name.data(), [&, run = method.prepare(model)] { run(at, v, a, x, wrenches); });
  this->expect_none("forward_dynamics", [&] { forward_dynamics<T>(model, at, v, a, forward, x, wrenches); });

  for (const auto& method : inertia_formulations<T>())
    this->expect_none(method.name.data(), [&, run = method.prepare(model)] { run(at, matrix); });
  this->expect_none("inertia_matrix", [&] { inertia_matrix<T>(model, at, composite, matrix); });
  this->expect_none("factorize", [&] { factorize<T>(model, at, factor); });
  this->expect_none("solve", [&] { solve<T>(model, at, factor, several, dense.solve, sides); });
  this->expect_none("multiply", [&] { multiply<T>(model, at, factor, v, dense.solve, x); });
  this->expect_none("unit_upper", [&] { unit_upper<T>(model, at, factor, dense, matrix); });
  this->expect_none("unit_upper_inverse", [&] { unit_upper_inverse<T>(model, at, factor, dense, matrix); });
  this->expect_none("inertia_inverse", [&] { inertia_inverse<T>(model, at, factor, inverting, matrix); });
  this->expect_none("pivots", [&] { pivots<T>(factor, x); });
  this->expect_none("determinant", [&] { x[0] = determinant<T>(factor); });

  this->expect_none("coriolis_matrix", [&] { coriolis_matrix<T>(model, at, v, coriolis, matrix); });
  this->expect_none("joint_reactions", [&] { joint_reactions<T>(model, at, v, a, reacting, reactions, wrenches); });

  this->expect_none("positions", [&] { positions<T>(model, at, kin); });
  this->expect_none("velocities", [&] { velocities<T>(model, v, kin); });
  this->expect_none("accelerations", [&] { accelerations<T>(model, v, a, kin); });
  this->expect_none("pose_in_world", [&] { x[0] = pose_in_world<T>(model, kin, body).r.x; });
  this->expect_none("twist_in_body", [&] { x[0] = twist_in_body<T>(model, kin, body).v.x; });
  this->expect_none("twist_rate_in_body", [&] { x[0] = twist_rate_in_body<T>(model, kin, body).v.x; });
  this->expect_none("velocity_in_world", [&] { x[0] = velocity_in_world<T>(model, kin, body).v.x; });
  this->expect_none("acceleration_in_world", [&] { x[0] = acceleration_in_world<T>(model, kin, body).v.x; });
  this->expect_none("jacobian_in_body", [&] { jacobian_in_body<T>(model, kin, body, jacobian); });
  this->expect_none("jacobian_in_world", [&] { jacobian_in_world<T>(model, kin, body, jacobian); });
  this->expect_none("mass_centre", [&] { x[0] = mass_centre<T>(model, kin).mass; });
  this->expect_none("kinetic_energy", [&] { x[0] = kinetic_energy<T>(model, kin); });
  this->expect_none("potential_energy", [&] { x[0] = potential_energy<T>(model, kin); });
  this->expect_none("momentum_in_world", [&] { x[0] = momentum_in_world<T>(model, kin).n.x; });

  const Twist<T> t{{T(1), T(2), T(3)}, {T(4), T(5), T(6)}};
  this->expect_none("joint_rates", [&] { joint_rates<T>(model, kin, body, t, rates, x); });
  this->expect_none("joint_accelerations", [&] { joint_accelerations<T>(model, kin, body, v, t, rates, x); });

  this->expect_none("integrate", [&] { integrate<T>(model, q, v, q_out); });
  this->expect_none("difference", [&] { difference<T>(model, q, q_out, x); });
  this->expect_none("normalise", [&] { normalise<T>(model, q_out); });
  this->expect_none("link_pose", [&] { x[0] = link_pose<T>(model, at, 1).r.x; });
}

TYPED_TEST(Allocation, NoneInForces) {
  using T = TypeParam;
  using R = Real<T>;
  Random random(83);
  Robot robot = random_robot(random, {.bodies = 10});
  add_forces(random, robot);
  const ModelOf<T> model(robot);
  const auto q = as<T>(random_q<R>(random, model)), v = as<T>(random_vector<R>(random, model.nv()));
  Configuration<T> at(model);
  place<T>(model, q, at);
  ForcesOf<T> forces(model);
  T energy(0);
  this->expect_none("forces", [&] { energy += forces.act(at, q, v).dissipated; });
  this->expect_none("stored energy", [&] { energy += forces.stored(at, q); });
  EXPECT_GT(value(energy), 0);
}

// A run with everything that acts takes the same memory however many steps it has.
TEST(SimulationAllocation, NoneInSteps) {
  Random random(84);
  Robot robot = random_robot(random, {.bodies = 6, .types = {JointType::revolute, JointType::spherical}});
  add_forces(random, robot);
  for (Body& body : robot.bodies) body.joint.friction.coulomb = body.joint.friction.stribeck_epsilon = 0;
  const Model model(robot);
  SimulationSetup setup;
  setup.q = random_q<double>(random, model);
  setup.v = random_vector<double>(random, model.nv());
  setup.wrenches = random_external_wrenches(random, robot);
  setup.ground = random_ground(random, robot);
  setup.integrator = {.method = IntegrationMethod::rk4, .step = 1e-4};
  setup.every = 1;
  const auto taken = [&](double duration) {
    setup.duration = duration;
    const long before = allocations();
    simulate(model, setup, {});
    return allocations() - before;
  };
  EXPECT_EQ(taken(0.02), taken(0.01));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
