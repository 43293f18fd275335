// How the motion of a subtree varies with the coordinates of the joint that carries it: what all first derivatives of
// the equations of motion are made of (docs/theory/derivatives.md).
//
// p: a column of the joint, fixed in its link. V_p = (w, v), A_p: the twist of the parent and its rate, a: the
// acceleration of that point of the parent that stands at the link's origin, B = [w'] + [w][w], all of the parent, in
// link axes about the link's origin. V: the twist of the link.
//   d/dq   the parent's motion as the turned link sees it:  chi = V_p x p,  alpha = A_p x p + V_p x chi
//            = (B p_w; B p_v + a x p_w + 2 v x chi_w)
//   d/dv   beta = (V_p + V) x p
//   d/da   p itself
// A point of the subtree that moves by u then accelerates more by the field alpha there, and by 2 chi_w x u (q), by
// beta and 2 p_w x u (v), by p (a): the sum over a subtree with inertia Y and CoriolisInertia C is
//   dF/dq = Y alpha + C chi_w,   dF/dv = Y beta + C p_w,   dF/da = Y p      in axes that turn with the link.
#pragma once
#include "denoc/dynamics/link_wrenches.hpp"
#include "denoc/spatial/coriolis_inertia.hpp"

namespace denoc {

// Every column is about and along one axis of its link: p = (turn e; slide e).
template <class Turn, class Slide> struct AxisZ {
  static constexpr int axis = 2;
  [[no_unique_address]] Turn turn;
  [[no_unique_address]] Slide slide;
};
template <int c> struct UnitAxis {
  static constexpr int axis = c % 3;
  [[no_unique_address]] std::conditional_t<(c < 3), One, Zero> turn = {};
  [[no_unique_address]] std::conditional_t<(c < 3), Zero, One> slide = {};
};
template <class Turn, class Slide> DENOC_INLINE AxisZ<Turn, Slide> axis_of(const ScrewZ<Turn, Slide>& p) {
  return {p.turn, p.slide};
}
template <int c, int n> DENOC_INLINE UnitAxis<c> axis_of(const UnitColumn<c, n>&) { return {}; }

namespace detail {
// a x e, and the column and the row of a tensor along e, for a unit vector e.
template <int axis, class A, class Z> DENOC_INLINE auto across(const Vec3<A, Z>& a) {
  if constexpr (axis == 0)
    return Vec3{Zero{}, a.z, -a.y};
  else if constexpr (axis == 1)
    return Vec3{-a.z, Zero{}, a.x};
  else
    return Vec3{a.y, -a.x, Zero{}};
}
template <int axis, class M> DENOC_INLINE auto column(const M& m) {
  if constexpr (axis == 0)
    return column_x(m);
  else if constexpr (axis == 1)
    return column_y(m);
  else
    return column_z(m);
}
template <int axis, class T> DENOC_INLINE Vec3<T> row(const Mat3<T>& m) {
  if constexpr (axis == 0)
    return {m.xx, m.xy, m.xz};
  else if constexpr (axis == 1)
    return {m.yx, m.yy, m.yz};
  else
    return {m.zx, m.zy, m.zz};
}
// a s, a vector also where s is zero.
template <class A, class Z, class S> DENOC_INLINE auto scaled(const Vec3<A, Z>& a, const S& s) {
  return Vec3{a.x * s, a.y * s, a.z * s};
}
// a . b for vectors without a part along e.
template <int axis, class A, class B> DENOC_INLINE auto dot_beside(const Vec3<A>& a, const Vec3<B>& b) {
  if constexpr (axis == 0)
    return a.y * b.y + a.z * b.z;
  else if constexpr (axis == 1)
    return a.x * b.x + a.z * b.z;
  else
    return a.x * b.x + a.y * b.y;
}
// A direction on its way inward.
template <class P, class A> DENOC_INLINE auto in_parent_axes(const P& p, const Vec3<A>& v) { return p.to_parent(v); }
template <class T, class A> DENOC_INLINE auto in_parent_axes(const Pose<T>& p, const Vec3<A>& v) { return p.R * v; }
}  // namespace detail

// Of one column: alpha, beta, and the angular part of chi. (beta and chi have no part along the column's axis.)
template <class T> struct Variation {
  Twist<T> alpha, beta;
  Vec3<T> chi;
};
// parent: w, a and B above; v: of the parent, at the link's origin; twist: of the link.
template <class T, class Axis, class Parent, class V, class W, class U>
DENOC_INLINE Variation<T> variation(const Axis& e, const Parent& parent, const V& v, const TwistOf<W, U>& twist) {
  using detail::across, detail::column, detail::scaled;
  constexpr int axis = Axis::axis;
  const auto chi = scaled(across<axis>(parent.w), e.turn);
  const auto two_v = v + v;
  const auto w_both = parent.w + twist.w;
  const auto B_e = column<axis>(parent.B);
  const auto w_e = across<axis>(w_both);
  return {{full<T>(scaled(B_e, e.turn)),
           full<T>(scaled(B_e, e.slide) + scaled(across<axis>(parent.a), e.turn) + cross(two_v, chi))},
          {full<T>(scaled(w_e, e.turn)), full<T>(scaled(w_e, e.slide) + scaled(across<axis>(v + twist.v), e.turn))},
          full<T>(chi)};
}

// C p_w and C chi_w as wrenches, and C^T p: what p feels of C w is w . (C^T p).
template <class T, class Axis> DENOC_INLINE auto coriolis(const CoriolisInertia<T>& c, const Axis& e) {
  return WrenchOf{detail::scaled(detail::column<Axis::axis>(c.G), e.turn),
                  -detail::scaled(detail::across<Axis::axis>(c.P), e.turn)};
}
template <class T> DENOC_INLINE Wrench<T> coriolis(const CoriolisInertia<T>& c, const Vec3<T>& w) {
  return {c.G * w, cross(w, c.P)};
}
template <class T, class Axis> DENOC_INLINE Vec3<T> felt(const CoriolisInertia<T>& c, const Axis& e) {
  return full<T>(detail::scaled(detail::row<Axis::axis>(c.G), e.turn) +
                 detail::scaled(detail::across<Axis::axis>(c.P), e.slide));
}
// p x* F
template <class T, class Axis> DENOC_INLINE auto turned(const Axis& e, const Wrench<T>& F) {
  using detail::across, detail::scaled;
  const auto f_e = across<Axis::axis>(F.f);
  return WrenchOf{-(scaled(across<Axis::axis>(F.n), e.turn) + scaled(f_e, e.slide)), -scaled(f_e, e.turn)};
}

// A link's motion with the velocity of its origin.
template <class T> struct Moving {
  Motion<T> m;
  Vec3<T> v;
};

// What a subtree is to the joint that carries it, besides the wrench it takes: inertia and Coriolis inertia.
template <class T> struct VaryingSubtree {
  RigidInertia<T> Y;
  CoriolisInertia<T> C;
};
template <class T> DENOC_INLINE VaryingSubtree<T>& operator+=(VaryingSubtree<T>& a, const VaryingSubtree<T>& b) {
  a.Y += b.Y;
  a.C += b.C;
  return a;
}
template <class T, class P> DENOC_INLINE VaryingSubtree<T> carried_inward(const P& p, const VaryingSubtree<T>& s) {
  return {carried_inward<T>(p, s.Y), carried_inward(p, s.C)};
}

template <Scalar T> struct VariationScratch {
  std::vector<Moving<T>> moving;            // of each link; [0] the ground, which accelerates by -g
  std::vector<Variation<T>> variations;     // by degree of freedom
  std::vector<VaryingSubtree<T>> subtrees;  // of each link: its body, and what children add
  explicit VariationScratch(const ModelOf<T>& model)
      : moving(model.links().size()), variations(model.nv()), subtrees(model.links().size()) {
    const MotionOf ground{detail::none, detail::none, model.ground_acceleration(), Mat3<Zero, Zero, Zero, Zero>{}};
    moving[0] = {full<T>(ground), zero3<T>};
  }
};

// One link of the pass below. (Not inlined: it is long, and compiled once for each kind of link.)
template <Scalar T, class Isa, class Link>
[[gnu::noinline]] void vary_link(const Configuration<T>& at, const Link& link, In<T> v, In<T> a, VariationScratch<T>& s,
                                 Wrench<T>& w) {
  const T& d = at.z[link.i].d;
  const Moving<T>& from = s.moving[link.link.parent];
  const auto& placement = link.placement(at);
  const auto carried = placement.to_child(from.m);
  const auto moving = placement.to_child(TwistOf{from.m.w, from.v});
  const auto parent = link.moved(carried, d, link.rates(Zero{}), link.rates(Zero{}));
  const auto m = link.moved(carried, d, link.rates(v), link.rates(a));
  const auto twist =
      link.columns().outward(moving, [&](auto p, const auto& t) DENOC_INLINED { return t + p * v[link.dof(p)]; });
  link.columns().each(
      [&](auto p) DENOC_INLINED { s.variations[link.dof(p)] = variation<T>(axis_of(p), parent, moving.v, twist); });
  s.subtrees[link.i] = {full<T>(link.inertia()), coriolis_inertia<T>(link.inertia(), twist.w, twist.v)};
  w = full<T>(link.inertia().wrench(m));
  s.moving[link.i] = {full<T>(m), full<T>(twist.v)};
}

// Base to tip: the wrench on every link (in `w`), its inertias, and the variations of its joint.
template <Scalar T, class Isa = AnyIsa>
void vary_outward(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, VariationScratch<T>& s,
                  std::vector<Wrench<T>>& w) {
  model.moving().each_outward([&](auto link) DENOC_INLINED { vary_link<T, Isa>(at, link, v, a, s, w[link.i]); });
}

#define DENOC_VARIATIONS(TEMPLATE, T)                                                                           \
  TEMPLATE void vary_outward<T>(const ModelOf<T>&, const Configuration<T>&, In<T>, In<T>, VariationScratch<T>&, \
                                std::vector<Wrench<T>>&);
DENOC_COMPILED(DENOC_VARIATIONS)

}  // namespace denoc
