// How loops are closed: from anywhere, the right way round, and in ways that differ.
#include <gtest/gtest.h>

#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "loops/closure_system.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

Quaternion<double> about_x(double angle) { return {std::cos(angle / 2), std::sin(angle / 2), 0, 0}; }
Pose<double> along_x(double length, double twist) { return {rotation(about_x(twist)), {length, 0, 0}}; }

// Bennett's mechanism: four hinges in space, opposite rods alike, and a / sin alpha = b / sin beta.
Robot bennett() {
  const double a = 0.5, alpha = 0.6, beta = 1.1, b = a * std::sin(beta) / std::sin(alpha);
  Robot robot;
  for (const Pose<double>& before : {Pose<double>{}, along_x(a, alpha), along_x(b, beta)})
    add(robot, joint(JointType::revolute), rod(1, 0.5)).joint_frame = before;
  Loop hinge;
  hinge.type = LoopType::revolute;
  hinge.a = {3, along_x(a, alpha)};
  hinge.b = {0, inverse(along_x(b, beta))};
  robot.loops = {hinge};
  return robot;
}

// Sarrus' mechanism: three hinges along y and three along x, and the plate between them goes straight up and down.
Robot sarrus() {
  Robot robot;
  const Joint y = joint(JointType::revolute, {0, 1, 0}), x = joint(JointType::revolute, {1, 0, 0});
  const Inertial some = mass(1, {0.1, 0.1, 0.1}, {0.1, 0, 0.1, 0, 0, 0.1});
  const int lower = add_to(robot, 0, y, some, {1, 0, 0}), upper = add_to(robot, lower, y, some, {0.5, 0, 0.8}),
            plate = add_to(robot, upper, y, some, {-0.5, 0, 0.8}), other = add_to(robot, 0, x, some, {0, 1, 0}),
            last = add_to(robot, other, x, some, {0, 0.5, 0.8});
  close(robot, LoopType::revolute, last, {0, -0.5, 0.8}, plate, {-1, 1, 0}, {1, 0, 0});
  return robot;
}

// A crank about z, a rocker about x, and between them a rod with a ball at each end, which may spin.
Robot ball_ended_rod() {
  Robot robot;
  const int crank = add_to(robot, 0, joint(JointType::revolute), rod(1, 0.2));
  const int link = add_to(robot, crank, joint(JointType::spherical), mass(1, {0.3, 0, 0}, {0.001, 0, 0.05, 0, 0, 0.05}),
                          {0.2, 0, 0});
  const int rocker = add_to(robot, 0, joint(JointType::revolute, {1, 0, 0}),
                            mass(1, {0, 0, 0.2}, {0.02, 0, 0.02, 0, 0, 0.001}), {0.6, 0, 0});
  close(robot, LoopType::spherical, link, {0.6, 0, 0}, rocker, {0, 0, 0.4});
  return robot;
}

struct Named {
  const char* name;
  Robot robot;
};
std::vector<Named> mechanisms() {
  return {{"Bennett", bennett()},
          {"Sarrus", sarrus()},
          {"Bricard", bricard()},
          {"Andrews", andrews()},
          {"slider-crank", spatial_slider_crank()},
          {"rod with balls", ball_ended_rod()},
          {"four-bar", four_bar()}};
}

TEST(Assembly, FindsAPostureFromAnywhere) {
  Random random(17);
  for (const auto& [name, robot] : mechanisms()) {
    SCOPED_TRACE(name);
    const Model model(robot);
    ClosedChain chain(model);
    for (int trial = 0; trial < 30; ++trial) {
      const Vector q = chain.assemble(random_q<double>(random, model));
      EXPECT_LE(chain.gap(q).size, 1e-10) << trial;
      EXPECT_GE(chain.mobility(q).freedom(), 1) << trial;
    }
  }
}

