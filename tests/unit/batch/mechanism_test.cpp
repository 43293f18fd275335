// Batches of a mechanism: what it has is in every row.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/state_by_state.hpp"
#include "denoc/batch/batch.hpp"
#include "denoc/io/load.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_laws.hpp"
#include "unit/batch/rows.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

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

// Two hinges, of which the second follows the first.
Robot followed_hinge(double ratio) {
  Robot robot;
  for (int i = 0; i < 2; ++i) add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0.3, 0, 0}), {0.5, 0, 0});
  Loop coupler;
  coupler.type = LoopType::coupler;
  coupler.a.body = 1;
  coupler.b.body = 2;
  coupler.ratio = ratio;
  robot.loops.push_back(coupler);
  return robot;
}

// Any entry that is no finite number, of the wrenches too, makes its row not finite and leaves the others alone: in
// packs, in packs with joints that follow others, and state by state; also where no joint feels the wrench, since its body
// is welded to the ground.
TEST(MechanismBatch, SaysWhichRowsAreNotFinite) {
  Robot post_and_hinge;
  add(post_and_hinge, joint(JointType::fixed), mass(1));
  add(post_and_hinge, joint(JointType::revolute), mass(1, {0.3, 0, 0}));
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  for (const Robot& robot : {post_and_hinge, shipped("puma560"), followed_hinge(-0.5), shipped("fourbar")}) {
    SCOPED_TRACE(robot.name);
    const Mechanism mechanism(robot);
    Random random(12);
    const int count = 11, bad = 6;
    Rows rows(mechanism, random, count);
    rows.x.assign(rows.x.size(), 0.0);  // accelerations that keep loops closed
    std::vector<double> numbers(6 * count, 0.5);
    const std::vector<RowWrenches<double>> wrenches = {{1, numbers}};
    Executor executor(1);
    Batch<double> batch(mechanism, executor);
    for (const batch::Problem problem : problems) {
      if (problem == batch::Problem::inverse_derivatives && mechanism.has_loops()) continue;
      for (auto* const given : {&rows.q, &rows.v, &rows.x, &numbers}) {
        const std::size_t n = given->size() / count;
        for (std::size_t k = 0; k < n; ++k) {
          double& entry = (*given)[bad * n + k];
          const double was = entry;
          entry = k % 2 == 0 ? nan : infinite;
          const Answers found = ask(batch, problem, count, rows.q, rows.v, rows.x,
                                    given == &numbers ? wrenches : std::vector<RowWrenches<double>>());
          entry = was;
          for (int r = 0; r < count; ++r)
            EXPECT_EQ(found.status[std::size_t(r)], r == bad ? RowStatus::not_finite : RowStatus::done)
                << "problem " << int(problem) << ", row " << r << ", entry " << k << " of " << n;
        }
      }
    }
  }
}

// The follower's posture, rate or acceleration is the ratio times the leader's: whatever else it is, with either sign,
// larger or smaller, is refused, where Dynamics refuses it.
TEST(MechanismBatch, RefusesWhatOpensACoupling) {
  const double ratio = -0.5, factors[] = {1, -1, 0, 0.5, 2, -2, 0.99, 1.01};
  const Mechanism mechanism(followed_hinge(ratio));
  std::vector<double> given[3];  // q, v, a
  std::vector<bool> is_open;
  for (int wrong = 0; wrong < 3; ++wrong)
    for (const double sign : {1, -1})
      for (const double factor : factors) {
        for (int i = 0; i < 3; ++i)
          given[i].insert(given[i].end(), {sign * 0.8, sign * 0.8 * ratio * (i == wrong ? factor : 1)});
        is_open.push_back(factor != 1);
      }
  const std::vector<double>&q = given[0], &v = given[1], &a = given[2];
  const int count = int(is_open.size());
  Executor executor(1);
  Batch<double> batch(mechanism, executor);
  const Answers inverse = ask(batch, batch::Problem::inverse, count, q, v, a);
  const Answers forward = ask(batch, batch::Problem::forward, count, q, v, a);  // forces: any will do
  Dynamics d(mechanism);
  for (int r = 0; r < count; ++r) {
    const std::size_t i = std::size_t(r);
    EXPECT_EQ(inverse.status[i], is_open[i] ? RowStatus::refused : RowStatus::done) << r;
    const bool moves_open = is_open[i] && r < 2 * count / 3;
    EXPECT_EQ(forward.status[i], moves_open ? RowStatus::refused : RowStatus::done) << r;
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(std::isnan(inverse.y[0][2 * i + std::size_t(k)]), is_open[i]) << r;
      EXPECT_EQ(std::isnan(forward.y[0][2 * i + std::size_t(k)]), moves_open) << r;
    }
    const auto alone = [&] { d.inverse(row(q, r, 2), row(v, r, 2), row(a, r, 2)); };
    if (is_open[i]) {
      EXPECT_THROW(alone(), Error) << r;
    } else {
      EXPECT_NO_THROW(alone()) << r;
    }
  }
}

