// First derivatives of inverse and forward dynamics, for every joint type, random trees and every scalar.
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "denoc/dynamics/derivatives/regressor.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

// By rows.
template <class T> struct Derivatives {
  std::vector<T> dq, dv, dx;  // x: a or tau
  explicit Derivatives(int n) : dq(size_t(n) * size_t(n)), dv(dq), dx(dq) {}
};
template <class T>
Derivatives<T> inverse_derivatives_at(const ModelOf<T>& model, const std::vector<T>& q, const std::vector<T>& v,
                                      const std::vector<T>& a, Wrenches<T> wrenches = {}) {
  Derivatives<T> found(model.nv());
  Configuration<T> at(model);
  InverseDerivativesScratch<T> scratch(model);
  place<T>(model, q, at);
  inverse_derivatives<T>(model, at, v, a, scratch, found.dq, found.dv, found.dx, wrenches);
  return found;
}
template <class T>
Derivatives<T> forward_derivatives_at(const ModelOf<T>& model, const std::vector<T>& q, const std::vector<T>& v,
                                      const std::vector<T>& tau, Wrenches<T> wrenches = {}) {
  Derivatives<T> found(model.nv());
  Configuration<T> at(model);
  ForwardDerivativesScratch<T> scratch(model);
  place<T>(model, q, at);
  forward_derivatives<T>(model, at, v, tau, scratch, found.dq, found.dv, found.dx, wrenches);
  return found;
}

// The same by Dual, one direction after the other; f(machine, x) is the inverse or the forward dynamics.
template <class F>
Derivatives<double> by_dual(const Model& model, const State<double>& s, const std::vector<double>& x, F&& f) {
  const int n = model.nv();
  Derivatives<double> found(n);
  const std::vector<double> rest(size_t(n), 0.0);
  for (int k = 0; k < n; ++k) {
    std::vector<double> e = rest;
    e[size_t(k)] = 1;
    const auto store = [&](std::vector<double>& to, const MovingState& at, const std::vector<Moving>& given) {
      Machine<Moving> machine(model, at.q, at.v);
      const std::vector<Moving> y = f(machine, given);
      for (int i = 0; i < n; ++i) to[size_t(i * n + k)] = y[size_t(i)].d;
    };
    // moving(q, step of q, rate of v)
    MovingState at = moving(model, s.q, e, rest);
    for (int i = 0; i < n; ++i) at.v[size_t(i)] = {s.v[size_t(i)], 0};
    store(found.dq, at, as<Moving>(x));
    at.q = as<Moving>(s.q);
    at.v[size_t(k)].d = 1;
    store(found.dv, at, as<Moving>(x));
    at.v[size_t(k)].d = 0;
    std::vector<Moving> given = as<Moving>(x);
    given[size_t(k)].d = 1;
    store(found.dx, at, given);
  }
  return found;
}
std::vector<BodyWrench<Moving>> constant(const std::vector<BodyWrench<double>>& wrenches) {
  std::vector<BodyWrench<Moving>> all;
  for (const auto& [body, w] : wrenches) all.push_back({body, full<Moving>(w)});
  return all;
}

// Of the largest entry.
constexpr double close_enough = 1e-12;
template <class T>
void expect_close(const std::vector<T>& found, const std::vector<T>& expected, double part, std::string_view what) {
  require(largest_difference(found, expected) / (part * std::max(largest(expected), 1e-3)), what);
}
void expect_close(const Derivatives<double>& found, const Derivatives<double>& expected, double part) {
  expect_close(found.dq, expected.dq, part, "by q");
  expect_close(found.dv, expected.dv, part, "by v");
  expect_close(found.dx, expected.dx, part, "by a or tau");
}
constexpr int most_bodies = 12;

TEST(DerivativeLaws, OfInverseDynamicsAreThoseOfDual) {
  for_random_robots<double>(
      [](Random& random, const Model& model) {
        const State<double> s(random, model);
        const auto wrenches = random_wrenches<double>(random, model);
        expect_close(inverse_derivatives_at<double>(model, s.q, s.v, s.a, wrenches),
                     by_dual(model, s, s.a,
                             [&](Machine<Moving>& machine, const std::vector<Moving>& a) {
                               return machine.inverse(a, constant(wrenches));
                             }),
                     close_enough);
      },
      most_bodies);
}

// Forward dynamics multiplies what rounding leaves by the condition of the inertia matrix, Dual's too.
TEST(DerivativeLaws, OfForwardDynamicsAreThoseOfDual) {
  for_random_robots<double>(
      [](Random& random, const Model& model) {
        const State<double> s(random, model);
        const auto wrenches = random_wrenches<double>(random, model);
        const auto tau = random_vector<double>(random, model.nv(), 10);
        const Derivatives<double> expected =
            by_dual(model, s, tau, [&](Machine<Moving>& machine, const std::vector<Moving>& given) {
              return machine.forward(given, constant(wrenches));
            });
        Machine<double> machine(model, s.q, s.v);
        const double condition = row_sum(machine.inertia(), model.nv()) * row_sum(expected.dx, model.nv());
        expect_close(forward_derivatives_at<double>(model, s.q, s.v, tau, wrenches), expected,
                     std::max(close_enough, rounding<double>(1, condition)));
      },
      most_bodies);
}

