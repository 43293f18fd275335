// Sensitivities of runs: forward and back agree, gradients are what differences of runs say.
#include "denoc/simulation/sensitivity.hpp"

#include <gtest/gtest.h>

#include "simulation/sensitivity_cases.hpp"
#include "support/mechanisms.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

constexpr int steps = 25;

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
// Back through time is the transposed of forward: lambda . (dx of the end) = (gradient by the start) . dx of the start, and
// by tau, for a cost that is lambda . x of the end.
void expect_back_is_forward(Random& random, const Mechanism& mechanism, const std::vector<double>& q,
                            const std::vector<double>& v) {
  const size_t n = size_t(mechanism.nv()), nq = size_t(mechanism.nq());
  const std::vector<double> tau = pushes(random, mechanism);
  Sensitivity sensitivity(mechanism, Forces::all);
  const Sensitivity::Run run = sensitivity.run(q, v, tau, dt);
  std::vector<double> by_q((steps + 1) * n, 0.0), by_v = by_q;
  const std::vector<double> lambda = random_vector<double>(random, int(2 * n));
  std::copy_n(lambda.begin(), n, by_q.end() - std::ptrdiff_t(n));
  std::copy_n(lambda.begin() + std::ptrdiff_t(n), n, by_v.end() - std::ptrdiff_t(n));
  const Sensitivity::Gradient back = sensitivity.back(by_q, by_v);
  // A direction of the start and of tau, carried on by A and B of every step.
  std::vector<double> x = random_vector<double>(random, int(2 * n));
  const std::vector<double> start = x, push = random_vector<double>(random, int(tau.size()));
  double size = 0;
  for (int i = 0; i < steps; ++i) {
    const auto row = [&](const std::vector<double>& all, size_t width) {
      return std::span(all).subspan(size_t(i) * width, width);
    };
    const auto here = sensitivity.step(row(run.q, nq), row(run.v, n), row(tau, n), dt);
    std::vector<double> next(2 * n, 0.0);
    for (size_t r = 0; r < 2 * n; ++r) {
      for (size_t k = 0; k < 2 * n; ++k) next[r] += here.A[r * 2 * n + k] * x[k];
      for (size_t k = 0; k < n; ++k) next[r] += here.B[r * n + k] * row(push, n)[k];
    }
    x = next;
    size = larger(size, largest(x));
  }
  double forward = 0, backward = 0;
  for (size_t k = 0; k < 2 * n; ++k) {
    forward += lambda[k] * x[k];
    backward += start[k] * (k < n ? back.q[k] : back.v[k - n]);
  }
  for (size_t k = 0; k < tau.size(); ++k) backward += push[k] * back.tau[k];
  // Both are the same sums in another order: 2n terms in each of 8 products a step.
  EXPECT_NEAR(forward, backward,
              8 * steps * 2 * double(n) * Epsilon<double>::epsilon() * size * 2 * double(n) * largest(lambda));
}
TEST(RunSensitivity, BackIsForwardTransposed) {
  Random random(14);
  const Mechanism mechanism(turning(random));
  const State<double> s(random, mechanism.tree());
  expect_back_is_forward(random, mechanism, s.q, s.v);
  for (const Robot& robot : closed_robots()) {
    SCOPED_TRACE(robot.name);
    const Mechanism closed(robot);
    const ClosedState at(random, closed);
    expect_back_is_forward(random, closed, at.q, at.v);
  }
}

// As many steps as tau has rows, be they of one number.
TEST(RunSensitivity, OfOneJointHasAStepForEachTorque) {
  const Mechanism mechanism(shipped("pendulum"));
  Sensitivity sensitivity(mechanism, Forces::all);
  const std::vector<double> tau = {0.3, -0.2, 0.5};
  std::vector<double> q = {0.4}, v = {-0.1}, all_q = q, all_v = v;
  const Sensitivity::Run& run = sensitivity.run(q, v, tau, dt);
  Dynamics d(mechanism, Forces::all);
  for (const double each : tau) {
    d.step(q, v, std::vector<double>{each}, dt);
    all_q.push_back(q[0]);
    all_v.push_back(v[0]);
  }
  EXPECT_EQ(run.steps, 3);
  EXPECT_EQ(run.q, all_q);
  EXPECT_EQ(run.v, all_v);
}

