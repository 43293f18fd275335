// A joint is a tie between two bodies, whether the tree is made of it or a loop: a robot of which some bodies float,
// held by loops where they had joints, is the same robot.
#include <gtest/gtest.h>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/spatial/attitude.hpp"
#include "support/closed_rounding.hpp"
#include "support/random_loops.hpp"
#include "support/simulated.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Numbers = std::vector<double>;

Numbers copy(std::span<const double> x) { return {x.begin(), x.end()}; }

std::optional<LoopType> loop_of(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::continuous:
      return LoopType::revolute;
    case JointType::prismatic:
      return LoopType::prismatic;
    case JointType::universal:
      return LoopType::universal;
    case JointType::cylindrical:
      return LoopType::cylindrical;
    case JointType::planar:
      return LoopType::planar;
    case JointType::spherical:
      return LoopType::spherical;
    case JointType::fixed:
      return LoopType::weld;
    case JointType::helical:  // no loop is a screw
    case JointType::free:
      return {};
  }
  return {};
}

// A robot, and the same with the joints of these bodies cut.
struct Pair {
  Robot whole, cut;
  std::vector<int> bodies;  // of the loops of `cut`, those of `whole` before them
};
Pair pair_of(Robot robot, const std::vector<int>& bodies) {
  for (const int b : bodies) {
    Joint& joint = robot.bodies[size_t(b)].joint;
    joint.armature = 0, joint.actuator = {};  // loops have no drives
  }
  Pair pair{robot, robot, bodies};
  for (const int b : bodies) {
    Body& body = pair.cut.bodies[size_t(b)];
    Loop loop;
    loop.type = *loop_of(body.joint.type);
    loop.axis = body.joint.axis, loop.axis2 = body.joint.axis2;
    loop.a = {body.parent, body.joint_frame};
    loop.b = {b, inverse(body.own_frame)};
    pair.cut.loops.push_back(loop);
    body.parent = 0;
    body.joint = {};
    body.joint.type = JointType::free;
    body.joint_frame = body.own_frame = {};
  }
  return pair;
}

// How a body accelerates in the world, at its origin.
Twist<double> acceleration(Dynamics& d, const Numbers& q, const Numbers& v, const Numbers& a, int body) {
  const MatrixView J = d.jacobian(q, body, Loops::open);
  const Twist<double> bias = d.jacobian_bias(q, v, body);
  double x[6] = {bias.w.x, bias.w.y, bias.w.z, bias.v.x, bias.v.y, bias.v.z};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < J.columns(); ++k) x[i] += J(i, k) * a[size_t(k)];
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

// Vectors of the robot as those of the one that is cut: what a floating body does is what the robot's body does.
struct Written {
  const Mechanism &whole, &cut;
  const std::vector<int>& bodies;

  bool is_cut(int body) const { return std::find(bodies.begin(), bodies.end(), body) != bodies.end(); }
  // Calls per(body, first in whole, first in cut, count) for the joints that are in both.
  template <class Per> void shared(Per&& per) const {
    for (int b = 1; b < int(whole.robot().bodies.size()); ++b)
      if (!is_cut(b) && degrees_of_freedom(whole.robot().bodies[size_t(b)].joint.type) > 0)
        per(whole.freedoms(b).first, cut.freedoms(b).first, whole.freedoms(b).count);
  }
  Numbers of_joints(const Numbers& x) const {
    Numbers y(size_t(cut.nv()));
    shared([&](int from, int to, int n) { std::copy_n(x.begin() + from, n, y.begin() + to); });
    return y;
  }
  void put(Numbers& y, int body, const Vec3<double>& w, const Vec3<double>& v) const {
    const Numbers entries{w.x, w.y, w.z, v.x, v.y, v.z};
    std::copy_n(entries.begin(), 6, y.begin() + cut.freedoms(body).first);
  }
  Numbers q(Dynamics& d, const Numbers& q) const {
    Numbers y;
    auto next = q.begin();
    for (int b = 1; b < int(whole.robot().bodies.size()); ++b) {
      const int n = coordinates(whole.robot().bodies[size_t(b)].joint.type);
      if (is_cut(b)) {
        const Pose<double> at = d.pose(q, b);
        const Quaternion<double> u = quaternion_of(at.R);
        y.insert(y.end(), {at.r.x, at.r.y, at.r.z, u.w, u.x, u.y, u.z});
      } else {
        y.insert(y.end(), next, next + n);
      }
      next += n;
    }
    return y;
  }
  Numbers v(Dynamics& d, const Numbers& q, const Numbers& v) const {
    Numbers y = of_joints(v);
    for (const int b : bodies) {
      const Twist<double> t = d.twist(q, v, b, {}, Axes::body);
      put(y, b, t.w, t.v);
    }
    return y;
  }
  Numbers a(Dynamics& d, const Numbers& q, const Numbers& v, const Numbers& a) const {
    Numbers y = of_joints(a);
    for (const int b : bodies) {
      const Mat3<double> R = d.pose(q, b).R;
      const Twist<double> t = d.twist(q, v, b, {}, Axes::body), x = acceleration(d, q, v, a, b);
      put(y, b, back(R, x.w), back(R, x.v) - cross(t.w, t.v));
    }
    return y;
  }
};

