// How a robot is written is no part of it: each answer about it is the same, in whatever order, frames and pieces its
// bodies stand in the file, whichever way round its joints and loops, however the world lies and whoever stands beside it.
#include "support/rewritten.hpp"

#include <gtest/gtest.h>

#include "denoc/control/lqr.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/mechanism/regressor.hpp"
#include "support/closed_rounding.hpp"
#include "support/random_forces.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Numbers = std::vector<double>;
Numbers copy(std::span<const double> x) { return {x.begin(), x.end()}; }

// The robot that was rewritten, asked as the one that it was.
struct Asked : Otherwise {
  Asked(const Mechanism& original, const Rewritten& w, Forces forces)
      : Otherwise(original, w), d(mechanism(), forces) {}

  Numbers matrix(const MatrixView& A) const {
    return of_matrix([&](int i, int k) { return A(i, k); });
  }
  Numbers columns(const MatrixView& A) const {  // of vectors in the world
    Numbers all;
    for (int k = 0; k < original().nv(); ++k) {
      const int now = dof(k);
      for (int i = 0; i < A.rows(); i += 3)
        put(all, world(Vec3<double>{A(i, now), A(i + 1, now), A(i + 2, now)} * sense(k)));
    }
    return all;
  }
  static void put(Numbers& all, const Vec3<double>& x) { all.insert(all.end(), {x.x, x.y, x.z}); }

  Dynamics d;
};

struct State {
  Numbers q, v, a, tau, lambda;
  std::vector<Numbers> motions;
  std::vector<std::string> driven;  // of a tree: joints with drives
  std::vector<int> inputs;          // and their degrees of freedom
  std::vector<BodyWrench<double>> wrenches;
};
struct Answer {
  std::string of;
  Numbers numbers;
};

Numbers product(const MatrixView& A, const Numbers& x) {
  Numbers y(size_t(A.rows()));
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.columns(); ++k) y[size_t(i)] += A(i, k) * x[size_t(k)];
  return y;
}