// Quaternions as Dynamics takes them: normalised where they are off unit length by less than 1e-6, else the row is
// refused, and the others are what they were.
TEST(MechanismBatch, TakesQuaternionsAsDynamicsDoes) {
  Robot robot = shipped("free_flying_arm");
  robot.gravity = {1, 2, -9};  // without a weight no force would tell which way it is turned
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  Random random(8);
  const int count = 13, nq = mechanism.nq(), nv = mechanism.nv();
  std::vector<double> q, v, x;
  for (int r = 0; r < count; ++r) {
    const State<double> s(random, mechanism.tree());
    q.insert(q.end(), s.q.begin(), s.q.end());
    v.insert(v.end(), s.v.begin(), s.v.end());
    x.insert(x.end(), s.a.begin(), s.a.end());
  }
  const double lengths[count] = {1, 1 + 9e-7, 1 - 9e-7, 1 + 2e-6, 1 - 2e-6, 1.2, 0.8, 1e3, 0.5, 1e-3, 0, 1, 1};
  const auto is_off = [&](int r) { return std::abs(lengths[r] - 1) > 1e-6; };
  for (int r = 0; r < count; ++r)
    for (int i = 0; i < 4; ++i) q[size_t(r * nq + 3 + i)] *= lengths[r];  // after the position
  Executor executor(2);
  Batch<double> batch(mechanism, executor);
  for (const batch::Problem problem : problems) {
    const auto [y, status] = ask(batch, problem, count, q, v, x);
    for (int r = 0; r < count; ++r) {
      EXPECT_EQ(status[size_t(r)], is_off(r) ? RowStatus::refused : RowStatus::done) << int(problem) << " " << r;
      for (const std::vector<double>& all : y)
        for (const double each : row(all, r, int(all.size()) / count)) EXPECT_TRUE(!is_off(r) || std::isnan(each));
      if (is_off(r)) {
        EXPECT_THROW(d.inverse(row(q, r, nq), row(v, r, nv), row(x, r, nv)), ArgumentError);
        continue;
      }
      if (problem != batch::Problem::inverse) continue;
      const auto forces = d.inverse(row(q, r, nq), row(v, r, nv), row(x, r, nv));
      const std::vector<double> expected(forces.begin(), forces.end());
      expect_near(row(y[0], r, nv), expected, 64 * nv * 2.2e-16 * largest(expected), "tau");
    }
  }
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

// One for all rows, or one for each.
TEST(MechanismBatch, ClosedChainsFeelTheWrenchesOfTheirRow) {
  const Mechanism mechanism(shipped("fourbar"));
  Random random(8);
  const int count = 19, nq = mechanism.nq(), nv = mechanism.nv(), body = 2;
  const Rows rows(mechanism, random, count);
  std::vector<double> numbers(6 * count);
  for (double& each : numbers) each = random.uniform(-3, 3);
  const std::vector<double> one(numbers.begin(), numbers.begin() + 6);
  Executor executor(2);
  Batch<double> batch(mechanism, executor);
  Dynamics d(mechanism);
  for (const auto& given : {numbers, one}) {
    std::vector<double> a(rows.x.size());
    const std::vector<RowWrenches<double>> wrenches = {{body, given}};
    batch.forward_dynamics(rows.q, rows.v, rows.x, a, {}, wrenches);
    for (int r = 0; r < count; ++r) {
      const auto w = given.size() == 6 ? given : row(given, r, 6);
      const std::vector<BodyWrench<double>> acting = {{body, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}}};
      const auto expected = d.forward(row(rows.q, r, nq), row(rows.v, r, nv), row(rows.x, r, nv), acting);
      EXPECT_EQ(row(a, r, nv), std::vector<double>(expected.begin(), expected.end())) << r;
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
    const std::vector<double> forces(expected.begin(), expected.end());
    // Friction and gravity of the pendulum are of the size of the wrenches, which are below 3 in each entry.
    expect_near(row(tau, r, nv), forces, 64 * 2.2e-16 * (18 + largest(forces)), "tau");
  }
  const std::vector<RowWrenches<double>> short_of_rows = {{body, std::span(numbers).first(12)}};
  EXPECT_THROW(batch.inverse_dynamics(rows.q, rows.v, rows.x, tau, {}, short_of_rows), ArgumentError);
}

// q_f = ratio q_l + offset for every loop, in rows of n numbers.
void follow(const Mechanism& mechanism, std::vector<double>& rows, int n, bool is_posture) {
  for (std::size_t first = 0; first < rows.size(); first += std::size_t(n))
    for (const Loop& loop : mechanism.robot().loops) {
      const auto &a = mechanism.tree().body(loop.a.body), &b = mechanism.tree().body(loop.b.body);
      const std::size_t from = std::size_t(is_posture ? a.q : a.v), to = std::size_t(is_posture ? b.q : b.v);
      rows[first + to] = loop.ratio * rows[first + from] + (is_posture ? loop.offset : 0);
    }
}

TEST(MechanismBatch, EliminatesJointsThatFollowOthers) {
  Random random(9);
  // fore follows upper, hand follows fore, jaw follows thumb, nail nobody; rotors, springs and friction act.
  const Document document = read_robot_text(R"(name: followers
bodies:
  - {name: upper, parent: world, joint: {type: revolute, axis: [0, 1, 0]}, mass: 2, com: [0.1, 0, 0.05],
     inertia: [0.02, 0.03, 0.02, 0, 0, 0], actuator: {gear: 50, rotor_inertia: 1e-4}}
  - {name: fore, parent: upper, frame: {xyz: [0.2, 0, 0]}, joint: {type: revolute, axis: [0, 1, 0]}, mass: 1,
     com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0], spring: {stiffness: 3, rest: 0.2}}
  - {name: hand, parent: fore, frame: {xyz: [0.2, 0, 0]}, joint: {type: revolute, axis: [1, 0, 0]}, mass: 0.5,
     com: [0.05, 0, 0.02], inertia: [0.002, 0.003, 0.003, 0, 0, 0], friction: {viscous: 0.05, coulomb: 0.1}}
  - {name: thumb, parent: hand, frame: {xyz: [0.1, 0.05, 0]}, joint: {type: prismatic, axis: [0, 0, 1]}, mass: 0.2,
     com: [0, 0, 0.02], inertia: [0.001, 0.001, 0.001, 0, 0, 0]}
  - {name: jaw, parent: hand, frame: {xyz: [0.1, -0.05, 0]}, joint: {type: prismatic, axis: [0, 0, 1]}, mass: 0.2,
     com: [0, 0.01, 0.02], inertia: [0.001, 0.001, 0.001, 0, 0, 0]}
  - {name: nail, parent: jaw, frame: {xyz: [0.05, 0, 0]}, joint: {type: revolute, axis: [0, 1, 0]}, mass: 0.1,
     com: [0.02, 0, 0], inertia: [0.001, 0.001, 0.001, 0, 0, 0]}
loops:
  - {type: coupler, a: {body: upper}, b: {body: fore}, ratio: -0.5, offset: 0.2}
  - {type: coupler, a: {body: fore}, b: {body: hand}, ratio: 1.5, offset: 0.1}
  - {type: coupler, a: {body: thumb}, b: {body: jaw}, ratio: -1}
)",
                                            "followers", {});
  ASSERT_TRUE(document.faults.empty());
  const Robot& robot = document.robot;
  const Mechanism mechanism(robot);
  const int rows = 13, nq = mechanism.nq(), nv = mechanism.nv();
  std::vector<double> q, v, a;
  for (int r = 0; r < rows; ++r) {
    const State<double> s(random, mechanism.tree());
    q.insert(q.end(), s.q.begin(), s.q.end());
    v.insert(v.end(), s.v.begin(), s.v.end());
    a.insert(a.end(), s.a.begin(), s.a.end());
  }
  follow(mechanism, q, nq, true);
  for (std::vector<double>* each : {&v, &a}) follow(mechanism, *each, nv, false);
  Executor executor(2);
  Batch<double> batch(mechanism, executor, Forces::all);
  Dynamics d(mechanism, Forces::all);
  std::vector<double> tau(a.size()), back(a.size());
  std::vector<RowStatus> status(std::size_t{rows});
  batch.inverse_dynamics(q, v, a, tau, status);
  batch.forward_dynamics(q, v, tau, back, status);
  EXPECT_EQ(status, std::vector<RowStatus>(std::size_t{rows}, RowStatus::done));
  for (int r = 0; r < rows; ++r) {
    const auto expected = d.inverse(row(q, r, nq), row(v, r, nv), row(a, r, nv));
    expect_near(row(tau, r, nv), {expected.begin(), expected.end()}, 1e-11 * largest(row(tau, r, nv)), "tau");
    expect_near(row(back, r, nv), row(a, r, nv), 1e-8 * largest(row(a, r, nv)), "a");
  }
  // A row that leaves a coupling open is refused as Dynamics refuses it; the others are as they were.
  q[std::size_t(mechanism.tree().body(mechanism.body("hand")).q)] += 0.01;
  std::vector<double> again(a.size());
  batch.inverse_dynamics(q, v, a, again, status);
  EXPECT_EQ(status[0], RowStatus::refused);
  EXPECT_TRUE(std::isnan(again[0]));
  EXPECT_EQ(row(again, 1, nv), row(tau, 1, nv));
}

