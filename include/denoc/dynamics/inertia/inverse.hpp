// The inverse of the inertia matrix from its factor, I^-1 = U^-T D^-1 U^-1, for all unit vectors e_k at once: the loads
// eta_k of a subtree travel to the base together, the motions mu_k of a tree back. Only k >= c is computed, in the
// order of the links; the rest is mirrored.
#pragma once
#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

namespace detail {
// For each column the end of its tree's columns.
template <class R> std::vector<int> tree_ends(const BasicModel<R>& model) {
  std::vector<int> ends;
  for (const auto& link : model.links().subspan(1))
    ends.insert(ends.end(), link.columns, link.parent == 0 ? link.first + link.subtree : ends.back());
  return ends;
}
}  // namespace detail

/// Columns are in the order of the links.
template <Scalar T> struct InertiaInverseScratch {
  Rows<T> u_inverse;            // upper triangle; zero outside the columns' subtrees
  Rows<T> eta;                  // zero before and after
  std::vector<Rows<T>> mu;      // [0] of the last link, and of the links where the tree branches
  std::vector<int> mu_of_link;  // which of them
  std::vector<int> ends;        // of the columns' trees
  Rows<T> upper;                // of I^-1; zero outside the columns' trees
  Unfolding unfold;
  explicit InertiaInverseScratch(const ModelOf<T>& model)
      : u_inverse(model.nv(), model.nv()),
        eta(6, model.nv()),
        mu(1, Rows<T>(6, model.nv())),
        mu_of_link(model.links().size(), 0),
        ends(detail::tree_ends(model)),
        upper(model.nv(), model.nv()),
        unfold(model.dofs_by_link()) {
    for (int i = 1; i <= model.link_count(); ++i) {
      const int parent = model.links()[i].parent;
      if (i == parent + 1 || parent == 0 || mu_of_link[parent] > 0) continue;
      mu_of_link[parent] = int(mu.size());
      mu.emplace_back(6, model.nv());
    }
  }
};

/// I^-1 (n x n by rows) at the q of `at`, from the factor at the same q.
template <Scalar T, class Isa = AnyIsa>
void inertia_inverse(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f,
                     InertiaInverseScratch<T>& s, Out<T> inverse) {
  require_size(inverse, model.nv() * model.nv(), "inverse");
  using Several = Group<T>;
  const RowsAt<T> loads = s.eta.at(), u_inverse = s.u_inverse.at(), upper = s.upper.at();
  // phihat_k = e_k - p^T etatil_k,  eta_k = psi phihat_k + etatil_k, tip to base
  model.eliminated().each_inward([&](auto link) DENOC_INLINED {
    const auto& placement = link.placement(at);
    const int begin = link.link.first, end = begin + link.link.subtree;
    const bool on_ground = link.link.parent == 0;
    in_groups<T>(begin, end, [&](int k) DENOC_INLINED {
      const auto eta = link.columns().inward(loads.wrenches(k), [&](auto p, const auto& eta_til) DENOC_INLINED {
        const int c = begin + p.number;
        const Several e = replaced<T>(Several(0), k, c, T(1)), phi_hat = e - dot(p, eta_til);
        u_inverse.set(c, k, phi_hat);
        return loaded(p, eta_til, f.psi[link.dof(p)], phi_hat, e);
      });
      loads.set(k, on_ground ? full<Several>(detail::no_wrench) : full<Several>(placement.to_parent(eta)));
    });
  });
  // x_k = phihat_k/d - psi^T mutil_k,  mu_k = p x_k + mutil_k, base to tip
  model.eliminated().each_outward([&](auto link) DENOC_INLINED {
    const auto& placement = link.placement(at);
    const int begin = link.link.first, end = s.ends[begin];
    const bool on_ground = link.link.parent == 0;
    const RowsAt<T> of_parent = s.mu[s.mu_of_link[link.link.parent]].at(), motions = s.mu[s.mu_of_link[link.i]].at();
    in_groups<T>(begin, end, [&](int k) DENOC_INLINED {
      const Twist<Several> carried =
          on_ground ? full<Several>(detail::at_rest) : full<Several>(placement.to_child(of_parent.twists(k)));
      const auto mu = link.columns().outward(carried, [&](auto p, const auto& mu_til) DENOC_INLINED {
        const int c = begin + p.number, dof = link.dof(p);
        const Several x = u_inverse.group(c, k) * f.d_inv[dof] - dot_psi(p, f.psi[dof], mu_til);
        upper.set(c, k, x);
        return mu_til + p * x;
      });
      motions.set(k, full<Several>(mu));
    });
  });
  s.unfold(s.upper.at(), inverse.data());
}

#define DENOC_INERTIA_INVERSE(TEMPLATE, T)                                                       \
  TEMPLATE void inertia_inverse<T>(const ModelOf<T>&, const Configuration<T>&, const Factor<T>&, \
                                   InertiaInverseScratch<T>&, Out<T>);
DENOC_COMPILED(DENOC_INERTIA_INVERSE)

}  // namespace denoc