TEST(DerivativeLaws, ByTheAccelerationsTheyAreTheInertiaMatrix) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    Machine<double> machine(model, s.q, s.v);
    expect_close(inverse_derivatives_at<double>(model, s.q, s.v, s.a).dx, machine.inertia(), 1e-14, "I");
  });
}

TEST(DerivativeLaws, NothingDependsOnTheRatesAtRest) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const std::vector<double> rest(s.v.size(), 0.0);
    RC_ASSERT(largest(inverse_derivatives_at<double>(model, s.q, rest, s.a).dv) == 0);
  });
}

// tau along the motion q' = v, v' = a, a' = j changes by (dtau/dq) v + (dtau/dv) a + (dtau/da) j.
TEST(DerivativeLaws, TheyAreTheRateAlongAMotion) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const auto jerk = random_vector<double>(random, model.nv(), 5);
    const MovingState at = moving(model, s.q, s.v, s.a);
    std::vector<Moving> a;
    for (size_t k = 0; k < jerk.size(); ++k) a.push_back({s.a[k], jerk[k]});
    Machine<Moving> machine(model, at.q, at.v);
    const auto d = inverse_derivatives_at<double>(model, s.q, s.v, s.a);
    const auto by_q = times(d.dq, s.v), by_v = times(d.dv, s.a), by_a = times(d.dx, jerk);
    std::vector<double> found, expected;
    for (size_t k = 0; k < jerk.size(); ++k) {
      found.push_back(by_q[k] + by_v[k] + by_a[k]);
      expected.push_back(machine.inverse(a)[k].d);
    }
    expect_close(found, expected, 1e-11, "tau'");
  });
}

// lambda^T times the matrix, and the matrix times a direction.
std::vector<double> from_left(const std::vector<double>& lambda, const std::vector<double>& matrix) {
  const size_t n = lambda.size();
  std::vector<double> y(n, 0.0);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k) y[k] += lambda[i] * matrix[i * n + k];
  return y;
}
TEST(DerivativeLaws, ProductsAreThoseOfTheMatrices) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    const auto wrenches = random_wrenches<double>(random, model);
    const int n = model.nv();
    const auto some = [&] { return random_vector<double>(random, n); };
    const std::vector<double> lambda = some(), dq = some(), dv = some(), dx = some();
    Configuration<double> at(model);
    place<double>(model, s.q, at);
    GradientScratch<double> gradients(model);
    DirectionScratch<double> directions(model);
    const auto check = [&](const Derivatives<double>& d, double part, auto&& gradient, auto&& along) {
      std::vector<double> by_q(s.v.size()), by_v(by_q), by_x(by_q), change(by_q), expected;
      gradient(by_q, by_v, by_x);
      expect_close(by_q, from_left(lambda, d.dq), part, "gradient by q");
      expect_close(by_v, from_left(lambda, d.dv), part, "gradient by v");
      expect_close(by_x, from_left(lambda, d.dx), part, "gradient by a or tau");
      along(change);
      for (size_t k = 0; k < change.size(); ++k)
        expected.push_back(times(d.dq, dq)[k] + times(d.dv, dv)[k] + times(d.dx, dx)[k]);
      expect_close(change, expected, part, "along");
    };
    const Direction<double> to{s.q, s.v, s.a, dq, dv, dx};
    check(
        inverse_derivatives_at<double>(model, s.q, s.v, s.a, wrenches), 1e-11,
        [&](auto& by_q, auto& by_v, auto& by_a) {
          inverse_gradient<double>(model, at, s.v, s.a, lambda, gradients, by_q, by_v, by_a, wrenches);
        },
        [&](auto& change) { inverse_along<double>(model, to, directions, change, wrenches); });
    const auto forward = forward_derivatives_at<double>(model, s.q, s.v, s.a, wrenches);
    Machine<double> machine(model, s.q, s.v);
    check(
        forward, std::max(1e-11, rounding<double>(1, row_sum(machine.inertia(), n) * row_sum(forward.dx, n))),
        [&](auto& by_q, auto& by_v, auto& by_tau) {
          forward_gradient<double>(model, at, s.v, s.a, lambda, gradients, by_q, by_v, by_tau, wrenches);
        },
        [&](auto& change) { forward_along<double>(model, to, directions, change, wrenches); });
  });
}

