// Robots that are the same, whatever file they come from.
#pragma once
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/quaternions.hpp"
#include "support/dense.hpp"

namespace denoc::test {

inline std::vector<double> random_numbers(std::size_t size, std::mt19937& random) {
  std::vector<double> x(size);
  for (double& each : x) each = std::uniform_real_distribution(-1.0, 1.0)(random);
  return x;
}
inline std::vector<double> random_posture(const Robot& robot, std::mt19937& random) {
  std::vector<double> q = random_numbers(neutral_posture(robot).size(), random);
  for (const QuaternionPlace& place : quaternions_of(robot)) {
    double* const x = q.data() + place.first;
    const double length = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
    for (int i = 0; i < 4; ++i) x[i] /= length;
  }
  return q;
}

// Of the largest term: a chain of at most 50 bodies turns a vector through as many frames, each with entries that are
// rounded once more when the file is read, and a sum of three products in each of place, twist and wrench: 64 roundings
// for a body.
constexpr double file_rounding = 64 * 50 * std::numeric_limits<double>::epsilon();

inline void expect_same(std::span<const double> found, std::span<const double> expected, const std::string& where) {
  ASSERT_EQ(found.size(), expected.size()) << where;
  double largest = 1;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], file_rounding * largest) << where << i;
}

// Forces, inertia and where bodies are, loops open.
inline void expect_same_tree(const Robot& found, const Robot& expected, const std::string& where) {
  const Mechanism a(found), b(expected);
  ASSERT_EQ(a.nq(), b.nq()) << where;
  ASSERT_EQ(a.nv(), b.nv()) << where;
  std::mt19937 random(1);
  const auto nv = static_cast<std::size_t>(b.nv());
  const std::vector<double> q = random_posture(expected, random), v = random_numbers(nv, random),
                            acc = random_numbers(nv, random);
  Dynamics da(a, Forces::all, Loops::open), db(b, Forces::all, Loops::open);
  expect_same(da.inverse(q, v, acc), db.inverse(q, v, acc), where + " tau ");
  expect_same(da.inertia(q).entries(), db.inertia(q).entries(), where + " I ");
  expect_same(neutral_posture(found), neutral_posture(expected), where + " neutral ");
  for (std::size_t i = 1; i < expected.bodies.size(); ++i) {
    const std::string& name = expected.bodies[i].name;
    if (found.find(name) < 0) continue;  // a body without mass that became a joint, or the ground
    const Pose<double> x = da.pose(q, name), y = db.pose(q, name);
    for (const auto& [p, r] :
         {std::pair{x.r, y.r}, std::pair{column_x(x.R), column_x(y.R)}, std::pair{column_z(x.R), column_z(y.R)}})
      EXPECT_NEAR(std::hypot(p.x - r.x, p.y - r.y, p.z - r.z), 0, file_rounding * 10) << where << " " << name;
  }
  ASSERT_EQ(found.postures.size(), expected.postures.size()) << where;
  for (std::size_t i = 0; i < expected.postures.size(); ++i) {
    EXPECT_EQ(found.postures[i].name, expected.postures[i].name);
    expect_same(found.postures[i].q, expected.postures[i].q, where);
  }
}

inline void expect_same(const Robot& found, const Robot& expected, const std::string& where) {
  expect_same_tree(found, expected, where);
  for (const Body& body : expected.bodies) EXPECT_TRUE(found.find(body.name) >= 0) << where << " " << body.name;
  ASSERT_EQ(found.loops.size(), expected.loops.size()) << where;
  if (expected.loops.empty()) return;
  std::mt19937 random(2);
  const std::vector<double> q = random_posture(expected, random);
  EXPECT_NEAR(ClosedChain(Model(found)).gap(q).size, ClosedChain(Model(expected)).gap(q).size, file_rounding * 10)
      << where;
}

// The closed chain moves the same way, however its loops are said: the accelerations of the one solve the equations of
// the other, I a + bias = tau + J^T l and J a + J'v = 0, to as many roundings of their terms as there are bodies.
inline void expect_same_motion(const Robot& found, const Robot& expected, const std::string& where) {
  const Mechanism mechanism(expected);
  const Model a(found), b(expected);
  ClosedChain ca(a), cb(b);
  std::mt19937 random(3);
  const std::vector<double> q = cb.assemble(neutral_posture(expected));
  const auto nv = static_cast<std::size_t>(b.nv());
  const std::vector<double> v = cb.closed_rates(q, random_numbers(nv, random)), tau = random_numbers(nv, random);
  EXPECT_LT(ca.gap(q).size, file_rounding) << where;
  const std::vector<double> acc = ca.forward_dynamics(q, v, tau).a;

  Dynamics tree(mechanism, Forces::none, Loops::open);
  using Eigen::VectorXd;
  const auto dense = [](std::span<const double> x) {
    return VectorXd(Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  const int rows = cb.rows(), n = b.nv();
  const std::vector<double> entries = cb.jacobian(q);
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const ByRows J = Eigen::Map<const ByRows>(entries.data(), rows, n);
  const VectorXd opening = dense(cb.bias(q, v)), closes = J * dense(acc) + opening;
  const double bodies = static_cast<double>(expected.bodies.size()), eps = std::numeric_limits<double>::epsilon();
  const double size_of_rows = J.cwiseAbs().rowwise().sum().maxCoeff() * dense(acc).cwiseAbs().maxCoeff();
  EXPECT_LE(closes.cwiseAbs().maxCoeff(), 64 * bodies * eps * (size_of_rows + opening.cwiseAbs().maxCoeff() + 1))
      << where;

  const VectorXd open = dense(tree.inverse(q, v, acc)) - dense(tau);
  // Rows that repeat others do so to the gap that `assemble` leaves.
  const VectorXd left = open - J.transpose() * least_squares(J.transpose(), open, 1e-8);
  const auto I = tree.inertia(q);
  const double largest = *std::max_element(I.entries().begin(), I.entries().end()),
               size = n * largest * dense(acc).cwiseAbs().maxCoeff() + dense(tree.bias(q, v)).cwiseAbs().maxCoeff() + 1;
  EXPECT_LE(left.cwiseAbs().maxCoeff(), 64 * bodies * eps * size) << where;
}

}  // namespace denoc::test
