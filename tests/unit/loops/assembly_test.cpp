// How loops are closed: from anywhere, the right way round, and in ways that differ.
#include <gtest/gtest.h>

#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "support/mechanisms.hpp"
#include "support/random_loops.hpp"

namespace denoc::test {
namespace {

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

}  // namespace
}  // namespace denoc::test
