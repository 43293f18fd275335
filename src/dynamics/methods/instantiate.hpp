// The other formulations, compiled once for each scalar of the library, apart from the recursions that everything uses:
// DENOC_INSTANTIATE_METHODS(double).
#pragma once
#include "denoc/dynamics/formulations.hpp"

#define DENOC_INSTANTIATE_METHODS(T) \
  namespace denoc {                  \
  DENOC_CHOLESKY(, T)                \
  }
