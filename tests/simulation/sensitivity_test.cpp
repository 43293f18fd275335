// Sensitivities of runs are what runs over Dual say, to rounding, and differences of runs, to the digits that these have.
#include "denoc/simulation/sensitivity.hpp"

#include <gtest/gtest.h>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/chart.hpp"
#include "support/data.hpp"
#include "support/mechanisms.hpp"
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
// f'(x) by central differences of two widths, and what they leave of it in parts of |f|: h^4 times a fifth derivative, which
// is 1/over^5 where f changes by its own size over that distance, and rounding of f over h; some ten times each.
constexpr double width = 1e-3;
template <class F> double slope(F&& f) {
  const auto central = [&](double d) { return (f(d) - f(-d)) / (2 * d); };
  return (4 * central(width) - central(2 * width)) / 3;
}
double slope_error(double over) { return 10 * (std::pow(width / over, 4) / over + Epsilon<double>::epsilon() / width); }

// Steps of Runge and Kutta's method of order 4 in coordinates around their start, over any scalar: with Dual a step and how
// it changes along one direction, without a derivative written down.
template <class T> class Stepping {
 public:
  Stepping(const Model& model, bool with_forces) : model_(model), at_(model), scratch_(model) {
    if (with_forces) forces_.emplace(model);
  }
  void step(std::vector<T>& q, std::vector<T>& v, const std::vector<T>& tau) {
    const size_t n = v.size();
    const std::vector<T> start = q;
    std::vector<T> x(n, T(0)), rate(n), stage_q = q, stage_v = v, a(n), sum_x(n, T(0)), sum_v = v;
    constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int s = 0; s < 4; ++s) {
      for (size_t k = 0; s > 0 && k < n; ++k) {
        x[k] = rate[k] * T(dt * node[s]);
        stage_v[k] = v[k] + a[k] * T(dt * node[s]);
      }
      if (s > 0) place_around<T>(model_, start, x, stage_q);
      accelerate(stage_q, stage_v, tau, a);
      rates_around<T>(model_, start, x, stage_q, stage_v, rate);
      for (size_t k = 0; k < n; ++k) {
        sum_x[k] += rate[k] * T(dt * weight[s]);
        sum_v[k] += a[k] * T(dt * weight[s]);
      }
    }
    place_around<T>(model_, start, sum_x, q);
    v = sum_v;
  }

 private:
  void accelerate(const std::vector<T>& q, const std::vector<T>& v, const std::vector<T>& tau, std::vector<T>& a) {
    place<T>(model_, q, at_);
    std::vector<T> load = tau;
    std::vector<BodyWrench<T>> wrenches;
    if (forces_) {
      const Loads<T>& loads = forces_->act(at_, q, v);
      for (size_t k = 0; k < load.size(); ++k) load[k] += loads.tau[k];
      wrenches = loads.wrenches;
    }
    forward_dynamics<T>(model_, at_, v, load, scratch_, a, wrenches);
  }
  const Model& model_;
  Configuration<T> at_;
  ForwardScratch<T> scratch_;
  std::optional<ForcesOf<T>> forces_ = {};
};

// Robots with quaternions: a free root and spherical joints among others, with springs and friction.
Robot turning(Random& random) {
  Robot robot = random_robot(
      random,
      {.bodies = 4, .types = {JointType::spherical, JointType::revolute, JointType::prismatic}, .free_root = true});
  for (Body& body : robot.bodies) body.joint.friction.viscous = random.uniform(0.1, 1);
  return robot;
}
// How the end of a run changes along a direction, and what steps' matrices say: rounding of the accelerations grows by the
// condition of the inertia matrix, and that of each step by those after it.
double condition_of(const Mechanism& mechanism, const std::vector<double>& q) {
  Dynamics d(mechanism);
  const auto list = [](const MatrixView& m) { return std::vector<double>(m.entries().begin(), m.entries().end()); };
  return row_sum(list(d.inertia(q)), mechanism.nv()) * row_sum(list(d.inertia_inverse(q)), mechanism.nv());
}

