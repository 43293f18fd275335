// What loops cost: one loop around a chain against the chain left open, and a ladder of four-bars, by their numbers.
// They take turns; a missed bar is said, not a failure.
#include <fmt/format.h>

#include <cmath>

#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "side_by_side.hpp"

namespace denoc::benchmarks {
namespace {

constexpr int turns = 41;
constexpr double loop_bar = 2;  // times the open tree, from 30 bodies on

Body rod(int parent, const Vec3<double>& axis, double length, const Vec3<double>& at) {
  Body body;
  body.name = "rod";
  body.parent = parent;
  body.joint.type = JointType::revolute;
  body.joint.axis = axis;
  body.joint_frame.r = at;
  const double m = 1, across = m * length * length / 12, along = across / 100;
  body.inertial = {m, {length / 2, 0, 0}, {along, 0, across, 0, 0, across}};
  return body;
}
int add(Robot& robot, Body body) {
  body.name += std::to_string(robot.bodies.size());
  robot.bodies.push_back(std::move(body));
  return static_cast<int>(robot.bodies.size()) - 1;
}
void close(Robot& robot, LoopType type, int a, const Vec3<double>& in_a, int b, const Vec3<double>& in_b) {
  Loop loop;
  loop.type = type;
  loop.a.body = a;
  loop.a.frame.r = in_a;
  loop.b.body = b;
  loop.b.frame.r = in_b;
  robot.loops.push_back(loop);
}

// n rods around most of a circle; every other axis of `bends` degrees out of its normal, to and fro.
Robot ring(int n, double bend) {
  Robot robot;
  const double length = 3.0 / n;
  for (int i = 0, parent = 0; i < n; ++i) {
    const double tilt = i % 2 == 0 ? 0 : bend;
    parent = add(robot, rod(parent, {0, std::sin(tilt), std::cos(tilt)}, length, {i == 0 ? 0 : length, 0, 0}));
  }
  return robot;
}
// Four-bars in a row on the ground [A02 of the IFToMM benchmarks]: couplers hang on the rods before them.
Robot ladder(int n) {
  Robot robot;
  const Vec3<double> z{0, 0, 1};
  int last = add(robot, rod(0, z, 1, {0, 0, 0}));
  for (int i = 1; i <= n; ++i) {
    const int coupler = add(robot, rod(last, z, 1, {1, 0, 0}));
    last = add(robot, rod(0, z, 1, {static_cast<double>(i), 0, 0}));
    close(robot, LoopType::revolute, coupler, {1, 0, 0}, last, {1, 0, 0});
  }
  return robot;
}

struct Ring {
  Robot robot;
  std::vector<double> q, v, tau, a;
  Ring(int n, double bend, LoopType type) : robot(ring(n, bend)), q(n, 5.5 / n), v(n, 0.1), tau(n), a(n) {
    // Closed where its end stands at this q.
    const Model open(robot);
    Configuration<double> at(open);
    Kinematics<double> kin(open);
    place<double>(open, q, at);
    positions<double>(open, at, kin);
    const Pose<double> end = pose_in_world<double>(open, kin, n);
    close(robot, type, n, {0, 0, 0}, 0, end.r);
    robot.loops.back().b.frame.R = end.R;
  }
};

void report_rings(const char* what, double bend, LoopType type) {
  for (const int n : {30, 60, 120, 240, 480}) {
    Ring ring(n, bend, type);
    Robot cut = ring.robot;
    cut.loops.clear();
    const Model open(cut), closed(ring.robot);
    Configuration<double> at(open);
    ForwardScratch<double> scratch(open);
    ClosedChain chain(closed);
    SideBySide race;
    const Contender& without = race.add(
        [&] {
          place<double>(open, ring.q, at);
          forward_dynamics<double>(open, at, ring.v, ring.tau, scratch, ring.a);
        },
        1);
    const Contender& with = race.add([&] { chain.forward_dynamics(ring.q, ring.v, ring.tau); }, 1);
    race.take_turns(turns);
    const double ratio = with.time() / without.time();
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {} |\n", what, n, without.time() / 1e3, with.time() / 1e3, ratio,
               ratio <= loop_bar ? "met" : "**missed**");
  }
}

void report_ladders() {
  fmt::print("\n| ladder of four-bars, loops | us | us per loop |\n|---:|---:|---:|\n");
  for (const int n : {10, 25, 50, 100, 200, 400}) {
    const Model model(ladder(n));
    ClosedChain chain(model);
    std::vector<double> q, v(static_cast<std::size_t>(model.nv()), 0.0);
    for (int k = 0; k < model.nv(); ++k) q.push_back(k % 2 == 0 ? 1 : -1);  // rods at 1 rad, couplers level
    SideBySide race;
    const Contender& one = race.add([&] { chain.forward_dynamics(q, v, v); }, 1);
    race.take_turns(turns);
    fmt::print("| {} | {:.1f} | {:.2f} |\n", n, one.time() / 1e3, one.time() / 1e3 / n);
  }
}

}  // namespace
}  // namespace denoc::benchmarks

int main() {
  using namespace denoc::benchmarks;
  fmt::print(
      "\n| forward dynamics, one loop | bodies | open, us | closed, us | ratio | bar {} "
      "|\n|---|---:|---:|---:|---:|---|\n",
      loop_bar);
  report_rings("plane, revolute (2 rows)", 0, denoc::LoopType::revolute);
  report_rings("spatial, spherical (3 rows)", 1, denoc::LoopType::spherical);
  report_rings("spatial, revolute (5 rows)", 1, denoc::LoopType::revolute);
  report_ladders();
}
