// Compliant contact, of a joint with its end stop and of a point with the ground.
#pragma once
#include "denoc/scalar/scalar.hpp"

namespace denoc {

/// What a surface that yields does: at the depth x, growing by x', it pushes back by
///   F = stiffness x (1 + damping x') >= 0                                                   [Hunt & Crossley 1975]
template <Scalar T> struct Push {
  T force, stored, dissipated;

  Push(Real<T> stiffness, Real<T> damping, const T& depth, const T& rate) {
    const T x = select(T(0) < depth, depth, T(0));
    const T elastic = x * stiffness, damped = elastic * (rate * damping + Real<T>(1));
    force = select(T(0) < damped, damped, T(0));
    stored = elastic * x * Real<T>(0.5);
    dissipated = (force - elastic) * rate;
  }
};

}  // namespace denoc
