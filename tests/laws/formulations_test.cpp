// Every method of the tables does what the first of its table does, within rounding: random trees of every joint type,
// fixed and free bases, every scalar, wrenches from outside.
#include "denoc/dynamics/formulations.hpp"

#include <filesystem>

#include "denoc/io/load.hpp"
#include "support/random_laws.hpp"

namespace denoc::test {
namespace {

template <class T> struct Formulations : testing::Test {};
TYPED_TEST_SUITE(Formulations, Scalars);

// The law, with the method's name and by how much it is broken.
void require(double error, double allowed, std::string_view method) {
  if (!(error <= allowed))
    RC_FAIL(std::string(method) + ": " + std::to_string(error / allowed) + " times what rounding explains");
}

// How large the inertias are that meet in an entry of I: a thin rod's moment about itself is the difference of two
// large ones wherever tr(I)/2 - I is formed, and what the model calls rounding in a pivot says so.
template <class T> double inertia_terms(const ModelOf<T>& model, const std::vector<T>& inertia) {
  double floor = 0;
  for (int k = 0; k < model.nv(); ++k) floor = std::max(floor, double(model.pivot_floor(k)));
  return row_sum(inertia, model.nv()) + floor / (16 * double(Epsilon<T>::epsilon()));
}

TYPED_TEST(Formulations, OfInverseDynamicsAgree) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        const State<T> s(random, model);
        const auto wrenches = random_wrenches<T>(random, model);
        Machine<T> machine(model, s.q, s.v);
        const int n = model.nv();
        const auto expected = machine.inverse(s.a, wrenches);
        // Where a method sums I a, C v and gravity one by one, those are the terms that meet.
        const double terms = inertia_terms<T>(model, machine.inertia()) * largest(s.a) +
                             row_sum(machine.coriolis(), n) * largest(s.v) + largest(machine.gravity()) +
                             largest(machine.bias(wrenches)) + largest(expected);
        Workspace<T> work(model);
        place<T>(model, s.q, work.at);
        std::vector<T> tau(n);
        for (const auto& method : inverse_formulations<T>)
          for (int twice = 0; twice < 2; ++twice) {  // stale scratch would show
            method.run(model, work, s.v, s.a, tau, wrenches);
            require(largest_difference(tau, expected), rounding<T>(n, terms), method.name);
          }
      },
      20);
}

TYPED_TEST(Formulations, OfTheInertiaMatrixAgree) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        const State<T> s(random, model);
        Machine<T> machine(model, s.q, s.v);
        const int n = model.nv();
        const auto expected = machine.inertia();
        Workspace<T> work(model);
        place<T>(model, s.q, work.at);
        std::vector<T> inertia(n * n);
        for (const auto& method : inertia_formulations<T>)
          for (int twice = 0; twice < 2; ++twice) {
            method.run(model, work, inertia);
            require(largest_difference(inertia, expected), rounding<T>(n, inertia_terms<T>(model, expected)),
                    method.name);
          }
      },
      12);
}

TYPED_TEST(Formulations, OfForwardDynamicsInvertInverseDynamics) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        const State<T> s(random, model);
        const auto wrenches = random_wrenches<T>(random, model);
        Machine<T> machine(model, s.q, s.v);
        const auto tau = as<T>(random_vector<Real<T>>(random, model.nv(), 10));
        const double inertia = inertia_terms<T>(model, machine.inertia()), bias = largest(machine.bias(wrenches));
        Workspace<T> work(model);
        place<T>(model, s.q, work.at);
        std::vector<T> a(model.nv());
        for (const auto& method : forward_formulations<T>)
          for (int twice = 0; twice < 2; ++twice) {  // stale scratch would show
            method.run(model, work, s.v, tau, a, wrenches);
            const double terms = inertia * largest(a) + bias + largest(tau);
            require(largest_difference(machine.inverse(a, wrenches), tau), rounding<T>(model.nv(), terms), method.name);
          }
      },
      20);
}

TEST(ShippedRobots, AreTheSameByEveryMethod) {
  int robots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DENOC_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    ++robots;
    const Model model(read_robot(entry.path()).robot);
    const int n = model.nv();
    Random random(11);
    for (int states = 0; states < 5; ++states) {
      const State<double> s(random, model);
      Machine<double> machine(model, s.q, s.v);
      const auto tau = machine.inverse(s.a), inertia = machine.inertia();
      const double size = inertia_terms<double>(model, inertia),
                   terms = size * largest(s.a) + largest(machine.bias()) + largest(tau);
      Workspace<double> work(model);
      place<double>(model, s.q, work.at);
      std::vector<double> x(n), matrix(n * n);
      for (const auto& method : inverse_formulations<double>) {
        method.run(model, work, s.v, s.a, x, {});
        EXPECT_LE(largest_difference(x, tau), rounding<double>(n, terms)) << method.name;
      }
      for (const auto& method : inertia_formulations<double>) {
        method.run(model, work, matrix);
        EXPECT_LE(largest_difference(matrix, inertia), rounding<double>(n, size)) << method.name;
      }
      for (const auto& method : forward_formulations<double>) {
        method.run(model, work, s.v, tau, x, {});
        const double solved = size * largest(x) + terms;
        EXPECT_LE(largest_difference(machine.inverse(x), tau), rounding<double>(n, solved)) << method.name;
      }
    }
  }
  EXPECT_GT(robots, 0);
}

}  // namespace
}  // namespace denoc::test
