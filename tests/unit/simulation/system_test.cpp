// The equations that simulations solve, at one instant: against the residual of the implicit methods, which is another
// sum over the same bodies, and against the dense equations of closed chains.
#include "simulation/system.hpp"

#include <gtest/gtest.h>

#include "denoc/control/controllers.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "support/dense.hpp"
#include "support/mechanisms.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector = std::vector<double>;
constexpr double eps = std::numeric_limits<double>::epsilon();

double largest_of(const Vector& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::abs(each));
  return most;
}

struct Closed {
  Model model;
  Vector q, v;
  explicit Closed(const Robot& robot, const Vector& near, double rate) : model(robot) {
    ClosedChain chain(model);
    q = chain.assemble(near);
    Vector wanted(q.size(), 0.0);
    wanted[0] = rate;
    v = chain.closed_rates(q, wanted);
  }
};
Robot with_friction(Robot robot, int body, double coulomb) {
  robot.bodies[std::size_t(body)].joint.friction.coulomb = coulomb;
  return robot;
}
// A torque on the first joint, so that nothing is zero by itself.
SimulationSetup pushed(const Closed& at, double torque) {
  SimulationSetup setup = setup_of(at.q, at.v, 1, 1, fixed(0.1));
  Vector tau(at.v.size(), 0.0);
  tau[0] = torque;
  setup.control = given_torques([tau](double, std::span<double> to) { std::copy(tau.begin(), tau.end(), to.begin()); });
  return setup;
}