// Alone: nobody stands beside the robot, so that what is said of all of it is said of the robot.
std::vector<Answer> answers(Asked& as, const State& s, bool is_alone) {
  std::vector<Answer> all;
  const auto add = [&](const char* of, Numbers numbers) { all.push_back({of, std::move(numbers)}); };
  Dynamics& d = as.d;
  const Numbers q = as.q(s.q), v = as.v(s.v), a = as.v(s.a), tau = as.v(s.tau), lambda = as.v(s.lambda);
  std::vector<BodyWrench<double>> wrenches;
  for (const auto& [b, wrench] : s.wrenches) wrenches.push_back({as.body(b), as.on(b, wrench)});
  const Axes constant_in[] = {Axes::world, Axes::body};

  const Numbers forward = copy(d.forward(q, v, tau, wrenches));
  add("forward", as.v_of(forward));
  add("inverse", as.v_of(d.inverse(q, v, forward, wrenches)));
  add("bias", as.v_of(d.bias(q, v, Loops::open, wrenches)));
  add("gravity", as.v_of(d.gravity(q, Loops::open)));
  add("inertia", as.matrix(d.inertia(q, Loops::open)));
  add("inertia_inverse", as.matrix(d.inertia_inverse(q, Loops::open)));

  Numbers places, twists, jacobians, biases, reactions;
  const std::span<const Wrench<double>> exerted = d.reactions(q, v, forward, wrenches);
  for (int b = 1; b < as.bodies(); ++b) {
    const Pose<double> at = as.pose(b, d.pose(q, as.body(b)));
    for (const Vec3<double>& x : {at.r, column_x(at.R), column_y(at.R)}) Asked::put(places, x);
    const Vec3<double> point = as.point(b, {0.1, -0.2, 0.3});
    const Twist<double> t = d.twist(q, v, as.body(b), point), bias = d.jacobian_bias(q, v, as.body(b), point);
    for (const Vec3<double>& x : {t.w, t.v}) Asked::put(twists, as.world(x));
    for (const Vec3<double>& x : {bias.w, bias.v}) Asked::put(biases, as.world(x));
    const Numbers J = as.columns(d.jacobian(q, as.body(b), Loops::open, point));
    jacobians.insert(jacobians.end(), J.begin(), J.end());
    const Wrench<double> by_parent = as.on_was(b, exerted[size_t(as.body(b))]);
    for (const Vec3<double>& x : {by_parent.n, by_parent.f}) Asked::put(reactions, x);
  }
  add("pose", places);
  add("twist", twists);
  add("jacobian", jacobians);
  add("jacobian_bias", biases);
  add("reactions", reactions);

  const auto of_inverse = d.inverse_derivatives(q, v, a, Loops::open, wrenches, constant_in);
  add("dtau/dq", as.matrix(of_inverse.dq));
  add("dtau/dv", as.matrix(of_inverse.dv));
  add("dtau/da", as.matrix(of_inverse.da));
  // Along changes that keep loops closed, and their rates: the robot's own motion, other rates, and others from rest.
  const auto of_forward = d.forward_derivatives(q, v, tau, wrenches, constant_in);
  add("da/dtau", as.matrix(of_forward.dtau));
  Numbers along = product(of_forward.dq, v);
  const Numbers by_rates = product(of_forward.dv, forward);
  for (size_t k = 0; k < along.size(); ++k) along[k] += by_rates[k];
  add("da/dt", as.v_of(along));
  for (const Numbers& motion : s.motions) add("da/dv", as.v_of(product(of_forward.dv, as.v(motion))));
  const auto at_rest = d.forward_derivatives(q, Numbers(v.size()), tau, wrenches, constant_in);
  for (const Numbers& motion : s.motions) add("da/dq", as.v_of(product(at_rest.dq, as.v(motion))));
  const auto second = d.inverse_second_order(q, v, a, lambda, Loops::open, wrenches, constant_in);
  add("dqq", as.matrix(second.dqq));
  add("dqv", as.matrix(second.dqv));
  add("dqa", as.matrix(second.dqa));
  add("dvv", as.matrix(second.dvv));

  Numbers after = q, rates = v;
  d.step(after, rates, tau, 1e-4, wrenches);
  add("q after a step", as.q_of(after));
  add("v after a step", as.v_of(rates));
  add("assemble", as.q_of(d.assemble(after)));
  if (is_alone) {
    const auto [kinetic, potential] = d.energy(q, v);
    add("energy", {kinetic, potential});
    const auto [linear, angular] = d.momentum(q, v);
    Numbers momentum, centre;
    for (const Vec3<double>& x : {linear, angular}) Asked::put(momentum, as.world(x));
    add("momentum", momentum);
    Asked::put(centre, as.world(d.mass_centre(q).position));
    add("mass_centre", centre);
    add("mass_centre_jacobian", as.columns(d.mass_centre_jacobian(q, Loops::open)));
    add("centroidal_momentum_matrix", as.columns(d.centroidal_momentum_matrix(q, Loops::open)));
    ClosedChain chain(as.mechanism().tree());
    const Mobility mobility = chain.mobility(q);
    add("mobility", {double(mobility.rows), double(mobility.rank), double(mobility.anywhere)});
    Regressor regressor(as.mechanism(), Regressor::Friction::none, Loops::open);
    add("Y pi", as.v_of(product(regressor.at(q, v, a), regressor.parameters())));
    add("base parameters", {double(base_parameters(regressor).independent.size())});
  }
  if (s.driven.empty()) return all;

  // Where not all joints have drives.
  d.drive(s.driven);
  const std::vector<int> driven(d.driven().begin(), d.driven().end());
  std::vector<int> undriven;
  for (int k = 0; k < int(v.size()); ++k)
    if (std::find(driven.begin(), driven.end(), k) == driven.end()) undriven.push_back(k);
  add("passive", as.v_of(d.passive(q, v, a, undriven, wrenches)));
  const LinearModel linear = linearize(d, q, v, tau, as.dofs(s.inputs), wrenches, constant_in);
  const int n = int(v.size()), inputs = int(s.inputs.size());
  for (const int row : {0, n})
    for (const int column : {0, n}) {
      Numbers block;
      for (int i = row; i < row + n; ++i)
        for (int k = column; k < column + n; ++k) block.push_back(linear.A[size_t(i * 2 * n + k)]);
      add("A", as.matrix(MatrixView(block, n, n)));
    }
  for (int k = 0; k < inputs; ++k) {
    Numbers column;
    const double sense = as.sense(s.inputs[size_t(k)]);
    for (int i = n; i < 2 * n; ++i) column.push_back(sense * linear.B[size_t(i * inputs + k)]);
    add("B", as.v_of(column));
  }
  return all;
}

