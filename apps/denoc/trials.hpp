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

// What rounding explains at a state: n additions, with a small factor, of terms as large as those that meet there. Each
// degree of freedom is measured by the inertia that it moves, s_k^2 (s a, tau / s, I_ik / (s_i s_k)), so that a wrist
// is not allowed the errors of a shoulder, nor metres those of radians.
class Rounding {
 public:
  explicit Rounding(const Model& model);
  // At q (in `at`) and v of the state, under these wrenches.
  void evaluate(const State& state, const Configuration<double>& at, std::span<const BodyWrench<double>> wrenches);

  using Bounds = std::vector<double>;
  // Of the entries of I.
  Bounds inertia() const;
  // Of tau = I a + C v + gravity, where a method sums them one by one. In a turning joint the kinetic energy meets
  // itself, too: Lagrange's equations differentiate velocities that are written in turning axes.
  Bounds inverse(std::span<const double> a, std::span<const double> tau) const;
  // Of I a + bias - tau = 0.
  Bounds residual(std::span<const double> a, std::span<const double> tau) const;
  // Of a, when the residual is within its bounds: what I^-1 makes of them.
  Bounds forward(std::span<const double> a, std::span<const double> tau) const;

 private:
  double forces(std::span<const double> tau) const;      // the largest, in units of s
  double motions(std::span<const double> v) const;       // the same
  double row_sum(std::span<const double> matrix) const;  // of a matrix like I
  double of(double terms) const { return 8 * static_cast<double>(n_) * std::numeric_limits<double>::epsilon() * terms; }

  const Model& model_;
  std::size_t n_;
  std::vector<Dof> dofs_;
  std::vector<double> s_;
  double inertia_ = 0, twice_kinetic_ = 0, coriolis_ = 0, gravity_ = 0, bias_ = 0, compliance_ = 0;
};

}  // namespace denoc::app
