// The one door: what Dynamics answers is what the robot with all it has does.
#include "denoc/mechanism/dynamics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <utility>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/model/manifold.hpp"
#include "support/data.hpp"
#include "support/loaded_fourbar.hpp"
#include "support/mechanisms.hpp"
#include "support/overconstrained.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<double>;

VectorXd vector(std::span<const double> x) { return Eigen::Map<const VectorXd>(x.data(), Eigen::Index(x.size())); }
List list(std::span<const double> x) { return {x.begin(), x.end()}; }
MatrixXd matrix(const MatrixView& m) {
  MatrixXd full(m.rows(), m.columns());
  for (int i = 0; i < m.rows(); ++i)
    for (int j = 0; j < m.columns(); ++j) full(i, j) = m(i, j);
  return full;
}

TEST(Dynamics, AnswersWithEverythingARobotHas) {
  const Mechanism robot(loaded_fourbar());
  Dynamics d(robot, Forces::all);
  ClosedChain chain(robot.tree());
  Random random(5);
  for (int state = 0; state < 5; ++state) {
    const List q = chain.assemble(List{0.5 + 0.2 * state, -0.5, 1.2});
    const List v = chain.closed_rates(q, random_vector<double>(random, 3, 2)),
               tau = random_vector<double>(random, 3, 20);
    const VectorXd expected = dense_accelerations(robot.robot(), q, v, tau);
    const List a = list(d.forward(q, v, tau));
    EXPECT_LE((vector(a) - expected).norm(), 1e-9 * (1 + expected.norm())) << state;
    // Back again: tau of all three joints is not unique, but gives the same motion.
    const List given = list(d.inverse(q, v, a));
    EXPECT_LE((vector(d.forward(q, v, given)) - expected).norm(), 1e-9 * (1 + expected.norm())) << state;
  }
}

// Without loops everything is one linear system: a = I^-1 (tau - bias), I from its columns, its inverse from the
// factor.
TEST(Dynamics, InertiaBiasAndForwardAreOne) {
  Random random(7);
  for (int robots = 0; robots < 10; ++robots) {
    const Mechanism robot(random_robot(random, {.bodies = 9}));
    const int n = robot.nv();
    if (n == 0) continue;
    Dynamics d(robot);
    const State<double> s(random, robot.tree());
    const MatrixXd I = matrix(d.inertia(s.q)), inverse = matrix(d.inertia_inverse(s.q));
    const VectorXd tau = I * vector(s.a) + vector(d.bias(s.q, s.v));
    const double cond = I.norm() * inverse.norm(), eps = std::numeric_limits<double>::epsilon();
    EXPECT_LE((I * inverse - MatrixXd::Identity(n, n)).norm(), 8 * n * eps * cond);
    EXPECT_LE((vector(d.forward(s.q, s.v, list({tau.data(), size_t(n)}))) - vector(s.a)).norm(),
              8 * n * eps * cond * vector(s.a).norm() + 8 * n * eps * inverse.norm() * tau.norm());
    EXPECT_LE((vector(d.inverse(s.q, s.v, s.a)) - tau).norm(),
              64 * n * eps * (I.norm() * vector(s.a).norm() + tau.norm()));
    // v^T I v / 2 is the kinetic energy, rotors included.
    EXPECT_NEAR(vector(s.v).dot(I * vector(s.v)) / 2, d.energy(s.q, s.v).kinetic,
                64 * n * eps * I.norm() * vector(s.v).squaredNorm());
    // gravity is the gradient of the potential: along d, by differences
    const VectorXd g = vector(d.gravity(s.q));
    const List way = random_vector<double>(random, n);
    const auto potential = [&](double h) {
      List step = way, there(s.q.size());
      for (double& x : step) x *= h;
      integrate<double>(robot.tree(), s.q, step, there);
      return d.energy(there, s.v).potential;
    };
    const double h = 1e-4, slope = (potential(h) - potential(-h)) / (2 * h);
    EXPECT_NEAR(g.dot(vector(way)), slope, 1e-6 * (1 + g.norm() * vector(way).norm()));
  }
}