TEST(RunSensitivity, GradientsAreWhatDifferencesSay) {
  Random random(3);
  const Mechanism mechanism(arm(random));
  const State<double> s(random, mechanism.tree());
  const std::vector<double> tau = pushes(random, mechanism);
  Sensitivity sensitivity(mechanism, Forces::all);
  const Sensitivity::Gradient found = gradient_of_cost(sensitivity, sensitivity.run(s.q, s.v, tau, dt));
  Sensitivity other(mechanism, Forces::all);
  const double whole = cost(other.run(s.q, s.v, tau, dt));
  const auto expect = [&](double entry, auto&& move) {
    const double expected = slope([&](double h) {
      std::vector<double> q = s.q, v = s.v, drive = tau;
      move(q, v, drive) += h;
      return cost(other.run(q, v, drive, dt));
    });
    EXPECT_NEAR(entry, expected, slope_error(1) * whole);
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
    const double expected = slope([&](double h) {
      const Mechanism moved = changed(h);
      return cost(Sensitivity(moved, Forces::all).run(s.q, s.v, tau, dt));
    });
    const Mechanism more = changed(0.5), less = changed(-0.05);
    const std::vector<double> p = Regressor(more, friction).parameters(), m = Regressor(less, friction).parameters();
    double found = 0;  // (parameters are linear in both)
    for (size_t k = 0; k < by.size(); ++k) found += by[k] * (p[k] - m[k]) / 0.55;
    const double over = of_mass ? robot.bodies.back().inertial.mass : 1;
    EXPECT_NEAR(found, expected, slope_error(over) * cost(Sensitivity(mechanism, Forces::all).run(s.q, s.v, tau, dt)));
  }
  Sensitivity smooth(mechanism);
  const Sensitivity::Run& run = smooth.run(s.q, s.v, tau, dt);
  EXPECT_THROW(gradient_of_cost(smooth, run, &regressor), ArgumentError);
}

// A run in two parts is the whole: the second may start from the rows that the first has left, as one made again from its
// own first row is the same.
TEST(RunSensitivity, RunsGoOnFromTheLastOne) {
  Random random(5);
  const Mechanism mechanism(arm(random));
  const State<double> s(random, mechanism.tree());
  const std::vector<double> tau = pushes(random, mechanism);
  const size_t n = s.v.size(), first = 10 * n;
  Sensitivity sensitivity(mechanism, Forces::all);
  const Sensitivity::Run whole = sensitivity.run(s.q, s.v, tau, dt);
  const Sensitivity::Run& part = sensitivity.run(s.q, s.v, std::span(tau).first(first), dt);
  sensitivity.run(std::span(part.q).last(s.q.size()), std::span(part.v).last(n), std::span(tau).subspan(first), dt);
  EXPECT_EQ(part.steps, steps - 10);
  EXPECT_EQ(part.q, std::vector(whole.q.end() - std::ptrdiff_t(part.q.size()), whole.q.end()));
  EXPECT_EQ(part.v, std::vector(whole.v.end() - std::ptrdiff_t(part.v.size()), whole.v.end()));
  const Sensitivity::Run rest = part;
  sensitivity.run(std::span(part.q).first(s.q.size()), std::span(part.v).first(n), std::span(tau).subspan(first), dt);
  EXPECT_EQ(part.q, rest.q);
  EXPECT_EQ(part.v, rest.v);
}
// One that cannot be had to its end is none: the last stays, whole, and what belongs to it.
TEST(RunSensitivity, RunsThatFailLeaveTheLastOne) {
  Random random(6);
  const Mechanism mechanism(arm(random));
  const State<double> s(random, mechanism.tree());
  const std::vector<double> tau = pushes(random, mechanism);
  Sensitivity sensitivity(mechanism, Forces::all);
  const Sensitivity::Run& kept = sensitivity.run(s.q, s.v, tau, dt);
  const Sensitivity::Run before = kept;
  const Sensitivity::Gradient gradient = gradient_of_cost(sensitivity, kept);
  std::vector<double> broken = random_vector<double>(random, 40 * mechanism.nv());
  broken[broken.size() / 2] = std::nan("");
  EXPECT_THROW(sensitivity.run(s.v, s.q, broken, dt / 2), Error);
  EXPECT_EQ(kept.steps, before.steps);
  EXPECT_EQ(kept.q, before.q);
  EXPECT_EQ(kept.v, before.v);
  EXPECT_EQ(gradient_of_cost(sensitivity, kept).q, gradient.q);
  EXPECT_EQ(gradient_of_cost(sensitivity, kept).tau, gradient.tau);
}

