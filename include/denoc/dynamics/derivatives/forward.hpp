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
// So many numbers, several at a time: the last may overlap those before.
template <class T> DENOC_INLINE void copy(T* from, int count, T* to) {
  constexpr int size = several<T>;
  if (count < size)
    for (int k = 0; k < count; ++k) to[k] = from[k];
  else
    for (int k = 0; k < count; k += size) {
      const int at = std::min(k, count - size);
      BundleAt<T>{to + at}.set(0, BundleAt<T>{from + at}.get(0));
    }
}
template <class T> DENOC_INLINE void clear(T* row, int columns) {  // with room behind
  for (int k = 0; k < columns; k += several<T>) BundleAt<T>{row + k}.set(0, Several<T>(T(0)));
}
// The columns of a tree to a row of the user's matrix.
template <class T> DENOC_INLINE void to_user(const Branches& on, const Branches::Trunk& tree, T* row, T* whole) {
  if (tree.in_order) return copy(row, tree.end - tree.first, whole + on.row(tree.first));
  for (int k = tree.first; k < tree.end; ++k) whole[on.row(k)] = row[k - tree.first];
}
}  // namespace detail

// The rows [-1 | dtau/dq | dtau/dv | I] of the triangles.
template <Scalar T, class Isa = AnyIsa>
void set_system(InverseDerivativesScratch<T>& inverse, BranchSystem<T>& system) {
  const Branches& on = inverse.branches;
  const auto pair = inverse.triangles.at();
  for (const auto& tree : system.trees) {
    const int first = tree.trunk.first, m = tree.size();
    for (int c = first; c < tree.trunk.end; ++c) {
      T *const by_tau = system.row(tree, c), *const by_q = by_tau + m, *const by_v = by_q + m,
               *const own = by_tau + tree.inertia();
      const bool has_zeros = int(on.way(c).size()) + on.end(c) - c < m;
      detail::clear(by_tau, has_zeros ? 3 * m : m);
      if (has_zeros) detail::clear(own, c - first);
      by_tau[c - first] = T(-1);
      for (const int j : on.way(c)) {
        by_q[j - first] = *pair(of_q_lower, j, c);
        by_v[j - first] = *pair(of_v_lower, j, c);
        own[j - first] = *pair(of_inertia, j, c);
      }
      detail::copy(pair(of_q_upper, c, c), on.end(c) - c, by_q + (c - first));
      detail::copy(pair(of_v_upper, c, c), on.end(c) - c, by_v + (c - first));
      own[c - first] = *pair(of_inertia, c, c);
    }
  }
}
// With other dtau/dq and dtau/dv, n x n by rows in the order of the user.
template <Scalar T> void set_columns(const Branches& on, In<T> dq, In<T> dv, BranchSystem<T>& system) {
  for (const auto& tree : system.trees) {
    const int first = tree.trunk.first, m = tree.size();
    for (int c = first; c < tree.trunk.end; ++c) {
      T *const by_q = system.row(tree, c) + m, *const by_v = by_q + m;
      for (int k = 0; k < m; ++k) {
        const size_t entry = size_t(on.row(c)) * size_t(on.size()) + size_t(on.row(first + k));
        by_q[k] = dq[entry], by_v[k] = dv[entry];
      }
    }
  }
}
// What the solved system has, as such matrices. (Of I^-1 it has the upper triangle.)
template <Scalar T, class Isa = AnyIsa>
void unfold_system(const Branches& on, BranchSystem<T>& system, T* dq, T* dv, T* dtau) {
  const std::ptrdiff_t n = on.size();
  if (system.trees.size() > 1)
    for (T* whole : {dq, dv, dtau}) std::fill(whole, whole + n * n, T(0));
  for (const auto& tree : system.trees) {
    const int first = tree.trunk.first, m = tree.size();
    for (int c = first; c < tree.trunk.end; ++c) {
      T* const row = system.row(tree, c);
      const std::ptrdiff_t at = on.row(c) * n;
      for (int k = first; k < c; ++k) row[k - first] = system.row(tree, k)[c - first];
      detail::to_user(on, tree.trunk, row, dtau + at);
      detail::to_user(on, tree.trunk, row + m, dq + at);
      detail::to_user(on, tree.trunk, row + 2 * m, dv + at);
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
  unfold_system<T>(s.inverse.branches, s.system, dq.data(), dv.data(), dtau.data());
}

#define DENOC_FORWARD_DERIVATIVES(TEMPLATE, T)                                  \
  TEMPLATE void set_system<T>(InverseDerivativesScratch<T>&, BranchSystem<T>&); \
  TEMPLATE void unfold_system<T>(const Branches&, BranchSystem<T>&, T*, T*, T*);
DENOC_COMPILED(DENOC_FORWARD_DERIVATIVES)

}  // namespace denoc
