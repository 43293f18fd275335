// The inertia matrix by composite bodies.                                                              [Mohan07 (28),
// (29)]
//   Mtilde_i = M_i + sum over children A^T Mtilde A,   I_jk = p_j^T A^T (Mtilde_i p_k)  for j on the way from i to the
//   base
// The wrenches Mtilde_i p_k of a whole subtree travel to the base together.
#pragma once
#include "denoc/model/configuration.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

template <Scalar T> struct CompositeScratch {
  std::vector<RigidInertia<T>> composite;
  SixRows<T> w;  // Mtilde p by degree of freedom in the order of the links
  explicit CompositeScratch(const ModelOf<T>& model)
      : composite(model.links().size(), zero_inertia<T>), w(model.nv()) {}
};

// I at the q of `at`: n x n by rows.
template <Scalar T>
void inertia_matrix(const ModelOf<T>& model, const Configuration<T>& at, CompositeScratch<T>& s, Out<T> inertia) {
  const int n = model.nv();
  require_size(inertia, n * n, "inertia");
  for (T& x : inertia) x = T(0);
  const auto links = model.links();
  const auto dof = model.dofs_by_link();
  for (int i = 1; i <= model.link_count(); ++i) s.composite[i] = full<T>(links[i].inertia);
  for (int i = model.link_count(); i > 0; --i) {
    const auto& link = links[i];
    const int begin = link.first, end = link.first + link.subtree;
    const RigidInertia<T>& M = s.composite[i];
    int own = begin;
    model.columns(i, [&](int, const auto& p) {
      const Wrench<T> w = M * full<T>(p);
      s.w.set(own++, w.n, w.f);
    });
    for (int c = begin; c < begin + link.columns; ++c) {
      const auto p = model.sparse_column(i, c - begin);
      for (int k = c; k < end; ++k) inertia[dof[c] * n + dof[k]] = inertia[dof[k] * n + dof[c]] = s.w.along(p, k);
    }
    if (link.parent == 0) continue;
    model.placed(i, at, [&](const auto& placement) {
      s.composite[link.parent] += placement.to_parent(M);
      s.w.wrenches_to_parent(placement, begin, end);
    });
  }
}

}  // namespace denoc