// Where the start is closed, nothing moves; where it is nearly so, nothing moves far.
TEST(Assembly, StaysNearWhereItCan) {
  Random random(23);
  for (const auto& [name, robot] : mechanisms()) {
    SCOPED_TRACE(name);
    const Model model(robot);
    ClosedChain chain(model);
    const Vector closed = chain.assemble(random_q<double>(random, model));
    for (int trial = 0; trial < 10; ++trial) {
      const double push = 1e-3;
      Vector way(std::size_t(model.nv())), moved(closed.size());
      integrate<double>(model, closed, random_vector<double>(random, model.nv(), push), moved);
      difference<double>(model, chain.assemble(moved), closed, way);
      // Back onto the loops is no longer than to where it was pushed from; beside a dead point the way is longer.
      for (const double x : way) EXPECT_LE(std::abs(x), 30 * push) << trial;
    }
  }
}

// Ends whose axes are opposite are not closed, and closing them turns them round.
TEST(Assembly, HingesAreNotClosedTheWrongWayRound) {
  Random random(3);
  for (const LoopType type : {LoopType::revolute, LoopType::cylindrical, LoopType::planar}) {
    SCOPED_TRACE(name_of(type));
    Robot robot;
    add(robot, joint(JointType::spherical), mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
    close(robot, type, 1, {0, 0, 0}, 0, {0, 0, 0}, {1, 2, -1});
    const Model model(robot);
    ClosedChain chain(model);
    const auto unit = [](const Vec3<double>& u) { return u * (1 / norm(u)); };
    const Vec3<double> axis = unit({1, 2, -1}), square = unit(cross(axis, Vec3<double>{1, 0, 0}));
    const Vector turned = {0, square.x, square.y, square.z};
    EXPECT_NEAR(chain.gap(turned).size, M_PI, 1e-15);
    std::vector<Vector> starts = {turned};
    for (int trial = 0; trial < 30; ++trial) {
      const Quaternion<double> away = random.attitude();
      starts.push_back({away.w, away.x, away.y, away.z});
    }
    for (const Vector& start : starts) {
      const Vector q = chain.assemble(start);
      const Vec3<double> now = rotation(Quaternion<double>{q[0], q[1], q[2], q[3]}) * axis;
      EXPECT_NEAR(dot(now, axis), 1, 1e-15);
    }
    for (const Vector& way : chain.assemblies(turned)) EXPECT_LE(chain.gap(way).size, 1e-12);
  }
}

// ... nor among so many joints that no search helps: each row of the loop leads Newton's steps back on its own.
TEST(Assembly, HingesOfLargeRobotsAreNotClosedTheWrongWayRound) {
  for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}) {
    Robot robot;
    const int many = 200;
    for (int i = 1; i < many; ++i) add_to(robot, 0, joint(JointType::revolute), rod(1, 1));
    const int last = add_to(robot, 0, joint(JointType::revolute, axis), rod(1, 1));
    close(robot, LoopType::revolute, last, {0, 0, 0}, 0, {0, 0, 0});
    const Model model(robot);
    ClosedChain chain(model);
    for (const double turn : {-3.0, -2.5, -1.0, 1.9, 2.5, 3.0}) {
      Vector start(many, 0.3), closed = start;
      start.back() = turn;
      closed.back() = 0;
      expect_near(chain.assemble(start), closed, 1e-12, "q");
    }
  }
}

TEST(Assembly, AxesThatTheFileTurnsTheWrongWayAreNamed) {
  Robot robot = four_bar();
  robot.loops[0].b.frame.R = rotation(about_x(M_PI));
  const Model model(robot);
  try {
    ClosedChain(model).assemble(Vector{1, -0.5, 1.3});
    FAIL() << "closed with opposite axes";
  } catch (const NotAssembled& error) {
    EXPECT_NE(std::string(error.what()).find("opposite axes"), std::string::npos) << error.what();
  }
}

