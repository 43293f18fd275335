// Small motions about a state: x = (d, v), d the way on the manifold from q, under forces tau + u,
//   x' = A x + B u
#pragma once
#include <span>
#include <vector>

#include "denoc/mechanism/mechanism.hpp"

namespace denoc {

struct Linearization {
  int nv;
  std::vector<double> A, B;  // 2 nv x 2 nv and 2 nv x nv, by rows
  std::vector<double> a;     // the accelerations at the state itself
};

// Exact derivatives of the forward dynamics with the forces of the file, dry friction left out (it has none at rest):
//   d' = v - ad(v) d,   v'' = da/dq d + da/dv v + da/dtau u
// Throws ArgumentError for wrong sizes, SingularInertia, NotCovered for robots with loops.
Linearization linearize(const Mechanism& mechanism, std::span<const double> q, std::span<const double> v,
                        std::span<const double> tau);

}  // namespace denoc