// Twist, momentum and the velocity of the mass centre are their matrices times v, and J' v is what differences show.
TEST(Dynamics, MatricesTimesRatesAreMotions) {
  Random random(8);
  for (int robots = 0; robots < 10; ++robots) {
    const Mechanism robot(random_robot(random, {.bodies = 8, .free_root = robots % 2 == 0}));
    if (robot.nv() == 0) continue;
    Dynamics d(robot);
    const State<double> s(random, robot.tree());
    const int body = 1 + random.below(8);
    const Vec3<double> point = random.vector(0.4);
    for (const Axes axes : {Axes::world, Axes::body}) {
      const Twist<double> t = d.twist(s.q, s.v, body, point, axes);
      const VectorXd product = matrix(d.jacobian(s.q, body, point, axes)) * vector(s.v);
      expect_near<double>(list({product.data(), 6}), {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z}, 1e-12, "twist");
    }
    const auto [linear, angular] = d.momentum(s.q, s.v);
    const auto [mass, centre] = d.mass_centre(s.q);
    const VectorXd h = matrix(d.centroidal_momentum_matrix(s.q)) * vector(s.v);
    const Vec3<double> about = angular - cross(centre, linear);
    expect_near<double>(list({h.data(), 6}), {about.x, about.y, about.z, linear.x, linear.y, linear.z}, 1e-11,
                        "momentum");
    const VectorXd velocity = matrix(d.mass_centre_jacobian(s.q)) * vector(s.v);
    expect_near<double>({velocity[0] * mass, velocity[1] * mass, velocity[2] * mass}, {linear.x, linear.y, linear.z},
                        1e-11, "velocity of the mass centre");
    // The bias of the Jacobian: the acceleration of the point when v stays as it is.
    const double step = 1e-5;
    const auto at = [&](double time) {
      List by = s.v, there(s.q.size());
      for (double& x : by) x *= time;
      integrate<double>(robot.tree(), s.q, by, there);
      return d.twist(there, s.v, body, point);
    };
    const Twist<double> before = at(-step), after = at(step), bias = d.jacobian_bias(s.q, s.v, body, point);
    const Vec3<double> wd = (after.w - before.w) * (0.5 / step), a = (after.v - before.v) * (0.5 / step);
    expect_near<double>({bias.w.x, bias.w.y, bias.w.z, bias.v.x, bias.v.y, bias.v.z}, {wd.x, wd.y, wd.z, a.x, a.y, a.z},
                        1e-6, "bias");
  }
}

// Those who say that they want the tree get it; the refusals are in whole_robot_test.cpp.
TEST(Dynamics, GivesTheTreesMatricesOfARobotWithLoopsWhenAsked) {
  const Mechanism robot(shipped("fourbar"));
  Dynamics d(robot);
  const List q = list(d.assemble(robot.neutral())), v(3);
  EXPECT_EQ(d.inertia(q, Loops::open).rows(), 3);
  Dynamics open(robot, Forces::none, Loops::open);
  EXPECT_EQ(open.inertia(q)(0, 0), d.inertia(q, Loops::open)(0, 0));
  // and q that leaves a loop open is refused, with the loop's name
  try {
    d.forward(List{0.3, 1, 1}, v, v);
    FAIL() << "an open loop";
  } catch (const NotAssembled& refused) {
    EXPECT_NE(std::string(refused.what()).find("loops[0]"), std::string::npos) << refused.what();
  }
}

