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

// [-1 | dtau/dq | dtau/dv | I]: entry(c, k) gives dtau_c/dq_k and dtau_c/dv_k, columns in the order of the links; I is
// what `inverse` has just computed.
template <Scalar T, class Entry>
void set_system(InverseDerivativesScratch<T>& inverse, BranchSystem<T>& system, Entry&& entry) {
  const Branches& on = inverse.branches;
  for (const auto& tree : system.trees) {
    const auto [first, end, in_order] = tree.trunk;
    const int m = tree.size();
    for (int c = first; c < end; ++c) {
      T* const x = system.row(tree, c);
      std::fill(x, x + m, T(0));
      x[c - first] = T(-1);
      for (int k = first; k < end; ++k) {
        const auto [by_q, by_v] = entry(c, k);
        x[m + k - first] = by_q;
        x[2 * m + k - first] = by_v;
      }
      std::fill(x + tree.inertia, x + tree.inertia + m, T(0));
      for (int j = c; j >= 0; j = on.inner(j))
        x[tree.inertia + j - first] = inverse.triangles.one(j, place_of<T>(on, c))[of_inertia];
    }
  }
}
// With the derivatives of tau as the triangles have them.
template <Scalar T> void set_system(InverseDerivativesScratch<T>& inverse, BranchSystem<T>& system) {
  const Branches& on = inverse.branches;
  set_system<T>(inverse, system, [&](int c, int k) DENOC_INLINED {
    if (k >= on.end(c) || c >= on.end(k)) return std::pair<T, T>(T(0), T(0));
    if (k < c) {
      const auto pair = inverse.triangles.one(k, place_of<T>(on, c));
      return std::pair<T, T>(pair[of_q_lower], pair[of_v_lower]);
    }
    const auto pair = inverse.triangles.one(c, place_of<T>(on, k));
    return std::pair<T, T>(pair[of_q_upper], pair[of_v_upper]);
  });
}
// What the solved system has, as matrices n x n by rows in the order of the user.
template <Scalar T> void unfold(const Branches& on, BranchSystem<T>& system, Out<T> dq, Out<T> dv, Out<T> dtau) {
  const size_t n = size_t(on.size());
  for (const auto& whole : {dq, dv, dtau}) std::fill(whole.begin(), whole.end(), T(0));
  for (const auto& tree : system.trees) {
    const int first = tree.trunk.first, m = tree.size();
    for (int c = first; c < tree.trunk.end; ++c) {
      const T* const x = system.row(tree, c);
      const size_t row = size_t(on.row(c));
      detail::for_columns(on, tree.trunk, first, [&](int k, int at) DENOC_INLINED {
        dq[row * n + size_t(at)] = x[m + k - first];
        dv[row * n + size_t(at)] = x[2 * m + k - first];
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
  const int n = model.nv();
  require_size(dq, n * n, "da/dq");
  require_size(dv, n * n, "da/dv");
  require_size(dtau, n * n, "da/dtau");
  forward_dynamics<T>(model, at, v, tau, s.forward, s.a, wrenches);
  derivative_triangles<T>(model, at, v, s.a, s.inverse, wrenches);
  set_system<T>(s.inverse, s.system);
  solve_branches<T>(s.inverse.branches, s.system);
  unfold<T>(s.inverse.branches, s.system, dq, dv, dtau);
}

}  // namespace denoc
