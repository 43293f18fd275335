// What keeps loops closed is found through pseudoinverses, by whichever decomposition suits: against Eigen's of the whole
// matrix at once.
#include <gtest/gtest.h>

#include "denoc/loops/closed_chain.hpp"
#include "loops/pseudoinverse.hpp"
#include "support/data.hpp"
#include "support/dense.hpp"
#include "support/mechanisms.hpp"
#include "support/random_robot.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Random& random, Index rows, Index cols) {
  return MatrixXd::NullaryExpr(rows, cols, [&] { return random.uniform(-1, 1); });
}
// Columns that share rows with their neighbours only: two rows of their own each, two shared with the next.
MatrixXd banded(Random& random, Index cols) {
  MatrixXd G = MatrixXd::Zero(2 * cols + 2, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < 4; ++i) G(2 * j + i, j) = random.uniform(0.2, 0.4) * (i % 2 == 0 ? 1 : -1);
    G(2 * j, j) = 2;
  }
  return G;
}
// Blocks that share nothing.
MatrixXd beside(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd G = MatrixXd::Zero(a.rows() + b.rows(), a.cols() + b.cols());
  G.topLeftCorner(a.rows(), a.cols()) = a;
  G.bottomRightCorner(b.rows(), b.cols()) = b;
  return G;
}

TEST(Pseudoinverse, IsThatOfTheWholeMatrix) {
  Random random(4);
  MatrixXd dependent = random_matrix(random, 9, 6);
  dependent.col(5) = dependent.col(0) - 2 * dependent.col(3);
  const struct {
    const char* name;
    MatrixXd G;
    Index rank;
  } cases[] = {{"independent columns", random_matrix(random, 12, 5), 5},
               {"a column that depends on others", dependent, 5},
               {"more columns than rows", random_matrix(random, 4, 7), 4},
               {"blocks", beside(random_matrix(random, 8, 3), dependent), 8},
               {"a row and a column of zeros", beside(random_matrix(random, 8, 3), MatrixXd::Zero(1, 1)), 3},
               {"a long band", banded(random, 300), 300},
               {"two of them", beside(banded(random, 260), banded(random, 5)), 265}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const Pseudoinverse found(c.G);
    const Eigen::VectorXd values = singular_values(c.G);
    EXPECT_EQ(found.rank(), c.rank);
    const double condition = values[0] / values[c.rank - 1], n = double(c.G.rows() + c.G.cols());
    const double tolerance = 8 * n * std::numeric_limits<double>::epsilon() * condition * condition;
    const VectorXd z = random_matrix(random, c.G.rows(), 1), b = random_matrix(random, c.G.cols(), 1);
    const VectorXd f = least_squares(c.G, z), y = least_squares(c.G.transpose(), b);
    EXPECT_LE((found.solve(z) - f).cwiseAbs().maxCoeff(), tolerance * (1 + f.cwiseAbs().maxCoeff()));
    EXPECT_LE((found.transposed(b) - y).cwiseAbs().maxCoeff(), tolerance * (1 + y.cwiseAbs().maxCoeff()));
    EXPECT_LE((found.beside(z) - (z - c.G * f)).cwiseAbs().maxCoeff(), tolerance * n);
    // As many entries of z as there are freedoms left, and held they leave none.
    const std::vector<int> held = found.independent();
    EXPECT_EQ(Index(held.size()), c.G.rows() - c.rank);
    MatrixXd all(c.G.rows(), c.G.cols() + Index(held.size()));
    all.leftCols(c.G.cols()) = c.G;
    for (std::size_t k = 0; k < held.size(); ++k) all.col(c.G.cols() + Index(k)) = VectorXd::Unit(c.G.rows(), held[k]);
    EXPECT_EQ(all.colPivHouseholderQr().rank(), c.G.rows());
  }
}