Numbers product(const MatrixView& A, const Numbers& x) {
  Numbers y(size_t(A.rows()));
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.columns(); ++k) y[size_t(i)] += A(i, k) * x[size_t(k)];
  return y;
}

struct Case {
  Pair pair;
  Numbers q, v;
};
// Random trees, every other with a loop of its own.
Case random_case(Random& random, int trial) {
  const bool has_loop = trial % 2 == 1;
  const RandomRobot tree{.bodies = 6, .types = has_loop ? moving_joints() : RandomRobot::all_types()};
  Closed closed{random_robot(random, tree), {}};
  for (Body& body : closed.robot.bodies) {
    body.joint.axis2 = cross(body.joint.axis, body.joint.axis2);  // universal joints of loops are square
    if (body.joint.type == JointType::planar) body.joint.axis = {0, 0, 1};
  }
  Joint& last = closed.robot.bodies.back().joint;
  if (!loop_of(last.type)) last.type = JointType::revolute;  // one is cut at least
  closed.q = random_q<double>(random, Model(closed.robot));
  if (has_loop) close_at(random, geometric_loops()[size_t(trial / 2) % geometric_loops().size()], 2, 6, closed);
  std::vector<int> bodies;
  for (int b = 1; b <= tree.bodies; ++b)
    if (loop_of(closed.robot.bodies[size_t(b)].joint.type) && (random.below(2) == 0 || b == tree.bodies))
      bodies.push_back(b);
  Case result{pair_of(closed.robot, bodies), closed.q, {}};
  const Model model(result.pair.whole);
  result.v = ClosedChain(model).closed_rates(closed.q, random_vector<double>(random, model.nv()));
  return result;
}

void expect_the_same_motion(int trial) {
  SCOPED_TRACE(trial);
  Random random{unsigned(trial)};
  const Case c = random_case(random, trial);
  const Mechanism whole(c.pair.whole), cut(c.pair.cut);
  const Written written{whole, cut, c.pair.bodies};
  Dynamics one(whole), two(cut);
  std::vector<std::string> drives;
  Numbers tau(size_t(whole.nv()));
  for (int b = 1; b <= 6; ++b) {
    const Body& body = c.pair.whole.bodies[size_t(b)];
    if (written.is_cut(b) || degrees_of_freedom(body.joint.type) == 0) continue;
    drives.push_back(body.name);
    const auto [first, count] = whole.freedoms(b);
    for (int k = 0; k < count; ++k) tau[size_t(first + k)] = random.uniform(-10, 10);
  }
  std::vector<BodyWrench<double>> wrenches;
  for (int b = 1; b <= 6; b += 2) wrenches.push_back({b, {random.vector(3), random.vector(3)}});

  const Numbers q = written.q(one, c.q), v = written.v(one, c.q, c.v);
  const Numbers a = copy(one.forward(c.q, c.v, tau, wrenches)), expected = written.a(one, c.q, c.v, a);
  const Numbers found = copy(two.forward(q, v, written.of_joints(tau), wrenches));
  const Model model(c.pair.cut);
  ClosedChain chain(model);
  const ClosedRounding left(model, chain, q, v, written.of_joints(tau),
                            chain.forward_dynamics(q, v, written.of_joints(tau)));
  expect_near(found, expected, left.accelerations, "a");

  // The joints that are left drive both with the same forces, and what is not driven follows.
  one.drive(drives);
  two.drive(drives);
  std::vector<int> undriven;
  for (int k = 0; k < cut.nv(); ++k)
    if (std::find(two.driven().begin(), two.driven().end(), k) == two.driven().end()) undriven.push_back(k);
  expect_near(copy(two.passive(q, v, written.of_joints(a), undriven, wrenches)), expected, left.accelerations,
              "passive");
  expect_near(copy(two.inverse(q, v, expected, wrenches)), written.of_joints(copy(one.inverse(c.q, c.v, a, wrenches))),
              left.forces, "tau");

  // What the tree's joint exerts is what the loop does; and the loops that are in both do the same.
  if (!two.is_unique()) return;
  std::vector<BodyWrench<double>> held;
  if (whole.has_loops())
    held.assign(one.loop_wrenches().begin(), one.loop_wrenches().end());
  else
    for (const int b : c.pair.bodies) held.push_back({b, one.reactions(c.q, c.v, a, wrenches)[size_t(b)]});
  for (size_t i = 0; i < held.size(); ++i) {
    const auto& [body, wrench] = two.loop_wrenches()[whole.has_loops() ? i : 2 * i + 1];
    ASSERT_EQ(body, held[i].body);
    EXPECT_LE(norm(wrench.n - held[i].wrench.n), left.forces);
    EXPECT_LE(norm(wrench.f - held[i].wrench.f), left.forces);
  }
}

