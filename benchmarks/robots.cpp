#include "robots.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "denoc/error.hpp"
#include "denoc/io/load.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/serial_chain.hpp"

namespace denoc::benchmarks {
namespace {

// The geometry of a common arm of 855 mm reach (proximal DH); masses and inertias are invented.
Robot seven_joints() {
  struct Row {
    double a, d;
    int quarters;  // alpha in right angles
    double mass;
    Vec3<double> com;
  };
  const Row rows[] = {{0, 0.333, 0, 4.5, {0.004, 0.002, -0.175}},        {0, 0, -1, 3.5, {-0.003, -0.029, 0.004}},
                      {0, 0.316, 1, 3.2, {0.028, 0.039, -0.067}},        {0.0825, 0, 1, 3.6, {-0.053, 0.104, 0.027}},
                      {-0.0825, 0.384, -1, 3.4, {-0.012, 0.041, -0.04}}, {0, 0, 1, 1.7, {0.06, -0.014, -0.01}},
                      {0.088, 0, 1, 1.1, {0.011, 0.004, 0.07}}};
  Robot robot;
  for (const Row& row : rows) {
    Body body;
    body.name = fmt::format("link{}", robot.bodies.size());
    body.parent = int(robot.bodies.size()) - 1;
    const double s = row.quarters, c = row.quarters == 0 ? 1 : 0;
    body.joint_frame.R = {1, 0, 0, c, 0, s, 0, -s, c};
    body.joint_frame.r = {row.a, -s * row.d, c * row.d};
    body.joint.type = JointType::revolute;
    body.inertial = {row.mass, row.com, {0.03, 0.001, 0.028, 0.002, -0.003, 0.015}};
    robot.bodies.push_back(body);
  }
  return robot;
}

// The first body, which floats, becomes the ground.
Robot fixed_base(Robot robot) {
  const Pose<double> base = robot.bodies[1].own_frame;
  for (Body& body : robot.bodies) {
    if (body.parent == 1) body.joint_frame = base * body.joint_frame;
    body.parent = std::max(0, body.parent - 1);
  }
  robot.bodies.erase(robot.bodies.begin() + 1);
  return robot;
}

// The same robot with its bodies numbered depth first, which Pinocchio's inertia matrix asks for.
Robot depth_first(const Robot& robot) {
  Robot sorted = robot;
  sorted.bodies.resize(1);
  const std::function<void(int, int)> add_children = [&](int parent, int sorted_parent) {
    for (size_t b = 1; b < robot.bodies.size(); ++b) {
      if (robot.bodies[b].parent != parent) continue;
      const int number = int(sorted.bodies.size());
      sorted.bodies.push_back(robot.bodies[b]);
      sorted.bodies.back().parent = sorted_parent;
      add_children(int(b), number);
    }
  };
  add_children(0, 0);
  return sorted;
}

std::array<double, 9> by_rows(const Mat3<double>& m) { return {m.xx, m.xy, m.xz, m.yx, m.yy, m.yz, m.zx, m.zy, m.zz}; }
std::array<double, 9> by_rows(const Sym3<double>& m) { return {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz}; }
std::array<double, 3> entries(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

std::vector<Named> robots() {
  const Robot humanoid = depth_first(load("humanoid"));
  return {{"PUMA 6R", load("puma560")},
          {"arm 7R", seven_joints()},
          {"chain 32R", serial_chain(32)},
          {"chain 200R", serial_chain(200)},
          {"humanoid, fixed", fixed_base(humanoid)},
          {"humanoid, floating", humanoid}};
}

PlainRobot plain(const Robot& robot) {
  PlainRobot all{robot.name, entries(robot.gravity), {}};
  for (size_t b = 1; b < robot.bodies.size(); ++b) {
    const Body& body = robot.bodies[b];
    const bool free = body.joint.type == JointType::free;
    if (!(free && b == 1) && body.joint.type != JointType::revolute && body.joint.type != JointType::continuous)
      throw ArgumentError(body.name + ": only revolute joints and a free root are compared");
    const Pose<double> frame = robot.bodies[body.parent].own_frame * body.joint_frame;
    const Pose<double>& own = body.own_frame;
    const Vec3<double> axis = body.joint.axis * (1 / std::sqrt(dot(body.joint.axis, body.joint.axis)));
    all.bodies.push_back({body.parent, free, by_rows(frame.R), entries(frame.r), entries(axis), body.inertial.mass,
                          entries(own.r + own.R * body.inertial.com),
                          by_rows(turn(own.R, body.inertial.inertia + body.inertial.hub))});
  }
  return all;
}

std::vector<State> random_states(const Model& model, int count) {
  std::mt19937 engine(1);
  const auto random = [&](int n, double size) {
    std::vector<double> x(n);
    for (double& e : x) e = std::uniform_real_distribution<>(-size, size)(engine);
    return x;
  };
  std::vector<State> states;
  for (int k = 0; k < count; ++k) {
    states.push_back({random(model.nq(), 3), random(model.nv(), 2), random(model.nv(), 5), random(model.nv(), 20)});
    normalise<double>(model, states.back().q);
  }
  return states;
}

}  // namespace denoc::benchmarks
