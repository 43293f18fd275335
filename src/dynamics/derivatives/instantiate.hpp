// Derivatives, compiled once for each scalar of the library: DENOC_INSTANTIATE_DERIVATIVES(double).
#pragma once
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "denoc/scalar/pack.hpp"

#define DENOC_INSTANTIATE_DERIVATIVES(T)                                       \
  namespace denoc {                                                            \
  DENOC_INVERSE_DERIVATIVES(, T) DENOC_BRANCH_FACTOR(, T) DENOC_GRADIENTS(, T) \
  }
