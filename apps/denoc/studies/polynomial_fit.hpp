// Polynomials through numbers that grow with n.
#pragma once
#include <vector>

namespace denoc::app {

// The coefficients of 1, n, n^2, ... of the polynomial of this degree nearest to y at n = first, first + 1, ... (least
// squares).
std::vector<double> polynomial_fit(const std::vector<double>& y, int first, int degree);

}  // namespace denoc::app
