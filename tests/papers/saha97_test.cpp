// The PUMA 560: torques, inertia matrix and its factors U and D [Saha97], to the tolerance the reference states.
#include "support/condition.hpp"
#include "support/data.hpp"

namespace denoc::test {
namespace {
namespace THIS_FILE {

template <class R> struct Saha97 : testing::Test {
  const Json reference = data("puma560_udut.json");
  const double tolerance = number(reference["tol_rel"]);
  const BasicModel<R> model{shipped("puma560")};
};
using Reals = testing::Types<double, long double>;
TYPED_TEST_SUITE(Saha97, Reals);

TYPED_TEST(Saha97, Puma560) {
  using R = TypeParam;
  ASSERT_EQ(this->reference["cases"].size(), 3u);
  EXPECT_EQ(this->tolerance, 1e-12);
  for (const Json& given : this->reference["cases"]) {
    const auto a = numbers<R>(given["qdd"]), tau = numbers<R>(given["tau"]), M = numbers<R>(given["M"]),
               U = numbers<R>(given["U"]), D = numbers<R>(given["D"]);
    Machine<R> machine(this->model, numbers<R>(given["q"]), numbers<R>(given["qd"]));
    expect_near(machine.inverse(a), tau, this->tolerance * largest(tau), "tau");
    const auto I = machine.inertia();
    expect_near(I, M, this->tolerance * largest(M), "M");
    factorize<R>(this->model, machine.at, machine.factor);
    std::vector<R> u(36), d(6);
    unit_upper<R>(this->model, machine.at, machine.factor, machine.dense, u);
    pivots<R>(machine.factor, d);
    expect_near(u, U, this->tolerance * largest(U), "U");
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(d[k], D[k], this->tolerance * D[k]) << "D" << k + 1;
    expect_forward<R>(machine, tau, a, "accelerations");
    // The least eigenvalue is 1e-5 of the largest: double, whose eigenvalues are good to n eps of the largest, does
    // not carry the 1e-12 that long double does.
    const double cond = number(given["cond2"]);
    const double carried = std::is_same_v<R, double> ? rounding<double>(6, cond) : this->tolerance;
    EXPECT_NEAR(double(condition(I, 6)), cond, carried * cond);
  }
}

}  // namespace THIS_FILE
}  // namespace
}  // namespace denoc::test
