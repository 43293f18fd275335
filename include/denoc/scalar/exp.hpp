// exp for every scalar.
#pragma once
#include "denoc/scalar/counted.hpp"
#include "denoc/scalar/dual.hpp"

namespace denoc {

template <std::floating_point T> DENOC_INLINE T exp(T x) { return std::exp(x); }
// Counted among the sines and cosines, as atan2 is.
template <class R> Counted<R> exp(const Counted<R>& a) { return ++Counted<R>::count().sincos, std::exp(value(a)); }
template <class B> Dual<B> exp(const Dual<B>& a) {
  const B y = exp(a.x);
  return {y, y * a.d};
}

}  // namespace denoc
