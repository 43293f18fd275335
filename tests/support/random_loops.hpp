// Loops at random on random trees: every type of loop between two bodies, anywhere.
#pragma once
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closure.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {

inline std::vector<LoopType> loops_that(bool couple) {
  std::vector<LoopType> types;
  for (const LoopShape& shape : loop_shapes)
    if (couples_coordinates(shape.type) == couple) types.push_back(shape.type);
  return types;
}
inline std::vector<LoopType> geometric_loops() { return loops_that(false); }
inline std::vector<LoopType> couplings() { return loops_that(true); }

// Without fixed joints every two bodies move against each other.
inline std::vector<JointType> moving_joints() {
  std::vector<JointType> types = RandomRobot::all_types();
  std::erase(types, JointType::fixed);
  return types;
}

inline Loop random_loop(Random& random, LoopType type, int a, int b) {
  Loop loop;
  loop.type = type;
  loop.a = {a, {rotation(random.attitude()), random.vector(0.4)}};
  loop.b = {b, {rotation(random.attitude()), random.vector(0.4)}};
  loop.axis = random.direction() * 2;
  loop.axis2 = random.direction() * 3;
  loop.length = random.uniform(0.1, 1);
  loop.ratio = random.uniform(-2, 2);
  loop.offset = random.uniform(-1, 1);
  if (type == LoopType::eccentric_cam) {
    loop.eccentricity = random.uniform(0.05, 0.3);
    loop.radius = random.below(2) == 0 ? 0 : random.uniform(0.4, 0.6);
    loop.phase = random.uniform(-3, 3);
  }
  if (type == LoopType::polynomial) {
    loop.phase = random.uniform(-1, 1);
    for (int degree = random.below(5); degree >= 0; --degree) loop.coefficients.push_back(random.uniform(-1, 1));
  }
  return loop;
}

// A tree whose loops are closed at q: b's frame is put where a's is.
struct Closed {
  Robot robot;
  std::vector<double> q;
};
inline void close_at(Random& random, LoopType type, int a, int b, Closed& result) {
  const Model tree(result.robot);
  Configuration<double> at(tree);
  Kinematics<double> kin(tree);
  place<double>(tree, result.q, at);
  positions<double>(tree, at, kin);
  Loop loop = random_loop(random, type, a, b);
  const auto frame = [&](int body) { return body == 0 ? Pose<double>{} : pose_in_world<double>(tree, kin, body); };
  loop.b.frame = inverse(frame(b)) * (frame(a) * loop.a.frame);
  if (type == LoopType::distance) loop.b.frame.r = loop.b.frame.r + random.direction() * loop.length;
  if (type == LoopType::universal) loop.axis2 = cross(loop.axis, random.direction());
  result.robot.loops.push_back(loop);
}
inline Closed closed_robot(Random& random, const std::vector<LoopType>& types,
                           const RandomRobot& tree = {.bodies = 8, .types = moving_joints()}) {
  Closed result{random_robot(random, tree), {}};
  result.q = random_q<double>(random, Model(result.robot));
  for (const LoopType type : types) close_at(random, type, 3, tree.bodies, result);
  return result;
}

// Rows that the types take away: six less the freedoms of the joint.
inline int rows_of(LoopType type) {
  static const std::pair<LoopType, int> rows[] = {
      {LoopType::revolute, 5},  {LoopType::prismatic, 5},   {LoopType::universal, 4},
      {LoopType::spherical, 3}, {LoopType::cylindrical, 4}, {LoopType::planar, 3},
      {LoopType::weld, 6},      {LoopType::fixed, 6},       {LoopType::point_on_line, 2}};
  for (const auto& [of, count] : rows)
    if (of == type) return count;
  return 1;
}

}  // namespace denoc::test