struct Case {
  Robot robot;
  State state;
};
// Frames and axes along the world's, lengths in halves of a metre, right angles: as machines are built, with zeros that
// rounding fills when they are written otherwise.
void square_up(Random& random, Closed& of) {
  const double right = std::sqrt(0.5);
  const Quaternion<double> turns[] = {{1, 0, 0, 0}, {right, right, 0, 0}, {right, 0, right, 0}, {right, 0, 0, right}};
  const auto place = [&] {
    return Vec3<double>{0.5 * random.below(3) - 0.5, 0.5 * random.below(3) - 0.5, 0.5 * random.below(3) - 0.5};
  };
  const Vec3<double> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (Body& body : of.robot.bodies) {
    if (&body == &of.robot.bodies[0]) continue;
    body.joint_frame = {rotation(turns[random.below(4)]), place()};
    body.own_frame = {};
    const int axis = random.below(3);
    body.joint.axis = axes[axis], body.joint.axis2 = axes[(axis + 1) % 3];
    body.inertial = mass(1, place() * 0.5, {0.1, 0, 0.2, 0, 0, 0.15});
  }
  of.robot.gravity = axes[random.below(3)] * 9.81;
  of.q = Mechanism(of.robot).neutral();
}
Case random_case(Random& random, int trial, Forces forces) {
  Closed closed{random_robot(random, {.bodies = 6, .types = moving_joints(), .free_root = trial % 3 == 0}), {}};
  closed.q = random_q<double>(random, Model(closed.robot));
  if (trial % 4 > 1) square_up(random, closed);
  if (trial % 2 == 1) close_at(random, geometric_loops()[size_t(trial / 2) % geometric_loops().size()], 2, 6, closed);
  if (forces == Forces::all) add_forces(random, closed.robot);
  const Model model(closed.robot);
  const int n = model.nv();
  State s;
  s.q = closed.q;
  ClosedChain chain(model);
  for (int i = 0; i < n; ++i) s.motions.push_back(chain.closed_rates(s.q, random_vector<double>(random, n)));
  s.v = s.motions[0];
  const Mechanism mechanism(closed.robot);
  for (int b = 1; b <= 6 && !mechanism.has_loops(); b += 2) {
    s.driven.push_back(closed.robot.bodies[size_t(b)].name);
    const auto [first, count] = mechanism.freedoms(b);
    for (int k = first; k < first + count; ++k) s.inputs.push_back(k);
  }
  s.a = random_vector<double>(random, n), s.lambda = random_vector<double>(random, n);
  s.tau = random_vector<double>(random, n, 10);
  // A moment that keeps to the world's axes, about whatever point, and a wrench that keeps to the body's.
  s.wrenches = {{2, {random.vector(3), {0, 0, 0}}}, {5, {random.vector(3), random.vector(3)}}};
  return {closed.robot, s};
}

// What rounding of a robot's numbers may become in what is solved for.
double amplification(const Model& model, const State& s) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int n = model.nv();
  const Numbers inertia = Machine<double>(model, s.q, s.v).inertia();
  const Rows I = Eigen::Map<const Rows>(inertia.data(), n, n);
  double by = rounding<double>(n, row_sum(inertia, n)) * inverse_of(I).cwiseAbs().rowwise().sum().maxCoeff();
  ClosedChain chain(model);
  if (chain.rows() > 0) {
    const Numbers entries = chain.jacobian(s.q);
    const Rows J = Eigen::Map<const Rows>(entries.data(), chain.rows(), n);
    const double through = spread(Eigen::LLT<Rows>(I).matrixL().solve(Rows(J.transpose())));
    by *= through * through * spread(J);
  }
  return by;
}

void expect_the_same(int trial, Forces forces) {
  SCOPED_TRACE(trial);
  Random random{unsigned(trial)};
  const Case c = random_case(random, trial, forces);
  const Mechanism original(c.robot);
  const Rewritten as_it_is(c.robot);
  Asked was(original, as_it_is, forces), again(original, as_it_is, forces);
  std::vector<Answer> all, of_robot;
  try {
    all = answers(was, c.state, true), of_robot = answers(again, c.state, false);
  } catch (const NotAssembled&) {  // a dead point, where no accelerations fit such rates
    const Rewritten w = rewritten(random, c.robot, 1, true);
    Asked now(original, w, forces);
    EXPECT_THROW(answers(now, c.state, true), NotAssembled);
    return;
  }
  const double by = amplification(Model(c.robot), c.state);
  for (int way = 0; way < 3; ++way) {
    SCOPED_TRACE(way);
    const bool is_alone = way == 0;
    const Rewritten w = rewritten(random, c.robot, way == 1 ? 1e-7 : 1, is_alone);
    Asked now(original, w, forces);
    const std::vector<Answer> found = answers(now, c.state, is_alone), &expected = is_alone ? all : of_robot;
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      // Rows that a small tilt makes are no rows of their own but for rounding: forces in them are good to its root.
      const bool is_shared = way == 1 && original.has_loops() && expected[i].of == "reactions";
      expect_near(found[i].numbers, expected[i].numbers,
                  std::max(by, is_shared ? 1e-7 : 0) * (1 + largest(expected[i].numbers)), expected[i].of);
    }
  }
}

