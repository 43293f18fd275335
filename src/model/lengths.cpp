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

// How far joints are from the first joint below the ground.
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

// How far from their joints the masses are, in the mean of squares: sum (m c^2 + tr I / 2) = sum m r^2.
double girth(const Robot& robot) {
  double mass = 0, moment = 0;
  for (const Body& body : robot.bodies) {
    const Sym3<double> I = body.inertial.inertia + body.inertial.hub;
    const double m = body.inertial.mass, c = arm(body, body.inertial.com);
    mass += m;
    moment += m * c * c + (I.xx + I.yy + I.zz) / 2;
  }
  return mass > 0 ? std::sqrt(moment / mass) : 0;
}

// Of the whole robot: joints that are nowhere apart leave the bodies.
double extent(const Robot& robot) {
  const double apart = reach(robot);
  return apart > rounded_length(robot) ? apart : girth(robot);
}

}  // namespace

// A frame is known to some roundings of the numbers that made it, those of a CAD program and of a file included.
double rounded_length(const Robot& robot) {
  constexpr double part = 1e-9;
  double farthest = girth(robot);
  const auto take = [&](const Vec3<double>& r) { farthest = std::max(farthest, norm(r)); };
  for (const Body& body : robot.bodies) {
    take(body.joint_frame.r);
    take(body.own_frame.r);
  }
  for (const Loop& loop : robot.loops) {
    take(loop.a.frame.r);
    take(loop.b.frame.r);
  }
  return part * farthest;
}

std::vector<double> lengths_of_loops(const Robot& robot) {
  const double rounded = rounded_length(robot), whole = extent(robot);
  std::vector<double> lengths;
  for (const Loop& loop : robot.loops) {
    const double way = couples_coordinates(loop.type) ? 0 : way_around(robot, loop);
    lengths.push_back(in_powers(way > rounded ? way : whole));
  }
  return lengths;
}

double length_of(const Robot& robot) {
  const std::vector<double> lengths = lengths_of_loops(robot);
  return lengths.empty() ? in_powers(extent(robot)) : *std::max_element(lengths.begin(), lengths.end());
}

std::vector<double> units_of(const Model& model) {
  const double length = length_of(model.robot());
  std::vector<double> units;
  for (const Dof& dof : dofs_of(model)) units.push_back(dof.angular ? 1 : length);
  return units;
}

}  // namespace denoc