// A loop on a base with a quaternion, which is (1, 0, 0, 0): the joint that closes the four-bar made a rod.
Robot floating_loop() {
  Robot robot = floating_four_bar();
  robot.loops[0].type = LoopType::distance;
  robot.loops[0].length = 0.3;
  return robot;
}
const std::vector<double> near_floating = {0, 0, 0, 1, 0, 0, 0, 1, -0.55, 2};

// What a step refuses has no derivatives, and hears the same words: quaternions and times that are none, loops that are
// open or that rates open.
TEST(RunSensitivity, RefusesWhatStepsRefuse) {
  const Mechanism mechanism(floating_loop());
  Random random(7);
  const ClosedState s(random, mechanism, near_floating);
  const std::vector<double> tau(s.v.size(), 0.0);
  Sensitivity sensitivity(mechanism);
  Dynamics dynamics(mechanism);
  const auto expect_refused = [&](std::vector<double> q, std::vector<double> v, double for_dt) {
    const auto words = [](auto&& ask) -> std::string {
      try {
        ask();
      } catch (const Error& refused) {
        return refused.what();
      }
      return "";
    };
    const std::string of_step = words([&] { sensitivity.step(q, v, tau, for_dt); }),
                      of_run = words([&] { sensitivity.run(q, v, tau, for_dt); });
    const std::string expected = words([&] { dynamics.step(q, v, tau, for_dt); });
    EXPECT_NE(expected, "");
    EXPECT_EQ(of_step, expected);
    EXPECT_EQ(of_run, expected);
  };
  for (const double length : {0.0, 0.5, 2.0}) {
    std::vector<double> q = s.q;
    for (size_t i = 3; i < 7; ++i) q[i] *= length;
    expect_refused(q, s.v, dt);
  }
  std::vector<double> open = s.q, opening = s.v;
  open[7] += 0.1;
  opening[6] += 1;
  expect_refused(open, s.v, dt);
  expect_refused(s.q, opening, dt);
  for (const double time : {0.0, -dt, double(NAN), double(INFINITY)}) expect_refused(s.q, s.v, time);
}
// A quaternion that was rounded is brought to unit length, (1 + d, 0, 0, 0) to (1, 0, 0, 0) without rounding.
TEST(RunSensitivity, BringsQuaternionsToUnitLength) {
  const Mechanism mechanism(floating_loop());
  Random random(7);
  ClosedState s(random, mechanism, near_floating);
  std::copy_n(near_floating.begin() + 3, 4, s.q.begin() + 3);  // to the bit; the loop does not feel it
  const std::vector<double> tau = random_vector<double>(random, mechanism.nv());
  Sensitivity sensitivity(mechanism);
  const Sensitivity::Step expected = sensitivity.step(s.q, s.v, tau, dt);
  const Sensitivity::Run run = sensitivity.run(s.q, s.v, tau, dt);
  s.q[3] = 1 + 5e-7;
  const Sensitivity::Step found = sensitivity.step(s.q, s.v, tau, dt);
  EXPECT_EQ(found.q, expected.q);
  EXPECT_EQ(found.v, expected.v);
  EXPECT_EQ(found.A, expected.A);
  EXPECT_EQ(found.B, expected.B);
  EXPECT_EQ(sensitivity.run(s.q, s.v, tau, dt).q, run.q);
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
