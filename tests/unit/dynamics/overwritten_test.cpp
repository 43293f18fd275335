// What a call gives does not depend on what stood where it writes.
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/inverse.hpp"
#include "support/expect.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

using Numbers = std::vector<double>;

// Trees beside each other and branches leave entries that no recursion comes to.
TEST(Overwritten, MatricesOfDerivatives) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const Model model(random_robot(random, {.bodies = 9}));
    const auto n = size_t(model.nv());
    const Numbers q = random_q<double>(random, model), v = random_vector<double>(random, model.nv()),
                  x = random_vector<double>(random, model.nv());
    Machine<double> machine(model, q, v);
    const auto all = [&](double before) {
      Numbers tau_q(n * n, before), tau_v = tau_q, tau_a = tau_q, a_q = tau_q, a_v = tau_q, a_tau = tau_q,
                                    inertia = tau_q;
      CompositeScratch<double> composite(model);
      InverseDerivativesScratch<double> of_inverse(model);
      ForwardDerivativesScratch<double> of_forward(model);
      inverse_derivatives<double>(model, machine.at, v, x, of_inverse, tau_q, tau_v, tau_a);
      forward_derivatives<double>(model, machine.at, v, x, of_forward, a_q, a_v, a_tau);
      inertia_matrix<double>(model, machine.at, composite, inertia);
      return std::vector<Numbers>{tau_q, tau_v, tau_a, a_q, a_v, a_tau, inertia};
    };
    EXPECT_EQ(all(7), all(0)) << seed;
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
