// The inertia matrix by composite bodies.                                                              [Mohan07 (28),
// (29)]
//   Mtilde_i = M_i + sum over children A^T Mtilde A,   I_jk = p_j^T A^T (Mtilde_i p_k)  for j on the way from i to the
//   base
#pragma once
#include "denoc/model/configuration.hpp"

namespace denoc {

template <Scalar T> struct CompositeScratch {
  std::vector<Pose<T>> in_parent;
  std::vector<RigidInertia<T>> composite;
  explicit CompositeScratch(const ModelOf<T>& model)
      : in_parent(model.links().size()), composite(model.links().size(), zero_inertia<T>) {}
};

// I at the q of `at`: n x n by rows.
template <Scalar T>
void inertia_matrix(const ModelOf<T>& model, const Configuration<T>& at, CompositeScratch<T>& s, Out<T> inertia) {
  const int n = model.nv();
  require_size(inertia, n * n, "inertia");
  for (T& x : inertia) x = T(0);
  const auto links = model.links();
  for (int i = 1; i <= model.link_count(); ++i) {
    s.in_parent[i] = link_pose<T>(model, at, i);
    s.composite[i] = full<T>(links[i].inertia);
  }
  for (int i = model.link_count(); i > 0; --i) {
    if (links[i].parent != 0) s.composite[links[i].parent] += s.in_parent[i].to_parent(s.composite[i]);
    model.columns(i, [&](int k, const auto& p) {
      Wrench<T> w = s.composite[i] * full<T>(p);
      model.project(i, w, [&](int j, const T& x) { inertia[j * n + k] = x; });
      for (int b = i; links[b].parent != 0;) {
        w = s.in_parent[b].to_parent(w);
        b = links[b].parent;
        model.project(b, w, [&](int j, const T& x) { inertia[j * n + k] = inertia[k * n + j] = x; });
      }
    });
  }
}

}  // namespace denoc