// Every call either refuses a posture whose loop is open, or is kinematics: that of the tree, at the posture as it is.
TEST(Dynamics, OpenLoopsAreRefusedWhereTheyCount) {
  const Mechanism robot{shipped("fourbar")};
  Dynamics closed(robot), tree(robot, Forces::none, Loops::open);
  const List q = {0.1, 0.2, 0.3}, v = {1, 2, 3}, none(3);
  const std::string body = robot.robot().bodies.back().name;
  const std::pair<const char*, std::function<void(Dynamics&)>> refusing[] = {
      {"inverse", [&](Dynamics& d) { d.inverse(q, v, none); }},
      {"passive", [&](Dynamics& d) { d.passive(q, v, none, {}); }},
      {"forward", [&](Dynamics& d) { d.forward(q, v, none); }},
      {"forward_derivatives", [&](Dynamics& d) { d.forward_derivatives(q, v, none); }},
      {"forward_reaction_derivatives", [&](Dynamics& d) { d.forward_reaction_derivatives(q, v, none); }},
      {"reactions", [&](Dynamics& d) { d.reactions(q, v, none); }},
      {"assembly_derivatives", [&](Dynamics& d) { d.assembly_derivatives(q); }},
      {"step",
       [&](Dynamics& d) {
         List next_q = q, next_v = v;
         d.step(next_q, next_v, none, 1e-3);
       }},
      {"linearize", [&](Dynamics& d) { linearize(d, q, v, none, {}); }}};
  for (const auto& [name, call] : refusing) EXPECT_THROW(call(closed), NotAssembled) << name;
  const auto entries = [](const Vec3<double>& a, const Vec3<double>& b) { return List{a.x, a.y, a.z, b.x, b.y, b.z}; };
  const std::pair<const char*, std::function<List(Dynamics&)>> answering[] = {
      {"pose",
       [&](Dynamics& d) {
         const Pose<double> pose = d.pose(q, body);
         return entries(pose.r, pose.R * Vec3<double>{1, 2, 3});
       }},
      {"twist",
       [&](Dynamics& d) {
         const auto [w, velocity] = d.twist(q, v, body);
         return entries(w, velocity);
       }},
      {"jacobian_bias",
       [&](Dynamics& d) {
         const auto [w, velocity] = d.jacobian_bias(q, v, body);
         return entries(w, velocity);
       }},
      {"mass_centre", [&](Dynamics& d) { return entries(d.mass_centre(q).position, {}); }},
      {"energy",
       [&](Dynamics& d) {
         const auto [kinetic, potential] = d.energy(q, v);
         return List{kinetic, potential};
       }},
      {"momentum", [&](Dynamics& d) {
         const auto [linear, angular] = d.momentum(q, v);
         return entries(linear, angular);
       }}};
  for (const auto& [name, call] : answering) EXPECT_EQ(call(closed), call(tree)) << name;
}

// Loops that are to stay open stay so where some joints have no drive: that is another condition, not these.
TEST(Dynamics, LoopsCutOpenStayOpenWithoutSomeDrives) {
  const Mechanism robot(shipped("fourbar"));
  Dynamics open(robot, Forces::none, Loops::open);
  const List q = {0.3, 1, 1}, v = {0.5, -0.2, 0.7}, tau = {2, 0, 0};  // no closed posture
  const List falling = list(open.forward(q, v, tau));
  open.drive(std::vector<std::string>{"crank"});
  EXPECT_EQ(list(open.forward(q, v, tau)), falling);
  const List found = list(open.inverse(q, v, falling));
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], tau[k], 1e-12);
  EXPECT_TRUE(open.multipliers().empty());
  EXPECT_THROW(open.inverse(q, v, List{1, 1, 1}), NotDriveable);
}

TEST(Dynamics, SaysWhatItIsGivenAndWhatIsKnown) {
  const Mechanism robot("puma560");
  Dynamics d(robot);
  const List six(6), five(5);
  const auto message = [](auto&& call) {
    try {
      call();
    } catch (const Error& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  EXPECT_NE(message([&] { d.inverse(five, six, six); }).find("q"), std::string::npos);
  EXPECT_NE(message([&] { d.pose(six, "link66"); }).find("link6"), std::string::npos);
  EXPECT_NE(message([&] { d.pose(six, 17); }).find("17"), std::string::npos);
  EXPECT_NE(message([&] { d.drive(std::vector<std::string>{"elbw"}); }), "");
  EXPECT_NE(message([&] { d.forward(List(6, std::nan("")), six, six); }), "");
}

// A cart with a pole that nothing drives: whether its drive is named once or twice, it is the one that there is, and the
// pole falls as it does without a moment about its hinge.
TEST(Dynamics, DrivesThatAreNamedTwiceAreOne) {
  Robot cart_pole;
  add(cart_pole, joint(JointType::prismatic, {1, 0, 0}), mass(2)).joint.name = "cart";
  add(cart_pole, joint(JointType::revolute, {0, 1, 0}), mass(0.5, {0, 0, 0.4})).joint.name = "pole";
  const Mechanism robot(cart_pole);
  const List q = {0.1, 0.3}, v = {0.2, -0.7};
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"cart"}, {"cart", "cart"}, {"cart", "cart", "cart"}}) {
    SCOPED_TRACE(names.size());
    Dynamics d(robot);
    d.drive(names);
    EXPECT_EQ(std::vector<int>(d.driven().begin(), d.driven().end()), std::vector<int>{0});
    const List a = list(d.passive(q, v, List{1, 0}, std::vector<int>{1})), tau = list(d.inverse(q, v, a));
    EXPECT_EQ(tau[1], 0);
    EXPECT_LE((vector(Dynamics(robot).forward(q, v, tau)) - vector(a)).norm(), 1e-12);
    EXPECT_THROW(d.inverse(q, v, List{1, a[1] + 1}), NotDriveable);
  }
}

