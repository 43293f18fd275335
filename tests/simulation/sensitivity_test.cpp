// Sensitivities of runs are what differences of runs say, to the digits that differences have.
#include "denoc/simulation/sensitivity.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"
#include "support/random_forces.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {

constexpr double dt = 0.01;
constexpr int steps = 25;

// An arm with springs and friction; stops would be touched now and then.
Robot arm(Random& random) {
  Robot robot =
      random_robot(random, {.bodies = 3, .types = {JointType::revolute, JointType::prismatic}, .chain = true});
  for (Body& body : robot.bodies) {
    body.joint.friction.viscous = random.uniform(0.1, 1);
    body.joint.spring = {random.uniform(1, 20), random.uniform(-1, 1)};
  }
  return robot;
}
std::vector<double> pushes(Random& random, const Mechanism& mechanism) {
  return random_vector<double>(random, steps * mechanism.nv(), 2);
}
// A cost with every state in it: sum of |q|^2 + |v|^2 / 2, a row's weight growing with time.
double cost(const Sensitivity::Run& run) {
  double sum = 0;
  const size_t n = run.q.size() / size_t(run.steps + 1);
  for (size_t k = 0; k < run.q.size(); ++k) sum += double(k / n) * (run.q[k] * run.q[k] + run.v[k] * run.v[k] / 2);
  return sum;
}
Sensitivity::Gradient gradient_of_cost(Sensitivity& of, const Sensitivity::Run& run, Regressor* regressor = nullptr) {
  std::vector<double> by_q, by_v;
  const size_t n = run.q.size() / size_t(run.steps + 1);
  for (size_t k = 0; k < run.q.size(); ++k) {
    by_q.push_back(double(k / n) * 2 * run.q[k]);
    by_v.push_back(double(k / n) * run.v[k]);
  }
  return of.back(by_q, by_v, regressor);
}
// f'(x) by central differences of two widths, which leaves errors of the fourth order.
template <class F> double slope(F&& f, double h) {
  const auto central = [&](double d) { return (f(d) - f(-d)) / (2 * d); };
  return (4 * central(h) - central(2 * h)) / 3;
}

TEST(RunSensitivity, StepsAreThoseOfDynamics) {
  Random random(2);
  const Mechanism mechanism(arm(random));
  const State<double> s(random, mechanism.tree());
  const std::vector<double> tau = random_vector<double>(random, mechanism.nv());
  Sensitivity sensitivity(mechanism, Forces::all);
  const Sensitivity::Step found = sensitivity.step(s.q, s.v, tau, dt);
  Dynamics d(mechanism, Forces::all);
  std::vector<double> q = s.q, v = s.v;
  d.step(q, v, tau, dt);
  EXPECT_LE(largest_difference(found.q, q), 1e-14 * largest(q));
  EXPECT_LE(largest_difference(found.v, v), 1e-14 * largest(v));
  // A and B, entry by entry
  const size_t n = s.v.size();
  for (size_t column = 0; column < 3 * n; ++column)
    for (size_t row = 0; row < 2 * n; ++row) {
      const double expected = slope(
          [&](double h) {
            std::vector<double> moved_q = s.q, moved_v = s.v, moved_tau = tau;
            (column < n ? moved_q[column] : column < 2 * n ? moved_v[column - n] : moved_tau[column - 2 * n]) += h;
            d.step(moved_q, moved_v, moved_tau, dt);
            return row < n ? moved_q[row] : moved_v[row - n];
          },
          1e-3);
      const double entry = column < 2 * n ? found.A[row * 2 * n + column] : found.B[row * n + column - 2 * n];
      EXPECT_NEAR(entry, expected, 1e-9 * (1 + std::abs(expected))) << row << ", " << column;
    }
}

TEST(RunSensitivity, GradientsAreWhatDifferencesSay) {
  Random random(3);
  const Mechanism mechanism(arm(random));
  const State<double> s(random, mechanism.tree());
  const std::vector<double> tau = pushes(random, mechanism);
  Sensitivity sensitivity(mechanism, Forces::all);
  const Sensitivity::Gradient found = gradient_of_cost(sensitivity, sensitivity.run(s.q, s.v, tau, dt));
  Sensitivity other(mechanism, Forces::all);
  const auto expect = [&](double entry, auto&& move) {
    const double expected = slope(
        [&](double h) {
          std::vector<double> q = s.q, v = s.v, drive = tau;
          move(q, v, drive) += h;
          return cost(other.run(q, v, drive, dt));
        },
        1e-3);
    EXPECT_NEAR(entry, expected, 1e-8 * (1 + std::abs(expected)));
  };
  for (size_t k = 0; k < s.v.size(); ++k) {
    expect(found.q[k], [&](auto& q, auto&, auto&) -> double& { return q[k]; });
    expect(found.v[k], [&](auto&, auto& v, auto&) -> double& { return v[k]; });
  }
  for (const size_t k : {size_t(0), size_t(4), tau.size() / 2, tau.size() - 1})
    expect(found.tau[k], [&](auto&, auto&, auto& drive) -> double& { return drive[k]; });
}

// By a mass (which moves several parameters) and by friction.
TEST(RunSensitivity, GradientsByParametersAreWhatDifferencesSay) {
  Random random(4);
  const Robot robot = arm(random);
  const Mechanism mechanism(robot);
  const State<double> s(random, mechanism.tree());
  const std::vector<double> tau = pushes(random, mechanism);
  constexpr auto friction = Regressor::Friction::viscous_and_coulomb;
  Sensitivity sensitivity(mechanism, Forces::all);
  Regressor regressor(mechanism, friction);
  const std::vector<double> by =
      gradient_of_cost(sensitivity, sensitivity.run(s.q, s.v, tau, dt), &regressor).parameters;
  for (const bool of_mass : {true, false}) {
    const auto changed = [&](double h) {
      Robot other = robot;
      if (of_mass)
        other.bodies.back().inertial.mass += h;
      else
        other.bodies.back().joint.friction.viscous += h;
      return Mechanism(other);
    };
    const double expected = slope(
        [&](double h) {
          const Mechanism moved = changed(h);
          return cost(Sensitivity(moved, Forces::all).run(s.q, s.v, tau, dt));
        },
        1e-3);
    const Mechanism more = changed(0.5), less = changed(-0.05);
    const std::vector<double> p = Regressor(more, friction).parameters(), m = Regressor(less, friction).parameters();
    double found = 0;  // (parameters are linear in both)
    for (size_t k = 0; k < by.size(); ++k) found += by[k] * (p[k] - m[k]) / 0.55;
    EXPECT_NEAR(found, expected, 1e-7 * (1 + std::abs(expected)));
  }
  Sensitivity smooth(mechanism);
  const Sensitivity::Run& run = smooth.run(s.q, s.v, tau, dt);
  EXPECT_THROW(gradient_of_cost(smooth, run, &regressor), ArgumentError);
}

TEST(RunSensitivity, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(Sensitivity{Mechanism(shipped("fourbar"))}, NotCovered);
  try {
    Sensitivity refused{Mechanism(shipped("humanoid"))};
    ADD_FAILURE();
  } catch (const NotCovered& e) {
    EXPECT_NE(std::string(e.what()).find("quaternion"), std::string::npos);
  }
}

}  // namespace
}  // namespace denoc::test