// q_f = c0 + c1 (q_l + phase) + offset is a fixed ratio as well; what leaves it open is refused, as Dynamics refuses it.
TEST(MechanismBatch, KnowsWhereAPolynomialIsOpen) {
  Robot robot;
  for (int i = 0; i < 2; ++i) add(robot, joint(JointType::revolute, {0, 1, 0}), mass(1, {0.3, 0, 0}), {0.5, 0, 0});
  Loop straight;
  straight.type = LoopType::polynomial;
  straight.a.body = 1;
  straight.b.body = 2;
  straight.coefficients = {0.3, -0.5};
  straight.offset = 0.1;
  straight.phase = 0.2;
  robot.loops.push_back(straight);
  const Mechanism mechanism(robot);
  const double lead = 0.7, follow = 0.3 - 0.5 * (lead + 0.2) + 0.1;
  std::vector<double>
      q;  // in the first row it is closed, in the others each term in turn is missing or has the other sign
  for (const double off : {0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.6, -0.6, -0.5 * 0.2 * 2, 0.5 * 0.2 * 2})
    q.insert(q.end(), {lead, follow + off});
  const std::size_t rows = q.size() / 2;
  const std::vector<double> v(q.size()), a(q.size());
  std::vector<double> tau(q.size());
  std::vector<RowStatus> status(rows);
  Executor executor(1);
  Batch<double> batch(mechanism, executor);
  batch.inverse_dynamics(q, v, a, tau, status);
  EXPECT_EQ(status[0], RowStatus::done);
  Dynamics d(mechanism);
  const auto expected = d.inverse(row(q, 0, 2), row(v, 0, 2), row(a, 0, 2));
  expect_near(row(tau, 0, 2), {expected.begin(), expected.end()}, 1e-13 * largest(row(tau, 0, 2)), "tau");
  for (std::size_t r = 1; r < rows; ++r) EXPECT_EQ(status[r], RowStatus::refused) << q[2 * r + 1] - follow;
}

