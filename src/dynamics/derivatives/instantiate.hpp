// Derivatives, compiled once for each scalar of the library: DENOC_INSTANTIATE_DERIVATIVES(float). In double, whose
// passes are compiled for several instruction sets (recursions.hpp), only what is left:
// DENOC_INSTANTIATE_PRODUCTS(double).
#pragma once
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "denoc/scalar/pack.hpp"

#define DENOC_INSTANTIATE_PRODUCTS(T) \
  namespace denoc {                   \
  DENOC_GRADIENTS(, T)                \
  }
#define DENOC_INSTANTIATE_DERIVATIVES(T)                                                                       \
  DENOC_INSTANTIATE_PRODUCTS(T)                                                                                \
  namespace denoc {                                                                                            \
  DENOC_VARIATIONS(template, T)                                                                                \
  DENOC_INVERSE_DERIVATIVES(template, T) DENOC_ELIMINATION(template, T) DENOC_FORWARD_DERIVATIVES(template, T) \
  }
