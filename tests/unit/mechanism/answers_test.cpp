// What a call gave is the caller's until the next call of the same name; a call that is refused changes nothing; and an
// answer depends on what is asked, not on what was asked before.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <functional>
#include <limits>
#include <utility>

#include "denoc/io/load.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/mechanism/linearize.hpp"
#include "denoc/mechanism/regressor.hpp"
#include "support/loaded_fourbar.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using List = std::vector<double>;
List list(std::span<const double> x) { return {x.begin(), x.end()}; }
List list(const MatrixView& x) { return list(x.entries()); }

struct Arm {
  Mechanism robot{load(DENOC_MODELS_DIR "/puma560.yaml")};
  List q = {0.2, -0.5, 0.7, 1.1, 0.4, -0.9}, v = {0.3, 0.2, -1, -0.5, 0.6, 1}, a = {1, -2, 0.3, 0.5, 0.1, 2},
       tau = {3, -20, 5, 0.1, -0.4, 0.2};
};

TEST(Answers, StayWhileOtherQuestionsAreAsked) {
  Arm arm;
  const auto& [robot, q, v, a, tau] = arm;
  Dynamics d(robot);
  const auto inverse = d.inverse(q, v, a), forward = d.forward(q, v, tau), bias = d.bias(q, v), gravity = d.gravity(q),
             passive = d.passive(q, v, a, {});
  const MatrixView inertia = d.inertia(q), jacobian = d.jacobian(q, "link6"), centre = d.mass_centre_jacobian(q),
                   momenta = d.centroidal_momentum_matrix(q), inverted = d.inertia_inverse(q),
                   upper = d.factors(q).upper;
  const std::span<const double> vectors[] = {inverse, forward, bias, gravity, passive};
  const MatrixView matrices[] = {inertia, jacobian, centre, momenta, inverted, upper};
  std::vector<List> before;
  for (const auto& each : vectors) before.push_back(list(each));
  for (const auto& each : matrices) before.push_back(list(each));
  // Everything else, at another state; each of the above is asked but for its own name.
  const List p(6, 0.4), w(6, -0.7), x(6, 2.0);
  const std::function<void()> questions[] = {[&] { d.inverse(p, w, x); },
                                             [&] { d.forward(p, w, x); },
                                             [&] { d.bias(p, w); },
                                             [&] { d.gravity(p); },
                                             [&] { d.passive(p, w, x, {}); },
                                             [&] { d.inertia(p); },
                                             [&] { d.jacobian(p, "link6"); },
                                             [&] { d.mass_centre_jacobian(p); },
                                             [&] { d.centroidal_momentum_matrix(p); },
                                             [&] { d.inertia_inverse(p); },
                                             [&] { d.factors(p); }};
  const auto others = [&] {
    d.reactions(p, w, x);
    d.inverse_derivatives(p, w, x);
    d.forward_derivatives(p, w, x);
    d.forward_reaction_derivatives(p, w, x);
    d.energy(p, w);
    d.mass_centre(p);
    List moved = p, rates = w;
    d.step(moved, rates, x, 1e-3);
  };
  const auto now = [&](size_t k) {
    return k < std::size(vectors) ? list(vectors[k]) : list(matrices[k - std::size(vectors)]);
  };
  others();
  for (size_t k = 0; k < before.size(); ++k) EXPECT_EQ(now(k), before[k]) << "answer " << k;
  for (size_t asked = 0; asked < std::size(questions); ++asked) {
    questions[asked]();
    for (size_t k = asked + 1; k < before.size(); ++k)
      EXPECT_EQ(now(k), before[k]) << "answer " << k << " after " << asked;
  }
}

// Forces of accelerations are linear in these: T(2 a) - T(a) = T(a) - T(0), rotors included, wherever a lies.
TEST(Answers, MayBeGivenBackAsAQuestion) {
  Robot robot = load(DENOC_MODELS_DIR "/puma560.yaml");
  robot.bodies[1].joint.actuator = {.gear = 50, .rotor_inertia = 1e-3};
  const Mechanism geared(robot);
  const Arm arm;
  for (const char* method : {"denoc", "euler-lagrange"}) {
    Dynamics d(geared);
    d.use_inverse(method);
    const List tau = list(d.inverse(arm.q, arm.v, arm.a)), expected = list(d.inverse(arm.q, arm.v, tau));
    EXPECT_EQ(list(d.inverse(arm.q, arm.v, d.inverse(arm.q, arm.v, arm.a))), expected) << method;
    const List acceleration = list(d.forward(arm.q, arm.v, arm.tau)),
               again = list(d.forward(arm.q, arm.v, acceleration));
    EXPECT_EQ(list(d.forward(arm.q, arm.v, d.forward(arm.q, arm.v, arm.tau))), again) << method;
  }
}

