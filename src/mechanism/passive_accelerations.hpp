// Accelerations of joints that nothing drives.
#pragma once
#include <span>
#include <vector>

#include "denoc/mechanism/dynamics.hpp"

namespace denoc {

// I a + bias = tau + J^T l, J a + jv = 0, tau = 0 where nothing drives.
struct PassiveProblem {
  MatrixView inertia;
  std::span<const double> bias;
  std::span<const double> closing, jv;  // J by rows, in units; J'v in row_units
  std::span<const int> driven;
  std::span<const double> units, row_units;  // of degrees of freedom, and of the rows of J: rad, or a length
};
// a with its entries `unknown` solved for, which nothing drives; the others stay. Where they do not let the equations
// hold, as nearly as they do.
struct PassiveAccelerations {
  std::vector<double> a;
  int undetermined = -1;  // a degree of freedom that may move in several ways; -1: none
};
PassiveAccelerations passive_accelerations(const PassiveProblem& problem, std::span<const double> a,
                                           std::span<const int> unknown);

}  // namespace denoc