constexpr int trials = 40;

TEST(Rewritten, HasTheSameAnswers) {
  for (int trial = 0; trial < trials; ++trial) expect_the_same(trial, Forces::none);
}
TEST(Rewritten, HasTheSameAnswersWithForces) {
  for (int trial = 0; trial < trials; ++trial) expect_the_same(trial, Forces::all);
}

// Where a body can be brought to, and by which joints, does not depend on it: near the start there is one posture of an
// arm of six joints.
TEST(Rewritten, ReachesTheSame) {
  for (int trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE(trial);
    Random random{unsigned(trial)};
    const Robot arm = random_robot(random, {.bodies = 6,
                                            .types = {JointType::revolute, JointType::prismatic, JointType::helical},
                                            .chain = true,
                                            .rotors = false});
    const Mechanism original(arm);
    const Numbers start = random_q<double>(random, original.tree());
    Numbers expected = start;
    for (double& x : expected) x += random.uniform(-0.02, 0.02);
    Dynamics d(original);
    const MatrixView J = d.jacobian(expected, 6);
    const Eigen::VectorXd values =
        singular_values(Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(J.entries().data()));
    const double turns = values[0] / values[5];
    if (!(turns < 50)) continue;  // beside a singular posture, where others are near
    const Pose<double> pose = d.pose(expected, 6);
    for (int way = 0; way < 3; ++way) {
      const Rewritten w = rewritten(random, arm, 1, way > 0);
      const Otherwise now(original, w);
      const Pose<double> there = Pose<double>{w.tilt, {0, 0, 0}} * pose * w.frame[6];
      const auto found = posture_near(now.mechanism().tree(), now.body(6), there, now.q(start));
      // The search ends where rounding of the pose is all that is left of its error.
      expect_near(now.q_of(found), expected, turns * rounding<double>(6, 10) + 1e-11, "q");
    }
  }
}

// The law of least cost does not depend on it either; nor whether there is one.
TEST(Rewritten, HasTheSameRegulator) {
  int answered = 0, refused = 0;
  for (int trial = 0; trial < 8 * trials; ++trial) {
    SCOPED_TRACE(trial);
    Random random{unsigned(trial)};
    Closed tree{random_robot(random, {.bodies = 3,
                                      .types = {JointType::revolute, JointType::prismatic, JointType::helical,
                                                JointType::cylindrical, JointType::universal},
                                      .rotors = false}),
                {}};
    tree.q = random_q<double>(random, Model(tree.robot));
    if (trial % 2 == 0) square_up(random, tree);
    tree.robot.gravity = {0, 0, 0};
    auto q = tree.q.begin();
    for (Body& body : tree.robot.bodies) {
      const bool is_held = random.below(2) == 0;
      if (is_held) body.joint.friction.viscous = 0.5;
      if (is_held && coordinates(body.joint.type) == 1) body.joint.spring = {20, *q};  // at rest at the posture
      q += coordinates(body.joint.type);
    }
    const Mechanism original(tree.robot);
    std::vector<int> driven;
    for (int k = 0; k < original.nv(); ++k)
      if (random.below(3) > 0) driven.push_back(k);
    if (driven.empty()) driven = {0};
    // At each of so many states near by: what the drives give. Nothing: there is no such law.
    const std::vector<Numbers> away(6, random_vector<double>(random, original.nv())),
        rates(6, random_vector<double>(random, original.nv()));
    const auto torques = [&](const Rewritten& w) {
      const Otherwise as(original, w);
      const auto model = std::make_shared<const Model>(w.robot);
      const Numbers posture = as.q(tree.q), ones(size_t(model->nv()), 1.0);
      Numbers all;
      try {
        const auto law = lqr(model, posture, {ones, ones, ones}, as.dofs(driven));
        for (size_t i = 0; i < away.size(); ++i) {
          Numbers q(posture.size()), tau(ones.size());
          integrate<double>(*model, posture, as.v(away[i]), q);
          law->torques(0, q, as.v(rates[i]), tau);
          const Numbers given = as.v_of(tau);
          all.insert(all.end(), given.begin(), given.end());
        }
      } catch (const NotStabilisable&) {
      }
      return all;
    };
    const Numbers expected = torques(Rewritten(tree.robot));
    ++(expected.empty() ? refused : answered);
    for (int way = 0; way < 3; ++way) {
      const Numbers found = torques(rewritten(random, tree.robot, 1, true));
      expect_near(found, expected, 1e-6 * (1 + largest(expected)), "tau");  // riccati() holds its equation to 1e-9
    }
  }
  EXPECT_GT(answered, trials);
  EXPECT_GT(refused, trials / 4);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
