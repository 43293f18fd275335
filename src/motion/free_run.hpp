// The run of the joints without a drive along a motion: their q and v from one instant to the next.
#pragma once
#include <vector>

#include "breaks.hpp"
#include "denoc/model/chart.hpp"
#include "on_motion.hpp"
#include "progress.hpp"

namespace denoc::motion {

// By Runge and Kutta's method of order 4 in coordinates about the start of a step, with steps that agree with two halves
// of them.
class FreeRun {
 public:
  // All of it stays.
  FreeRun(const Model& model, const Trajectory& motion, OnMotion& on, const AlongOptions& options);

  // q and v go from t on to the end, and t with them.
  void follow(double& t, double end, std::vector<double>& q, std::vector<double>& v);

 private:
  using Vector = std::vector<double>;

  // Where a step ends, what margins dry friction has at its start, and its strains, integrated.
  struct Step {
    Vector q, v, margins, strains;
  };
  // Where a step and its halves agree to end, how far they disagree, and the margins at the start and in the middle.
  struct Trial {
    Vector q, v;
    double error;
    Vector margins, margins_in_the_middle;
  };

  void advance(double& t, double until, Vector& q, Vector& v);
  Trial try_step(double t, double h, const Vector& q, const Vector& v);
  Step step(double t, double h, const Vector& q, const Vector& v);
  double disagreement(const Step& whole, const Step& first, const Step& second) const;
  void refine(const Step& whole, Vector& q, Vector& v) const;
  bool is_late(double t, const Trial& trial);
  void require_progress(double t, const Vector& v);

  const Model& model_;
  Chart chart_;
  OnMotion& on_;
  Breaks breaks_;
  Vector knots_;
  double tolerance_, duration_, first_step_, step_ = first_step_;
  Vector units_of_q_, units_of_v_;
  Progress progress_;
  long evaluations_ = 0;
};

}  // namespace denoc::motion
