// x' = A x + B u against differences of what the robot does: any joints, forces of the file, wrenches of the body and
// the world.
#include <Eigen/Dense>

#include "denoc/mechanism/linearize.hpp"
#include "support/build.hpp"
#include "support/data.hpp"
#include "support/random_forces.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::MatrixXd;
using Vector = std::vector<double>;

Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> by_rows(const Vector& entries,
                                                                                                 int columns) {
  return {entries.data(), Eigen::Index(entries.size()) / columns, columns};
}
Vector plus(Vector x, double by, int k) {
  x[size_t(k)] += by;
  return x;
}
Vector moved(const Model& model, const Vector& q, const Vector& d) {
  Vector to(q.size());
  integrate<double>(model, q, d, to);
  return to;
}

// A robot with what acts on it: wrenches as they are given, in body axes, and the axes that each of them keeps.
struct Acting {
  const Mechanism& mechanism;
  Dynamics dynamics;
  Vector q, v, tau;
  std::vector<BodyWrench<double>> wrenches;
  std::vector<Axes> axes;

  const Model& model() const { return mechanism.tree(); }
  // Accelerations elsewhere, where what stays in the world's axes has other numbers in the body's.
  Vector accelerations(const Vector& q1, const Vector& v1, const Vector& tau1) {
    std::vector<BodyWrench<double>> there = wrenches;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] != Axes::world) continue;
      const Mat3<double> turn = transposed(dynamics.pose(q1, there[i].body).R) * dynamics.pose(q, there[i].body).R;
      there[i].wrench = {turn * there[i].wrench.n, turn * there[i].wrench.f};
    }
    const auto a = dynamics.forward(q1, v1, tau1, there);
    return {a.begin(), a.end()};
  }
  // How d grows between a robot that moves with v from q and one with v + dv from q + d.
  Vector growth(const Vector& d, const Vector& dv, double h) {
    const auto after = [&](double time) {
      Vector step(v.size()), other(v.size()), apart(v.size());
      for (size_t k = 0; k < v.size(); ++k) step[k] = v[k] * time, other[k] = (v[k] + dv[k]) * time;
      difference<double>(model(), moved(model(), q, step), moved(model(), moved(model(), q, d), other), apart);
      return apart;
    };
    const Vector late = after(h), early = after(-h);
    Vector rate(v.size());
    for (size_t k = 0; k < v.size(); ++k) rate[k] = (late[k] - early[k]) / (2 * h);
    return rate;
  }
};

// Central differences with steps of h err by h^2 of the third derivatives and by rounding / h; those of growth, which
// are taken twice, by rounding / h^2.
constexpr double h = 1e-5, h_twice = 1e-4;

void expect_as_differences(Acting& robot, const std::vector<int>& inputs, const std::string& what) {
  const int n = robot.model().nv(), m = int(inputs.size());
  const LinearModel found = linearize(robot.dynamics, robot.q, robot.v, robot.tau, inputs, robot.wrenches, robot.axes);
  ASSERT_EQ(found.inputs, inputs) << what;
  ASSERT_EQ(found.A.size(), size_t(4 * n * n)) << what;
  ASSERT_EQ(found.B.size(), size_t(2 * n * m)) << what;
  MatrixXd A(2 * n, 2 * n), B = MatrixXd::Zero(2 * n, m);
  const Vector none(size_t(n), 0.0);
  const auto column = [&](auto&& of, double step) {
    const Vector up = of(step), down = of(-step);
    Eigen::VectorXd x(n);
    for (int i = 0; i < n; ++i) x[i] = (up[size_t(i)] - down[size_t(i)]) / (2 * step);
    return x;
  };
  for (int k = 0; k < n; ++k) {
    A.block(0, k, n, 1) = column([&](double s) { return robot.growth(plus(none, s, k), none, h_twice); }, h_twice);
    A.block(0, n + k, n, 1) = column([&](double s) { return robot.growth(none, plus(none, s, k), h_twice); }, h_twice);
    A.block(n, k, n, 1) = column(
        [&](double s) {
          return robot.accelerations(moved(robot.model(), robot.q, plus(none, s, k)), robot.v, robot.tau);
        },
        h);
    A.block(n, n + k, n, 1) =
        column([&](double s) { return robot.accelerations(robot.q, plus(robot.v, s, k), robot.tau); }, h);
  }
  for (int i = 0; i < m; ++i)
    B.block(n, i, n, 1) = column(
        [&](double s) { return robot.accelerations(robot.q, robot.v, plus(robot.tau, s, inputs[size_t(i)])); }, h);
  const auto compare = [&](const MatrixXd& of_model, const MatrixXd& expected, const char* which) {
    EXPECT_LE((of_model - expected).cwiseAbs().maxCoeff(), 1e-5 * (1 + expected.cwiseAbs().maxCoeff()))
        << what << " " << which;
  };
  const MatrixXd of_model = by_rows(found.A, 2 * n);
  compare(of_model.topLeftCorner(n, n), A.topLeftCorner(n, n), "d' by d");
  compare(of_model.topRightCorner(n, n), A.topRightCorner(n, n), "d' by dv");
  compare(of_model.bottomLeftCorner(n, n), A.bottomLeftCorner(n, n), "a by d");
  compare(of_model.bottomRightCorner(n, n), A.bottomRightCorner(n, n), "a by dv");
  compare(by_rows(found.B, m), B, "B");
}