TEST(RunSensitivity, StepsOfQuaternionsAreThoseOfDual) {
  using D = Dual<double>;
  Random random(12);
  for (int trial = 0; trial < 4; ++trial) {
    const Mechanism mechanism(turning(random));
    const Model& model = mechanism.tree();
    const State<double> s(random, model);
    const size_t n = s.v.size();
    const std::vector<double> tau = random_vector<double>(random, mechanism.nv());
    Sensitivity sensitivity(mechanism, Forces::all);
    const Sensitivity::Step found = sensitivity.step(s.q, s.v, tau, dt);
    Dynamics dynamics(mechanism, Forces::all);
    std::vector<double> q = s.q, v = s.v;
    dynamics.step(q, v, tau, dt);
    const double part = 100 * double(n) * Epsilon<double>::epsilon() * condition_of(mechanism, s.q);
    EXPECT_LE(largest_difference(found.q, q), part * largest(q));
    EXPECT_LE(largest_difference(found.v, v), part * largest(v));
    Stepping<D> stepping(model, true);
    double most = 0, size = 0;
    for (size_t column = 0; column < 3 * n; ++column) {
      std::vector<D> step(n, D(0.0)), moved = as<D>(s.q), rates = as<D>(s.v), drive = as<D>(tau);
      (column < n ? step[column] : column < 2 * n ? rates[column - n] : drive[column - 2 * n]).d = 1;
      integrate<D>(model, as<D>(s.q), step, moved);
      stepping.step(moved, rates, drive);
      std::vector<double> d(n);
      rates_of<double>(model, moved, d);
      for (size_t row = 0; row < 2 * n; ++row) {
        const double expected = row < n ? d[row] : rates[row - n].d;
        const double entry = column < 2 * n ? found.A[row * 2 * n + column] : found.B[row * n + column - 2 * n];
        most = larger(most, std::abs(entry - expected));
        size = larger(size, std::abs(expected));
      }
    }
    EXPECT_LE(most, part * size);
  }
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
std::vector<Robot> closed_robots() {
  std::vector<Robot> all = {shipped("fourbar"), shipped("slider_crank"), shipped("three_rrr"), shipped("hoecken")};
  for (Robot& robot : all)
    for (Body& body : robot.bodies) body.joint.friction.viscous = 0.1;
  return all;
}

// Along changes of the start that keep the loops closed, and of tau, the end of a step changes as differences say, and the
// loops stay closed.
TEST(RunSensitivity, StepsOfClosedChainsAreWhatDifferencesSay) {
  Random random(21);
  for (const Robot& robot : closed_robots()) {
    SCOPED_TRACE(robot.name);
    const Mechanism mechanism(robot);
    const Model& model = mechanism.tree();
    const size_t n = size_t(mechanism.nv());
    const ClosedState s(random, mechanism);
    const std::vector<double> tau = random_vector<double>(random, mechanism.nv()),
                              push = random_vector<double>(random, mechanism.nv()),
                              other = random_vector<double>(random, mechanism.nv());
    ClosedChain chain(model);
    const std::vector<double> d = chain.closed_rates(s.q, random_vector<double>(random, mechanism.nv()));
    Sensitivity sensitivity(mechanism, Forces::all);
    Dynamics dynamics(mechanism, Forces::all);
    const Sensitivity::Step found = sensitivity.step(s.q, s.v, tau, dt);
    // The state (d, v) at the parameter h before and after the step, each seen from where it is at h = 0.
    struct Ends {
      std::vector<double> before, after;
    };
    const auto at = [&](double h) {
      std::vector<double> step(n), q(s.q.size()), v = s.v, drive = tau;
      for (size_t k = 0; k < n; ++k) {
        step[k] = h * d[k];
        v[k] += h * other[k];
        drive[k] += h * push[k];
      }
      integrate<double>(model, s.q, step, q);
      q = chain.assemble(q);
      v = chain.closed_rates(q, v);
      const auto seen = [&](const std::vector<double>& from) {
        std::vector<double> x(n);
        difference<double>(model, from, q, x);
        x.insert(x.end(), v.begin(), v.end());
        return x;
      };
      Ends ends{seen(s.q), {}};
      dynamics.step(q, v, drive, dt);
      ends.after = seen(found.q);
      return ends;
    };
    // Five points: errors of h^4 of the terms, and of 1e-13/h, to which loops are closed.
    const double h = 2e-3;
    const Ends a = at(h), b = at(-h), e = at(2 * h), f = at(-2 * h);
    const auto slope_of = [&](std::vector<double> Ends::*x, size_t k) {
      return (8 * ((a.*x)[k] - (b.*x)[k]) - ((e.*x)[k] - (f.*x)[k])) / (12 * h);
    };
    std::vector<double> expected, moved(2 * n, 0.0);
    for (size_t row = 0; row < 2 * n; ++row) {
      expected.push_back(slope_of(&Ends::after, row));
      for (size_t k = 0; k < 2 * n; ++k) moved[row] += found.A[row * 2 * n + k] * slope_of(&Ends::before, k);
      for (size_t k = 0; k < n; ++k) moved[row] += found.B[row * n + k] * push[k];
    }
    EXPECT_LE(largest_difference(moved, expected), 1e-8 * largest(expected));
    // J dq = 0 at the end, whatever moves the start.
    const std::vector<double> J = chain.jacobian(found.q);
    double opened = 0, size = 0;
    for (size_t i = 0; i < size_t(chain.rows()); ++i)
      for (size_t column = 0; column < 2 * n; ++column) {
        double sum = 0, terms = 0;
        for (size_t k = 0; k < n; ++k) {
          sum += J[i * n + k] * found.A[k * 2 * n + column];
          terms += std::abs(J[i * n + k] * found.A[k * 2 * n + column]);
        }
        opened = larger(opened, std::abs(sum));
        size = larger(size, terms);
      }
    EXPECT_LE(opened, 1e-11 * size);
  }
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
  const double part = 100 * double(s.v.size()) * Epsilon<double>::epsilon() * condition_of(mechanism, s.q);
  EXPECT_LE(largest_difference(found.q, q), part * largest(q));
  EXPECT_LE(largest_difference(found.v, v), part * largest(v));
  // A and B, entry by entry
  const size_t n = s.v.size();
  for (size_t column = 0; column < 3 * n; ++column)
    for (size_t row = 0; row < 2 * n; ++row) {
      const double expected = slope([&](double h) {
        std::vector<double> moved_q = s.q, moved_v = s.v, moved_tau = tau;
        (column < n ? moved_q[column] : column < 2 * n ? moved_v[column - n] : moved_tau[column - 2 * n]) += h;
        d.step(moved_q, moved_v, moved_tau, dt);
        return row < n ? moved_q[row] : moved_v[row - n];
      });
      const double entry = column < 2 * n ? found.A[row * 2 * n + column] : found.B[row * n + column - 2 * n];
      EXPECT_NEAR(entry, expected, slope_error(1) * (largest(q) + largest(v))) << row << ", " << column;
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

// In metres or in millimetres.
TEST(RunSensitivity, RefusesRedundantLoopsByName) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    Robot robot = bricard();
    for (Body& body : robot.bodies) {
      body.joint_frame.r = body.joint_frame.r * size;
      body.inertial.com = body.inertial.com * size;
      Sym3<double>& I = body.inertial.inertia;
      for (double* entry : {&I.xx, &I.yy, &I.zz}) *entry *= size * size;
    }
    for (Loop& loop : robot.loops)
      for (Attachment* end : {&loop.a, &loop.b}) end->frame.r = end->frame.r * size;
    const Mechanism mechanism(robot);
    Sensitivity sensitivity(mechanism);
    const std::vector<double> zero(size_t(mechanism.nv()), 0.0);
    try {
      sensitivity.step(mechanism.neutral(), zero, zero, dt);
      ADD_FAILURE();
    } catch (const NotCovered& e) {
      EXPECT_NE(std::string(e.what()).find("depend on each other"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace denoc::test
