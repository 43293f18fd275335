// Robots and states for sensitivities of steps and runs, and derivatives by differences.
#pragma once
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/mechanism.hpp"
#include "support/data.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {

constexpr double dt = 0.01;

// An arm with springs and friction; stops would be touched now and then.
inline Robot arm(Random& random) {
  Robot robot =
      random_robot(random, {.bodies = 3, .types = {JointType::revolute, JointType::prismatic}, .chain = true});
  for (Body& body : robot.bodies) {
    body.joint.friction.viscous = random.uniform(0.1, 1);
    body.joint.spring = {random.uniform(1, 20), random.uniform(-1, 1)};
  }
  return robot;
}
// Robots with quaternions: a free root and spherical joints among others, with springs and friction.
inline Robot turning(Random& random) {
  Robot robot = random_robot(
      random,
      {.bodies = 4, .types = {JointType::spherical, JointType::revolute, JointType::prismatic}, .free_root = true});
  for (Body& body : robot.bodies) body.joint.friction.viscous = random.uniform(0.1, 1);
  return robot;
}
// A closed chain: a posture and rates that keep the loops closed.
struct ClosedState {
  std::vector<double> q, v;
  ClosedState(Random& random, const Mechanism& mechanism) : ClosedState(random, mechanism, mechanism.neutral()) {}
  ClosedState(Random& random, const Mechanism& mechanism, const std::vector<double>& near) {
    ClosedChain chain(mechanism.tree());
    q = chain.assemble(near);
    v = chain.closed_rates(q, random_vector<double>(random, mechanism.nv()));
  }
};
inline std::vector<Robot> closed_robots() {
  std::vector<Robot> all = {shipped("fourbar"), shipped("slider_crank"), shipped("three_rrr"), shipped("hoecken")};
  for (Robot& robot : all)
    for (Body& body : robot.bodies) body.joint.friction.viscous = 0.1;
  return all;
}

// f'(x) by central differences of two widths, and what they leave of it in parts of |f|: h^4 times a fifth derivative, which
// is 1/over^5 where f changes by its own size over that distance, and rounding of f over h; some ten times each.
constexpr double width = 1e-3;
template <class F> double slope(F&& f) {
  const auto central = [&](double d) { return (f(d) - f(-d)) / (2 * d); };
  return (4 * central(width) - central(2 * width)) / 3;
}
inline double slope_error(double over) {
  return 10 * (std::pow(width / over, 4) / over + Epsilon<double>::epsilon() / width);
}

}  // namespace denoc::test