// ... and so do the joints that are in both, where the forces change, or the rates, or the posture of what rests.
void expect_the_same_changes(int trial) {
  SCOPED_TRACE(trial);
  Random random{unsigned(trial)};
  const Case c = random_case(random, trial);
  const Mechanism whole(c.pair.whole), cut(c.pair.cut);
  const Written written{whole, cut, c.pair.bodies};
  Dynamics one(whole), two(cut);
  const Numbers rest(c.v.size()), q = written.q(one, c.q);
  Numbers tau(c.v.size());
  written.shared([&](int first, int, int n) {
    for (int k = 0; k < n; ++k) tau[size_t(first + k)] = random.uniform(-10, 10);
  });
  const Model model(c.pair.cut);
  ClosedChain chain(model);
  const auto both = [&](const Numbers& v, auto part, const Numbers& change, const Numbers& same) {
    const Numbers expected = written.of_joints(product(part(one.forward_derivatives(c.q, v, tau)), change));
    const Numbers rates = written.v(one, c.q, v), forces = written.of_joints(tau);
    Numbers found = product(part(two.forward_derivatives(q, rates, forces)), same);
    for (const int b : c.pair.bodies) written.put(found, b, {0, 0, 0}, {0, 0, 0});  // in axes that move
    const ClosedRounding left(model, chain, q, rates, forces, chain.forward_dynamics(q, rates, forces));
    expect_near(found, expected, left.accelerations, "change of a");
  };
  const Numbers move = c.v;
  both(
      move, [](const auto& d) { return d.dtau; }, tau, written.of_joints(tau));
  both(
      move, [](const auto& d) { return d.dv; }, move, written.v(one, c.q, move));
  both(
      rest, [](const auto& d) { return d.dq; }, move, written.v(one, c.q, move));
}

// ... and they come to the same places, with springs and dampers in the joints that are in both.
void expect_the_same_run(int trial) {
  SCOPED_TRACE(trial);
  Random random{unsigned(trial)};
  Case c = random_case(random, trial);
  for (int b = 1; b <= 6; ++b) {
    if (std::find(c.pair.bodies.begin(), c.pair.bodies.end(), b) != c.pair.bodies.end()) continue;
    Friction friction;
    friction.viscous = random.uniform(0, 2);
    for (Robot* robot : {&c.pair.whole, &c.pair.cut}) robot->bodies[size_t(b)].joint.friction = friction;
  }
  PointSpring spring;
  spring.a = {2, {identity3<double>(), random.vector(0.3)}};
  spring.b = {5, {identity3<double>(), random.vector(0.3)}};
  spring.stiffness = 20;
  for (Robot* robot : {&c.pair.whole, &c.pair.cut}) robot->springs.push_back(spring);
  const Mechanism whole(c.pair.whole), cut(c.pair.cut);
  const Written written{whole, cut, c.pair.bodies};
  Dynamics one(whole, Forces::all), two(cut, Forces::all);
  const Numbers q = written.q(one, c.q), v = written.v(one, c.q, c.v);
  const Simulated was = simulated(whole.tree(), setup_of(c.q, c.v, 0.1, 0.1, tight(1e-10))),
                  is = simulated(cut.tree(), setup_of(q, v, 0.1, 0.1, tight(1e-10)));
  const Kept &expected = was.samples.back(), &found = is.samples.back();
  const double part = 1e-7;  // tens of steps that err by 1e-10, and what has grown of that
  for (int b = 1; b <= 6; ++b) {
    const Pose<double> there = one.pose(expected.q, b), here = two.pose(found.q, b);
    EXPECT_LE(norm(here.r - there.r), part * (1 + norm(there.r))) << b;
    for (const auto& [x, y] : {std::pair{column_x(here.R), column_x(there.R)}, {column_y(here.R), column_y(there.R)}})
      EXPECT_LE(norm(x - y), part) << b;
    const Twist<double> moves = one.twist(expected.q, expected.v, b), moving = two.twist(found.q, found.v, b);
    EXPECT_LE(norm(moving.w - moves.w), part * (1 + norm(moves.w))) << b;
    EXPECT_LE(norm(moving.v - moves.v), part * (1 + norm(moves.v))) << b;
  }
  EXPECT_NEAR(found.energy(), expected.energy(), part * (1 + was.statistics.largest_energy));
  EXPECT_LE(is.statistics.loop_defect, 1e-12);
}

constexpr int trials = 100;

TEST(JointsAsLoops, MoveTheSame) {
  for (int trial = 0; trial < trials; ++trial) expect_the_same_motion(trial);
}
TEST(JointsAsLoops, RunTheSame) {
  for (int trial = 0; trial < trials / 4; ++trial) expect_the_same_run(trial);
}
TEST(JointsAsLoops, ChangeTheSame) {
  for (int trial = 0; trial < trials; ++trial) expect_the_same_changes(trial);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
