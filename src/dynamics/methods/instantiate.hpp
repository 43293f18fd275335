// The other formulations, compiled once for each scalar of the library, apart from the recursions that everything uses:
// DENOC_INSTANTIATE_METHODS(double).
#pragma once
#include "denoc/dynamics/formulations.hpp"

// clang-format off
#define DENOC_INSTANTIATE_METHODS(T)                                            \
  namespace denoc {                                                             \
  DENOC_CHOLESKY(, T) DENOC_MASS_CENTRES(, T) DENOC_COMPLEMENT(, T)             \
  DENOC_NEWTON_EULER(, T) DENOC_KANE(, T) DENOC_NOC(, T) DENOC_GIBBS_APPELL(, T) \
  DENOC_NOC_INERTIA(, T) DENOC_GIBBS_INERTIA(, T) DENOC_NOC_FORWARD(, T)        \
  DENOC_EULER_LAGRANGE(, T) DENOC_KINETIC_ENERGY(, T)                           \
  }
// clang-format on