// So may rows of matrices, though the answer is written where they stand.
TEST(Answers, RowsOfMatricesMayBeGivenBack) {
  const Mechanism robot{loaded_fourbar()};
  Dynamics d(robot, Forces::all, Loops::open);
  const List q = {0.3, -0.4, 1.1}, v = {0.2, -0.3, 0.5}, x = {1, -2, 3};
  const auto lists = [](const auto& matrices) {
    const auto& [dq, dv, dx] = matrices;
    return std::vector<List>{list(dq), list(dv), list(dx)};
  };
  using Vector = Dynamics::Vector;
  const std::pair<const char*, std::function<std::vector<List>(Vector, Vector)>> calls[] = {
      {"inverse", [&](Vector rates, Vector a) { return lists(d.inverse_derivatives(q, rates, a)); }},
      {"forward", [&](Vector rates, Vector tau) { return lists(d.forward_derivatives(q, rates, tau)); }},
      {"inverse reactions", [&](Vector rates, Vector a) { return lists(d.inverse_reaction_derivatives(q, rates, a)); }},
      {"forward reactions",
       [&](Vector rates, Vector tau) { return lists(d.forward_reaction_derivatives(q, rates, tau)); }},
  };
  const auto matrices = [&] {
    return std::vector<MatrixView>{d.inverse_derivatives(q, v, x).dq, d.inverse_reaction_derivatives(q, v, x).dq,
                                   d.forward_reaction_derivatives(q, v, x).dq, d.forward_derivatives(q, v, x).dq};
  };
  for (const auto& [name, call] : calls)
    for (std::size_t k = 0; k < matrices().size(); ++k) {
      const Vector row = matrices()[k].entries().first(3), next = matrices()[k].entries().subspan(3, 3);
      const List rates = list(row), others = list(next);
      const std::vector<List> found = call(row, next);
      EXPECT_EQ(found, call(rates, others)) << name << ", matrix " << k;
    }
}
TEST(Answers, RowsOfRegressorsMayBeGivenBack) {
  const Arm arm;
  Regressor regressor(arm.robot, Regressor::Friction::viscous_and_coulomb);
  // columns of link3 and link4 in the first row
  const auto rows = regressor.at(arm.q, arm.v, arm.a).entries().subspan(20);
  const List v = list(rows.first(6)), a = list(rows.subspan(6, 6));
  const List found = list(regressor.at(arm.q, rows.first(6), rows.subspan(6, 6)));
  EXPECT_EQ(found, list(regressor.at(arm.q, v, a)));
}

TEST(Answers, ForcesInLoopsStayInTheirPlace) {
  const Mechanism robot{loaded_fourbar()};
  Dynamics d(robot);
  const List q = list(d.assemble(robot.neutral())), rest(3, 0.0);
  d.forward(q, rest, List{1, 2, 3});
  const auto* const before = d.multipliers().data();
  const auto* const wrenches = d.loop_wrenches().data();
  d.forward(q, rest, List{4, 5, 6});
  EXPECT_EQ(d.multipliers().data(), before) << "a span of it would hang in the air";
  EXPECT_EQ(d.loop_wrenches().data(), wrenches);
}

// What loops do to the bodies at their ends, given as wrenches to the very object whose it is.
TEST(Answers, ForcesInLoopsMayBeGivenBack) {
  const Mechanism robot{loaded_fourbar()};
  Dynamics d(robot, Forces::all);
  const List q = list(d.assemble(robot.neutral())), rest(3, 0.0), tau = {1, 2, 3};
  d.forward(q, rest, tau);
  const std::vector<BodyWrench<double>> copy(d.loop_wrenches().begin(), d.loop_wrenches().end());
  const std::vector<BodyWrench<double>> none(copy.size(), {1, {{0, 0, 0}, {0, 0, 0}}});
  const std::vector<Axes> in_world(copy.size(), Axes::world);
  using Given = Dynamics::GivenWrenches;
  const std::function<List(Given)> questions[] = {
      [&](Given w) { return list(d.forward(q, rest, tau, w)); },
      [&](Given w) {
        List moved = q, rates = rest;
        d.step(moved, rates, tau, 1e-2, w);
        return rates;
      },
      [&](Given w) { return list(d.forward_derivatives(q, rest, tau, w).dq); },
      [&](Given w) { return list(d.forward_derivatives(q, rest, tau, w, in_world).dq); },
      [&](Given w) { return list(d.forward_reaction_derivatives(q, rest, tau, w).dq); },
      [&](Given w) { return list(d.forward_reaction_derivatives(q, rest, tau, w, in_world).dq); },
      [&](Given w) { return linearize(d, q, rest, tau, d.driven(), w, in_world).A; },
  };
  for (size_t k = 0; k < std::size(questions); ++k) {
    const List expected = questions[k](copy);
    EXPECT_NE(questions[k](none), expected) << "question " << k << " does not feel them";
    d.forward(q, rest, tau);
    EXPECT_EQ(questions[k](d.loop_wrenches()), expected) << "question " << k;
  }
}

