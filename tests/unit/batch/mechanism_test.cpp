// Batches of a mechanism: what it has is in every row, or the batch is refused.
#include <gtest/gtest.h>

#include "denoc/batch/batch.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/data.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {

TEST(MechanismBatch, FeelsRotorsAsDynamicsDoes) {
  Random random(3);
  Robot robot =
      random_robot(random, {.bodies = 8, .types = {JointType::revolute, JointType::prismatic, JointType::spherical}});
  for (Body& body : robot.bodies)
    if (degrees_of_freedom(body.joint.type) > 0) body.joint.armature = random.uniform(0.2, 2);
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  Executor executor(1);
  Batch<double> batch(mechanism, executor);
  const int rows = 11, nv = mechanism.nv();
  std::vector<double> q, v, a;
  for (int r = 0; r < rows; ++r) {
    const State<double> s(random, mechanism.tree());
    q.insert(q.end(), s.q.begin(), s.q.end());
    v.insert(v.end(), s.v.begin(), s.v.end());
    a.insert(a.end(), s.a.begin(), s.a.end());
  }
  std::vector<double> tau(a.size()), back(a.size());
  batch.inverse_dynamics(q, v, a, tau);
  batch.forward_dynamics(q, v, tau, back);
  for (int r = 0; r < rows; ++r) {
    const auto row = [&](const std::vector<double>& all, int n) {
      return std::vector<double>(all.begin() + r * n, all.begin() + (r + 1) * n);
    };
    const auto expected = d.inverse(row(q, mechanism.nq()), row(v, nv), row(a, nv));
    const std::vector<double> forces(expected.begin(), expected.end());
    // Products may be kept from rounding in the batch: some units in the last place of the largest.
    expect_near(row(tau, nv), forces, 64 * nv * 2.2e-16 * largest(forces), "tau");
    expect_near(row(back, nv), row(a, nv), 1e-10 * largest(row(a, nv)), "a");
  }
}

TEST(MechanismBatch, RefusesLoops) {
  const Mechanism mechanism(shipped("fourbar"));
  Executor executor(1);
  try {
    Batch<double> batch(mechanism, executor);
    FAIL() << "the tree of a four-bar";
  } catch (const NotCovered& refused) {
    EXPECT_NE(std::string(refused.what()).find("loops"), std::string::npos) << refused.what();
  }
}

}  // namespace
}  // namespace denoc::test