// Wrenches that stay, or that come with a call: the same.
TEST(Dynamics, TakesWrenchesEitherWay) {
  const Mechanism robot("puma560");
  Dynamics d(robot);
  const List q = {0.1, -0.4, 0.7, 0.3, 0.9, -0.2}, v = {0.5, -0.1, 0.2, 0.7, -0.3, 0.1}, a(6);
  const Wrench<double> w{{1, 2, 3}, {-4, 5, 6}};
  const BodyWrench<double> given[] = {{robot.body("link6"), w}};
  const List once = list(d.inverse(q, v, a, given)), none = list(d.inverse(q, v, a));
  d.wrenches({{"link6", w}});
  EXPECT_EQ(list(d.inverse(q, v, a)), once);
  EXPECT_NE(once, none);
  d.wrenches({});
  EXPECT_EQ(list(d.inverse(q, v, a)), none);
}

// Wrenches that stay are in the bias, and gravity is without them.
TEST(Dynamics, GravityIsThatOfGravityAlone) {
  const Mechanism robot("puma560");
  const List q = {0.1, -0.4, 0.7, 0.3, 0.9, -0.2}, rest(6);
  Dynamics d(robot);
  const List weight = list(d.gravity(q));
  d.wrenches({{"link6", {{1, 2, 3}, {-4, 5, 6}}}});
  EXPECT_EQ(list(d.gravity(q)), weight);
  EXPECT_NE(list(d.bias(q, rest)), weight);
  EXPECT_EQ(list(d.gravity(q)), weight) << "after what felt them";
}

// One step after the other is a simulation: order 4, on the manifold, loops closed at every step.
// At rest and without weight the world exerts, in sum, what balances the wrenches from outside: what a spring on it does
// and what the joint does are equal and opposite. A wrench from outside on the world itself reaches no robot.
TEST(Dynamics, ReactionsOfTheWorldCountItsSprings) {
  Robot robot;
  robot.gravity = {0, 0, 0};
  add(robot, joint(JointType::prismatic, {1, 0, 0}), mass(1));
  PointSpring spring;
  spring.a.frame.r = {0.3, 0.4, 0.5};
  spring.b.body = 1;
  spring.b.frame.r = {0, 0.1, 0};
  spring.stiffness = 100;
  robot.springs.push_back(spring);
  const Mechanism mechanism(robot);
  Dynamics d(mechanism, Forces::all);
  const std::vector<double> q{0.7}, zero{0};
  const std::vector<BodyWrench<double>> given{{1, {{1, 2, 3}, {4, 5, 6}}}, {0, {{7, 8, 9}, {1, 1, 1}}}};
  const Wrench<double> stays{{-2, 1, 5}, {3, -7, 2}};
  for (const auto& [is_pushed, is_loaded] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    if (is_loaded) d.wrenches({{1, stays}});
    const Wrench<double> world =
        d.reactions(q, zero, zero, is_pushed ? std::span(given) : std::span<const BodyWrench<double>>())[0];
    Wrench<double> outside = is_pushed ? given[0].wrench : zero_wrench<double>;
    if (is_loaded) outside = outside + stays;
    const Vec3<double> arm{q[0], 0, 0}, f = outside.f, n = outside.n + cross(arm, f);
    expect_near(std::vector<double>{world.f.x, world.f.y, world.f.z}, {-f.x, -f.y, -f.z}, 1e-13, "force");
    expect_near(std::vector<double>{world.n.x, world.n.y, world.n.z}, {-n.x, -n.y, -n.z}, 1e-13, "moment");
  }
}
TEST(Dynamics, StepsAreOfOrderFour) {
  for (const char* name : {"free_flying_arm", "fourbar"}) {
    const Mechanism robot{shipped(name)};
    Dynamics d(robot);
    const auto run = [&](int steps) {
      List q = list(d.assemble(robot.neutral())), v(size_t(robot.nv()), 0.0), tau(v);
      if (!robot.has_loops()) v = {0.3, -0.5, 0.4, 0.1, 0, 0.2, 1, -2, 1.5};
      for (int i = 0; i < steps; ++i) d.step(q, v, tau, 0.4 / steps);
      return q;
    };
    const VectorXd exact = vector(run(1600)), coarse = vector(run(50)) - exact, fine = vector(run(100)) - exact;
    EXPECT_NEAR(std::log2(coarse.norm() / fine.norm()), 4, 0.4) << name;
  }
}

