// The inertia matrix as the Hessian of Gibbs's function, O(n^2): D_jk = d^2 G / da_j da_k.     [Mata02 4.2, corrected]
//   D_jk = z_k^T (Psi_j - s~_kj phi~_j) z_j  for two revolute joints, k before j
// phi and Psi are first moment and inertia tensor of the links from j outward, about j's origin; z_k = dw'_j/da_k and
// s_kj, the way from joint k to joint j, travel outward in the axes of the link they have come to. For any other joint
// with columns (w; v):  D_jk = w_k . (n + s_kj x f) + v_k . f  with (n; f) the wrench of column j on those links.
#pragma once
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/mass_centres.hpp"

namespace denoc {

/// The formulation with its memory.
template <Scalar T> struct GibbsHessian {
  static constexpr Method method{"gibbs-appell", "n^2"};
  struct Partial {
    Vec3<T> w, v, s;
  };
  std::vector<RigidInertia<Real<T>>> links;  // about their origins
  std::vector<RigidInertia<T>> composite;    // M, phi, Psi
  std::vector<Wrench<T>> w;                  // (n; f) by degree of freedom
  std::vector<Partial> partial;              // of one k, by link
  explicit GibbsHessian(const ModelOf<T>& model)
      : composite(model.links().size(), zero_inertia<T>), w(size_t(model.nv())), partial(model.links().size()) {
    for (const CentredLink<Real<T>>& link : centred_links(model)) links.push_back(shift(link.c, about_centre(link)));
  }
  void run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia);
};

namespace detail {
// A vector, and the way from some point to a link's origin, as seen in the axes of the next link.
template <class T> Vec3<T> turned(const Pose<T>& p, const Vec3<T>& v) { return back(p.R, v); }
template <class T> Vec3<T> way_on(const Pose<T>& p, const Vec3<T>& s) { return back(p.R, s + p.r); }
template <class T, class Base> Vec3<T> turned(const Placement<T, Base>& p, const Vec3<T>& v) { return p.to_child(v); }
template <class T, class Base> Vec3<T> way_on(const Placement<T, Base>& p, const Vec3<T>& s) {
  Vec3<T> o = s;
  if constexpr (requires { p.base.r; })
    o += full<T>(p.base.r);
  else
    o.x += T(p.base.a);
  o = p.to_child(o);
  o.z += p.z.d;
  return o;
}
}  // namespace detail

/// M_i, phi_i, Psi_i and the wrenches of the joints' columns on them, tip to base.
template <Scalar T> void composite_moments(const ModelOf<T>& model, const Configuration<T>& at, GibbsHessian<T>& s) {
  for (int i = 1; i <= model.link_count(); ++i) s.composite[i] = full<T>(s.links[i]);
  for (int i = model.link_count(); i > 0; --i) {
    model.columns(i, [&](int k, const auto& p) { s.w[k] = s.composite[i] * full<T>(p); });
    const int parent = model.links()[i].parent;
    if (parent == 0) continue;
    model.placed(i, at, [&](const auto& placement) { s.composite[parent] += placement.to_parent(s.composite[i]); });
  }
}

/// D at the q of `at`: n x n by rows.
template <Scalar T>
void gibbs_hessian(const ModelOf<T>& model, const Configuration<T>& at, GibbsHessian<T>& s, Out<T> inertia) {
  const int n = model.nv();
  require_size(inertia, n * n, "inertia");
  for (T& x : inertia) x = T(0);
  const auto links = model.links();
  composite_moments<T>(model, at, s);
  for (int i = 1; i <= model.link_count(); ++i) {
    const int end = links[i].first + links[i].subtree;
    model.columns(i, [&](int k, const auto& p) {
      s.partial[i] = {full<T>(p.w), full<T>(p.v), zero3<T>};
      for (int j = i; j <= model.link_count() && links[j].first < end; ++j) {
        if (j > i) {
          const auto& [w, v, way] = s.partial[links[j].parent];
          model.placed(j, at, [&, &w = w, &v = v, &way = way](const auto& placement) {
            s.partial[j] = {detail::turned(placement, w), detail::turned(placement, v), detail::way_on(placement, way)};
          });
        }
        const auto& [w_k, v_k, s_kj] = s.partial[j];
        for (int l = links[j].dof; l < links[j].dof + links[j].columns; ++l)
          inertia[l * n + k] = inertia[k * n + l] = dot(w_k, s.w[l].n + cross(s_kj, s.w[l].f)) + dot(v_k, s.w[l].f);
      }
    });
  }
  add_rotors<T>(model, inertia);
}

template <Scalar T> void GibbsHessian<T>::run(const ModelOf<T>& model, const Configuration<T>& at, Out<T> inertia) {
  gibbs_hessian<T>(model, at, *this, inertia);
}

}  // namespace denoc
