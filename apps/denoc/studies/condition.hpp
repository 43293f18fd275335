// How ill conditioned an inertia matrix is.
#pragma once
#include <span>

namespace denoc::app {

// The condition number in the 2-norm, |I| |I^-1|, from both matrices (n x n by rows): with the inverse of the factor it
// keeps its meaning where the smallest eigenvalue of I itself drowns in rounding. 1 for n = 0.
double condition(std::span<const double> inertia, std::span<const double> inverse, int n);

}  // namespace denoc::app