// Rows of a plane loop on a base that turns depend on each other only where the loop is closed; between the steps it is not.
TEST(Dynamics, StepsOfLoopsWithMoreRowsThanNeededAreOfOrderFour) {
  const Mechanism robot{floating_four_bar()};
  Dynamics d(robot);
  const List tau = {1, 2, -1, 2, 1, -3, 0.5, 0, 0};
  const auto run = [&](int steps) {
    List q = list(d.assemble(robot.neutral())), v(size_t(robot.nv()), 0.0);
    for (int i = 0; i < steps; ++i) d.step(q, v, tau, 0.4 / steps);
    return v;
  };
  const VectorXd exact = vector(run(800)), coarse = vector(run(50)) - exact, fine = vector(run(100)) - exact;
  EXPECT_NEAR(std::log2(coarse.norm() / fine.norm()), 4, 0.4);
}

// ... and so are those whose tree alone has no inertia, where a rocker or a wheel has no mass.
TEST(Dynamics, StepsOfSuchLoopsOnMasslessLinksAreOfOrderFour) {
  for (Robot robot : {floating_four_bar(), coupled_wheels()}) {
    robot.bodies.back().inertial = {};
    const Mechanism mechanism{robot};
    Dynamics d(mechanism);
    List tau = {1, 2, -1, 2, 1, -3, 0.5, 0, 0};
    tau.resize(size_t(mechanism.nv()));
    List start = mechanism.neutral();
    if (mechanism.nv() == 4) start = {0.7, -0.7, 0.7, 0.7};  // of the wheels, away from their dead point
    const auto run = [&](int steps) {
      List q = list(d.assemble(start)), v(tau.size(), 0.0);
      for (int i = 0; i < steps; ++i) d.step(q, v, tau, 0.4 / steps);
      return v;
    };
    const VectorXd exact = vector(run(800)), coarse = vector(run(50)) - exact, fine = vector(run(100)) - exact;
    EXPECT_NEAR(std::log2(coarse.norm() / fine.norm()), 4, 0.4) << mechanism.nv();
  }
}

// A quaternion that rounding left off unit length is brought to it before the body moves by its axes.
TEST(Dynamics, StepsAreThoseOfQuaternionsOfUnitLength) {
  const Mechanism robot{shipped("free_flying_arm")};
  Dynamics d(robot);
  List q = robot.neutral(), v(size_t(robot.nv()), 0.5);
  const List base = {1, 2, 3, 0.5, -0.5, 0.5, 0.5}, tau(v.size(), 0.1);
  std::copy(base.begin(), base.end(), q.begin());
  v[3] = 100, v[4] = -200, v[5] = 300;
  List off = q, v_off = v;
  for (size_t i = 3; i < 7; ++i) off[i] *= 1 + 9e-7;
  d.step(q, v, tau, 0.1);
  d.step(off, v_off, tau, 0.1);
  // Four stages of some hundred operations each, on numbers of the size of v.
  const double rounding = 1024 * std::numeric_limits<double>::epsilon() * 300;
  expect_near(off, q, rounding, "q");
  expect_near(v_off, v, rounding, "v");
}

// A step that is far too long says so, and leaves the state as it was; with quaternions and loops, too.
TEST(Dynamics, StepsThatLeaveTheRangeOfNumbersAreRefused) {
  for (const char* name : {"puma560", "free_flying_arm", "fourbar"}) {
    const Mechanism robot{shipped(name)};
    Dynamics d(robot);
    List q = list(d.assemble(robot.neutral())), v(size_t(robot.nv()), 0.0);
    const List before = q, rest = v;
    try {
      d.step(q, v, List(v.size(), 1e6), 1e300);
      ADD_FAILURE() << name;
    } catch (const Error& refused) {
      EXPECT_NE(std::string(refused.what()).find("take shorter steps"), std::string::npos) << refused.what();
    }
    EXPECT_EQ(q, before) << name;
    EXPECT_EQ(v, rest) << name;
  }
}

