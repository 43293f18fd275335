// Every method of the tables does what the first of its table does, within rounding: random trees of every joint type,
// fixed and free bases, every scalar, wrenches from outside.
#include "denoc/dynamics/formulations.hpp"

#include "support/random_laws.hpp"

namespace denoc::test {
namespace {

template <class T> struct Formulations : testing::Test {};
TYPED_TEST_SUITE(Formulations, Scalars);

TYPED_TEST(Formulations, OfForwardDynamicsInvertInverseDynamics) {
  using T = TypeParam;
  for_random_robots<T>(
      [](Random& random, const ModelOf<T>& model) {
        const State<T> s(random, model);
        const auto wrenches = random_wrenches<T>(random, model);
        Machine<T> machine(model, s.q, s.v);
        const auto tau = as<T>(random_vector<Real<T>>(random, model.nv(), 10));
        const double inertia = row_sum(machine.inertia(), model.nv()), bias = largest(machine.bias(wrenches));
        Workspace<T> work(model);
        place<T>(model, s.q, work.at);
        std::vector<T> a(model.nv());
        for (const auto& method : forward_formulations<T>)
          for (int twice = 0; twice < 2; ++twice) {  // stale scratch would show
            method.run(model, work, s.v, tau, a, wrenches);
            const double terms = inertia * largest(a) + bias + largest(tau);
            const double residual = largest_difference(machine.inverse(a, wrenches), tau);
            if (!(residual <= rounding<T>(model.nv(), terms)))
              RC_FAIL(std::string(method.name) + ": " + std::to_string(residual / rounding<T>(model.nv(), terms)));
          }
      },
      20);
}

}  // namespace
}  // namespace denoc::test