// B = L^-1 G with inertias that differ by 1e20: what depends on what is a matter of G, and f the shortest of those that
// have the same G f.
TEST(Pseudoinverse, InAMetricDependsOnTheDirectionsOfColumnsAlone) {
  Random random(5);
  MatrixXd dependent = random_matrix(random, 9, 6);
  dependent.col(5) = dependent.col(0) - 2 * dependent.col(3);
  MatrixXd G = beside(dependent, random_matrix(random, 8, 3));
  G.conservativeResize(Eigen::NoChange, 10);
  G.col(9) = 1e-12 * random_matrix(random, 17, 1);  // as good as zero
  VectorXd light = VectorXd::Ones(17);
  light.head(9).setConstant(1e-10);
  const MatrixXd B = light.cwiseInverse().asDiagonal() * G;
  const Pseudoinverse found = Pseudoinverse::in_metric(G.colwise().norm(), B);
  EXPECT_EQ(found.rank(), 8);
  const VectorXd f = random_matrix(random, 9, 1), shortest = least_squares(G.leftCols(9), G.leftCols(9) * f);
  const VectorXd values = singular_values(G.leftCols(9));
  const double condition = values[0] / values[7], rounding = 1e3 * std::numeric_limits<double>::epsilon() * condition;
  const VectorXd solved = found.solve(B.leftCols(9) * f);
  EXPECT_LE((solved.head(9) - shortest).cwiseAbs().maxCoeff(), rounding * condition);
  EXPECT_EQ(solved[9], 0);
  // Conditions that agree with each other are met, each as well as its own size.
  const VectorXd b = B.leftCols(9).transpose() * random_matrix(random, 17, 1);
  VectorXd all(10);
  all << b, 0;
  const VectorXd met = B.leftCols(9).transpose() * found.transposed(all);
  for (Index j = 0; j < 9; ++j) EXPECT_NEAR(met[j], b[j], rounding * condition * B.col(j).norm()) << j;
}

// Two geared wheels that share nothing with a heavy four-bar leave it as it is, however light they are.
TEST(ClosedChain, OfWhatIsHeavyDoNotFeelWhatIsLight) {
  Robot alone = scaled(shipped("fourbar"), {.mass = 1024});
  alone.loops.push_back(alone.loops[0]);  // said twice: half a force each
  Robot both = alone;
  const double light = 1e-14;
  const int x = add_to(both, 0, joint(JointType::revolute), mass(0, {}, {light, 0, light, 0, 0, light})),
            y = add_to(both, 0, joint(JointType::revolute), mass(0, {}, {light, 0, light, 0, 0, light}));
  close(both, LoopType::coupler, x, {}, y, {});
  const Model of_one(alone), of_all(both);
  ClosedChain one(of_one), all(of_all);
  std::vector<double> q = one.assemble(std::vector<double>(3)), v(3), tau(3);
  const ClosedChain::Forward expected = one.forward_dynamics(q, v, tau);
  for (auto* each : {&q, &v, &tau}) each->resize(5);
  const ClosedChain::Forward found = all.forward_dynamics(q, v, tau);
  const double rounding = 1e4 * std::numeric_limits<double>::epsilon();  // the four-bar's condition is below a hundred
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.a[k], expected.a[k], rounding * std::abs(expected.a[k])) << k;
  const double largest =
      Eigen::Map<const VectorXd>(expected.multipliers.data(), Index(expected.multipliers.size())).norm();
  for (std::size_t i = 0; i < expected.multipliers.size(); ++i)
    EXPECT_NEAR(found.multipliers[i], expected.multipliers[i], rounding * largest) << i;
}

// ... nor what is coupled by a ratio that is large in rad/m: a linkage of millimetres beside a lead screw.
TEST(ClosedChain, OfWhatIsSmallDoNotFeelLargeRatios) {
  Robot alone = scaled(shipped("fourbar"), {.length = 0x1p-10});
  alone.loops.push_back(alone.loops[0]);
  Robot both = alone;
  const int slide = add_to(both, 0, joint(JointType::prismatic, {1, 0, 0}), mass(1)),
            screw = add_to(both, 0, joint(JointType::revolute), mass(1, {}, {0.01, 0, 0.01, 0, 0, 0.01}));
  close(both, LoopType::coupler, slide, {}, screw, {});
  both.loops.back().ratio = 1e6;
  const Model of_one(alone), of_all(both);
  ClosedChain one(of_one), all(of_all);
  std::vector<double> q = one.assemble(std::vector<double>(3)), v(3), tau(3);
  const ClosedChain::Forward expected = one.forward_dynamics(q, v, tau);
  for (auto* each : {&q, &v, &tau}) each->resize(5);
  const ClosedChain::Forward found = all.forward_dynamics(q, v, tau);
  const double rounding = 1e4 * std::numeric_limits<double>::epsilon();
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.a[k], expected.a[k], rounding * std::abs(expected.a[k])) << k;
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