TEST(MechanismBatch, OfATreeAloneRefusesWrenches) {
  const Mechanism mechanism(shipped("puma560"));
  Executor executor(1);
  Batch<double> batch(mechanism.tree(), executor);
  std::vector<double> zero(6), numbers(6);
  const std::vector<RowWrenches<double>> wrenches = {{1, numbers}};
  EXPECT_THROW(batch.inverse_dynamics(zero, zero, zero, numbers, {}, wrenches), NotCovered);
}

// Of hundreds of millions of rows, too, their number is told: nothing of them is read before.
TEST(MechanismBatch, CountsTheWrenchesOfManyRows) {
  Robot hinge;
  add(hinge, joint(JointType::revolute), mass(1, {0.3, 0, 0}));
  const Mechanism mechanism(hinge);
  Executor executor(1);
  Batch<double> batch(mechanism, executor);
  double one = 0;
  const std::span<double> many(&one, 360'000'000);
  const std::vector<RowWrenches<double>> wrenches = {{1, many.first(12)}};
  try {
    batch.inverse_dynamics(many, many, many, many, {}, wrenches);
    ADD_FAILURE() << "taken";
  } catch (const ArgumentError& refused) {
    EXPECT_NE(std::string(refused.what()).find("2160000000"), std::string::npos) << refused.what();
  }
}

