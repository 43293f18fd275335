// What a robot is measured by: how far its joints are apart, not the rounding of its frames.
#include "denoc/model/lengths.hpp"

#include <fmt/format.h>

#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "denoc/mechanism/random_posture.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Vector = std::vector<double>;

Robot robot_of(const std::string& yaml) {
  Document document = read_robot_text(yaml, "robot.yaml");
  for (const Fault& fault : document.faults) ADD_FAILURE() << fault.text();
  return document.robot;
}

// Welded to each other in one point, which the file says twice.
Robot welded(std::string_view at) {
  return robot_of(fmt::format(R"(
bodies:
  - {{name: a, joint: {{type: revolute, axis: [0, 1, 0]}}, mass: 1, com: [0.3, 0, 0]}}
  - {{name: b, joint: {{type: prismatic, axis: [0, 0, 1]}}, frame: {{xyz: [0.3, 0, 0]}}, mass: 1}}
loops:
  - {{type: weld, a: {{body: a, frame: {{xyz: [{}, 0, 0]}}}}, b: {{body: b}}}}
)",
                              at));
}

// Two hinges that cross, and a slider there.
constexpr char crossing[] = R"(
bodies:
  - {name: a, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0, 0.1, 1], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: b, joint: {type: revolute, axis: [1, 0, 0]}, mass: 1, com: [0, 0.3, 1], inertia: [1, 1, 1, 0, 0, 0]}
  - {name: c, joint: {type: prismatic, axis: [0, 1, 0.5]}, mass: 1, com: [0, 0.3, 1], inertia: [1, 1, 1, 0, 0, 0]}
)";

// Fingers of a hand: as wide apart as `apart`, the right one follows the left one.
Robot fingers(double apart) {
  return robot_of(fmt::format(R"(
bodies:
  - {{name: palm, joint: fixed}}
  - {{name: left, parent: palm, frame: {{xyz: [{}, 0, 0.1]}}, joint: {{type: prismatic, axis: [1, 0, 0]}}, mass: 0.1}}
  - {{name: right, parent: palm, frame: {{xyz: [0, 0, 0.1]}}, joint: {{type: prismatic, axis: [-1, 0, 0]}}, mass: 0.1}}
loops:
  - {{type: coupler, a: {{body: left}}, b: {{body: right}}, ratio: 0.9, offset: 0.001}}
)",
                              apart));
}

// Every number of every frame off by the rounding of a CAD program.
Robot dusted(Robot robot) {
  constexpr double dust = 2.77555756156289e-17;
  const auto add = [](Pose<double>& frame) { frame.r = frame.r + Vec3<double>{dust, -dust, dust}; };
  for (Body& body : robot.bodies)
    if (&body != &robot.bodies[0]) add(body.joint_frame);
  for (Loop& loop : robot.loops) {
    add(loop.a.frame);
    add(loop.b.frame);
  }
  return robot;
}

TEST(Lengths, AWayOfRoundingIsNone) {
  const Robot exact = welded("0.3"), rounded = welded("0.1 + 0.2");
  EXPECT_EQ(lengths_of_loops(rounded), lengths_of_loops(exact));
  EXPECT_EQ(length_of(rounded), length_of(exact));
  for (const double length : {0x1p-20, 1.0, 0x1p20}) {
    EXPECT_EQ(length_of(scaled(rounded, {length})), length * length_of(rounded)) << length;
    EXPECT_EQ(rounded_length(scaled(rounded, {length})), length * rounded_length(rounded)) << length;
  }
}

// Joints in one point: the masses around it say how large the robot is, in any unit.
TEST(Lengths, WhereJointsAreNowhereApartTheMassesAre) {
  const Robot robot = shipped("cart_pole");
  EXPECT_EQ(length_of(robot), 1);
  for (const double length : {0x1p-20, 0x1p-10, 0x1p10}) EXPECT_EQ(length_of(scaled(robot, {length})), length);
  EXPECT_EQ(rounded_length(Robot{}), 0);
}

// Inertia is inertia, also where the file says it as that of a hub.
TEST(Lengths, HubsAreMassesToo) {
  const Robot robot = robot_of("bodies:\n- {name: a, joint: revolute, mass: 1, inertia: [2e4, 1e4, 3e4, 0, 0, 0]}\n");
  Robot of_hub = robot;
  std::swap(of_hub.bodies[1].inertial.inertia, of_hub.bodies[1].inertial.hub);
  EXPECT_EQ(length_of(robot), 32);
  EXPECT_EQ(length_of(of_hub), 32);
  EXPECT_EQ(rounded_length(of_hub), rounded_length(robot));
}

