// Robots with several loops: against closed forms, against the dense equations, and cut elsewhere.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "support/dense.hpp"
#include "support/mechanisms.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double eps = std::numeric_limits<double>::epsilon();

// n + 1 rods on the ground joined by n bars that stay level: one coordinate,
//   ((n + 1) m l^2/3 + n m l^2) a = ((n + 1)/2 + n) m g l sin(angle)
TEST(ManyLoops, ParallelogramsFallAsOne) {
  Random random(3);
  for (const int n : {1, 2, 7, 40, 400}) {
    SCOPED_TRACE(n);
    Robot robot = four_bars(n);
    for (std::size_t i = robot.loops.size(); i-- > 1;)  // in any order
      std::swap(robot.loops[i], robot.loops[std::size_t(random.below(int(i) + 1))]);
    const Model model(robot);
    ClosedChain chain(model);
    std::vector<double> q, v;
    for (int k = 0; k < model.nv(); ++k) {
      q.push_back(k % 2 == 0 ? 0.3 : -0.3);
      v.push_back(k % 2 == 0 ? 1 : -1);
    }
    const std::vector<double> a = chain.forward_dynamics(q, v, std::vector<double>(q.size())).a;
    const double rods = n + 1, bars = n;
    const double expected = 9.81 * std::sin(0.3) * (rods / 2 + bars) / (rods / 3 + bars);
    for (int k = 0; k < model.nv(); ++k)
      EXPECT_NEAR(a[std::size_t(k)], k % 2 == 0 ? expected : -expected, 1e-10) << "degree of freedom " << k;
  }
}

// Nearly flat, parallelograms lean on forces that are 1/d times as large as what acts on them; accelerations close the
// loops all the same, J a + c = 0 to rounding.
TEST(ManyLoops, NearlyFlatParallelogramsStayClosed) {
  for (const double d : {0.1, 0.01, 3e-3, 1e-3, 5e-4})
    for (const int n : {1, 3}) {
      Robot robot = four_bars(n);
      const Vec3<double> along{0.8, 0.6, 0};  // the bars, askew, so that rows are alike and not just small
      for (std::size_t i = 1; i <= std::size_t(n); ++i) {
        robot.bodies[2 * i + 1].joint_frame.r = along * double(i);
        robot.loops[i - 1].a.frame.r = along;
      }
      const Model model(robot);
      ClosedChain chain(model);
      std::vector<double> q, v, tau;
      for (int k = 0; k < model.nv(); ++k) {
        q.push_back((k % 2 == 0 ? -1 : 1) * (std::atan2(along.x, along.y) - d));
        v.push_back(k % 2 == 0 ? 1 : -1);
        tau.push_back(k % 3 - 1);
      }
      const std::vector<double> a = chain.forward_dynamics(q, v, tau).a, J = chain.jacobian(q), c = chain.bias(q, v);
      const std::size_t nv = a.size();
      for (std::size_t i = 0; i < c.size(); ++i) {
        double sum = c[i], terms = std::abs(c[i]);
        for (std::size_t k = 0; k < nv; ++k) sum += J[i * nv + k] * a[k], terms += std::abs(J[i * nv + k] * a[k]);
        EXPECT_LE(std::abs(sum), 4 * double(nv) * eps * terms) << "row " << i << " of " << n << ", " << d;
      }
    }
}

// Loops of any type and couplings anywhere in a tree, from rest: [I -J^T; J 0] [a; f] = [tau - bias; 0].
TEST(ManyLoops, AgreeWithTheDenseEquations) {
  Random random(8);
  for (int trial = 0; trial < 30; ++trial) {
    Robot robot = random_robot(random, {.bodies = 14, .types = moving_joints()});
    for (const int b : {2, 9}) robot.bodies[std::size_t(b)].joint.type = JointType::revolute;
    const std::vector<double> q = random_q<double>(random, Model(robot));
    for (const auto& [type, a, b] : {std::tuple{LoopType::spherical, 3, 11},
                                     {LoopType::distance, 5, 14},
                                     {LoopType::point_on_line, 0, 7},
                                     {LoopType::point_on_plane, 4, 12},
                                     {LoopType::gear, 2, 9}})
      robot.loops.push_back(random_loop(random, type, a, b));
    const Model model(robot);
    ClosedChain chain(model);
    const std::size_t n = std::size_t(model.nv());
    const std::vector<double> rest(n), tau = random_vector<double>(random, model.nv(), 10);
    const ClosedChain::Forward found = chain.forward_dynamics(q, rest, tau);

    Configuration<double> at(model);
    InverseScratch<double> inverse(model);
    CompositeScratch<double> composite(model);
    std::vector<double> bias(n), inertia(n * n), J = chain.jacobian(q);
    place<double>(model, q, at);
    bias_forces<double>(model, at, rest, inverse, bias);
    inertia_matrix<double>(model, at, composite, inertia);
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = Eigen::Index(chain.rows()), size = Eigen::Index(n);
    const Eigen::Map<ByRows> I(inertia.data(), size, size), G(J.data(), rows, size);
    MatrixXd K = MatrixXd::Zero(size + rows, size + rows);
    K << I, -G.transpose(), G, MatrixXd::Zero(rows, rows);
    VectorXd right = VectorXd::Zero(size + rows);
    for (std::size_t k = 0; k < n; ++k) right[Eigen::Index(k)] = tau[k] - bias[k];
    const VectorXd values = singular_values(K);
    const double condition = values[0] / values.tail(1)[0];
    if (condition > 1e8) continue;  // hardly independent
    const VectorXd expected = least_squares(K, right);
    // Both are solved with errors of some n eps in K.
    const double tolerance = 8 * double(K.rows()) * eps * condition * expected.cwiseAbs().maxCoeff();
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(found.a[k], expected[Eigen::Index(k)], tolerance);
    for (std::size_t i = 0; i < std::size_t(rows); ++i)
      EXPECT_NEAR(found.multipliers[i], expected[size + Eigen::Index(i)], tolerance);
  }
}

