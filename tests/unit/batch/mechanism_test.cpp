// Batches of a mechanism: what it has is in every row.
#include <gtest/gtest.h>

#include <cmath>

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

// Rows of states of the mechanism, loops closed and at rest.
struct Rows {
  std::vector<double> q, v, x;
  Rows(const Mechanism& mechanism, Random& random, int count) {
    Dynamics d(mechanism);
    for (int r = 0; r < count; ++r) {
      std::vector<double> posture = mechanism.neutral();
      for (double& each : posture) each += random.uniform(-0.05, 0.05);
      const auto closed = d.assemble(posture);
      q.insert(q.end(), closed.begin(), closed.end());
      for (int k = 0; k < mechanism.nv(); ++k) x.push_back(random.uniform(-1, 1));
    }
    v.assign(x.size(), 0.0);
  }
};
std::vector<double> row(const std::vector<double>& all, int r, int n) {
  return {all.begin() + r * n, all.begin() + (r + 1) * n};
}

TEST(MechanismBatch, ClosesLoopsAsDynamicsDoes) {
  const Mechanism mechanism(shipped("fourbar"));
  Random random(5);
  const int count = 21, nq = mechanism.nq(), nv = mechanism.nv();
  const Rows rows(mechanism, random, count);
  Dynamics d(mechanism);
  for (const int threads : {1, 3}) {
    Executor executor(threads);
    Batch<double> batch(mechanism, executor);
    std::vector<double> a(rows.x.size());
    std::vector<RowStatus> status(count);
    batch.forward_dynamics(rows.q, rows.v, rows.x, a, status);
    for (int r = 0; r < count; ++r) {
      EXPECT_EQ(status[size_t(r)], RowStatus::done);
      const auto expected = d.forward(row(rows.q, r, nq), row(rows.v, r, nv), row(rows.x, r, nv));
      EXPECT_EQ(row(a, r, nv), std::vector<double>(expected.begin(), expected.end()));
    }
  }
}

TEST(MechanismBatch, SaysWhichRowsLeaveALoopOpen) {
  const Mechanism mechanism(shipped("fourbar"));
  Random random(6);
  Rows rows(mechanism, random, 3);
  rows.q[size_t(mechanism.nq())] += 0.3;
  Executor executor(2);
  Batch<double> batch(mechanism, executor);
  std::vector<double> a(rows.x.size());
  std::vector<RowStatus> status(3);
  batch.forward_dynamics(rows.q, rows.v, rows.x, a, status);
  EXPECT_EQ(status, (std::vector{RowStatus::done, RowStatus::refused, RowStatus::done}));
  EXPECT_TRUE(std::isnan(a[size_t(mechanism.nv())]));
}

TEST(MechanismBatch, FeelsWrenchesAndForcesAsDynamicsDoes) {
  const Mechanism mechanism(shipped("friction_pendulum"));
  Random random(7);
  const int count = 9, nq = mechanism.nq(), nv = mechanism.nv(), body = int(mechanism.robot().bodies.size()) - 1;
  Rows rows(mechanism, random, count);
  for (double& rate : rows.v) rate = random.uniform(-1, 1);
  std::vector<double> numbers(6 * count);
  for (double& each : numbers) each = random.uniform(-3, 3);
  Executor executor(2);
  Batch<double> batch(mechanism, executor, Forces::all);
  std::vector<double> tau(rows.x.size());
  const std::vector<RowWrenches<double>> wrenches = {{body, numbers}};
  batch.inverse_dynamics(rows.q, rows.v, rows.x, tau, {}, wrenches);
  Dynamics d(mechanism, Forces::all);
  for (int r = 0; r < count; ++r) {
    const auto w = row(numbers, r, 6);
    const std::vector<BodyWrench<double>> acting = {{body, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}}};
    const auto expected = d.inverse(row(rows.q, r, nq), row(rows.v, r, nv), row(rows.x, r, nv), acting);
    EXPECT_EQ(row(tau, r, nv), std::vector<double>(expected.begin(), expected.end()));
  }
  const std::vector<RowWrenches<double>> short_of_rows = {{body, std::span(numbers).first(12)}};
  EXPECT_THROW(batch.inverse_dynamics(rows.q, rows.v, rows.x, tau, {}, short_of_rows), ArgumentError);
}

TEST(MechanismBatch, OfATreeAloneRefusesWrenches) {
  const Mechanism mechanism(shipped("puma560"));
  Executor executor(1);
  Batch<double> batch(mechanism.tree(), executor);
  std::vector<double> zero(6), numbers(6);
  const std::vector<RowWrenches<double>> wrenches = {{1, numbers}};
  EXPECT_THROW(batch.inverse_dynamics(zero, zero, zero, numbers, {}, wrenches), NotCovered);
}

}  // namespace
}  // namespace denoc::test
