// How a run depends on where it starts, on what drives it and on the robot's parameters: exact derivatives of the steps
// that the integrator makes, not of the motion that they approach. Steps are those of Dynamics::step, Runge and Kutta's
// method of order 4 with tau held in each.
#pragma once
#include <memory>

#include "denoc/mechanism/regressor.hpp"

namespace denoc {

/// Changes of q are those of its tangent space, q + d being integrate(q, d), n = nv numbers. Loops are closed again after
/// each step: along changes of the start that keep them closed, derivatives are those of the run; a robot whose loops have
/// rows that depend on each other is refused (NotCovered) when first stepped or gone back through. Forces of the file as
/// for Dynamics; friction and stops as they are at each stage.
class Sensitivity {
 public:
  /// The mechanism must outlive it.
  explicit Sensitivity(const Mechanism& mechanism, Forces forces = Forces::none);
  ~Sensitivity();
  Sensitivity(Sensitivity&&) noexcept;

  /// The state after one step, and how it changes with the state before and with tau: with x = (d, v) of both,
  ///   dx' = A dx + B dtau,   A: 2n x 2n, B: 2n x n, by rows
  struct Step {
    std::vector<double> q, v, A, B;
  };
  Step step(std::span<const double> q, std::span<const double> v, std::span<const double> tau, double dt);

  /// The states of a run from (q, v), a row before the first step and one after each: tau has a row for each step. Kept
  /// for `back`, which needs no more: stages are computed again. q and v may be rows of the last run; that stays the last
  /// one if this one throws.
  struct Run {
    std::vector<double> q, v;
    int steps = 0;
  };
  const Run& run(std::span<const double> q, std::span<const double> v, std::span<const double> tau, double dt);

  /// Gradients of a cost of the last run, from its gradients by the states (n numbers of d and of v for each row of Run),
  /// in one pass back through time, O(steps) whatever their number: by the start, by tau (a row for each step) and by the parameters of
  /// `regressor` (empty without one), which must be of the same mechanism. Throws ArgumentError before the first run, and
  /// for one with friction where the file's forces do not act.
  struct Gradient {
    std::vector<double> q, v, tau, parameters;
  };
  Gradient back(std::span<const double> by_q, std::span<const double> by_v, Regressor* regressor = nullptr);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace denoc
