// Loops at random on random trees: every type of loop between two bodies, anywhere.
#pragma once
#include "denoc/loops/closure.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {

inline const std::vector<std::string>& geometric_loops() {
  static const std::vector<std::string> types = {"revolute", "prismatic", "universal", "spherical",     "cylindrical",
                                                 "planar",   "weld",      "fixed",     "point-on-line", "distance"};
  return types;
}
inline const std::vector<std::string>& couplings() {
  static const std::vector<std::string> types = {"coupler", "gear",          "bevel-gear", "belt",
                                                 "rolling", "eccentric-cam", "polynomial"};
  return types;
}

// Without fixed joints every two bodies move against each other.
inline std::vector<JointType> moving_joints() {
  std::vector<JointType> types = RandomRobot::all_types();
  std::erase(types, JointType::fixed);
  return types;
}

inline Loop random_loop(Random& random, const std::string& type, int a, int b) {
  Loop loop;
  loop.type = type;
  loop.a = {a, {rotation(random.attitude()), random.vector(0.4)}};
  loop.b = {b, {rotation(random.attitude()), random.vector(0.4)}};
  loop.axis = random.direction() * 2;
  loop.axis2 = random.direction() * 3;
  loop.length = random.uniform(0.1, 1);
  loop.ratio = random.uniform(-2, 2);
  loop.offset = random.uniform(-1, 1);
  if (type == "eccentric-cam") {
    loop.eccentricity = random.uniform(0.05, 0.3);
    loop.radius = random.below(2) == 0 ? 0 : random.uniform(0.4, 0.6);
    loop.phase = random.uniform(-3, 3);
  }
  if (type == "polynomial") {
    loop.phase = random.uniform(-1, 1);
    for (int degree = random.below(5); degree >= 0; --degree) loop.coefficients.push_back(random.uniform(-1, 1));
  }
  return loop;
}

// Rows that the types take away: six less the freedoms of the joint.
inline int rows_of(const std::string& type) {
  static const std::pair<const char*, int> rows[] = {{"revolute", 5},  {"prismatic", 5},   {"universal", 4},
                                                     {"spherical", 3}, {"cylindrical", 4}, {"planar", 3},
                                                     {"weld", 6},      {"fixed", 6},       {"point-on-line", 2}};
  for (const auto& [name, count] : rows)
    if (name == type) return count;
  return 1;
}

}  // namespace denoc::test
