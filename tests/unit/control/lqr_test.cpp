// LQR: what makes it the best there is, whichever joints are driven, and whom it names where there is none.
#include "denoc/control/lqr.hpp"

#include <Eigen/LU>
#include <numeric>

#include "denoc/mechanism/linearize.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = std::vector<double>;

VectorXd column(const Vector& x) { return Eigen::Map<const VectorXd>(x.data(), Index(x.size())); }

// K of u = held - K x: the change of tau by each coordinate and rate in turn, for joints without quaternions.
MatrixXd gain_of(Controller& law, const Vector& posture) {
  const Index n = Index(posture.size());
  const auto torques = [&](const Vector& q, const Vector& v) {
    Vector tau(posture.size());
    law.torques(0, q, v, tau);
    return column(tau);
  };
  const Vector still(posture.size());
  const VectorXd held = torques(posture, still);
  MatrixXd K(n, 2 * n);
  for (Index k = 0; k < n; ++k) {
    Vector q = posture, v = still;
    q[size_t(k)] += 1;
    v[size_t(k)] = 1;
    K.col(k) = held - torques(q, still);
    K.col(n + k) = held - torques(posture, v);
  }
  return K;
}

// F^T P + P F + W = 0, entry by entry
MatrixXd lyapunov(const MatrixXd& F, const MatrixXd& W) {
  const Index n = F.rows();
  MatrixXd system = MatrixXd::Zero(n * n, n * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index k = 0; k < n; ++k) {
        system(i + n * j, k + n * j) += F(k, i);
        system(i + n * j, i + n * k) += F(k, j);
      }
  const VectorXd P = system.partialPivLu().solve(-Eigen::Map<const VectorXd>(W.data(), n * n));
  return Eigen::Map<const MatrixXd>(P.data(), n, n);
}

// No gain beats the one that fits its own costs: with x^T P x what A - B K costs from x on,
//   (A - B K)^T P + P (A - B K) + Q + K^T R K = 0,  it is K = R^-1 B^T P.                        [Kleinman 1968]
// Of an arm that hangs, each coordinate, rate and drive with a weight of its own.
TEST(Lqr, IsTheBestWhicheverJointsAreDriven) {
  const auto model = std::make_shared<const Model>(shipped("planar3r"));
  const Vector hanging = {-M_PI / 2, 0, 0}, still(3);
  Random random(3);
  Vector by_q(3), by_v(3), by_tau(3);
  for (Vector* weights : {&by_q, &by_v, &by_tau})
    for (double& w : *weights) w = std::exp2(random.uniform(-3, 3));
  const Mechanism mechanism(model->robot());
  Dynamics dynamics(mechanism, Forces::all);
  for (const std::vector<int>& driven :
       std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
    const MatrixXd K = gain_of(*lqr(model, hanging, {by_q, by_v, by_tau}, driven), hanging);
    const LinearModel at = linearize(dynamics, hanging, still, still, std::vector<int>{0, 1, 2});
    const MatrixXd A = Eigen::Map<const RowMajor>(at.A.data(), 6, 6), B = Eigen::Map<const RowMajor>(at.B.data(), 6, 3);
    const VectorXd R = column(by_tau);
    VectorXd Q(6);
    Q << column(by_q), column(by_v);
    const MatrixXd costs = MatrixXd(Q.asDiagonal()) + K.transpose() * R.asDiagonal() * K;
    const MatrixXd best = R.cwiseInverse().asDiagonal() * B.transpose() * lyapunov(A - B * K, costs);
    for (Index k = 0; k < 3; ++k) {
      const bool has_drive = std::find(driven.begin(), driven.end(), int(k)) != driven.end();
      const double off = (K.row(k) - (has_drive ? 1.0 : 0.0) * best.row(k)).norm();
      EXPECT_LE(off, 1e-7 * best.norm()) << "joint " << k << " of " << driven.size() << " that are driven";
    }
  }
}

// Three of a kind beside each other: slides, pendulums that swing, pendulums that fall, slow and fast.
struct Kind {
  const char* name;
  double up;    // where the mass is above its axis, in lengths; 0: it slides
  double rate;  // 1/s, of pendulums
};
std::shared_ptr<const Model> three_of(const Kind& kind) {
  Robot robot;
  const double length = 9.81 / (kind.rate * kind.rate);
  for (int i = 0; i < 3; ++i)
    add(robot, kind.up == 0 ? joint(JointType::prismatic, {1, 0, 0}) : joint(JointType::revolute, {0, 1, 0}),
        mass(1, {0, 0, kind.up * length}))
        .parent = 0;
  return std::make_shared<const Model>(robot);
}
std::vector<Kind> kinds() {
  std::vector<Kind> all = {{"slide", 0, 1}};
  for (const double rate : {0.02, 0.3, 1.0, 1.3, 1.7, 40.0, 55.0})
    for (const double up : {-1.0, 1.0}) all.push_back({up < 0 ? "swings" : "falls", up, rate});
  return all;
}
std::string refusal(const std::shared_ptr<const Model>& model, const LqrWeights& weights,
                    const std::vector<int>& driven) {
  try {
    lqr(model, Vector(3), weights, driven);
  } catch (const Error& refused) {
    return refused.what();
  }
  return "";
}