// Cut at the crank's tip, the rocker with the coupler on it has equations enough for the force in the cut, and the
// crank then for its drive. Cut at the other end of the coupler neither side has. The drive is the same.
TEST(ManyLoops, DeterminateSubsystemsGoFirst) {
  const Robot at_rocker = four_bar();
  Robot at_crank;
  at_crank.gravity = at_rocker.gravity;
  const Joint hinge = joint(JointType::revolute);
  const auto& rods = at_rocker.bodies;
  const double crank_length = rods[2].joint_frame.r.x;
  const int crank = add_to(at_crank, 0, hinge, rods[1].inertial),
            rocker = add_to(at_crank, 0, hinge, rods[3].inertial, rods[3].joint_frame.r),
            coupler = add_to(at_crank, rocker, hinge, rods[2].inertial, {0.4, 0, 0});
  // The coupler's frame is now at its other end, turned by half a turn: its mass centre lies back along x.
  at_crank.bodies[std::size_t(coupler)].inertial.com.x = 0.5 - rods[2].inertial.com.x;
  close(at_crank, LoopType::revolute, coupler, {0.5, 0, 0}, crank, {crank_length, 0, 0});
  const Model one(at_rocker), other(at_crank);
  ClosedChain first(one), second(other);

  const std::vector<double> q = first.assemble(std::vector<double>{1, -0.55, 1.3}),
                            v = first.closed_rates(q, std::vector<double>{5, 0, 0}), none(3);
  const std::vector<double> a = first.forward_dynamics(q, v, std::vector<double>{0.7, 0, 0}).a;
  // crank, rocker, coupler relative to the rocker and pointing the other way
  const auto seen = [](const std::vector<double>& x, double turn) {
    return std::vector<double>{x[0], x[2], x[0] + x[1] + turn - x[2]};
  };
  const std::vector<double> q2 = seen(q, M_PI), v2 = seen(v, 0), a2 = seen(a, 0);
  ASSERT_LE(second.gap(q2).size, 1e-12);

  const auto together = first.subsystems(q, {0});
  ASSERT_EQ(together.size(), 1u);
  EXPECT_FALSE(together[0].is_determinate);
  const auto apart = second.subsystems(q2, {0});
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[0].dofs, (std::vector<int>{1, 2}));
  EXPECT_EQ(apart[1].dofs, (std::vector<int>{0}));
  for (const auto& s : apart) EXPECT_TRUE(s.is_determinate);

  EXPECT_NEAR(first.inverse_dynamics(q, v, a, {0}).tau[0], 0.7, 1e-10);
  EXPECT_NEAR(second.inverse_dynamics(q2, v2, a2, {0}).tau[0], 0.7, 1e-10);
}

// A loop said a thousand times is the same loop: what the joints do is the same, forces in the loops are shared.
TEST(ManyLoops, CopiesSayNothingNew) {
  Robot robot = four_bar();
  const Model single(robot);
  for (int i = 1; i < 1000; ++i) robot.loops.push_back(robot.loops[0]);
  const Model model(robot);
  ClosedChain once(single), often(model);
  const std::vector<double> q = once.assemble(std::vector<double>{1, -0.55, 1.3}),
                            v = once.closed_rates(q, std::vector<double>{5, 0, 0}), tau = {0.7, 0, 0};
  const auto expected = once.forward_dynamics(q, v, tau), found = often.forward_dynamics(q, v, tau);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.a[k], expected.a[k], 1e-11 * std::abs(expected.a[0]));
  EXPECT_FALSE(found.unique);
  for (std::size_t row = 0; row < 5; ++row) {  // the shortest: a thousandth each
    for (const std::size_t copy : {0, 999})
      EXPECT_NEAR(found.multipliers[5 * copy + row] * 1000, expected.multipliers[row], 1e-9);
  }
  EXPECT_EQ(often.independent(q), std::vector<int>{0});
  EXPECT_EQ(often.mobility(q).rank, 2);
  EXPECT_EQ(often.mobility(q).anywhere, 2);
  EXPECT_NEAR(often.assemble(std::vector<double>{1, -0.55, 1.3})[1], q[1], 1e-11);
}

