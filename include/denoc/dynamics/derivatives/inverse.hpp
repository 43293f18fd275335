// First derivatives of inverse dynamics, O(n d) for a tree of depth d: dtau/dq on the tangent space of q (q + d is
// integrate(q, d)), dtau/dv, and dtau/da = I. Wrenches from outside are constant in body axes.
//
// For every column i, with Y, C, F of its subtree and alpha, beta, chi as in variations.hpp,
//   y = Y p,   b = Y beta + C p_w,   d = Y alpha + C chi_w + p x* F,   g = C^T p
// travel to the base together, as the columns of the inertia matrix do. At a joint j on their way (an ancestor of i):
//   dtau_j/da_i = p_j . y_i      dtau_i/da_j the same
//   dtau_j/dv_i = p_j . b_i      dtau_i/dv_j = y_i . beta_j  + g_i . w(p_j)
//   dtau_j/dq_i = p_j . d_i      dtau_i/dq_j = y_i . alpha_j + g_i . chi_j
// Columns of the same joint turn with it: for them d is without p x* F.
#pragma once
#include "denoc/dynamics/derivatives/branches.hpp"
#include "denoc/dynamics/derivatives/bundles.hpp"
#include "denoc/dynamics/derivatives/variations.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"

namespace denoc {

// What a column has on its way: where y, b, d and g begin among its numbers.
inline constexpr int of_y = 0, of_b = 6, of_d = 12, of_g = 18, of_column = 21;
// The derivatives as the columns leave them, by (ancestor, descendant) in the order of the links: dtau/da, which is
// symmetric; of dtau/dq and dtau/dv `upper` in the row of the ancestor, `lower` in that of the descendant.
inline constexpr int of_inertia = 0, of_q_upper = 1, of_q_lower = 2, of_v_upper = 3, of_v_lower = 4, of_pair = 5;

template <Scalar T> struct InverseDerivativesScratch {
  InverseScratch<T> inverse;
  VariationScratch<T> vary;
  Branches branches;
  Bundles<T, of_column> columns;
  Triangles<T, of_pair> triangles;
  explicit InverseDerivativesScratch(const ModelOf<T>& model)
      : inverse(model), vary(model), branches(model), columns(branches), triangles(model.nv()) {}
};

// From the triangles to whole matrices, n x n by rows in the order of the user.
template <Scalar T, class Isa = AnyIsa> void unfold_triangles(InverseDerivativesScratch<T>& s, T* dq, T* dv, T* da) {
  const auto planes = s.triangles.at();
  const Unfolding& unfold = s.branches.unfolding();
  const std::span<const int> ends = s.branches.ends();
  unfold(planes[of_q_upper], planes[of_q_lower], ends, dq);
  unfold(planes[of_v_upper], planes[of_v_lower], ends, dv);
  unfold(planes[of_inertia], planes[of_inertia], ends, da);
}

namespace detail {
// The numbers of a wrench or a vector of one column.
template <class T> DENOC_INLINE void put(const BundleAt<T>& to, int number, const Vec3<T>& v) {
  to[number] = v.x, to[number + 1] = v.y, to[number + 2] = v.z;
}
template <class T> DENOC_INLINE void put(const BundleAt<T>& to, int number, const Wrench<T>& w) {
  put(to, number, w.n), put(to, number + 3, w.f);
}
// A configuration of one screw, in a variable of its own: what a loop that writes keeps in registers.
template <class T> struct OneScrew {
  using Scalar = T;
  struct {
    const JointScrew<T>& screw;
    DENOC_INLINE const JointScrew<T>& operator[](int) const { return screw; }
  } z;
};
}  // namespace detail

// y, b, d, g of a column that sets out; returned is d without what turning the joint does to F.
template <class T, class P>
DENOC_INLINE Wrench<T> set_out(const P& p, const VaryingSubtree<T>& s, const Wrench<T>& F, const Variation<T>& by,
                               const BundleAt<T>& column) {
  const auto e = axis_of(p);
  const Wrench<T> in_link = s.Y * by.alpha + coriolis(s.C, by.chi);
  detail::put<T>(column, of_y, full<T>(s.Y * p));
  detail::put<T>(column, of_b, s.Y * by.beta + full<T>(coriolis(s.C, e)));
  detail::put<T>(column, of_d, in_link + full<T>(turned(e, F)));
  detail::put<T>(column, of_g, felt(s.C, e));
  return in_link;
}

// The columns of a link's subtree leave their part along the joint, and go on to the parent through `placement`.
template <Scalar T, class Link, class Placement>
DENOC_INLINE void carry_columns(const Link& link, const Placement& placement, const Variation<T>* variations,
                                InverseDerivativesScratch<T>& s) {
  const int first = link.link.first, begin = place_of<T>(s.branches, first),
            end = place_of<T>(s.branches, first + link.link.subtree - 1) + 1;
  const bool goes_on = link.link.parent != 0;
  const auto pairs = s.triangles.at();
  // From the end: what stands in empty places leaves its part where the columns before it leave theirs later.
  for (int k = end - several<T>; k > begin - several<T>; k -= several<T>) {
    const BundleAt<T> column = s.columns.at(k);
    const int at = column_at<T>(s.branches, k);
    const auto pair = [&](int number, auto p)
                          DENOC_INLINED { return BundleAt<T>{pairs(number, first + p.number, at)}; };
    const auto y = column.wrench(of_y);
    const auto g = column.vector(of_g);
    link.columns().each([&](auto p) DENOC_INLINED {
      const auto e = axis_of(p);
      const Variation<T>& by = variations[p.number];
      pair(of_inertia, p).set(0, dot(p, y));
      pair(of_v_lower, p)
          .set(0, detail::dot_beside<e.axis>(y.n, by.beta.w) + detail::dot_beside<e.axis>(y.f, by.beta.v) +
                      entry<e.axis>(g) * e.turn);
      pair(of_q_lower, p).set(0, dot_in_full(y, by.alpha) + detail::dot_beside<e.axis>(g, by.chi));
    });
    if (goes_on) {
      column.set(of_y, full<Several<T>>(placement.to_parent(y)));
      column.set(of_g, full<Several<T>>(detail::in_parent_axes(placement, g)));
    }
    const auto leave = [&](int number, int in_pair) DENOC_INLINED {
      const auto w = column.wrench(number);
      link.columns().each([&](auto p) DENOC_INLINED { pair(in_pair, p).set(0, dot(p, w)); });
      if (goes_on) column.set(number, full<Several<T>>(placement.to_parent(w)));
    };
    leave(of_b, of_v_upper);
    leave(of_d, of_q_upper);
  }
}

// One link of the pass below: its subtree is complete. (Not inlined, as vary_link.)
template <Scalar T, class Isa, class Link>
[[gnu::noinline]] void differentiate_link(const Configuration<T>& at, const Link& link,
                                          InverseDerivativesScratch<T>& s) {
  constexpr int size = decltype(link.columns())::size;
  const int first = link.link.first, parent = link.link.parent;
  const Variation<T>* const variations = &s.vary.variations[link.link.dof];
  const VaryingSubtree<T>& subtree = s.vary.subtrees[link.i];
  const Wrench<T>& F = s.inverse.w[link.i];
  Wrench<T> in_link[size];
  link.columns().each([&](auto p) DENOC_INLINED {
    in_link[p.number] =
        set_out<T>(p, subtree, F, variations[p.number], s.columns.one(place_of<T>(s.branches, first + p.number)));
  });
  if (parent != 0) {
    s.vary.subtrees[parent] += carried_inward<T>(link.placement(at), subtree);
    s.inverse.w[parent] += carried_inward<T>(link.placement(at), F);
  }
  if constexpr (size == 1) {
    const auto& [theta, d] = at.z[link.i];
    const JointScrew<T> screw{{theta.c, theta.s}, d};
    carry_columns<T>(link, link.placement(detail::OneScrew<T>{{screw}}), variations, s);
  } else {
    carry_columns<T>(link, link.placement(at), variations, s);
  }
  link.columns().each([&](auto p) DENOC_INLINED {
    const int c = first + p.number;
    *s.triangles.at()(of_inertia, c, c) += link.link.rotor;
    if constexpr (size > 1)  // columns of one joint turn together
      for (int k = p.number; k < size; ++k) *s.triangles.at()(of_q_upper, c, first + k) = dot(p, in_link[k]);
  });
}

// Tip to base, after vary_outward: the triangles of dtau/dq, dtau/dv, dtau/da.
template <Scalar T, class Isa = AnyIsa>
void differentiate_inward(const ModelOf<T>& model, const Configuration<T>& at, InverseDerivativesScratch<T>& s) {
  model.moving().each_inward([&](auto link) DENOC_INLINED { differentiate_link<T, Isa>(at, link, s); });
}

// The triangles at q (in `at`), v, a, under gravity and the given wrenches.
template <Scalar T>
void derivative_triangles(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a,
                          InverseDerivativesScratch<T>& s, Wrenches<T> wrenches = {}) {
  vary_outward<T>(model, at, v, a, s.vary, s.inverse.w);
  relieve_joints<T>(model, wrenches, s.inverse);
  differentiate_inward<T>(model, at, s);
}

// dtau/dq, dtau/dv, dtau/da (n x n by rows) at q (in `at`), v, a, under gravity and the given wrenches. Throws
// ArgumentError when a size is wrong.
template <Scalar T>
void inverse_derivatives(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a,
                         InverseDerivativesScratch<T>& s, Out<T> dq, Out<T> dv, Out<T> da, Wrenches<T> wrenches = {}) {
  const int n = model.nv();
  require_size(v, n, "v");
  require_size(a, n, "a");
  require_size(dq, n * n, "dtau/dq");
  require_size(dv, n * n, "dtau/dv");
  require_size(da, n * n, "dtau/da");
  derivative_triangles<T>(model, at, v, a, s, wrenches);
  unfold_triangles<T>(s, dq.data(), dv.data(), da.data());
}

#define DENOC_INVERSE_DERIVATIVES(TEMPLATE, T)                                                                      \
  TEMPLATE void differentiate_inward<T>(const ModelOf<T>&, const Configuration<T>&, InverseDerivativesScratch<T>&); \
  TEMPLATE void unfold_triangles<T>(InverseDerivativesScratch<T>&, T*, T*, T*);
DENOC_COMPILED(DENOC_INVERSE_DERIVATIVES)

}  // namespace denoc
