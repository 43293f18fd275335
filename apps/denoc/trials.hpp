// States to try the methods at: those of a file, or some at random.
#pragma once
#include <limits>

#include "denoc/model/arguments.hpp"
#include "denoc/model/configuration.hpp"
#include "problem.hpp"

namespace denoc::app {

// Beyond this many degrees of freedom the methods of order n^3, and their matrices, are too much to try.
inline constexpr int most_dofs_to_try = 300;

// Throws Failure for a robot that has more of them, or none.
void require_tryable(const Model& model, std::string_view command);

// Those of the file, zeros where it says nothing but q; without a file this many at random, the same for the same
// robot. Throws Failure.
StateFile trial_states(const StateOptions& options, int at_random, const Model& model);

// q = 0 (quaternions: no turn), nothing moves, nothing drives.
State rest(const Model& model);

// Between 0 and 1, the same numbers with every standard library.
class Chance {
 public:
  double operator()();
  double between(double low, double high) { return low + (high - low) * (*this)(); }

 private:
  unsigned long long state_ = 20071997;
};

// How large the terms are that meet when joint forces are computed at a state; rounding is n additions of such terms,
// with a small factor.
class Rounding {
 public:
  explicit Rounding(const Model& model);
  // At q, v of the state, under these wrenches: q is in `at`.
  void evaluate(const State& state, const Configuration<double>& at, std::span<const BodyWrench<double>> wrenches);

  double of(double terms) const { return 8 * n_ * std::numeric_limits<double>::epsilon() * terms; }
  // Of an entry of I: a thin rod's moment about itself is the difference of two large ones.
  double inertia() const { return inertia_; }
  // Of I a + C v + gravity, where a method sums them one by one.
  double inverse(double largest_a, double largest_tau) const {
    return inertia_ * largest_a + coriolis_ + gravity_ + bias_ + largest_tau;
  }
  // Of I a + bias = tau.
  double forward(double largest_a, double largest_tau) const { return inertia_ * largest_a + bias_ + largest_tau; }
  // What an error of the joint forces can make of the accelerations: |I^-1|.
  double compliance() const { return compliance_; }

 private:
  const Model& model_;
  int n_;
  double inertia_ = 0, coriolis_ = 0, gravity_ = 0, bias_ = 0, compliance_ = 0;
};

}  // namespace denoc::app
