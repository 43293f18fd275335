// Numbers expected, with tolerances from rounding analysis.
#pragma once
#include "support/laws.hpp"

namespace denoc::test {

// No two entries differ by more than that.
template <class T = double>
void expect_near(const std::vector<T>& found, const std::vector<std::type_identity_t<T>>& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(std::abs(double(value(found[i] - expected[i]))), tolerance)
        << what << "[" << i << "]: " << double(value(found[i])) << ", not " << double(value(expected[i]));
}

// How large the terms are that meet in I a + bias = tau.
template <class T> double terms_of(Machine<T>& machine, const std::vector<T>& a, const std::vector<T>& tau) {
  return row_sum(machine.inertia(), machine.model.nv()) * largest(a) + largest(machine.bias()) + largest(tau);
}

// Inverse dynamics is a sum: good to rounding of its terms. `Known` is the scalar to whose digits the robot and the
// expected numbers are known: double for what comes from files.
template <class T, class Known = double>
void expect_inverse(Machine<T>& machine, const std::vector<T>& a, const std::vector<T>& tau, const std::string& what,
                    Wrenches<T> wrenches = {}) {
  expect_near(machine.inverse(a, wrenches), tau, rounding<Known>(machine.model.nv(), terms_of(machine, a, tau)), what);
}
// A backward stable solve: a is as far from the true one as I (a - expected) is from rounding. That is the same in
// every posture, where the distance itself grows with the condition of I.
template <class T, class Known = double>
void expect_forward(Machine<T>& machine, const std::vector<T>& tau, const std::vector<T>& expected,
                    const std::string& what, Wrenches<T> wrenches = {}) {
  auto error = machine.forward(tau, wrenches);
  ASSERT_EQ(error.size(), expected.size()) << what;
  for (size_t k = 0; k < error.size(); ++k) error[k] -= expected[k];
  const auto residual = times(machine.inertia(), error);
  EXPECT_LE(largest(residual), rounding<Known>(machine.model.nv(), terms_of(machine, expected, tau))) << what;
}

}  // namespace denoc::test