// A rod between two hinges is a body that a hinge closes, or a distance: the way around is as long.
TEST(Lengths, ARodIsAsLongAsADistance) {
  for (const double length : {0.01, 0.4, 8.0, 300.0}) {
    Robot with_rod, without;
    for (Robot* robot : {&with_rod, &without})
      for (const double x : {0.0, 0.3})
        add_to(*robot, 0, joint(JointType::prismatic, {1, x, 0}), mass(1), {x / 100, 0, 0});
    const int bar = add_to(with_rod, 1, joint(JointType::revolute), rod(1, length));
    close(with_rod, LoopType::revolute, bar, {length, 0, 0}, 2, {});
    close(without, LoopType::distance, 1, {}, 2, {});
    without.loops[0].length = length;
    EXPECT_EQ(lengths_of_loops(without), lengths_of_loops(with_rod)) << length;
    EXPECT_EQ(length_of(without), length_of(with_rod)) << length;
  }
}

// How far fingers go has nothing to do with how far apart they begin.
TEST(Lengths, ACouplingIsMeasuredByTheRobot) {
  const double length = length_of(fingers(0));
  for (const double apart : {2.77555756156289e-17, 1e-9, 1e-3}) {
    const Robot robot = fingers(apart);
    EXPECT_EQ(lengths_of_loops(robot), Vector{length}) << apart;
    const Mechanism mechanism(robot);
    Dynamics dynamics(mechanism);
    const Vector rest(2), push = {1, 0}, closed = {0.0333, 0.9 * 0.0333 + 0.001};
    // 0.1 kg and its follower's: (1 + 0.9^2) 0.1 a = 1
    EXPECT_NEAR(dynamics.forward(closed, rest, push)[0], 1 / 0.181, 1e-12) << apart;
    EXPECT_NO_THROW(dynamics.forward(Vector{closed[0], closed[1] + 1e-9}, rest, push)) << apart;
    EXPECT_THROW(dynamics.forward(Vector{closed[0], closed[1] + 1e-3}, rest, push), NotAssembled) << apart;
    EXPECT_NEAR(dynamics.assemble(Vector{0.02, 0})[1], 0.9 * dynamics.assemble(Vector{0.02, 0})[0] + 0.001, 1e-12);
  }
}

// Rounding of frames is rounding of answers, which conditions of some 1e4 take to 1e-10.
TEST(Lengths, RoundedFramesChangeNoAnswer) {
  std::vector<Robot> robots = {robot_of(crossing), welded("0.3"), fingers(0), four_bar(), bricard()};
  for (const char* name : {"cart_pole", "wrist", "pppr", "rrp", "puma560", "gripper", "belt_block", "slider_crank",
                           "equal_slider_crank", "robotic_leg", "three_rrr", "biped"})
    robots.push_back(shipped(name));
  constexpr double part = 1e-10;
  for (const Robot& robot : robots) {
    const std::string name = robot.name.empty() ? robot.bodies.back().name : robot.name;
    const Mechanism exact(robot), rounded(dusted(robot));
    EXPECT_EQ(length_of(rounded.robot()), length_of(robot)) << name;
    Chance chance(3), same(3);
    const Vector q = random_posture(exact, chance), drawn = random_posture(rounded, same);
    expect_near(drawn, q, part * (1 + largest(q)), name + ": q");
    Dynamics first(exact), second(rounded);
    const Vector rest(size_t(exact.nv()));
    Vector tau = rest;
    for (double& x : tau) x = chance.between(-1, 1);
    const auto copy = [](std::span<const double> x) { return Vector(x.begin(), x.end()); };
    const Vector a = copy(first.forward(q, rest, tau));
    expect_near(copy(second.forward(q, rest, tau)), a, part * (1 + largest(a)), name + ": a");
    const Vector back = copy(first.inverse(q, rest, a));
    expect_near(copy(second.inverse(q, rest, a)), back, part * (1 + largest(back)), name + ": tau");
    expect_near(copy(second.assemble(q)), q, part * (1 + largest(q)), name + ": assembled");
    if (!robot.loops.empty()) continue;
    const Target target{int(robot.bodies.size()) - 1};
    const Pose<double> pose = first.pose(q, target.body);
    const Vector start = random_posture(exact, chance);
    const auto reached = [&](const Mechanism& mechanism) {
      return inverse_kinematics(mechanism.tree(), target, pose, start).front();
    };
    EXPECT_NEAR(reached(rounded).distance, reached(exact).distance, part * (1 + largest(q))) << name;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
