// What single precision makes of a forced simulation: classical Runge-Kutta with every number of the robot a float.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/scenario/scenario.hpp"

namespace denoc::app {

struct SinglePrecisionRun {
  std::vector<double> t;
  std::vector<std::vector<double>> q;
  long evaluations = 0;
  double seconds = 0;  // of the processor
};
// The drives give what they do along the scenario's motion, rounded; joints of one degree of freedom only.
SinglePrecisionRun single_precision_rk4(const Scenario& scenario, const ForwardFormulation<float>& method, double step);

}  // namespace denoc::app