TEST(MechanismBatch, RefusesWrenchesOnTheGround) {
  const Mechanism trees(shipped("puma560")), closed(shipped("fourbar"));
  for (const Mechanism* mechanism : {&trees, &closed}) {
    Executor executor(1);
    Batch<double> batch(*mechanism, executor);
    const std::vector<double> q = mechanism->neutral(), zero(std::size_t(mechanism->nv())), numbers(6);
    std::vector<double> tau(zero);
    const std::vector<RowWrenches<double>> wrenches = {{1, numbers}, {0, numbers}};
    try {
      batch.inverse_dynamics(q, zero, zero, tau, {}, wrenches);
      ADD_FAILURE() << "taken";
    } catch (const ArgumentError& refused) {
      EXPECT_NE(std::string(refused.what()).find("body 0 is the world, which does not move"), std::string::npos)
          << refused.what();
    }
  }
}

// Wrenches are those of one row, which then act in all, or of every row: with fewer or with more it is not known which of
// them act where, and nothing is computed.
TEST(MechanismBatch, RefusesWrenchesOfOtherRowsThanThereAre) {
  for (const Robot& robot : {shipped("puma560"), followed_hinge(-0.5), shipped("fourbar")}) {
    SCOPED_TRACE(robot.name);
    const Mechanism mechanism(robot);
    Executor executor(1);
    Batch<double> batch(mechanism, executor);
    Random random(4);
    const int count = 9;
    const Rows rows(mechanism, random, count);
    const std::vector<double> numbers(6 * 4 * count);
    for (const batch::Problem problem : {batch::Problem::inverse, batch::Problem::forward})
      for (const int given : {0, 5, 6, 7, 12, 6 * count - 6, 6 * count - 1, 6 * count, 6 * count + 1, 6 * count + 6,
                              12 * count, 24 * count}) {
        const std::vector<RowWrenches<double>> wrenches = {{1, std::span(numbers).first(std::size_t(given))}};
        const std::vector<double> x(rows.x.size());
        const auto asked = [&] { ask(batch, problem, count, rows.q, rows.v, x, wrenches); };
        if (given == 6 || given == 6 * count)
          EXPECT_NO_THROW(asked()) << given;
        else
          EXPECT_THROW(asked(), ArgumentError) << given;
      }
  }
}

