// One step of a one-step method, in local coordinates about where it starts.
#pragma once
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4_classic.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "backward_euler.hpp"
#include "bogacki_shampine.hpp"
#include "coordinates.hpp"
#include "system.hpp"

namespace denoc::simulation {

// y = (u, p, strains, work, dissipated): u, p are the coordinates of q and v; the others are System's integrals.
using Vector = std::vector<double>;

// An instant of a step.
struct Instant {
  Vector y, slope, q, v, a;
  double work() const { return y[y.size() - 2]; }
  double dissipated() const { return y[y.size() - 1]; }
};

// What the control of steps knows of a pair: the error goes with h^order; |h lambda| up to which it is stable, nearly,
// where steps that stay there are held by stability; and where inside the step its stages are.
struct Pair {
  int order;
  double edge_of_stability;
  std::span<const double> nodes;
};

class OneStep {
 public:
  OneStep(const Model& model, const SimulationSetup& setup, System& system);

  // Begins a step at t from q, v with the integrals so far. Evaluates there unless `a_is_known`: then it is that of the
  // end of the last step.
  void begin(double t, std::span<const double> q, std::span<const double> v, double work, double dissipated,
             bool a_is_known);
  // Steps from there by h, any number of times. Whatever jumps at `before` has not jumped yet. Without `end` the
  // methods with a fixed step leave a and the slope there open: nothing is known inside the step, either. Throws
  // NoAcceleration.
  void attempt(double h, double before, bool end = true);

  double h() const { return h_; }
  const Instant& start() const { return start_; }
  const Instant& end() const { return end_; }

  // The largest error of a component against its tolerance, that of the books included; the methods with a fixed step have
  // none.
  double error(double tolerance_of_books) const;
  const Pair& pair() const;
  // y, q and v inside the last attempt.
  void inside(double t, Instant& at);
  // An estimate of |lambda| of the fastest mode, from what an error does in two evaluations.    [after Hairer & Wanner]
  double fastest_rate();

 private:
  void slope(double t, const Vector& y, Vector& f);
  void write_slope(std::span<const double> q, std::span<const double> v, std::span<const double> a, Vector& f);
  void finish_end();
  Vector tolerances() const;

  const IntegratorOptions* options_;
  System* system_;
  Coordinates coordinates_;
  double t_ = 0, h_ = 0, latest_ = 0;
  Instant start_, end_;
  Vector error_, q_, v_;  // q_, v_: of the last evaluation
  boost::numeric::odeint::euler<Vector> euler_ = {};
  boost::numeric::odeint::runge_kutta4_classic<Vector> rk4_ = {};
  boost::numeric::odeint::runge_kutta_dopri5<Vector> dopri5_ = {};
  BackwardEuler backward_euler_ = {};
  BogackiShampine bs23_ = {};
};

}  // namespace denoc::simulation
