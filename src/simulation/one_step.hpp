// One step of a one-step method, in local coordinates about where it starts.
#pragma once
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4_classic.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "chart.hpp"
#include "system.hpp"

namespace denoc::simulation {

// y = (x, v, strain, work, dissipated): x are the chart's coordinates; the last three are integrals.
constexpr std::size_t integrals = 3;
using Vector = std::vector<double>;

class OneStep {
 public:
  OneStep(const Model& model, const SimulationSetup& setup, System& system);

  // Begins a step at t from q, v with the integrals so far. Evaluates there unless `slope_is_known`: then nothing but
  // the chart has changed since the end of the last step.
  void begin(double t, std::span<const double> q, const Vector& y, bool slope_is_known);
  // Steps from there by h, any number of times. Whatever jumps at `before` has not jumped yet. Throws NoAcceleration.
  void attempt(double h, double before);

  double t() const { return t_; }
  double h() const { return h_; }
  const Vector& start() const { return y0_; }
  const Vector& start_slope() const { return f0_; }
  const Vector& end() const { return y1_; }
  const Vector& end_slope() const { return f1_; }
  std::span<const double> end_q() const { return q1_; }
  std::span<const double> rates_of(const Vector& y) const { return std::span(y).subspan(n_, n_); }

  // The largest error of a component against its tolerance; the methods with a fixed step have none.
  double error() const;
  // y and q inside the last attempt.
  void inside(double t, Vector& y, std::span<double> q) const;
  // An estimate of |lambda| of the fastest mode, from what an error does in two evaluations.     [after Hairer &
  // Wanner]
  double fastest_rate();

 private:
  void slope(double t, const Vector& y, Vector& f);
  Vector tolerances() const;

  const Model* model_;
  const IntegratorOptions* options_;
  System* system_;
  std::size_t n_;  // degrees of freedom
  Chart chart_;
  double t_ = 0, h_ = 0, latest_ = 0;
  Vector y0_, f0_, y1_, f1_, error_, q_;
  Vector q1_;
  boost::numeric::odeint::euler<Vector> euler_ = {};
  boost::numeric::odeint::runge_kutta4_classic<Vector> rk4_ = {};
  boost::numeric::odeint::runge_kutta_dopri5<Vector> dopri5_ = {};
};

}  // namespace denoc::simulation