// The rod spins as it likes: postures that differ by that alone are one way to close the loop.
TEST(Assembly, WaysDifferByMoreThanAMotion) {
  const Model model(ball_ended_rod());
  ClosedChain chain(model);
  for (const double crank : {0.3, 1.2, -0.8}) {
    const auto ways = chain.assemblies(Vector{crank, 1, 0, 0, 0, 0.4}, 20, {0});
    ASSERT_EQ(ways.size(), 2u);
    EXPECT_EQ(ways[0][0], crank);
    EXPECT_EQ(ways[1][0], crank);
    EXPECT_GT(std::abs(std::remainder(ways[0][5] - ways[1][5], 2 * M_PI)), 1e-3) << "the rocker is where it was";
  }
}
// The search is random, and draws the same numbers for every question: who asks again is told the same, and so is
// somebody else.
TEST(Assembly, TheSameQuestionHasTheSameAnswer) {
  for (const Robot& robot : {four_bar(), bennett()}) {
    const Model model(robot);
    ClosedChain chain(model), other(model);
    const Vector q = {0.9, -0.4, 1.2};
    const auto first = chain.assemblies(q, 8, {0});
    EXPECT_EQ(chain.assemblies(q, 8, {0}), first);
    EXPECT_EQ(other.assemblies(q, 8, {0}), first);
  }
}
TEST(Assembly, BennettHasOneWayForEachAngle) {
  const Model model(bennett());
  ClosedChain chain(model);
  for (const double angle : {0.5, 1.5, -2.0})
    EXPECT_EQ(chain.assemblies(Vector{angle, 0.3, -angle}, 8, {0}).size(), 1u);
}

TEST(Assembly, ClosesWhatWasPulledApart) {
  Random random(9);
  for (int trial = 0; trial < 30; ++trial) {
    const LoopType type = geometric_loops()[std::size_t(trial) % geometric_loops().size()];
    SCOPED_TRACE(name_of(type));
    const Closed closed = closed_robot(random, {type});
    const Model model(closed.robot);
    ClosedChain chain(model);
    Vector away(closed.q.size());
    integrate<double>(model, closed.q, random_vector<double>(random, model.nv(), 0.1), away);
    EXPECT_GT(chain.gap(away).size, 1e-4);
    EXPECT_LE(chain.gap(chain.assemble(away)).size, 1e-10);
  }
}

TEST(Assembly, WhatCannotBeClosedSaysHowFarItIsOpen) {
  Robot robot = shipped("fourbar");
  robot.bodies[3].joint_frame.r.x = 3;  // a pin too far away
  const Model model(robot);
  ClosedChain chain(model);
  try {
    chain.assemble(Vector{1, 0, 1});
    FAIL() << "assembled";
  } catch (const NotAssembled& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("loops[0]"), std::string::npos) << what;
    EXPECT_NE(what.find("gap of"), std::string::npos) << what;
  }
  EXPECT_TRUE(chain.assemblies(Vector{1, 0, 1}).empty());
}

// A pin out of the plane by what an angle of five digits leaves: the reader is told to look at digits, not lengths alone.
TEST(Assembly, AnglesWithTooFewDigitsAreTold) {
  Robot robot = shipped("fourbar");
  robot.bodies[3].joint_frame.r.z = 1e-5;
  const Model model(robot);
  try {
    ClosedChain(model).assemble(Vector{1, -0.5, 1.3});
    FAIL() << "assembled";
  } catch (const NotAssembled& error) {
    EXPECT_NE(std::string(error.what()).find("digits"), std::string::npos) << error.what();
  }
}

// With the crank held, the coupler and the rocker meet above or below the line between them.
TEST(Assembly, AFourBarClosesInTwoWays) {
  const Model model(shipped("fourbar"));
  ClosedChain chain(model);
  for (const Vector& q : {Vector{0, 0, 0}, {1, -0.5, 1.3}}) {
    const auto ways = chain.assemblies(q);
    ASSERT_EQ(ways.size(), 2u);
    EXPECT_EQ(chain.independent(ways[0]), std::vector<int>{0});
    EXPECT_NEAR(ways[0][0], ways[1][0], 1e-12) << "the crank is held";
    for (const auto& way : ways) EXPECT_LE(chain.gap(way).size, 1e-12);
    // mirror images in the line from the crank's tip to the rocker's pin
    const double x = 0.45 - 0.2 * std::cos(ways[0][0]), y = -0.2 * std::sin(ways[0][0]);
    const double sum = ways[0][0] + ways[0][1] + ways[1][0] + ways[1][1] - 2 * std::atan2(y, x);
    EXPECT_NEAR(std::remainder(sum, 2 * M_PI), 0, 1e-9);
  }
}

