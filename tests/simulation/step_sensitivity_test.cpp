// Sensitivities of steps are what steps over Dual say, to rounding, and differences of steps, to the digits that these have.
#include <gtest/gtest.h>

#include "denoc/model/chart.hpp"
#include "denoc/simulation/sensitivity.hpp"
#include "simulation/sensitivity_cases.hpp"
#include "support/mechanisms.hpp"
#include "support/random_forces.hpp"
#include "support/scaled.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

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

// How the end of a run changes along a direction, and what steps' matrices say: rounding of the accelerations grows by the
// condition of the inertia matrix, and that of each step by those after it.
double condition_of(const Mechanism& mechanism, const std::vector<double>& q) {
  Dynamics d(mechanism);
  const auto list = [](const MatrixView& m) { return std::vector<double>(m.entries().begin(), m.entries().end()); };
  return row_sum(list(d.inertia(q)), mechanism.nv()) * row_sum(list(d.inertia_inverse(q)), mechanism.nv());
}

// Of A and B side by side.
double entry(const Sensitivity::Step& step, size_t n, size_t row, size_t column) {
  return column < 2 * n ? step.A[row * 2 * n + column] : step.B[row * n + column - 2 * n];
}

TEST(StepSensitivity, OfQuaternionsIsThatOfDual) {
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
        most = larger(most, std::abs(entry(found, n, row, column) - expected));
        size = larger(size, std::abs(expected));
      }
    }
    EXPECT_LE(most, part * size);
  }
}

// Along changes of the start that keep the loops closed, and of tau, the end of a step changes as differences say, and the
// loops stay closed.
// As `speed` times rates of about 1 rad/s meet steps of `dt`.
void expect_what_differences_say(Random& random, const Robot& robot, double speed, double dt) {
  SCOPED_TRACE(robot.name);
  const Mechanism mechanism(robot);
  const Model& model = mechanism.tree();
  const size_t n = size_t(mechanism.nv());
  ClosedState s(random, mechanism);
  for (double& v : s.v) v *= speed;
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

TEST(StepSensitivity, OfClosedChainsIsWhatDifferencesSay) {
  Random random(21);
  for (const Robot& robot : closed_robots()) expect_what_differences_say(random, robot, 1, dt);
}

// Within a step loops are open by what a stage errs (here by more than open_gap), and pull at what carries them.
TEST(StepSensitivity, OfChainsThatAreCarriedIsWhatDifferencesSay) {
  Random random(5);
  for (const JointType base : {JointType::fixed, JointType::revolute, JointType::free}) {
    Robot robot;
    robot.name = std::string("on a base: ") + std::string(name_of(base));
    robot.gravity = {0, 0, 0};
    const Inertial brick = mass(1, {.1, .05, .02}, {.02, 0, .03, 0, 0, .025});
    add(robot, joint(base), brick);
    for (int i = 0; i < 2; ++i) add(robot, joint(JointType::spherical), brick, {.3, .1, .2});
    close(robot, LoopType::spherical, 3, {.2, 0, .1}, 1, {.5, .5, .4});
    for (const double speed : {10, 20})
      for (const double step : {1e-2, 2e-2}) expect_what_differences_say(random, robot, speed, step);
  }
}

TEST(StepSensitivity, IsThatOfDynamics) {
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
      EXPECT_NEAR(entry(found, n, row, column), expected, slope_error(1) * (largest(q) + largest(v)))
          << row << ", " << column;
    }
}

// A wheel that rolls on a rack, a cam's follower, and a slider that follows the rack: rows in m by joints that turn and
// slide.
Robot coupled_sliders() {
  Robot robot;
  robot.name = "coupled_sliders";
  const auto add = [&](const char* name, JointType type, const Vec3<double>& axis, const Vec3<double>& at) {
    Body body;
    body.name = name;
    body.parent = 0;
    body.joint.type = type;
    body.joint.axis = axis;
    body.joint_frame.r = at;
    body.inertial = {1, {0.05, 0.01, 0}, {0.002, 0, 0.003, 0, 0, 0.0025}};
    robot.bodies.push_back(body);
  };
  add("wheel", JointType::revolute, {0, 0, 1}, {0, 0, 0});
  add("rack", JointType::prismatic, {1, 0, 0}, {0, 0.3, 0});
  add("follower", JointType::prismatic, {0, 1, 0}, {0, -0.3, 0});
  add("slider", JointType::prismatic, {0, 1, 0}, {0.3, 0, 0});
  Loop rolling, cam, curve;
  rolling.type = LoopType::rolling;
  rolling.a.body = 1, rolling.b.body = 2, rolling.ratio = 0.1, rolling.offset = 0.05;
  cam.type = LoopType::eccentric_cam;
  cam.a.body = 1, cam.b.body = 3, cam.eccentricity = 0.03, cam.radius = 0.08, cam.phase = 0.2, cam.offset = -0.01;
  curve.type = LoopType::polynomial;
  curve.a.body = 2, curve.b.body = 4, curve.coefficients = {0.1, 0.3, 2, -1}, curve.phase = 0.02;
  robot.loops = {rolling, cam, curve};
  return robot;
}

// The same robot in other units: the same A and B in them, to the last digits, for powers of two round nothing and the
// lengths of loops are known to powers of 32.
TEST(StepSensitivity, OfClosedChainsDoesNotDependOnTheUnitOfLength) {
  const Robot robots[] = {shipped("slider_crank"), shipped("equal_slider_crank"), shipped("three_rrr"),
                          coupled_sliders()};
  for (const Robot& robot : robots) {
    SCOPED_TRACE(robot.name);
    Random random(4);
    const Mechanism one(robot);
    const size_t n = size_t(one.nv());
    const std::vector<double> near = random_vector<double>(random, one.nq()),
                              tau = random_vector<double>(random, one.nv());
    const ClosedState s(random, one, near);
    const Sensitivity::Step expected = Sensitivity(one).step(s.q, s.v, tau, dt);
    for (const double length : {0x1p-20, 0x1p-10, 0x1p5, 0x1p15}) {
      SCOPED_TRACE(length);
      const Units by{length};
      const Mechanism other(scaled(robot, by));
      const std::vector<double> in = scaled_q(one.tree(), std::vector<double>(n, 1.0), by);
      std::vector<double> v = s.v;
      for (size_t k = 0; k < n; ++k) v[k] *= in[k];
      const Sensitivity::Step found =
          Sensitivity(other).step(scaled_q(one.tree(), s.q, by), v, scaled_tau(one.tree(), tau, by), dt);
      std::vector<double> A = found.A, B = found.B;
      for (size_t row = 0; row < 2 * n; ++row) {
        for (size_t k = 0; k < 2 * n; ++k) A[row * 2 * n + k] *= in[k % n] / in[row % n];
        for (size_t k = 0; k < n; ++k) B[row * n + k] *= by.moment() / in[k] / in[row % n];
      }
      EXPECT_LE(largest_difference(A, expected.A), 64 * Epsilon<double>::epsilon() * largest(expected.A));
      EXPECT_LE(largest_difference(B, expected.B), 64 * Epsilon<double>::epsilon() * largest(expected.B));
    }
  }
}

// In metres or in millimetres.
TEST(StepSensitivity, RefusesRedundantLoopsByName) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const Mechanism mechanism(scaled(bricard(), {.length = size}));
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

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
