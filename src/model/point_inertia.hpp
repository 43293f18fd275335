// What a point mass adds to the inertia of a body about another point.
#pragma once
#include "denoc/spatial/inertia.hpp"

namespace denoc {

// m (d.d E - d d^T), d from the point to the mass
template <class T> Sym3<T> point_inertia(T m, const Vec3<T>& d) {
  return {m * (d.y * d.y + d.z * d.z), -m * d.x * d.y, m * (d.x * d.x + d.z * d.z), -m * d.x * d.z, -m * d.y * d.z,
          m * (d.x * d.x + d.y * d.y)};
}

}  // namespace denoc
