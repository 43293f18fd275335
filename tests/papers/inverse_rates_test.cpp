// Joint rates and accelerations from the motion of the last body [Angeles7 exercise 7.3].
#include "denoc/kinematics/inverse_rates.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

#include "support/data.hpp"
#include "support/dense.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// omega, c' and omega', c'' of the text, in world axes.
const Twist<double> given{{0, 1, 0}, {1, 0, 1}}, given_rate{{1, 0, 1}, {0, 1, 0}};

std::vector<double> entries(const Twist<double>& t) { return {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z}; }

// An arm of n revolute joints like those of the exercise's robot.
Robot arm(int joints) {
  Robot robot = shipped("decoupled_arm");
  robot.bodies.resize(1 + std::min(joints, 6));
  while (int(robot.bodies.size()) <= joints) {
    Body more = robot.bodies.back();
    more.name = "link" + std::to_string(robot.bodies.size());
    more.parent = int(robot.bodies.size()) - 1;
    more.joint_frame.R = rotation(unit(Quaternion<double>{0.8, 0.3, -0.4, 0.2}));
    more.joint_frame.r = {0.1, -0.2, 0.15};
    robot.bodies.push_back(more);
  }
  return robot;
}

struct Posture {
  Model model;
  std::vector<double> q;
  Kinematics<double> kin{model};
  InverseRatesScratch<double> scratch{model};
  std::vector<double> v, a, J;
  int body;

  Posture(const Robot& robot, const std::vector<double>& at_q)
      : model(robot), q(at_q), v(model.nv()), a(model.nv()), J(6 * model.nv()), body(int(robot.bodies.size()) - 1) {
    Configuration<double> at(model);
    place<double>(model, q, at);
    positions<double>(model, at, kin);
    jacobian_in_world<double>(model, kin, body, J);
  }
  void solve() {
    joint_rates<double>(model, kin, body, given, scratch, v);
    velocities<double>(model, v, kin);
    joint_accelerations<double>(model, kin, body, v, given_rate, scratch, a);
    accelerations<double>(model, v, a, kin);
  }
  auto jacobian() const {
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(J.data(), 6,
                                                                                                    model.nv());
  }
  double size() const { return jacobian().cwiseAbs().rowwise().sum().maxCoeff(); }
  // Householder's reflections are backward stable: residuals are rounding of what meets in J v = t.
  double tolerance(const std::vector<double>& x, const Twist<double>& t) const {
    return rounding<double>(model.nv(), size() * largest(x) + largest(entries(t)));
  }
};
const std::vector<double> theta = {0.3, -0.6, 0.9, 0.4, -0.8, 1.1};

TEST(InverseRates, OfSixJointsGiveTheMotion) {
  EXPECT_EQ(numbers(data("exercises_floating.json")["ex7_3_surrogate"]["theta"]), theta);
  Posture robot(arm(6), theta);
  robot.solve();
  expect_near(entries(velocity_in_world<double>(robot.model, robot.kin, robot.body)), entries(given),
              robot.tolerance(robot.v, given), "twist");
  // J' v is as large as the squares of the rates.
  const double terms = robot.size() * (largest(robot.a) + 36 * largest(robot.v) * largest(robot.v));
  expect_near(entries(acceleration_in_world<double>(robot.model, robot.kin, robot.body)), entries(given_rate),
              rounding<double>(6, terms), "twist rate");
}

TEST(InverseRates, OfSevenJointsAreTheShortest) {
  auto q = theta;
  q.push_back(-0.5);
  Posture robot(arm(7), q);
  robot.solve();
  expect_near(entries(velocity_in_world<double>(robot.model, robot.kin, robot.body)), entries(given),
              robot.tolerance(robot.v, given), "twist");
  const double terms = robot.size() * (largest(robot.a) + 49 * largest(robot.v) * largest(robot.v));
  expect_near(entries(acceleration_in_world<double>(robot.model, robot.kin, robot.body)), entries(given_rate),
              rounding<double>(7, terms), "twist rate");

  const auto expected = entries(given);
  const Eigen::VectorXd shortest =
      least_squares(robot.jacobian(), Eigen::Map<const Eigen::VectorXd>(expected.data(), 6));
  const Eigen::VectorXd sigma = singular_values(robot.jacobian());
  const double cond = sigma[0] / sigma[5];
  expect_near(robot.v, {shortest.begin(), shortest.end()}, rounding<double>(7, cond * largest(robot.v)), "rates");
}

TEST(InverseRates, OfFourJointsComeNearest) {
  Posture robot(arm(4), {0.3, -0.6, 0.9, 0.4});
  robot.solve();
  const auto expected = entries(given);
  const Eigen::Map<const Eigen::VectorXd> t(expected.data(), 6), v(robot.v.data(), 4);
  const Eigen::VectorXd nearest = least_squares(robot.jacobian(), t);
  const Eigen::VectorXd sigma = singular_values(robot.jacobian());
  const double cond = sigma[0] / sigma[3];
  // Least squares with a residual of the size of t lose the square of the condition.
  expect_near(robot.v, {nearest.begin(), nearest.end()},
              rounding<double>(6, cond * cond * (largest(robot.v) + largest(expected) / sigma[0])), "rates");
  // What is left is orthogonal to all the arm can do, and not small: the twist is out of its reach.
  const Eigen::VectorXd left = t - robot.jacobian() * v;
  EXPECT_GT(left.norm(), 0.1);
  EXPECT_LE((robot.jacobian().transpose() * left).cwiseAbs().maxCoeff(),
            rounding<double>(6, robot.size() * (robot.size() * largest(robot.v) + largest(expected))));
}

TEST(InverseRates, RefuseASingularPosture) {
  Random random(73);
  const Robot six = arm(6);
  for (int k = 0; k < 1000; ++k) {
    auto q = random_vector<double>(random, 6, 3);
    q[4] = 0;  // the fourth and the sixth axis are one
    Posture locked(six, q);
    EXPECT_THROW(joint_rates<double>(locked.model, locked.kin, locked.body, given, locked.scratch, locked.v),
                 SingularPosture);
    q[4] = 0.5;
    Posture regular(six, q);
    EXPECT_NO_THROW(joint_rates<double>(regular.model, regular.kin, regular.body, given, regular.scratch, regular.v));
  }
  // Seven parallel axes give three twists only.
  Robot planar;
  for (int b = 1; b <= 7; ++b) {
    Body body;
    body.name = "link" + std::to_string(b);
    body.parent = b - 1;
    body.joint.type = JointType::revolute;
    body.joint_frame.r = {0.3, 0.1, 0};
    body.inertial.mass = 1;
    planar.bodies.push_back(body);
  }
  Posture flat(planar, {0.3, -0.6, 0.9, 0.4, -0.8, 1.1, 0.2});
  try {
    joint_rates<double>(flat.model, flat.kin, flat.body, given, flat.scratch, flat.v);
    FAIL() << "a planar arm was asked for a spatial twist and gave one";
  } catch (const SingularPosture& refused) {
    EXPECT_NE(std::string(refused.what()).find("link7"), std::string::npos) << refused.what();
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