// A joint without inertia that follows another, or leads it: the tree has no accelerations of its own, the closed robot has;
// and where nothing has inertia, none has. Row by row as Dynamics says, with wrenches, beside rows that are open or no numbers.
TEST(MechanismBatch, FollowersNeedNoInertiaOfTheirOwn) {
  for (const double ratio : {-0.5, 1.0, 3.0})
    for (const int massless : {0, 1, 2, 3}) {  // none, the leader, the follower, both
      SCOPED_TRACE(testing::Message() << ratio << ", without mass: " << massless);
      Robot robot;
      for (int i = 1; i <= 2; ++i) {
        const bool has_mass = massless != i && massless != 3;
        // side by side: no inertia but its own
        add(robot, joint(JointType::revolute, {0, 1, 0}), has_mass ? mass(1, {0.3, 0, 0}) : mass(0), {0.5 * i, 0, 0})
            .parent = 0;
      }
      Loop coupler;
      coupler.type = LoopType::coupler;
      coupler.a.body = 1;
      coupler.b.body = 2;
      coupler.ratio = ratio;
      robot.loops.push_back(coupler);
      const Mechanism mechanism(robot);
      Dynamics d(mechanism);
      Random random(2);
      const int count = 41;
      std::vector<double> q, v, tau, numbers;
      for (int r = 0; r < count; ++r) {
        const double lead = random.uniform(-2, 2), rate = random.uniform(-2, 2);
        q.insert(q.end(), {lead, ratio * lead + (r % 7 == 3 ? 0.1 : 0)});
        v.insert(v.end(), {rate, ratio * rate + (r % 7 == 5 ? 0.1 : 0)});
        for (int k = 0; k < 2; ++k) tau.push_back(r % 11 == 4 ? std::nan("") : random.uniform(-3, 3));
        for (int k = 0; k < 6; ++k) numbers.push_back(random.uniform(-3, 3));
      }
      for (const int threads : {1, 3}) {
        Executor executor(threads);
        Batch<double> batch(mechanism, executor);
        const std::vector<RowWrenches<double>> wrenches = {{2, numbers}};
        const auto [y, status] = ask(batch, batch::Problem::forward, count, q, v, tau, wrenches);
        for (int r = 0; r < count; ++r) {
          const auto w = row(numbers, r, 6);
          const std::vector<BodyWrench<double>> acting = {{2, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}}};
          const bool is_open = r % 7 == 3 || r % 7 == 5, is_none = r % 11 == 4;
          const RowStatus expected = is_none         ? RowStatus::not_finite
                                     : is_open       ? RowStatus::refused
                                     : massless == 3 ? RowStatus::singular
                                                     : RowStatus::done;
          if (!(is_none && is_open)) {
            EXPECT_EQ(status[std::size_t(r)], expected) << r;
          }
          const std::vector<double> a = row(y[0], r, 2);
          const auto alone = [&] { return d.forward(row(q, r, 2), row(v, r, 2), row(tau, r, 2), acting); };
          if (is_open || is_none || massless == 3) {
            EXPECT_TRUE(std::isnan(a[0]) && std::isnan(a[1])) << r;
            EXPECT_THROW(alone(), Error) << r;
            continue;
          }
          const auto found = alone();
          expect_near(a, {found.begin(), found.end()}, 1e-12 * (1 + largest(a)), "a");
          EXPECT_NEAR(a[1], ratio * a[0], 1e-12 * (1 + largest(a))) << r;
        }
      }
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