// tau = Y pi, and lambda . tau has the gradient lambda^T Y by pi.
TEST(DerivativeLaws, TheRegressorTimesTheParametersIsTau) {
  for_random_robots<double>([](Random& random, const Model& model) {
    const State<double> s(random, model);
    Machine<double> machine(model, s.q, s.v);
    const size_t n = s.v.size(), columns = inertial_parameters * (model.bodies().size() - 1);
    std::vector<double> parameters, tau = machine.inverse(s.a), regressor(n * columns), found(n, 0.0);
    for (const auto& body : model.bodies().subspan(1)) {
      const Sym3<double> I = angular_inertia(body.inertia);
      const Vec3<double>& h = body.inertia.h;
      parameters.insert(parameters.end(), {body.inertia.m, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.yz, I.xz});
    }
    accelerations<double>(model, s.v, s.a, machine.kin);
    inertial_regressor<double>(model, machine.kin, regressor);
    // What rounding explains: an entry of Y has come through as many frames as there are bodies, some 30 operations each,
    // and a row of it adds up; all in parts of the largest sum of |Y| |pi|.
    double terms = 0;
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t k = 0; k < columns; ++k) {
        found[i] += regressor[i * columns + k] * parameters[k];
        sum += std::abs(regressor[i * columns + k] * parameters[k]);
      }
      terms = std::max(terms, sum);
    }
    const double operations = 30.0 * double(model.bodies().size()) + double(columns);
    for (const auto& [k, inertia] : model.rotors()) found[size_t(k)] += inertia * s.a[size_t(k)];
    require(largest_difference(found, tau) / (operations * Epsilon<double>::epsilon() * terms), "tau");

    const auto lambda = random_vector<double>(random, model.nv());
    Kinematics<double> weights = machine.kin;
    velocities<double>(model, lambda, weights);
    std::vector<double> gradient(columns), expected(columns, 0.0);
    parameter_gradient<double>(model, machine.kin, weights, gradient);
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < columns; ++k) expected[k] += lambda[i] * regressor[i * columns + k];
    expect_close(gradient, expected, 1e-11, "by the parameters");
  });
}

// Every scalar computes the same; Dual at a state that does not move.
template <class T> struct DerivativesOf : testing::Test {};
TYPED_TEST_SUITE(DerivativesOf, Scalars);
TYPED_TEST(DerivativesOf, EveryScalarAgrees) {
  using T = TypeParam;
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Robot robot = random_robot(random, {.bodies = 6, .free_root = trial % 2 == 0});
    const ModelOf<T> model(robot);
    const Model in_double(robot);
    if (model.nv() == 0) continue;
    const State<T> s(random, model);
    const auto as_double = [](const std::vector<T>& x) {
      std::vector<double> all;
      for (const T& e : x) all.push_back(double(plain(e)));
      return all;
    };
    const auto found = inverse_derivatives_at<T>(model, s.q, s.v, s.a);
    const auto expected = inverse_derivatives_at<double>(in_double, as_double(s.q), as_double(s.v), as_double(s.a));
    const double part = 1e4 * std::max(double(Epsilon<T>::epsilon()), Epsilon<double>::epsilon());
    EXPECT_LE(largest_difference(as_double(found.dq), expected.dq), part * largest(expected.dq));
    EXPECT_LE(largest_difference(as_double(found.dv), expected.dv), part * largest(expected.dv));
    EXPECT_LE(largest_difference(as_double(found.dx), expected.dx), part * largest(expected.dx));
    const auto accelerations = forward_derivatives_at<T>(model, s.q, s.v, s.a);
    for (const auto* matrix : {&accelerations.dq, &accelerations.dv, &accelerations.dx})
      EXPECT_TRUE(std::isfinite(largest(*matrix)));
  }
}

// Second derivatives by the same text over Dual: the rate of dtau/dv_j along q_k is that of dtau/dq_k along v_j.
TEST(DerivativeLaws, MixedSecondDerivativesDoNotMindTheOrder) {
  Random random(11);
  for (int trial = 0; trial < 10; ++trial) {
    const Model model(random_robot(random, {.bodies = 4, .free_root = trial % 2 == 0}));
    const int n = model.nv();
    if (n == 0) continue;
    const State<double> s(random, model);
    const int k = random.below(n), j = random.below(n);
    std::vector<Moving> step(size_t(n), Moving(0.0)), q(s.q.size()), v = as<Moving>(s.v), a = as<Moving>(s.a);
    step[size_t(k)].d = 1;
    integrate<Moving>(model, as<Moving>(s.q), step, q);
    const auto along_q = inverse_derivatives_at<Moving>(model, q, v, a);
    v[size_t(j)].d = 1;
    const auto along_v = inverse_derivatives_at<Moving>(model, as<Moving>(s.q), v, a);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(along_q.dv[size_t(i * n + j)].d, along_v.dq[size_t(i * n + k)].d, 1e-12 * (1 + largest(s.q)) * 100);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
