// Dynamics takes its memory when it is made: no call on a tree takes any.
#include <gtest/gtest.h>

#include "counting_new.hpp"
#include "denoc/denoc.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

TEST(DynamicsAllocation, NoneInAnyAnswer) {
  Random random(83);
  Robot robot = random_robot(random, {.bodies = 10});
  for (Body& body : robot.bodies) {
    if (degrees_of_freedom(body.joint.type) != 1) continue;
    body.joint.spring.stiffness = 3;
    body.joint.friction.viscous = 0.1;
    body.joint.actuator = {.gear = 20, .rotor_inertia = 1e-3};
  }
  const Mechanism mechanism(robot);
  Dynamics d(mechanism, Forces::all);
  State<double> s(random, mechanism.tree());
  const std::vector<double> tau = random_vector<double>(random, mechanism.nv(), 5);
  const BodyWrench<double> given[] = {{3, {{1, 2, 3}, {4, 5, 6}}}};
  const auto expect_none = [](const char* name, auto&& call) {
    const long before = allocations();
    call();
    EXPECT_EQ(allocations() - before, 0) << name;
  };
  expect_none("inverse", [&] { d.inverse(s.q, s.v, s.a, given); });
  expect_none("forward", [&] { d.forward(s.q, s.v, tau, given); });
  expect_none("inverse_derivatives", [&] { d.inverse_derivatives(s.q, s.v, s.a, given); });
  expect_none("forward_derivatives", [&] { d.forward_derivatives(s.q, s.v, tau, given); });
  // These take their memory when first asked for.
  const auto expect_none_again = [&](const char* name, auto&& call) {
    call();
    expect_none(name, call);
  };
  expect_none_again("inverse_second_order", [&] { d.inverse_second_order(s.q, s.v, s.a, tau, given); });
  expect_none_again("inverse_second_order_tensor", [&] { d.inverse_second_order_tensor(s.q, s.v, s.a, given); });
  expect_none_again("inverse_reaction_derivatives", [&] { d.inverse_reaction_derivatives(s.q, s.v, s.a, given); });
  expect_none_again("forward_reaction_derivatives", [&] { d.forward_reaction_derivatives(s.q, s.v, tau, given); });
  expect_none("inertia", [&] { d.inertia(s.q); });
  expect_none("inertia_inverse", [&] { d.inertia_inverse(s.q); });
  expect_none("factors", [&] { d.factors(s.q); });
  expect_none("bias", [&] { d.bias(s.q, s.v); });
  expect_none("gravity", [&] { d.gravity(s.q); });
  expect_none("energy", [&] { d.energy(s.q, s.v); });
  expect_none("momentum", [&] { d.momentum(s.q, s.v); });
  expect_none("reactions", [&] { d.reactions(s.q, s.v, s.a); });
  expect_none("pose", [&] { d.pose(s.q, "body5"); });
  expect_none("twist", [&] { d.twist(s.q, s.v, 4); });
  expect_none("jacobian", [&] { d.jacobian(s.q, "body5"); });
  expect_none("mass_centre", [&] { d.mass_centre(s.q); });
  expect_none("mass_centre_jacobian", [&] { d.mass_centre_jacobian(s.q); });
  expect_none("centroidal_momentum_matrix", [&] { d.centroidal_momentum_matrix(s.q); });
  expect_none("step", [&] { d.step(s.q, s.v, tau, 1e-4); });
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