// ... and with the rocker held instead, the crank and the coupler do.
TEST(Assembly, HeldJointsStayWhateverTheWay) {
  const Model model(shipped("fourbar"));
  ClosedChain chain(model);
  const Vector q = chain.assemble(Vector{1, -0.5, 1.3});
  const auto ways = chain.assemblies(q, 8, {2});
  ASSERT_EQ(ways.size(), 2u);
  for (const auto& way : ways) {
    EXPECT_EQ(way[2], q[2]);
    EXPECT_LE(chain.gap(way).size, 1e-12);
  }
  EXPECT_GT(std::abs(ways[1][0] - ways[0][0]), 0.1);
}

// A carriage on a rail, tied to a pin beside it by a rod, stands on the one side of the pin or as far on the other, however
// long the way between them is: after 2 pi metres a slide is not back where it was, as an angle of 2 pi is.
TEST(Assembly, ACarriageStandsOnEitherSideOfItsPin) {
  const double height = 4;
  for (const double side : {1.0, 3.0, M_PI, 4.0, 2 * M_PI}) {
    SCOPED_TRACE(side);
    Robot robot;
    const int carriage = add_to(robot, 0, joint(JointType::prismatic, {1, 0, 0}), mass(1));
    close(robot, LoopType::distance, carriage, {0, 0, 0}, 0, {0, height, 0});
    robot.loops[0].length = std::hypot(side, height);
    const Model model(robot);
    ClosedChain chain(model);
    for (const double start : {side, -side}) {
      const auto ways = chain.assemblies(Vector{start});
      ASSERT_EQ(ways.size(), 2u);
      EXPECT_NEAR(ways[0][0], start, 1e-9);
      EXPECT_NEAR(ways[1][0], -start, 1e-9);
    }
  }
}

TEST(Assembly, AWeldIsNotClosedHalfATurnAway) {
  Robot robot;
  add(robot, joint(JointType::spherical), mass(1, {0.1, 0, 0}, {0.1, 0, 0.1, 0, 0, 0.1}));
  Loop weld;
  weld.type = LoopType::weld;
  weld.a.body = 1;
  robot.loops = {weld};
  const Model model(robot);
  ClosedChain chain(model);
  EXPECT_EQ(chain.gap(Vector{1, 0, 0, 0}).size, 0);
  for (const Vector& turned : {Vector{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}) {
    EXPECT_GT(chain.gap(turned).size, 3);
    const auto ways = chain.assemblies(turned);
    ASSERT_EQ(ways.size(), 1u);
    EXPECT_NEAR(std::abs(ways[0][0]), 1, 1e-15);
  }
  // It finds back from wherever it is, however far it is turned.
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Quaternion<double> away = random.attitude();
    const Vector back = chain.assemble(Vector{away.w, away.x, away.y, away.z});
    EXPECT_NEAR(std::abs(back[0]), 1, 1e-15) << away.w;
  }
  for (const Vector& turned : {Vector{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0.6, 0.8, 0}})
    EXPECT_NEAR(std::abs(chain.assemble(turned)[0]), 1, 1e-15);
}