TEST(Mechanism, LocksJointsAndCarriesPayloads) {
  const Robot robot = shipped("puma560");
  const Mechanism whole(robot);
  // A joint that is held by its drive, and one that is locked: the others feel the same.
  const Mechanism locked(robot,
                         {.locked = {{"link3", {0.7}}}, .payloads = {{"link6", {.mass = 2, .com = {0, 0, 0.1}}}}});
  ASSERT_EQ(locked.nv(), 5);
  const List q = {0.2, -0.5, 0.7, 1.1, 0.4, -0.9}, v = {0.3, 0.2, 0, -0.5, 0.6, 1}, a = {1, -2, 0, 0.5, 0.1, 2};
  const auto five = [](const List& x) { return List{x[0], x[1], x[3], x[4], x[5]}; };
  const Mechanism loaded(robot, {.payloads = {{"link6", {.mass = 2, .com = {0, 0, 0.1}}}}});
  Dynamics d(loaded), e(locked);
  const List expected = five(list(d.inverse(q, v, a)));
  expect_near(list(e.inverse(five(q), five(v), five(a))), expected, 1e-12 * largest(expected), "tau");
  EXPECT_GT(largest_difference(five(list(Dynamics(whole).inverse(q, v, a))), expected), 1);
  EXPECT_THROW(Mechanism(robot, {.locked = {{"link9", {0}}}}), ArgumentError);
  EXPECT_THROW(Mechanism(robot, {.locked = {{"link3", {0, 1}}}}), ArgumentError);
}

// What the ground carries no joint feels, by whatever name the ground goes.
TEST(Mechanism, CarriesPayloadsOfTheGround) {
  const Robot robot = shipped("puma560");
  const List q = {0.2, -0.5, 0.7, 1.1, 0.4, -0.9}, v = {0.3, 0.2, 0, -0.5, 0.6, 1}, a = {1, -2, 0, 0.5, 0.1, 2};
  const Mechanism whole(robot);
  const List expected = list(Dynamics(whole).inverse(q, v, a));
  for (const char* name : {"world", "base"}) {
    const Mechanism loaded(robot, {.payloads = {{name, {.mass = 2, .com = {0, 0, 0.1}}}}});
    EXPECT_EQ(list(Dynamics(loaded).inverse(q, v, a)), expected) << name;
    EXPECT_GT(loaded.robot().find(std::string(name) + ".payload"), 0);
  }
  EXPECT_THROW(Mechanism(robot, {.payloads = {{"ground", {.mass = 2}}}}), ArgumentError);
}

// A joint locked where a posture has it: the posture of what is left is the same, body by body.
TEST(Mechanism, JointsThatDoNotMoveHaveNoFreedoms) {
  const Mechanism robot(shipped("puma560"), {.locked = {{"link3", {0.7}}}});
  EXPECT_EQ(robot.freedoms("link4").first, 2);
  for (const char* name : {"link3", "world"}) {
    EXPECT_THROW(static_cast<void>(robot.freedoms(name)), ArgumentError) << name;
    const std::vector<std::string> driven = {"link1", name};
    EXPECT_THROW(Dynamics(robot).drive(driven), ArgumentError) << name;
  }
  try {
    static_cast<void>(robot.freedoms("link3"));
  } catch (const ArgumentError& e) {
    EXPECT_EQ(e.what(), std::string("'link3' is no joint that moves; there are link1, link2, link4, link5, link6"));
  }
}
TEST(Mechanism, LocksLeavePosturesWhereTheyAre) {
  Random random(31);
  Robot robot = random_robot(random, {.bodies = 6});
  const Mechanism whole(robot);
  robot.postures = {{"first", random_q<double>(random, whole.tree()), {}},
                    {"second", random_q<double>(random, whole.tree()), {}}};
  for (size_t b = 1; b < robot.bodies.size(); ++b) {
    const int first = whole.tree().bodies()[b].q, size = coordinates(robot.bodies[b].joint.type);
    if (size == 0) continue;
    const List& q = robot.postures[1].q;
    const Mechanism locked(
        robot, {.locked = {{whole.tree().joint_name(int(b)), List(q.begin() + first, q.begin() + first + size)}}});
    ASSERT_EQ(locked.robot().postures.size(), 2u);
    for (const Posture& posture : locked.robot().postures) ASSERT_EQ(std::ssize(posture.q), locked.nq());
    Dynamics d(whole), e(locked);
    for (int body = 1; body < int(robot.bodies.size()); ++body) {
      const Vec3<double> expected = d.pose(q, body).r, found = e.pose(locked.robot().postures[1].q, body).r;
      // Products of as many rotations as there are bodies, each good to some eps, of lengths of some metres.
      EXPECT_LE(norm(found - expected), 64 * 6 * Epsilon<double>::epsilon() * (1 + norm(expected)))
          << b << ", " << body;
    }
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
