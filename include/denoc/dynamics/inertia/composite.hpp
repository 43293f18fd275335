// The inertia matrix by composite bodies.                                                        [Mohan07 (28), (29)]
//   Mtilde_i = M_i + sum over children A^T Mtilde A
//   I_jk = p_j^T A^T (Mtilde_i p_k)  for j on the way from i to the base
// The wrenches Mtilde_i p_k of a whole subtree travel to the base together.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/link_wrenches.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

namespace detail {
// For each column the end of its subtree's columns.
template <class R> std::vector<int> subtree_ends(const BasicModel<R>& model) {
  std::vector<int> ends;
  for (const auto& link : model.links().subspan(1)) ends.insert(ends.end(), link.columns, link.first + link.subtree);
  return ends;
}
}  // namespace detail

/// Columns are in the order of the links.
template <Scalar T> struct CompositeScratch {
  std::vector<RigidInertia<T>> composite;  // where the tree branches
  Rows<T> w;                               // Mtilde p; zero before and after
  Rows<T> upper;                           // of I; zero outside the columns' subtrees
  Unfolding unfold;
  explicit CompositeScratch(const ModelOf<T>& model)
      : composite(model.links().size(), zero_inertia<T>),
        w(6, model.nv()),
        upper(model.nv(), model.nv()),
        unfold(model.dofs_by_link()) {}
};

/// The columns of a link's subtree: its own come in as M p, all leave their part along the joint in I and go on to the
/// parent.
template <Scalar T, class Link>
DENOC_INLINE void carry_columns(const Configuration<T>& at, const Link& link, const RigidInertia<T>& M,
                                RowsAt<T> columns, RowsAt<T> upper) {
  const auto& placement = link.placement(at);
  const int begin = link.link.first, end = begin + link.link.subtree;
  const bool on_ground = link.link.parent == 0;
  in_groups<T>(begin, end, [&](int k) DENOC_INLINED {
    Wrench<Group<T>> w = columns.wrenches(k);
    if (k < begin + link.columns().size)
      link.columns().each([&](auto p) DENOC_INLINED { w = replaced<T>(w, k, begin + p.number, full<T>(M * p)); });
    link.columns().each([&](auto p) DENOC_INLINED { upper.set(begin + p.number, k, dot(p, w)); });
    columns.set(k, on_ground ? full<Group<T>>(detail::no_wrench) : full<Group<T>>(placement.to_parent(w)));
  });
}
/// I at the q of `at`: n x n by rows.
template <Scalar T, class Isa = AnyIsa>
void inertia_matrix(const ModelOf<T>& model, const Configuration<T>& at, CompositeScratch<T>& s, Out<T> inertia) {
  require_size(inertia, model.nv() * model.nv(), "inertia");
  model.moving().inward(at, Zero{}, zero_inertia<T>, s.composite, [&](auto link, const auto& children) DENOC_INLINED {
    const RigidInertia<T> M = full<T>(children + link.inertia());
    carry_columns<T>(at, link, M, s.w.at(), s.upper.at());
    return M;
  });
  s.unfold(s.upper.at(), inertia.data());
  add_rotors<T>(model, inertia);
}

/// The formulation with its memory.
template <Scalar T> struct CompositeBodies {
  static constexpr Method method{"composite", "n^2"};
  CompositeScratch<T> scratch;
  explicit CompositeBodies(const ModelOf<T>& model) : scratch(model) {}
  void run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia) {
    inertia_matrix<T>(model, at, scratch, inertia);
  }
};

#define DENOC_COMPOSITE(TEMPLATE, T) \
  TEMPLATE void inertia_matrix<T>(const ModelOf<T>&, const Configuration<T>&, CompositeScratch<T>&, Out<T>);
DENOC_COMPILED(DENOC_COMPOSITE)

}  // namespace denoc
