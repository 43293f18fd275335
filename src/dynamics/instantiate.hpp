// The recursions are compiled once for each scalar of the library, each in a file of its own:
// DENOC_INSTANTIATE(float). In double, whose passes are compiled for several instruction sets (recursions.hpp), only
// what is left: DENOC_INSTANTIATE_REST(double).
#pragma once
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/scalar/pack.hpp"

#define DENOC_INSTANTIATE_REST(T)   \
  namespace denoc {                 \
  template struct Configuration<T>; \
  DENOC_LINK_WRENCHES(, T)          \
  DENOC_UDUT_PRODUCTS(, T)          \
  }
#define DENOC_INSTANTIATE(T)                                                                 \
  DENOC_INSTANTIATE_REST(T)                                                                  \
  namespace denoc {                                                                          \
  DENOC_PLACE(template, T)                                                                   \
  DENOC_PROJECTION(template, T)                                                              \
  DENOC_INVERSE(template, T)                                                                 \
  DENOC_UDUT(template, T)                                                                    \
  DENOC_FORWARD(template, T) DENOC_COMPOSITE(template, T) DENOC_INERTIA_INVERSE(template, T) \
  }
