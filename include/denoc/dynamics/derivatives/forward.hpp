// First derivatives of forward dynamics: I a = tau - bias, differentiated at the a that tau gives, is
//   da/dtau = I^-1,   da/dq = -I^-1 dtau/dq,   da/dv = -I^-1 dtau/dv
// with the derivatives of inverse dynamics at that a, among which I stands already.
#pragma once
#include "denoc/dynamics/derivatives/elimination.hpp"
#include "denoc/dynamics/derivatives/inverse.hpp"
#include "denoc/dynamics/forward/denoc.hpp"

namespace denoc {

template <Scalar T> struct ForwardDerivativesScratch {
  ForwardScratch<T> forward;
  InverseDerivativesScratch<T> inverse;
  BranchSystem<T> system;
  std::vector<T> a;
  explicit ForwardDerivativesScratch(const ModelOf<T>& model)
      : forward(model), inverse(model), system(inverse.branches), a(size_t(model.nv())) {}
};

namespace detail {
// f(k, place of column k in a row of the user) for the columns of a tree.
template <class F> DENOC_INLINE void for_columns(const Branches& on, const Branches::Trunk& tree, int begin, F&& f) {
  if (tree.in_order)
    for (int k = begin, at = on.row(begin); k < tree.end; ++k, ++at) f(k, at);
  else
    for (int k = begin; k < tree.end; ++k) f(k, on.row(k));
}
}  // namespace detail

// From dtau/dq and dtau/dv (n x n by rows) to da/dq and da/dv, and da/dtau: `inverse` has just
// computed them, with I.
template <Scalar T>
void solve_for_accelerations(InverseDerivativesScratch<T>& inverse, BranchSystem<T>& system, Out<T> dq, Out<T> dv,
                             Out<T> dtau) {
  const Branches& on = inverse.branches;
  const size_t n = size_t(on.size());
  for (const auto& tree : system.trees) {
    T* const rows = system.entries.data() + tree.offset;
    const int first = tree.trunk.first;
    const size_t m = size_t(tree.size());
    for (int c = first; c < tree.trunk.end; ++c) {
      T* const x = rows + size_t(c - first) * tree.stride;
      const T *const by_q = &dq[size_t(on.row(c)) * n], *const by_v = &dv[size_t(on.row(c)) * n];
      std::fill(x, x + m, T(0));
      x[c - first] = T(-1);
      detail::for_columns(on, tree.trunk, first, [&](int k, int at) DENOC_INLINED {
        x[m + size_t(k - first)] = by_q[at];
        x[2 * m + size_t(k - first)] = by_v[at];
      });
      std::fill(x + 3 * m, x + 4 * m, T(0));
      for (int j = c; j >= 0; j = on.inner(j)) x[3 * m + size_t(j - first)] = inverse.triangles.one(j, place_of<T>(on, c))[of_inertia];
    }
  }
  solve_branches<T>(on, system);
  std::fill(dtau.begin(), dtau.end(), T(0));
  for (const auto& tree : system.trees) {
    T* const rows = system.entries.data() + tree.offset;
    const int first = tree.trunk.first;
    const size_t m = size_t(tree.size());
    for (int c = first; c < tree.trunk.end; ++c) {
      const T* const x = rows + size_t(c - first) * tree.stride;
      const size_t row = size_t(on.row(c));
      T *const by_q = &dq[row * n], *const by_v = &dv[row * n];
      detail::for_columns(on, tree.trunk, first, [&](int k, int at) DENOC_INLINED {
        by_q[at] = x[m + size_t(k - first)];
        by_v[at] = x[2 * m + size_t(k - first)];
      });
      detail::for_columns(on, tree.trunk, c, [&](int k, int at) DENOC_INLINED {
        dtau[row * n + size_t(at)] = dtau[size_t(at) * n + row] = x[k - first];
      });
    }
  }
}

// da/dq, da/dv, da/dtau (n x n by rows) at q (in `at`), v, tau; the accelerations are in s.a afterwards. Throws
// SingularInertia, and ArgumentError when a size is wrong.
template <Scalar T>
void forward_derivatives(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau,
                         ForwardDerivativesScratch<T>& s, Out<T> dq, Out<T> dv, Out<T> dtau,
                         Wrenches<T> wrenches = {}) {
  forward_dynamics<T>(model, at, v, tau, s.forward, s.a, wrenches);
  inverse_derivatives<T>(model, at, v, s.a, s.inverse, dq, dv, dtau, wrenches);
  solve_for_accelerations<T>(s.inverse, s.system, dq, dv, dtau);
}

}  // namespace denoc