TEST(Answers, RefusedSettingsLeaveThoseBefore) {
  const Arm arm;
  Dynamics d(arm.robot);
  const Wrench<double> w{{1, 2, 3}, {4, 5, 6}};
  d.wrenches({{"link6", w}});
  const List pushed = list(d.inverse(arm.q, arm.v, arm.a));
  EXPECT_THROW(d.wrenches({{"link2", w}, {"nonsense", w}}), ArgumentError);
  EXPECT_EQ(list(d.inverse(arm.q, arm.v, arm.a)), pushed);
  d.wrenches({});
  // A method that does not know joints without drives, whichever of both is said first.
  const std::vector<std::string> one = {"link1"}, all = {"link1", "link2", "link3", "link4", "link5", "link6"};
  d.drive(one);
  EXPECT_THROW(d.use_inverse("newton-euler"), NotCovered);
  d.drive(all);
  d.use_inverse("newton-euler");
  EXPECT_THROW(d.drive(one), NotCovered);
  EXPECT_EQ(d.driven().size(), 6u);
  const List plain = list(d.inverse(arm.q, arm.v, arm.a));
  d.use_inverse("denoc");
  const List first = list(d.inverse(arm.q, arm.v, arm.a));
  for (size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(plain[k], first[k], 1e-13 * 100);
}

TEST(Answers, NothingThatIsNoNumberLeavesQuietly) {
  const Mechanism robot{load(DENOC_MODELS_DIR "/free_flying_arm.yaml")};
  Dynamics d(robot);
  const double inf = std::numeric_limits<double>::infinity();
  List q = robot.neutral(), far = q, v(size_t(robot.nv()), 0.0), fast(v);
  far[0] = inf;
  fast[7] = 1e200;
  const std::string body = robot.robot().bodies.back().name;
  EXPECT_THROW(d.energy(far, v), Error);
  EXPECT_THROW(d.energy(q, fast), Error);
  EXPECT_THROW(d.momentum(far, v), Error);
  EXPECT_THROW(d.pose(far, body), Error);
  EXPECT_THROW(d.twist(q, List(v.size(), inf), body), Error);
  EXPECT_THROW(d.jacobian_bias(q, fast, body), Error);
  EXPECT_THROW(d.mass_centre(far), Error);
  far = q;
  far[7] = inf;  // a turning joint
  EXPECT_THROW(d.inertia(far), Error);
  EXPECT_THROW(d.jacobian(far, body), Error);
  EXPECT_NO_THROW(d.energy(q, v));
}

// An entry that is no number, in any vector that a call is given, is refused: also where the answer would not depend on
// it, as tau does not on where a base flies.
TEST(Answers, WhatIsNoNumberIsRefusedByEveryCall) {
  for (const char* name : {"free_flying_arm", "fourbar"}) {
    const Mechanism robot{load(DENOC_MODELS_DIR "/" + std::string(name) + ".yaml")};
    Dynamics d(robot);
    Regressor regressor(robot, Regressor::Friction::none, Loops::open);
    Executor executor(1);
    const std::string body = robot.robot().bodies.back().name;
    const auto n = size_t(robot.nv());
    List q = list(d.assemble(robot.neutral())), v(n, 0.0), x(n, 0.0), l(n, 0.5), Y(n * size_t(regressor.columns()));
    const auto open = Loops::open;
    struct Call {
      const char* name;
      std::vector<List*> given;
      std::function<void()> ask;
    };
    std::vector<Call> calls = {
        {"inverse", {&q, &v, &x}, [&] { d.inverse(q, v, x); }},
        {"passive", {&q, &v, &x}, [&] { d.passive(q, v, x, {}); }},
        {"forward", {&q, &v, &x}, [&] { d.forward(q, v, x); }},
        {"inverse_derivatives", {&q, &v, &x}, [&] { d.inverse_derivatives(q, v, x, open); }},
        {"forward_derivatives", {&q, &v, &x}, [&] { d.forward_derivatives(q, v, x); }},
        {"inverse_second_order", {&q, &v, &x, &l}, [&] { d.inverse_second_order(q, v, x, l, open); }},
        {"inverse_second_order_tensor", {&q, &v, &x}, [&] { d.inverse_second_order_tensor(q, v, x, open); }},
        {"inertia", {&q}, [&] { d.inertia(q, open); }},
        {"inertia_inverse", {&q}, [&] { d.inertia_inverse(q, open); }},
        {"factors", {&q}, [&] { d.factors(q, open); }},
        {"bias", {&q, &v}, [&] { d.bias(q, v, open); }},
        {"gravity", {&q}, [&] { d.gravity(q, open); }},
        {"energy", {&q, &v}, [&] { d.energy(q, v); }},
        {"momentum", {&q, &v}, [&] { d.momentum(q, v); }},
        {"reactions", {&q, &v, &x}, [&] { d.reactions(q, v, x); }},
        {"inverse_reaction_derivatives", {&q, &v, &x}, [&] { d.inverse_reaction_derivatives(q, v, x, open); }},
        {"forward_reaction_derivatives", {&q, &v, &x}, [&] { d.forward_reaction_derivatives(q, v, x); }},
        {"pose", {&q}, [&] { d.pose(q, body); }},
        {"twist", {&q, &v}, [&] { d.twist(q, v, body); }},
        {"jacobian", {&q}, [&] { d.jacobian(q, body, open); }},
        {"jacobian_bias", {&q, &v}, [&] { d.jacobian_bias(q, v, body); }},
        {"mass_centre", {&q}, [&] { d.mass_centre(q); }},
        {"mass_centre_jacobian", {&q}, [&] { d.mass_centre_jacobian(q, open); }},
        {"centroidal_momentum_matrix", {&q}, [&] { d.centroidal_momentum_matrix(q, open); }},
        {"assemble", {&q}, [&] { d.assemble(q); }},
        {"step",
         {&q, &v, &x},
         [&] {
           List next_q = q, next_v = v;
           d.step(next_q, next_v, x, 1e-3);
         }},
        {"linearize", {&q, &v, &x}, [&] { linearize(d, q, v, x, d.driven()); }},
        {"equilibrium", {&q, &x}, [&] { equilibrium(d, q, x); }},
        {"regressor", {&q, &v, &x}, [&] { regressor.at(q, v, x); }},
        {"regressor of many", {&q, &v, &x}, [&] { regressor.at(q, v, x, Y, executor); }},
    };
    if (robot.has_loops()) calls.push_back({"assembly_derivatives", {&q}, [&] { d.assembly_derivatives(q); }});
    for (const Call& call : calls) {
      EXPECT_NO_THROW(call.ask()) << name << ": " << call.name;
      for (List* given : call.given)
        for (double& entry : *given)
          for (const double none : {double(NAN), double(INFINITY), -double(INFINITY)}) {
            const double before = std::exchange(entry, none);
            EXPECT_THROW(call.ask(), Error) << name << ": " << call.name;
            entry = before;
          }
    }
  }
}

// ... and what is too large leaves no call quietly: the moment of a weight that far away is no number, nor are squares of
// such rates.
TEST(Answers, ReactionsAndRegressorsAreNumbers) {
  Robot falling;
  Body rock;
  rock.name = "rock";
  rock.joint.type = JointType::free;
  rock.inertial.mass = 100;
  falling.bodies.push_back(rock);
  const Mechanism robot(falling);
  Dynamics d(robot);
  Regressor regressor(robot);
  Executor executor(1);
  const List far = {1e308, 0, 0, 1, 0, 0, 0}, none(6), fast = {0, 1e160, 0, 0, 0, 0};
  EXPECT_NO_THROW(d.inverse(far, none, none)) << "forces do not depend on where it is";
  EXPECT_THROW(d.reactions(far, none, none), Error);
  List Y(6 * size_t(regressor.columns()));
  EXPECT_THROW(regressor.at(robot.neutral(), fast, none), Error);
  EXPECT_THROW(regressor.at(robot.neutral(), fast, none, Y, executor), Error);
}

// Quaternions: normalised where rounding explains it, else refused, by whoever is asked.
TEST(Answers, QuaternionsThatAreNoneAreRefused) {
  const Mechanism robot{load(DENOC_MODELS_DIR "/free_flying_arm.yaml")};
  Regressor regressor(robot);
  Executor executor(2);
  List q = robot.neutral(), rest(size_t(robot.nv()), 0.5), near = q, off = q;
  const size_t w = 3;  // of the free joint, after its position
  near[w] += 1e-7;
  off[w] = 1.2;
  const List expected = list(regressor.at(q, rest, rest)), found = list(regressor.at(near, rest, rest));
  for (size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-13);
  EXPECT_THROW(regressor.at(off, rest, rest), ArgumentError);
  List many(expected.size());
  EXPECT_THROW(regressor.at(off, rest, rest, many, executor), ArgumentError);
}

// What cannot move has answers all the same.
TEST(Answers, RobotsThatCannotMove) {
  Robot still;
  Body rock;
  rock.name = "rock";
  rock.joint.type = JointType::fixed;
  rock.inertial.mass = 1;
  still.bodies.push_back(rock);
  const Mechanism robot(still);
  Dynamics d(robot);
  const List none;
  EXPECT_TRUE(equilibrium(d, none, none).empty());
  EXPECT_TRUE(d.passive(none, none, none, {}).empty());
  EXPECT_TRUE(d.inverse(none, none, none).empty());
  EXPECT_EQ(d.inertia(none).rows(), 0);
}

// Of matrices that are not finite the joint of the row is named: of any joint, whatever number of coordinates those before
// it have.
TEST(Answers, MatricesThatAreNotFiniteNameTheJointOfTheirRow) {
  // Arms side by side on the ground: a joint of each type, and on it a slide.
  const JointType types[] = {JointType::revolute, JointType::universal, JointType::spherical, JointType::cylindrical,
                             JointType::planar,   JointType::free,      JointType::revolute};
  Robot robot;
  robot.name = "arms";
  for (const JointType type : types)
    for (const bool is_slide : {false, true}) {
      Body body;
      body.name = fmt::format("{}{}", is_slide ? "slide" : "root", robot.bodies.size());
      body.parent = is_slide ? int(robot.bodies.size()) - 1 : 0;
      body.joint.type = is_slide ? JointType::prismatic : type;
      body.joint.axis = is_slide ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1};
      body.joint.axis2 = {0, 1, 0};
      body.inertial.mass = 1;
      body.inertial.inertia = {0.1, 0, 0.1, 0, 0, 0.1};
      robot.bodies.push_back(body);
    }
  const Mechanism mechanism(robot);
  Dynamics d(mechanism);
  const List neutral = list(mechanism.neutral()), rest(size_t(mechanism.nv()), 0.0);
  int named = 0;
  for (std::size_t arm = 0; arm < std::size(types); ++arm) {
    const std::size_t slide = 2 * arm + 2;
    const std::string root = "'" + robot.bodies[slide - 1].name + "'", tip = "'" + robot.bodies[slide].name + "'";
    List q = neutral, v = rest;
    q[size_t(mechanism.tree().body(int(slide)).q)] = 1e200;
    v[size_t(mechanism.tree().body(int(slide)).v)] = 1e200;
    const std::pair<const char*, std::function<void()>> questions[] = {
        {"inertia", [&] { d.inertia(q); }},
        {"inertia_inverse", [&] { d.inertia_inverse(q); }},
        {"factors", [&] { d.factors(q); }},
        {"inverse_derivatives, q", [&] { d.inverse_derivatives(q, rest, rest); }},
        {"inverse_derivatives, v", [&] { d.inverse_derivatives(q, v, rest); }},
        {"forward_derivatives", [&] { d.forward_derivatives(q, rest, rest); }},
    };
    for (const auto& [name, ask] : questions) try {
        ask();
        ADD_FAILURE() << name << " of arm " << arm << " was answered";
      } catch (const Error& refused) {
        const std::string said = refused.what();
        EXPECT_TRUE(said.find(root) != std::string::npos || said.find(tip) != std::string::npos)
            << name << " of arm " << arm << ": " << said;
        named += said.find("is not a finite number") != std::string::npos ? 1 : 0;
      }
    EXPECT_NO_THROW(d.inertia(neutral));
  }
  EXPECT_GE(named, 2 * int(std::size(types)));
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