// Of several loops the one is named that does not close, the first as the last, and why: its axes are opposite; its pin is
// too far away, by how much; or by as little as digits leave.
TEST(Assembly, TheLoopThatDoesNotCloseIsNamed) {
  constexpr int many = 3;
  const auto said_of = [](const Robot& robot) -> std::string {
    const Model model(robot);
    Vector start;
    for (int i = 0; i < many; ++i) start.insert(start.end(), {1, -0.5, 1.3});
    try {
      ClosedChain(model).assemble(start);
    } catch (const NotAssembled& error) {
      return error.what();
    }
    return "";
  };
  const auto has = [](const std::string& said, const std::string& words) {
    return said.find(words) != std::string::npos;
  };
  for (const bool is_a_turned : {true, false})
    for (int wrong = -1; wrong < many; ++wrong) {
      SCOPED_TRACE(wrong);
      Robot robot;
      for (int i = 0; i < many; ++i) {
        const int first = int(robot.bodies.size()) - 1;
        Robot one = four_bar();
        for (std::size_t b = 1; b < one.bodies.size(); ++b) {
          Body body = one.bodies[b];
          body.name += "_" + std::to_string(i);
          if (body.parent > 0) body.parent += first;
          robot.bodies.push_back(body);
        }
        Loop loop = one.loops[0];
        for (Attachment* end : {&loop.a, &loop.b}) end->body += first;
        loop.source.element = "loops[" + std::to_string(i) + "]";
        robot.loops.push_back(loop);
      }
      const std::string name = "loops[" + std::to_string(wrong) + "]: ";
      EXPECT_EQ(said_of(robot), "");
      if (wrong < 0) continue;
      const std::size_t at = std::size_t(wrong);
      Robot turned = robot;
      (is_a_turned ? turned.loops[at].a : turned.loops[at].b).frame.R = rotation(about_x(M_PI));
      const std::string half_a_turn = said_of(turned);
      EXPECT_TRUE(half_a_turn.starts_with(name)) << half_a_turn;
      EXPECT_TRUE(has(half_a_turn, "opposite axes only, half a turn")) << half_a_turn;
      EXPECT_FALSE(has(half_a_turn, "a gap of")) << half_a_turn;
      if (!is_a_turned) continue;
      Robot far = robot, off = robot;
      far.bodies[3 * at + 3].joint_frame.r.x = 3;  // rods of 0.2, 0.5 and 0.4 m
      const std::string apart = said_of(far);
      EXPECT_TRUE(apart.starts_with(name)) << apart;
      EXPECT_TRUE(has(apart, "a gap of 1.9 m")) << apart;
      EXPECT_FALSE(has(apart, "digits") || has(apart, "half a turn")) << apart;
      off.bodies[3 * at + 3].joint_frame.r.z = 1e-5;
      const std::string few_digits = said_of(off);
      EXPECT_TRUE(few_digits.starts_with(name)) << few_digits;
      EXPECT_TRUE(has(few_digits, "a gap of 1e-05 m") && has(few_digits, "digits")) << few_digits;
      // A pin too far away and axes the wrong way round: turning them alone helps nothing.
      far.loops[at].b.frame.R = rotation(about_x(M_PI));
      EXPECT_NE(said_of(far), "");
      EXPECT_FALSE(has(said_of(far), "meet with opposite axes")) << said_of(far);
    }
}

// Two slides on a turned frame carry one loop away, however far, to where its rows come to no number; the other stays
// closed, whichever stands first: the robot is open, and no posture is called closed that is not.
TEST(Assembly, OfLoopsThatAreFarAwayIsNotThatOfTheOthers) {
  constexpr double none = std::numeric_limits<double>::infinity();
  for (const bool is_first : {true, false})
    for (const double far : {1.0, 1e200, 1.5e308}) {
      Robot robot;
      const Joint slide = joint(JointType::prismatic, {1, 0, 0}), hinge = joint(JointType::revolute);
      add_to(robot, 0, slide, mass(1));
      robot.bodies[1].joint_frame.R = rotation(Quaternion<double>{0.5, 0.5, 0.1, 0.7});
      add_to(robot, 1, slide, mass(1));
      add_to(robot, 0, hinge, rod(1, 1));
      add_to(robot, 3, hinge, rod(1, 1), {1, 0, 0});
      close(robot, LoopType::spherical, 2, {0, 0, 0}, 0, {0, 0, 0});
      close(robot, LoopType::revolute, 4, {1, 0, 0}, 0, {2, 0, 0});
      if (!is_first) std::swap(robot.loops[0], robot.loops[1]);
      const Model model(robot);
      const std::vector<double> home(4), away = {far, far, 0, 0};
      ClosureSystem closure(model);
      Configuration<double> at(model);
      const auto left_at = [&](const std::vector<double>& q) {
        place<double>(model, q, at);
        closure.evaluate(at, q, home);
        EXPECT_EQ(closure.is_closed(), closure.left() < 1e-12) << far;
        return closure.left();
      };
      EXPECT_EQ(left_at(home), 0);
      EXPECT_GT(left_at(away), 0.1) << far;
      EXPECT_EQ(left_at(away) == none, far > 1e300);
      EXPECT_TRUE(ClosedChain(model).gap(away).is_open()) << far;
      try {
        EXPECT_LT(left_at(ClosedChain(model).assemble(away)), 1e-9) << far;
      } catch (const NotAssembled&) {  // it says so
        EXPECT_GT(far, 1);
      }
    }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
