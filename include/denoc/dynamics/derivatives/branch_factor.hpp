// I = U D U^T from the triangle of I, in the order of the links: U, unit upper triangular, has entries along branches
// only, as I has [Mohan07 (30)], so every loop below runs over subtrees: n d^2/2 multiplications for a tree of depth d
// where I is there already, and no transforms.
#pragma once
#include "denoc/dynamics/derivatives/branches.hpp"
#include "denoc/model/arguments.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

template <Scalar T> struct BranchFactor {
  Rows<T> U;             // above the diagonal
  std::vector<T> d_inv;  // 1/D
  std::vector<T> w;      // a row of U D on its way
  Rows<T> inverse;       // upper triangle of I^-1
  explicit BranchFactor(const ModelOf<T>& model)
      : U(model.nv(), model.nv()), d_inv(size_t(model.nv())), w(d_inv), inverse(U) {}
};

namespace detail {
// y += x s
template <class T> DENOC_INLINE void add_scaled(T* __restrict y, const T* __restrict x, const T& s, int n) {
  for (int k = 0; k < n; ++k) y[k] += x[k] * s;
}
}  // namespace detail

// From I_ck = sum over m >= k of U_cm D_m U_km, rows tip to base, and in each row W = U D from its end:
//   W_ck = I_ck - sum over the subtree of k of W_cm U_km,   D_c = W_cc,   U_ck = W_ck/D_k
template <Scalar T> void factorize_branches(const Branches& on, RowsAt<T> inertia, BranchFactor<T>& f) {
  const RowsAt<T> U = f.U.at();
  T* const w = f.w.data();
  for (int c = on.size() - 1; c >= 0; --c) {
    T* const row = U.first + c * U.stride;
    for (int k = on.end(c) - 1; k >= c; --k) {
      const T* const other = U.first + k * U.stride;
      T sum = inertia.first[c * inertia.stride + k];
      for (int m = k + 1; m < on.end(k); ++m) sum -= w[m] * other[m];
      w[k] = sum;
      if (k > c) row[k] = sum * f.d_inv[k];
    }
    f.d_inv[c] = T(1) / w[c];
  }
}

// X = -I^-1 X for an n x n matrix by rows in the order of the user, in place: U^-1, -D^-1, U^-T.
template <Scalar T> void solve_negative(const Branches& on, BranchFactor<T>& f, T* x) {
  const int n = on.size();
  const RowsAt<T> U = f.U.at();
  const auto row = [&](int c) { return x + size_t(on.row(c)) * size_t(n); };
  for (int c = n - 1; c >= 0; --c)
    for (int k = c + 1; k < on.end(c); ++k) detail::add_scaled<T>(row(c), row(k), -U.first[c * U.stride + k], n);
  for (int c = 0; c < n; ++c) {
    T* const y = row(c);
    for (int i = 0; i < n; ++i) y[i] = T(0) - y[i] * f.d_inv[c];  // (zeros stay positive)
  }
  for (int c = 0; c < n; ++c)
    for (int k = c + 1; k < on.end(c); ++k) detail::add_scaled<T>(row(k), row(c), -U.first[c * U.stride + k], n);
}

// I^-1 = U^-T D^-1 U^-1, n x n by rows in the order of the user: its upper triangle in the order of the links,
//   Y = U^-1 by rows tip to base, then Z = U^-T D^-1 Y by rows base to tip, both for columns from the row's own on
template <Scalar T> void inverse_of_factor(const Branches& on, BranchFactor<T>& f, T* whole) {
  const RowsAt<T> U = f.U.at(), Z = f.inverse.at();
  const int n = on.size();
  const auto row = [&](int c) { return Z.first + c * Z.stride; };
  for (int c = n - 1; c >= 0; --c) {
    std::fill(row(c) + c, row(c) + on.tree_end(c), T(0));
    row(c)[c] = T(1);
    for (int k = c + 1; k < on.end(c); ++k)
      detail::add_scaled<T>(row(c) + k, row(k) + k, -U.first[c * U.stride + k], on.end(k) - k);
  }
  for (int c = 0; c < n; ++c)
    for (int k = c; k < on.end(c); ++k) row(c)[k] = row(c)[k] * f.d_inv[c];
  for (int c = 0; c < n; ++c)
    for (int k = c + 1; k < on.end(c); ++k)
      detail::add_scaled<T>(row(k) + k, row(c) + k, -U.first[c * U.stride + k], on.tree_end(c) - k);
  std::fill(whole, whole + size_t(n) * size_t(n), T(0));
  for (const auto& [from, to, mirrored] : on.in_trees()) whole[to] = whole[mirrored] = f.inverse[from];
}

#define DENOC_BRANCH_FACTOR(KEYWORD, T)                                                      \
  KEYWORD template void factorize_branches<T>(const Branches&, RowsAt<T>, BranchFactor<T>&); \
  KEYWORD template void solve_negative<T>(const Branches&, BranchFactor<T>&, T*);            \
  KEYWORD template void inverse_of_factor<T>(const Branches&, BranchFactor<T>&, T*);
#define DENOC_EXTERN(T) DENOC_BRANCH_FACTOR(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
