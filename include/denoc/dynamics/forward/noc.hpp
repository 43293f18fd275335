// Forward dynamics by the natural orthogonal complement, O(n^3), two ways: I = P^T P and Cholesky's method, or P itself
// orthogonalised, so that I is never formed. The bias is Newton and Euler's.              [Angeles7 (7.104)-(7.106)]
#pragma once
#include "denoc/dynamics/forward/cholesky.hpp"
#include "denoc/dynamics/inertia/noc.hpp"
#include "denoc/dynamics/inverse/newton_euler.hpp"
#include "denoc/kinematics/inverse_rates.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct NocCholesky {
  static constexpr Method method{"noc-cholesky", "n^3"};
  NocInertia<T> inertia;
  NewtonEuler<T> bias;
  CholeskyScratch<T> cholesky;
  explicit NocCholesky(const ModelOf<T>& model) : inertia(model), bias(model), cholesky(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches);
};
template <Scalar T>
void NocCholesky<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a,
                         Wrenches<T> wrenches) {
  require_size(tau, model.nv(), "tau");
  require_size(a, model.nv(), "a");
  inertia.run(model, at, cholesky.inertia);
  bias.run(model, at, v, bias.centres.none, cholesky.bias, wrenches);
  solve_by_cholesky<T>(model, tau, cholesky, a);
}

/// Six for every link, and one for every rotor.
template <class R> size_t rows_of_complement(const BasicModel<R>& model) {
  return 6 * size_t(model.link_count()) + model.rotors().size();
}

/// The formulation with its memory.
template <Scalar T> struct NocQr {
  static constexpr Method method{"noc-qr", "n^3"};
  NocInertia<T> inertia;
  NewtonEuler<T> bias;
  std::vector<T> P;  // by columns, from the last degree of freedom to the first; then its reflections and R
  std::vector<T> diagonal, d_inv, x;
  explicit NocQr(const ModelOf<T>& model)
      : inertia(model),
        bias(model),
        P(rows_of_complement(model) * size_t(model.nv())),
        diagonal(model.nv()),
        d_inv(model.nv()),
        x(model.nv()) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a, Wrenches<T> wrenches);
};

/// P by Householder's reflections to R. The pivots d = r^2 are those of I = R^T R from the last joint to the first.
template <Scalar T> void orthogonalize(const ModelOf<T>& model, NocQr<T>& s) {
  const size_t n = size_t(model.nv()), rows = rows_of_complement(model);
  for (int i = 1; i <= model.link_count(); ++i)
    for (size_t k = 0; k < n; ++k) {
      const auto& [w, v] = s.inertia.P[size_t(i) * n + k];
      const T entries[] = {w.x, w.y, w.z, v.x, v.y, v.z};
      for (size_t r = 0; r < 6; ++r) s.P[(n - 1 - k) * rows + 6 * size_t(i - 1) + r] = entries[r];
    }
  size_t row = 6 * size_t(model.link_count());
  for (size_t r = row; r < rows; ++r)
    for (size_t c = 0; c < n; ++c) s.P[c * rows + r] = T(0);
  for (const auto& [k, inertia] : model.rotors()) s.P[(n - 1 - size_t(k)) * rows + row++] = T(std::sqrt(inertia));
  detail::reflect<T>(s.P, int(rows), int(n), s.diagonal);
  for (size_t c = 0; c < n; ++c) s.d_inv[n - 1 - c] = T(1) / (s.diagonal[c] * s.diagonal[c]);
}
/// a with R^T R a = x: of P^T y = x the shortest y, of P a = y the least squares; Q cancels between them.
template <Scalar T> void solve_orthogonalized(const ModelOf<T>& model, NocQr<T>& s, Out<T> a) {
  const int n = model.nv(), rows = int(rows_of_complement(model));
  const auto R = [&](int i, int j) -> const T& { return s.P[size_t(j) * size_t(rows) + size_t(i)]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) s.x[i] -= R(j, i) * s.x[j];
    s.x[i] = s.x[i] / s.diagonal[i];
  }
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; ++j) s.x[i] -= R(i, j) * s.x[j];
    s.x[i] = s.x[i] / s.diagonal[i];
    a[n - 1 - i] = s.x[i];
  }
}

template <Scalar T>
void NocQr<T>::run(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> tau, Out<T> a,
                   Wrenches<T> wrenches) {
  const int n = model.nv();
  require_size(tau, n, "tau");
  require_size(a, n, "a");
  weighted_complement<T>(model, at, inertia);
  orthogonalize<T>(model, *this);
  require_regular<T>(model, d_inv);
  bias.run(model, at, v, bias.centres.none, a, wrenches);
  for (int k = 0; k < n; ++k) x[n - 1 - k] = tau[k] - a[k];
  solve_orthogonalized<T>(model, *this, a);
}

}  // namespace denoc