// What holds loops closed and joints at rest, with the accelerations, leaves nothing of the equations of motion: and it
// is found whatever was in its place before.
TEST(System, HoldingForcesSolveTheEquations) {
  struct Case {
    const char* name;
    Robot robot;
    Vector near;
    double rate;
    bool is_held;  // by friction
  };
  const Case cases[] = {{"moving four-bar", four_bar(), {1, -0.55, 1.3}, 3, false},
                        {"held four-bar", with_friction(four_bar(), 1, 50), {1, -0.55, 1.3}, 0, true},
                        {"its rocker held", with_friction(four_bar(), 3, 50), {1, -0.55, 1.3}, 0, true},
                        {"sliding slider", with_friction(slider_crank(), 3, 2), {0.7, -0.9, 0.5}, 2, false},
                        {"two rows too many", bricard(), Vector(5), 1, false},
                        {"in space", spatial_slider_crank(), {0, 0, 0.6, 0.3}, 1, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Closed at(c.robot, c.near, c.rate);
    const SimulationSetup setup = pushed(at, 0.7);
    simulation::System system(at.model, setup);
    Vector v = at.v;
    system.settle_friction(0, at.q, v, [](const auto&, auto) {});
    EXPECT_EQ(system.friction().is_any_at_rest(), c.is_held);
    system.evaluate(0, at.q, v);
    const Vector a(system.a().begin(), system.a().end());
    Vector clean(system.conditions(), 0.0), used(system.conditions(), 100.0);
    system.holding_forces(0, at.q, v, clean);
    system.holding_forces(0, at.q, v, used);
    EXPECT_EQ(clean, used);
    Vector motion(a.size()), condition(clean.size());
    system.residual(0, at.q, v, a, clean, motion, condition);
    // Sums of products of a few bodies' inertias below 5 kg, lengths below 1 m, these rates and forces; the rank of the
    // loops is decided at the gap that `assemble` leaves (1e-13).
    const double size = 20 + largest_of(clean) + 5 * largest_of(a);
    EXPECT_LE(largest_of(motion), 1e-12 * size);
    EXPECT_LE(largest_of(condition), 1e-12 * size);
  }
}

// A link without mass in a loop: the tree alone has no inverse, the closed chain moves. [I -G; G^T 0] [a; f] = [..; c]
TEST(System, MasslessLinksInLoopsMove) {
  for (const int light : {2, 3}) {
    Robot robot = four_bar();
    robot.bodies[std::size_t(light)].inertial = {};
    const Closed at(robot, {1, -0.55, 1.3}, 3);
    const SimulationSetup setup = pushed(at, 0.7);
    simulation::System system(at.model, setup);
    system.evaluate(0, at.q, at.v);
    const int n = at.model.nv();
    ClosedChain chain(at.model);
    const Vector J = chain.jacobian(at.q), c = chain.bias(at.q, at.v);
    Configuration<double> place_of(at.model);
    InverseScratch<double> inverse(at.model);
    CompositeScratch<double> composite(at.model);
    Vector bias(static_cast<std::size_t>(n)), entries(static_cast<std::size_t>(n * n));
    place<double>(at.model, at.q, place_of);
    bias_forces<double>(at.model, place_of, at.v, inverse, bias);
    inertia_matrix<double>(at.model, place_of, composite, entries);
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const int rows = chain.rows();
    MatrixXd K = MatrixXd::Zero(n + rows, n + rows);
    const Eigen::Map<const ByRows> G(J.data(), rows, n);
    K << Eigen::Map<const ByRows>(entries.data(), n, n), -G.transpose(), G, MatrixXd::Zero(rows, rows);
    VectorXd right(n + rows);
    for (int k = 0; k < n; ++k) right[k] = (k == 0 ? 0.7 : 0) - bias[std::size_t(k)];
    for (int i = 0; i < rows; ++i) right[n + i] = -c[std::size_t(i)];
    const VectorXd expected = test::least_squares(K, right);
    const double condition_bound = 1e3;  // of the rows in the plane
    for (int k = 0; k < n; ++k)
      EXPECT_NEAR(system.a()[std::size_t(k)], expected[k],
                  64 * double(n + rows) * eps * condition_bound * expected.cwiseAbs().maxCoeff())
          << "without mass: " << light;
  }
}

// With dry friction that is refused: whether it holds is found by the inverse of the tree.
TEST(System, MasslessLinksAndDryFrictionAreRefused) {
  for (const int light : {2, 3}) {
    for (const double rate : {0.0, 3.0}) {
      Robot robot = with_friction(four_bar(), 1, 0.1);
      robot.bodies[std::size_t(light)].inertial = {};
      const Closed at(robot, {1, -0.55, 1.3}, rate);
      const SimulationSetup setup = pushed(at, 0.7);
      simulation::System system(at.model, setup);
      Vector v = at.v;
      const auto begin = [&] {
        system.settle_friction(0, at.q, v, [](const auto&, auto) {});
        system.evaluate(0, at.q, v);
      };
      EXPECT_THROW(begin(), simulation::NoAcceleration) << light;
    }
  }
}

// ... but not what no loop holds: of two hinges on one line, nothing between them, only the sum of the rates is known.
TEST(System, MasslessLinksBesideLoopsAreRefused) {
  Robot robot;
  robot.gravity = {0, -9.81, 0};
  const int between = add_to(robot, 0, joint(JointType::revolute), {});
  add_to(robot, between, joint(JointType::revolute), mass(1, {0, 0, 0}, {2, 0, 2, 0, 0, 4}));
  const Robot other = four_bar();
  for (std::size_t b = 1; b < other.bodies.size(); ++b) {
    const Body& body = other.bodies[b];
    add_to(robot, body.parent == 0 ? 0 : body.parent + 2, body.joint, body.inertial, body.joint_frame.r);
  }
  close(robot, LoopType::revolute, 4, {0.5, 0, 0}, 5, {0.4, 0, 0});
  const Closed at(robot, {0.3, 0.2, 1, -0.55, 1.3}, 0);
  const SimulationSetup setup = pushed(at, 0.7);
  simulation::System system(at.model, setup);
  EXPECT_THROW(system.evaluate(0, at.q, at.v), simulation::NoAcceleration);
  EXPECT_THROW(ClosedChain(at.model).forward_dynamics(at.q, at.v, Vector(5)), SingularInertia);
}

// A crank at rest holds what it moves: rates of the others are rounding, and their friction holds them as well.
TEST(System, JointsThatALoopTiesRestTogether) {
  for (const int first : {1, 2, 3}) {
    Robot robot = four_bar();
    for (std::size_t b = 1; b <= 3; ++b) robot.bodies[b].joint.friction.coulomb = 50;
    const Closed at(robot, {1, -0.55, 1.3}, 0);
    const SimulationSetup setup = pushed(at, 0.7);
    simulation::System system(at.model, setup);
    Vector v(3, eps);
    v[std::size_t(first - 1)] = 0;
    system.settle_friction(0, at.q, v, [](const auto&, auto) {});
    for (const auto& friction : system.friction()) EXPECT_TRUE(friction.is_still()) << first << ", " << friction.dof;
    EXPECT_EQ(v, Vector(3));
  }
}

// Of a run without loops, quaternions and friction nothing of these is told.
TEST(Statistics, OfWhatThereIsNotAreZero) {
  Robot robot;
  add(robot, joint(JointType::revolute, {0, 1, 0}), rod(1, 1));
  const Model model(robot);
  const Statistics found = simulated(model, setup_of({0.3}, {0}, 0.1, 0.1, fixed(0.01))).statistics;
  EXPECT_EQ(found.loop_defect, 0);
  EXPECT_EQ(found.quaternion_defect, 0);
  EXPECT_EQ(found.events, 0);
  EXPECT_EQ(found.rejected, 0);
  EXPECT_EQ(found.steps, 10);
  EXPECT_FALSE(found.stiff);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