// Joints with quaternions and without, behind each other; everything acts. Drives in any order.
TEST(Linearize, IsWhatDifferencesSay) {
  using enum JointType;
  const std::vector<JointType> kinds[] = {
      {revolute, prismatic}, {spherical}, {free}, {free, spherical, universal}, RandomRobot::all_types()};
  Random random(4);
  for (const auto& types : kinds)
    for (int trial = 0; trial < 4; ++trial) {
      Robot robot = random_robot(random, {.bodies = 3 + trial % 2, .types = types, .free_root = trial == 3});
      const bool has_forces = trial % 2 == 1;
      if (has_forces) add_forces(random, robot);
      const Mechanism mechanism(robot);
      const int n = mechanism.nv();
      if (n == 0) continue;
      Acting acting{mechanism,
                    Dynamics(mechanism, has_forces ? Forces::all : Forces::none),
                    random_q<double>(random, mechanism.tree()),
                    random_vector<double>(random, n, 1),
                    random_vector<double>(random, n, 5),
                    random_wrenches<double>(random, mechanism.tree()),
                    {}};
      for (size_t i = 0; i < acting.wrenches.size(); ++i) {
        acting.wrenches[i].body = 1 + random.below(int(robot.bodies.size()) - 1);
        acting.axes.push_back((i + size_t(trial)) % 2 == 0 ? Axes::world : Axes::body);
      }
      std::vector<int> inputs;
      for (int k = n - 1; k >= 0; k -= 2) inputs.push_back(k);
      expect_as_differences(acting, inputs, "types " + std::to_string(&types - kinds) + ", " + std::to_string(trial));
    }
}

// Wrenches of which nothing is said are the body's own, as Axes::body says; and those that stay are in it, too.
TEST(Linearize, WrenchesAreTheBodysUnlessTheyAreTheWorlds) {
  const Mechanism mechanism(shipped("free_flying_arm"));
  Random random(6);
  const Vector q = random_q<double>(random, mechanism.tree()), v = random_vector<double>(random, mechanism.nv(), 1),
               tau = random_vector<double>(random, mechanism.nv(), 1);
  const std::vector<BodyWrench<double>> push = {{1, {{1, 2, 3}, {4, 5, 6}}}};
  const std::vector<Axes> body = {Axes::body}, world = {Axes::world};
  Dynamics d(mechanism), pushed(mechanism);
  pushed.wrenches({{1, push[0].wrench}});
  const LinearModel said = linearize(d, q, v, tau, {}, push, body), unsaid = linearize(d, q, v, tau, {}, push),
                    stays = linearize(pushed, q, v, tau, {}), of_world = linearize(d, q, v, tau, {}, push, world),
                    none = linearize(d, q, v, tau, {});
  EXPECT_EQ(unsaid.A, said.A);
  EXPECT_LE(largest_difference(stays.A, said.A), 1e-12 * largest(said.A));
  EXPECT_GT(largest_difference(of_world.A, said.A), 0.01);
  EXPECT_GT(largest_difference(none.A, said.A), 0.01);
  EXPECT_TRUE(said.B.empty());
  for (const int wrong : {-1, mechanism.nv()})
    EXPECT_THROW(linearize(d, q, v, tau, std::vector<int>{wrong}), ArgumentError);
  EXPECT_THROW(linearize(d, q, v, tau, {}, push, std::vector<Axes>(2, Axes::body)), ArgumentError);
}

// At rest under a torque, springs and two wrenches, of which the one turns with its body and the other stays: nothing
// accelerates there, the numbers of the second being those of the axes in which the search began.
TEST(Equilibrium, HoldsWrenchesOfBothKinds) {
  Random random(8);
  for (const JointType type : {JointType::revolute, JointType::universal, JointType::spherical}) {
    Robot robot;
    robot.gravity = {1, 2, -9};
    for (int i = 1; i <= 3; ++i) {
      Body body;
      body.name = "body" + std::to_string(i);
      body.parent = i - 1;
      body.joint.type = i == 2 ? type : JointType::revolute;
      body.joint.axis = random.direction(), body.joint.axis2 = random.direction();
      body.joint_frame = {rotation(random.attitude()), random.vector(0.5)};
      body.inertial = random.inertial();
      if (i != 2) body.joint.spring = {50, 0.1};
      robot.bodies.push_back(body);
    }
    const Mechanism mechanism(robot);
    Acting acting{mechanism,
                  Dynamics(mechanism, Forces::all),
                  random_q<double>(random, mechanism.tree()),
                  Vector(size_t(mechanism.nv())),
                  random_vector<double>(random, mechanism.nv(), 0.5),
                  {{3, {{0.5, -0.4, 0.3}, {1, 2, -1}}}, {2, {{0.2, 0.1, -0.3}, {-1, 1, 2}}}, {3, {{}, {1, 0, 1}}}},
                  {Axes::world, Axes::body, Axes::world}};
    const Vector found = equilibrium(acting.dynamics, acting.q, acting.tau, acting.wrenches, acting.axes);
    EXPECT_GT(largest_difference(found, acting.q), 0.1) << "it was not there already";
    // 1e-9 of what a unit step changes, which is below 1e4 rad/s^2
    EXPECT_LE(largest(acting.accelerations(found, acting.v, acting.tau)), 1e-5) << int(type);
    for (const size_t wrong : {2u, 4u})
      EXPECT_THROW(
          equilibrium(acting.dynamics, acting.q, acting.tau, acting.wrenches, std::vector<Axes>(wrong, Axes::body)),
          ArgumentError);
  }
}

// ... as many axes as wrenches, of what cannot move too.
TEST(Equilibrium, WantsAxesForEachWrench) {
  Robot robot;
  add(robot, joint(JointType::fixed), mass(1));
  const Mechanism post(robot);
  Dynamics d(post);
  const std::vector<BodyWrench<double>> push = {{1, {}}};
  for (const size_t count : {0u, 1u}) EXPECT_TRUE(equilibrium(d, {}, {}, push, std::vector<Axes>(count)).empty());
  EXPECT_THROW(equilibrium(d, {}, {}, push, std::vector<Axes>(2)), ArgumentError);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
