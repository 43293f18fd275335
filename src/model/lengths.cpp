#include "denoc/model/lengths.hpp"

#include <algorithm>
#include <cmath>

#include "denoc/model/dofs.hpp"

namespace denoc {
namespace {

double in_powers(double length) {
  constexpr double power = 5;  // 2^5 = 32
  return length > 0 && std::isfinite(length) ? std::exp2(power * std::round(std::log2(length) / power)) : 1;
}

// From its joint to a point of a body.
double arm(const Body& body, const Vec3<double>& at) { return norm(body.own_frame.r + body.own_frame.R * at); }

// Each body with the way between the joints (or the end) where the loop comes and goes.
double way_around(const Robot& robot, const Loop& loop) {
  int a = loop.a.body, b = loop.b.body;
  Vec3<double> at_a = loop.a.frame.r, at_b = loop.b.frame.r;
  double way = loop.length;
  const auto climb = [&](int& body, Vec3<double>& at) {
    const Body& own = robot.bodies[static_cast<std::size_t>(body)];
    way += arm(own, at);
    at = own.joint_frame.r;
    body = own.parent;
  };
  while (a != b) a > b ? climb(a, at_a) : climb(b, at_b);  // a parent stands before its children
  return way + norm(at_a - at_b);
}

double reach(const Robot& robot) {
  double farthest = 0;
  std::vector<double> way(robot.bodies.size());
  for (std::size_t i = 1; i < robot.bodies.size(); ++i) {
    const Body& body = robot.bodies[i];
    const auto parent = static_cast<std::size_t>(body.parent);
    way[i] = way[parent] + (parent == 0 ? 0 : arm(robot.bodies[parent], body.joint_frame.r));
    farthest = std::max(farthest, way[i]);
  }
  return farthest;
}

}  // namespace

double length_of(const Robot& robot, const Loop& loop) {
  const double way = way_around(robot, loop);
  return in_powers(way > 0 ? way : reach(robot));
}

double length_of(const Robot& robot) {
  double longest = 0;
  for (const Loop& loop : robot.loops) longest = std::max(longest, length_of(robot, loop));
  return longest > 0 ? longest : in_powers(reach(robot));
}

std::vector<double> units_of(const Model& model) {
  const double length = length_of(model.robot());
  std::vector<double> units;
  for (const Dof& dof : dofs_of(model)) units.push_back(dof.angular ? 1 : length);
  return units;
}

}  // namespace denoc
