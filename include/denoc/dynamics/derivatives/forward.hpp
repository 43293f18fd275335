// First derivatives of forward dynamics: I a = tau - bias, differentiated at the a that tau gives, is
//   da/dtau = I^-1,   da/dq = -I^-1 dtau/dq,   da/dv = -I^-1 dtau/dv
// with the derivatives of inverse dynamics at that a. I^-1 = U^-T D^-1 U^-1 is applied along branches only: row c of
// U^-1 has entries in the columns of its subtree.
#pragma once
#include "denoc/dynamics/derivatives/inverse.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"

namespace denoc {

template <Scalar T> struct ForwardDerivativesScratch {
  ForwardScratch<T> forward;
  InverseDerivativesScratch<T> inverse;
  InertiaInverseScratch<T> inertia_inverse;
  std::vector<int> ends;  // of the columns' subtrees
  std::vector<T> a;
  explicit ForwardDerivativesScratch(const ModelOf<T>& model)
      : forward(model),
        inverse(model),
        inertia_inverse(model),
        ends(detail::subtree_ends(model)),
        a(size_t(model.nv())) {}
};

// X = -I^-1 X for an n x n matrix by rows, in place:  Y = -D^-1 U^-1 X, base to tip, then U^-T Y, tip to base.
// u_inverse is in the order of the links, X in that of the user.
template <Scalar T>
void solve_negative(const ModelOf<T>& model, const Factor<T>& f, const Rows<T>& u_inverse, const std::vector<int>& ends,
                    Out<T> matrix) {
  const int n = model.nv();
  const std::span<const int> order = model.dofs_by_link();
  T* const x = matrix.data();
  const auto row = [&](int c) { return x + size_t(order[c]) * size_t(n); };
  const auto add = [&](T* to, const T* from, const T& factor) {
    for (int i = 0; i < n; ++i) to[i] += from[i] * factor;
  };
  for (int c = 0; c < n; ++c) {
    T* const y = row(c);
    for (int k = c + 1; k < ends[c]; ++k) add(y, row(k), u_inverse[u_inverse.offset(c, k)]);
    const T pivot = -f.d_inv[order[c]];
    for (int i = 0; i < n; ++i) y[i] = y[i] * pivot;
  }
  for (int c = n - 1; c >= 0; --c)
    for (int k = c + 1; k < ends[c]; ++k) add(row(k), row(c), u_inverse[u_inverse.offset(c, k)]);
}

// da/dq, da/dv, da/dtau (n x n by rows) at q (in `at`), v, tau; the accelerations are in s.a afterwards. Throws
// SingularInertia, and ArgumentError when a size is wrong.
template <Scalar T>
void forward_derivatives(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau,
                         ForwardDerivativesScratch<T>& s, Out<T> dq, Out<T> dv, Out<T> dtau,
                         Wrenches<T> wrenches = {}) {
  forward_dynamics<T>(model, at, v, tau, s.forward, s.a, wrenches);
  inverse_derivatives<T>(model, at, v, s.a, s.inverse, dq, dv, dtau, wrenches);
  inertia_inverse<T>(model, at, s.forward.factor, s.inertia_inverse, dtau);
  solve_negative<T>(model, s.forward.factor, s.inertia_inverse.u_inverse, s.ends, dq);
  solve_negative<T>(model, s.forward.factor, s.inertia_inverse.u_inverse, s.ends, dv);
}

#define DENOC_FORWARD_DERIVATIVES(KEYWORD, T)                                                  \
  KEYWORD template void solve_negative<T>(const ModelOf<T>&, const Factor<T>&, const Rows<T>&, \
                                          const std::vector<int>&, Out<T>);
#define DENOC_EXTERN(T) DENOC_FORWARD_DERIVATIVES(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
