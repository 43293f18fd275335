// The inertia matrix by the natural orthogonal complement, O(n^3): I = T^T M T = P^T P with P = H T, M = H^T H.
//                                                                                          [Angeles7 (7.94)-(7.101)]
#pragma once
#include <cmath>

#include "denoc/dynamics/complement.hpp"
#include "denoc/dynamics/formulation.hpp"

namespace denoc {

/// I_i = N^T N, and m_i = n^2.                                                                       [Angeles7 (7.96)]
/// The joint's own axis z is eliminated first, so that N e of its own column has one entry; where there is little
/// inertia about it the largest diagonal entry goes first, so that what is left out as rounding is small in every
/// entry: a rod has no inertia about itself.
template <class R> struct InertiaRoot {
  R N[3][3], n;
  InertiaRoot(const CentredLink<R>& link) : n(std::sqrt(link.m)) {
    const Sym3<R>& I = link.I;
    const R rounding = 16 * std::numeric_limits<R>::epsilon() * (I.xx + I.yy + I.zz + link.m * dot(link.c, link.c));
    R left[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
    for (auto& row : N) {
      int j = left[1][1] > left[0][0] ? 1 : 0;
      if (16 * left[2][2] > left[j][j]) j = 2;
      const R root = left[j][j] > rounding ? std::sqrt(left[j][j]) : R(0);
      for (int k = 0; k < 3; ++k) row[k] = root > 0 ? left[j][k] / root : R(0);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) left[i][k] = i == j || k == j ? R(0) : left[i][k] - row[i] * row[k];
    }
  }
  template <class T> Twist<T> operator*(const Twist<T>& t) const {
    const auto& [e, l] = t;
    const auto along = [&, &e = e](const R* row) { return e.x * row[0] + e.y * row[1] + e.z * row[2]; };
    return {{along(N[0]), along(N[1]), along(N[2])}, l * n};
  }
};

/// The formulation with its memory.
template <Scalar T> struct NocInertia {
  static constexpr Method method{"noc", "n^3"};
  Complement<T> complement;
  std::vector<InertiaRoot<Real<T>>> H;
  std::vector<Twist<T>> P;  // p_ik: row i, column k
  explicit NocInertia(const ModelOf<T>& model)
      : complement(model), H(complement.centres.links.begin(), complement.centres.links.end()), P(complement.columns) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia);
};

/// P = H T
template <Scalar T> void weighted_complement(const ModelOf<T>& model, const Configuration<T>& at, NocInertia<T>& s) {
  complement_columns<T>(model, at, s.complement);
  for (int i = 1; i <= model.link_count(); ++i)
    for_movers(model, i, [&](int k) { s.P[size_t(i) * s.complement.n + size_t(k)] = s.H[i] * s.complement.t(i, k); });
}
/// I = P^T P, n x n by rows.
template <Scalar T> void square_of_complement(const ModelOf<T>& model, const NocInertia<T>& s, Out<T> inertia) {
  const size_t n = s.complement.n;
  for (T& x : inertia) x = T(0);
  for (int i = 1; i <= model.link_count(); ++i) {
    const Twist<T>* p = &s.P[size_t(i) * n];
    for_movers(model, i, [&](int j) {
      for_movers(model, i, [&](int k) {
        if (k <= j) inertia[size_t(j) * n + size_t(k)] += dot(p[j].w, p[k].w) + dot(p[j].v, p[k].v);
      });
    });
  }
  for (size_t j = 0; j < n; ++j)
    for (size_t k = 0; k < j; ++k) inertia[k * n + j] = inertia[j * n + k];
}

template <Scalar T> void NocInertia<T>::run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia) {
  require_size(inertia, model.nv() * model.nv(), "inertia");
  weighted_complement<T>(model, at, *this);
  square_of_complement<T>(model, *this, inertia);
  add_rotors<T>(model, inertia);
}

}  // namespace denoc
