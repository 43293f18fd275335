// The inverse of the inertia matrix from its factor, I^-1 = U^-T D^-1 U^-1, for all unit vectors e_k at once: the loads
// eta_k of a subtree travel to the base together, the motions mu_k back. Only k >= c is computed, in the order of the
// links; the rest is mirrored.
#pragma once
#include <array>

#include "denoc/dynamics/inertia/udut.hpp"

namespace denoc {

template <Scalar T> struct InertiaInverseScratch {
  std::vector<T> phi_hat;  // U^-1, in the order of the links
  SixRows<T> eta, mu;
  std::vector<SixRows<T>> saved;  // mu where the tree branches
  std::vector<int> saved_as;      // by link: which of them, or -1
  explicit InertiaInverseScratch(const ModelOf<T>& model)
      : phi_hat(size_t(model.nv()) * model.nv(), T(0)),
        eta(model.nv()),
        mu(model.nv()),
        saved_as(model.links().size(), -1) {
    for (int i = 1; i <= model.link_count(); ++i) {
      const int parent = model.links()[i].parent;
      if (i == parent + 1 || parent == 0 || saved_as[parent] >= 0) continue;
      saved_as[parent] = int(saved.size());
      saved.emplace_back(model.nv());
    }
  }
};

namespace detail {
// psi of column c of link i with the entry along the joint, which the typed factor leaves out because it is one.
template <Scalar T> std::array<T, 6> whole_psi(const ModelOf<T>& model, const Factor<T>& f, int i, int c) {
  const Wrench<T>& psi = f.psi[model.links()[i].dof + c];
  std::array<T, 6> entries = {psi.n.x, psi.n.y, psi.n.z, psi.f.x, psi.f.y, psi.f.z};
  const auto p = model.sparse_column(i, c);
  if (p.second < 0) entries[p.entry] = T(1);
  return entries;
}
}  // namespace detail

// I^-1 (n x n by rows) at the q of `at`, from the factor at the same q.
template <Scalar T>
void inertia_inverse(const ModelOf<T>& model, const Configuration<T>& at, const Factor<T>& f,
                     InertiaInverseScratch<T>& s, Out<T> inverse) {
  const int n = model.nv();
  require_size(inverse, n * n, "inverse");
  const auto links = model.links();
  const auto dof = model.dofs_by_link();
  // phihat_k = e_k - p^T etatil_k,  eta_k = psi phihat_k + etatil_k, tip to base
  for (int i = model.link_count(); i > 0; --i) {
    const auto& link = links[i];
    const int begin = link.first, end = link.first + link.subtree;
    for (int c = begin; c < begin + link.columns; ++c) s.eta.set(c, zero3<T>, zero3<T>);
    for (int c = begin + link.columns; c-- > begin;) {
      const auto p = model.sparse_column(i, c - begin);
      const std::array<T, 6> psi = detail::whole_psi<T>(model, f, i, c - begin);
      T* phi_hat = &s.phi_hat[size_t(c) * n];
      for (int k = c; k < end; ++k) phi_hat[k] = -s.eta.along(p, k);
      phi_hat[c] = T(1);
      for (int r = 0; r < 6; ++r) {
        T* eta = s.eta.row(r);
        for (int k = c; k < end; ++k) eta[k] += psi[r] * phi_hat[k];
      }
    }
    if (link.parent != 0)
      model.placed(i, at, [&](const auto& placement) { s.eta.wrenches_to_parent(placement, begin, end); });
  }
  // x_k = phihat_k/d - psi^T mutil_k,  mu_k = p x_k + mutil_k, base to tip
  for (int i = 1; i <= model.link_count(); ++i) {
    const auto& link = links[i];
    if (link.parent == 0) {
      for (int k = link.first; k < n; ++k) s.mu.set(k, zero3<T>, zero3<T>);
    } else {
      const SixRows<T>& parent = i == link.parent + 1 ? s.mu : s.saved[s.saved_as[link.parent]];
      model.placed(i, at, [&](const auto& placement) { s.mu.twists_to_child(placement, parent, link.first, n); });
    }
    for (int c = link.first; c < link.first + link.columns; ++c) {
      const auto p = model.sparse_column(i, c - link.first);
      const std::array<T, 6> psi = detail::whole_psi<T>(model, f, i, c - link.first);
      const T d_inv = f.d_inv[dof[c]];
      T* x = &s.phi_hat[size_t(c) * n];
      const T *wx = s.mu.row(0), *wy = s.mu.row(1), *wz = s.mu.row(2), *vx = s.mu.row(3), *vy = s.mu.row(4),
              *vz = s.mu.row(5);
      for (int k = c; k < n; ++k)
        x[k] = x[k] * d_inv -
               (psi[0] * wx[k] + psi[1] * wy[k] + psi[2] * wz[k] + psi[3] * vx[k] + psi[4] * vy[k] + psi[5] * vz[k]);
      for (int k = c; k < n; ++k) {
        s.mu.add(p, k, x[k]);
        inverse[dof[c] * n + dof[k]] = inverse[dof[k] * n + dof[c]] = x[k];
        x[k] = T(0);
      }
    }
    if (s.saved_as[i] >= 0) s.saved[s.saved_as[i]] = s.mu;
  }
}

}  // namespace denoc