// Mechanisms that share no joint, and a pendulum: ranks add up, and each has its own crank.
TEST(ManyLoops, SeparateMechanismsAddUp) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  constexpr int mechanisms = 400;
  const std::size_t n = 3 * mechanisms + 1;
  std::vector<double> q;
  std::vector<int> cranks;
  for (int i = 0; i < mechanisms; ++i) {
    const Robot one = four_bar();
    const int first = int(robot.bodies.size());
    for (std::size_t b = 1; b < one.bodies.size(); ++b) {
      const int parent = one.bodies[b].parent;
      add(robot, one.bodies[b].joint, one.bodies[b].inertial, one.bodies[b].joint_frame.r).parent =
          parent == 0 ? 0 : first + parent - 1;
    }
    Loop loop = one.loops[0];
    loop.a.body += first - 1;
    loop.b.body += first - 1;
    robot.loops.push_back(loop);
    cranks.push_back(3 * i);
    q.insert(q.end(), {1, -0.55, 1.3});
  }
  add_to(robot, 0, joint(JointType::revolute), rod(1, 1));
  cranks.push_back(3 * mechanisms);
  q.push_back(0.4);
  const Model model(robot);
  ClosedChain chain(model);
  q = chain.assemble(q);
  EXPECT_LE(chain.gap(q).size, 1e-12);
  EXPECT_EQ(chain.independent(q), cranks);
  const Mobility mobility = chain.mobility(q);
  EXPECT_EQ(mobility.tree, int(n));
  EXPECT_EQ(mobility.rank, 2 * mechanisms);
  EXPECT_EQ(mobility.anywhere, 2 * mechanisms);
}

// What is taken from the rates of a long row of parallelograms is square to the one motion that is left: rods turn by
// 1, bars back by 1.
TEST(ManyLoops, ALongRowMovesAsOne) {
  const Model model(four_bars(200));
  ClosedChain chain(model);
  const std::size_t n = std::size_t(model.nv());
  Random random(4);
  std::vector<double> q(n), left(n);
  for (std::size_t k = 0; k < n; ++k) left[k] = k % 2 == 0 ? 1 : -1;
  for (std::size_t k = 0; k < n; ++k) q[k] = 0.3 * left[k];
  const std::vector<double> v = random_vector<double>(random, model.nv()), closed = chain.closed_rates(q, v);
  double share = 0;
  for (std::size_t k = 0; k < n; ++k) share += v[k] * left[k] / double(n);
  // The rows leave a row of n joints a condition of about n.
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(closed[k], share * left[k], double(n * n) * eps);
  EXPECT_EQ(chain.independent(q), std::vector<int>{0});
  const Mobility mobility = chain.mobility(q);
  EXPECT_EQ(mobility.freedom(), 1);
  EXPECT_FALSE(mobility.is_dead_point());
}

// Held, they leave no motion; none is held that those before it hold already, and none is passed over that is not.
TEST(ManyLoops, TheFirstIndependentJointsAreHeld) {
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    Closed closed = closed_robot(random, {}, {.bodies = 12, .types = moving_joints()});
    for (const auto& [type, a, b] :
         {std::tuple{LoopType::spherical, 3, 9}, {LoopType::distance, 5, 12}, {LoopType::revolute, 0, 7}})
      close_at(random, type, a, b, closed);
    const Model model(closed.robot);
    const std::vector<double>& q = closed.q;
    ClosedChain chain(model);
    const std::vector<double> J = chain.jacobian(q);
    const Eigen::Index n = model.nv(), rows = chain.rows();
    MatrixXd fixed = Eigen::Map<const MatrixXd>(J.data(), n, rows);  // J^T, then e_k of those held
    const auto rank = [](const MatrixXd& m) {
      Eigen::ColPivHouseholderQR<MatrixXd> qr;
      return qr.setThreshold(1e-9).compute(m).rank();
    };
    std::vector<int> expected;
    for (int k = 0; k < n; ++k) {
      MatrixXd more(n, fixed.cols() + 1);
      more << fixed, VectorXd::Unit(n, k);
      if (rank(more) == rank(fixed)) continue;
      fixed = more;
      expected.push_back(k);
    }
    EXPECT_EQ(rank(fixed), n);
    EXPECT_EQ(chain.independent(q), expected);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
