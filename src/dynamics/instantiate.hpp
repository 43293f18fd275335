// The recursions are compiled once for each scalar of the library, each in a file of its own:
// DENOC_INSTANTIATE(double).
#pragma once
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/scalar/pack.hpp"

#define DENOC_INSTANTIATE(T)                                                                            \
  namespace denoc {                                                                                     \
  DENOC_CONFIGURATION(, T)                                                                              \
  DENOC_LINK_WRENCHES(, T)                                                                              \
  DENOC_INVERSE(, T) DENOC_UDUT(, T) DENOC_FORWARD(, T) DENOC_COMPOSITE(, T) DENOC_INERTIA_INVERSE(, T) \
  }
