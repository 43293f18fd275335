// I a = phi by Cholesky's method, for every forward dynamics that forms I: I = L^T L from the last joint to the first
// [Angeles7 (7.102)], here without roots as U D U^T. The pivots are then those of the joint by joint elimination
// (inertia/udut.hpp), and so is what is said of a singular one.
#pragma once
#include "denoc/dynamics/singular_inertia.hpp"

namespace denoc {

/// The memory of solving I a = tau - bias by Cholesky's factor.
template <Scalar T> struct CholeskyScratch {
  std::vector<T> inertia;  // by rows; above its diagonal it becomes U
  std::vector<T> d_inv, bias, check, lifted;
  explicit CholeskyScratch(const ModelOf<T>& model)
      : inertia(size_t(model.nv()) * size_t(model.nv())),
        d_inv(model.nv()),
        bias(model.nv()),
        check(model.nv()),
        lifted(model.nv()) {}
};

/// Reads the upper triangle of s.inertia and leaves U there, 1/D in s.d_inv.
template <Scalar T> void factorize_dense(CholeskyScratch<T>& s) {
  const size_t n = s.d_inv.size();
  T* I = s.inertia.data();
  for (size_t k = n; k-- > 0;) {
    s.d_inv[k] = T(1) / I[k * n + k];
    for (size_t i = 0; i < k; ++i) {
      const T psi_hat = I[i * n + k];
      I[i * n + k] = psi_hat * s.d_inv[k];
      for (size_t j = 0; j <= i; ++j) I[j * n + i] -= I[j * n + k] * psi_hat;
    }
  }
}
/// x = U^-1 x
template <Scalar T> void solve_upper_dense(const CholeskyScratch<T>& s, Out<T> x) {
  const size_t n = s.d_inv.size();
  const T* U = s.inertia.data();
  for (size_t k = n; k-- > 0;)
    for (size_t i = 0; i < k; ++i) x[i] -= U[i * n + k] * x[k];
}
/// x = (U D U^T)^-1 x
template <Scalar T> void solve_dense(const CholeskyScratch<T>& s, Out<T> x) {
  const size_t n = s.d_inv.size();
  const T* U = s.inertia.data();
  solve_upper_dense<T>(s, x);
  for (size_t k = 0; k < n; ++k) {
    x[k] = x[k] * s.d_inv[k];
    for (size_t i = 0; i < k; ++i) x[k] -= U[i * n + k] * x[i];
  }
}

/// a = I^-1 (tau - bias), with I and the bias in the scratch. Throws SingularInertia.
template <Scalar T> void solve_by_cholesky(const ModelOf<T>& model, In<T> tau, CholeskyScratch<T>& s, Out<T> a) {
  factorize_dense<T>(s);
  require_regular<T>(model, s.d_inv, s.check, s.lifted, [&](Out<T> x) { solve_upper_dense<T>(s, x); });
  for (int k = 0; k < model.nv(); ++k) a[k] = tau[k] - s.bias[k];
  solve_dense<T>(s, a);
}

}  // namespace denoc
