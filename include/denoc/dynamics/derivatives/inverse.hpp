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
#include "denoc/dynamics/derivatives/variations.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/spatial/six_rows.hpp"

namespace denoc {

// The derivatives as the columns leave them: triangles by (ancestor, descendant) in the order of the links, zero where
// one is not the other's. dtau/da is symmetric; of dtau/dq and dtau/dv `upper` has the rows of the ancestors, `lower`
// those of the descendants.
template <class T> struct DerivativeTriangles {
  Rows<T> inertia, q_upper, q_lower, v_upper, v_lower;
  explicit DerivativeTriangles(int n)
      : inertia(n, n), q_upper(inertia), q_lower(inertia), v_upper(inertia), v_lower(inertia) {}
};

// From the triangles to whole matrices, n x n by rows in the order of the user.
template <class T> void unfold(const Branches& on, const DerivativeTriangles<T>& t, T* dq, T* dv, T* da) {
  const size_t entries = size_t(on.size()) * size_t(on.size());
  for (T* whole : {dq, dv, da}) std::fill(whole, whole + entries, T(0));
  for (const auto& [from, to, mirrored] : on.on_branches()) {
    dq[mirrored] = t.q_lower[from], dq[to] = t.q_upper[from];
    dv[mirrored] = t.v_lower[from], dv[to] = t.v_upper[from];
    da[mirrored] = da[to] = t.inertia[from];
  }
}

// Columns are in the order of the links.
template <Scalar T> struct InverseDerivativesScratch {
  InverseScratch<T> inverse;
  VariationScratch<T> vary;
  Rows<T> y, b, d, g;  // on their way; zero before and after
  DerivativeTriangles<T> triangles;
  Branches branches;
  explicit InverseDerivativesScratch(const ModelOf<T>& model)
      : inverse(model),
        vary(model),
        y(6, model.nv()),
        b(6, model.nv()),
        d(6, model.nv()),
        g(3, model.nv()),
        triangles(model.nv()),
        branches(model) {}
};

// Where the columns and the triangles are. (A copy of its own is what a loop keeps in registers.)
template <class T> struct VaryingColumns {
  RowsAt<T> y, b, d, g, inertia, q_upper, q_lower, v_upper, v_lower;
  explicit VaryingColumns(InverseDerivativesScratch<T>& s)
      : y(s.y.at()),
        b(s.b.at()),
        d(s.d.at()),
        g(s.g.at()),
        inertia(s.triangles.inertia.at()),
        q_upper(s.triangles.q_upper.at()),
        q_lower(s.triangles.q_lower.at()),
        v_upper(s.triangles.v_upper.at()),
        v_lower(s.triangles.v_lower.at()) {}
};

// What a column sets out with.
template <class T> struct VaryingColumn {
  Wrench<T> y, b, in_link, d;  // in_link: d without p x* F
  Vec3<T> g;
};
template <class T, class P>
DENOC_INLINE VaryingColumn<T> varying_column(const P& p, const VaryingSubtree<T>& s, const Variation<T>& by) {
  const auto e = axis_of(p);
  const Wrench<T> in_link = s.Y * by.alpha + coriolis(s.C, by.chi);
  return {full<T>(s.Y * p), s.Y * by.beta + full<T>(coriolis(s.C, e)), in_link, in_link + full<T>(turned(e, s.F)),
          felt(s.C, e)};
}

// The columns of a link's subtree: its own set out, all leave their part along the joint and go on to the parent. (Not
// inlined: it is long, and the same for tips and all others.)
template <Scalar T, class Link>
[[gnu::noinline]] void carry_varying(const Configuration<T>& at, const Link& link, const VaryingSubtree<T>& subtree,
                                     const std::vector<Variation<T>>& variations, const VaryingColumns<T>& at_rows) {
  using Several = Group<T>;
  const VaryingColumns<T> rows = at_rows;
  const auto& placement = link.placement(at);
  const int begin = link.link.first, end = begin + link.link.subtree;
  constexpr int size = decltype(link.columns())::size;
  const bool on_ground = link.link.parent == 0;
  VaryingColumn<T> own[size];
  link.columns().each([&](auto p)
                          DENOC_INLINED { own[p.number] = varying_column<T>(p, subtree, variations[link.dof(p)]); });
  in_groups<T>(begin, end, [&](int k) DENOC_INLINED {
    Wrench<Several> y = rows.y.wrenches(k), b = rows.b.wrenches(k), d = rows.d.wrenches(k);
    Vec3<Several> g{rows.g.group(0, k), rows.g.group(1, k), rows.g.group(2, k)};
    if (k < begin + size) {
      link.columns().each([&](auto p) DENOC_INLINED {
        const int c = begin + p.number;
        const VaryingColumn<T>& x = own[p.number];
        y = replaced<T>(y, k, c, x.y);
        b = replaced<T>(b, k, c, x.b);
        d = replaced<T>(d, k, c, x.d);
        g = {replaced<T>(g.x, k, c, x.g.x), replaced<T>(g.y, k, c, x.g.y), replaced<T>(g.z, k, c, x.g.z)};
      });
    }
    link.columns().each([&](auto p) DENOC_INLINED {
      const int c = begin + p.number;
      const auto e = axis_of(p);
      const Variation<T>& by = variations[link.dof(p)];
      rows.inertia.set(c, k, dot(p, y));
      rows.v_upper.set(c, k, dot(p, b));
      rows.q_upper.set(c, k, dot(p, d));
      rows.v_lower.set(c, k, dot_in_full(y, by.beta) + entry<e.axis>(g) * e.turn);
      rows.q_lower.set(c, k, dot_in_full(y, by.alpha) + dot(g, by.chi));
    });
    if (on_ground) {
      y = b = d = full<Several>(detail::no_wrench);
      g = zero3<Several>;
    } else {
      y = full<Several>(placement.to_parent(y));
      b = full<Several>(placement.to_parent(b));
      d = full<Several>(placement.to_parent(d));
      g = full<Several>(detail::in_parent_axes(placement, g));
    }
    rows.y.set(k, y);
    rows.b.set(k, b);
    rows.d.set(k, d);
    rows.g.set(0, k, g.x), rows.g.set(1, k, g.y), rows.g.set(2, k, g.z);
  });
  link.columns().each([&](auto p) DENOC_INLINED {
    const int c = begin + p.number;
    rows.inertia.first[c * rows.inertia.stride + c] += link.link.rotor;
    if constexpr (size > 1)  // columns of one joint turn together
      for (int k = p.number; k < size; ++k)
        rows.q_upper.first[c * rows.q_upper.stride + begin + k] = dot(p, own[k].in_link);
  });
}

// The triangles of dtau/dq, dtau/dv, dtau/da at q (in `at`), v, a, under gravity and the given wrenches: in
// s.triangles.
template <Scalar T>
void derivative_triangles(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a,
                          InverseDerivativesScratch<T>& s, Wrenches<T> wrenches = {}) {
  vary_outward<T>(model, at, v, a, s.vary, s.inverse.w);
  relieve_joints<T>(model, wrenches, s.inverse);
  const VaryingColumns<T> rows(s);
  vary_inward<T>(model, at, s.vary, s.inverse.w, [&](auto link, const VaryingSubtree<T>& subtree) DENOC_INLINED {
    carry_varying<T>(at, link, subtree, s.vary.variations, rows);
  });
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
  unfold<T>(s.branches, s.triangles, dq.data(), dv.data(), da.data());
}

#define DENOC_INVERSE_DERIVATIVES(KEYWORD, T)                                                             \
  KEYWORD template void vary_outward<T>(const ModelOf<T>&, const Configuration<T>&, In<T>, In<T>,         \
                                        VariationScratch<T>&, std::vector<Wrench<T>>&);                   \
  KEYWORD template void derivative_triangles<T>(const ModelOf<T>&, const Configuration<T>&, In<T>, In<T>, \
                                                InverseDerivativesScratch<T>&, Wrenches<T>);
#define DENOC_EXTERN(T) DENOC_INVERSE_DERIVATIVES(extern, T)
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN

}  // namespace denoc