// Robots side by side that share nothing have the laws that each has alone, however far apart their sizes, masses and
// weights are.
TEST(Lqr, OfRobotsSideBySideIsThatOfEach) {
  Random random(7);
  int together = 0;
  constexpr int pairs = 60;
  for (int trial = 0; trial < pairs; ++trial) {
    const auto power = [&](double most) { return std::pow(10, random.uniform(-most, most)); };
    const auto add_arm = [](Robot& robot, int joints, double size, double kilograms) {
      for (int i = 0; i < joints; ++i) {
        Body& link = add(robot, joint(JointType::revolute, {0, 1, 0}),
                         mass(kilograms, {0, 0, size}, Sym3<double>{1, 0, 1, 0, 0, 1}), {0, 0, i == 0 ? 0 : size});
        const double I = 1e-3 * kilograms * size * size;
        link.inertial.inertia = {I, 0, I, 0, 0, I};
        if (i == 0) link.parent = 0;
      }
    };
    const int joints[] = {1 + random.below(2), 1 + random.below(2)};
    Robot pair;
    LqrWeights weights;
    MatrixXd expected = MatrixXd::Zero(joints[0] + joints[1], 2 * (joints[0] + joints[1]));
    Index first = 0;
    for (const int n : joints) {
      const double size = power(1), kilograms = power(2);
      Robot alone;
      add_arm(alone, n, size, kilograms);
      add_arm(pair, n, size, kilograms);
      LqrWeights own;
      for (int k = 0; k < n; ++k) own.q.push_back(power(2)), own.v.push_back(power(2)), own.tau.push_back(power(2));
      for (Vector LqrWeights::*each : {&LqrWeights::q, &LqrWeights::v, &LqrWeights::tau})
        (weights.*each).insert((weights.*each).end(), (own.*each).begin(), (own.*each).end());
      const Vector posture(size_t(n), 0.0);
      std::vector<int> driven(static_cast<size_t>(n));
      std::iota(driven.begin(), driven.end(), 0);
      const MatrixXd K = gain_of(*lqr(std::make_shared<const Model>(alone), posture, own, driven), posture);
      const Index all = joints[0] + joints[1];
      expected.block(first, first, n, n) = K.leftCols(n);
      expected.block(first, all + first, n, n) = K.rightCols(n);
      first += n;
    }
    const Vector posture(size_t(joints[0] + joints[1]), 0.0);
    std::vector<int> driven(posture.size());
    std::iota(driven.begin(), driven.end(), 0);
    try {
      const MatrixXd K = gain_of(*lqr(std::make_shared<const Model>(pair), posture, weights, driven), posture);
      ++together;
      // riccati() holds its equation to 1e-9 of its largest terms, which are up to 1e5 times those of the other robot.
      for (Index i = 0; i < K.rows(); ++i)
        EXPECT_LE((K - expected).row(i).cwiseAbs().maxCoeff(), 1e-4 * expected.row(i).cwiseAbs().maxCoeff()) << trial;
    } catch (const NotStabilisable&) {  // too far apart, as it says
    }
  }
  EXPECT_GE(together, pairs - 2);
}

TEST(Lqr, NamesTheJointThatNoDriveReaches) {
  const Vector one(3, 1.0);
  for (const Kind& kind : kinds())
    for (int lost = 0; lost < 3; ++lost) {
      std::vector<int> driven = {0, 1, 2};
      driven.erase(driven.begin() + lost);
      const std::string told = refusal(three_of(kind), {one, one, one}, driven),
                        name = "'body" + std::to_string(lost + 1) + "'";
      EXPECT_NE(told.find("no drive reaches a motion of joint " + name), std::string::npos)
          << kind.name << " at " << kind.rate << "/s: " << told;
    }
}
// A slide may stand anywhere, as far as weights of rates alone see; what swings or falls has a rate.
TEST(Lqr, NamesTheJointThatNoWeightSees) {
  const Vector one(3, 1.0);
  for (const Kind& kind : kinds())
    for (int unseen = 0; unseen < 3; ++unseen) {
      Vector by_q = one;
      by_q[size_t(unseen)] = 0;
      const std::string told = refusal(three_of(kind), {by_q, one, one}, {0, 1, 2}),
                        neither = refusal(three_of(kind), {by_q, by_q, one}, {0, 1, 2}),
                        words = "the weights do not see a motion of joint 'body" + std::to_string(unseen + 1) + "'";
      EXPECT_NE(neither.find(words), std::string::npos) << kind.name << " at " << kind.rate << "/s: " << neither;
      if (kind.up == 0)
        EXPECT_NE(told.find(words), std::string::npos) << told;
      else
        EXPECT_EQ(told, "") << kind.name << " at " << kind.rate;
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
