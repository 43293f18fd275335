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
// A direction on its way inward.
template <class P, class A> DENOC_INLINE auto in_parent_axes(const P& p, const Vec3<A>& v) { return p.to_parent(v); }
template <class T, class A> DENOC_INLINE auto in_parent_axes(const Pose<T>& p, const Vec3<A>& v) { return p.R * v; }
}  // namespace detail

// Of one column: alpha, beta, and the angular part of chi.
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

// A link's motion with the velocity of its origin, on its way through the tree.
template <class M, class V> struct MovingOf {
  M m;
  V v;
  template <class Placement> DENOC_INLINE auto seen_through(const Placement& p) const {
    const auto motion = p.to_child(m);
    const auto twist = p.to_child(TwistOf{m.w, v});
    return MovingOf<std::remove_const_t<decltype(motion)>, std::remove_cvref_t<decltype(twist.v)>>{motion, twist.v};
  }
};
template <class T> using Moving = MovingOf<Motion<T>, Vec3<T>>;

// What a subtree is to the joint that carries it: inertia, Coriolis inertia, and the wrench it takes.
template <class T> struct VaryingSubtree {
  RigidInertia<T> Y;
  CoriolisInertia<T> C;
  Wrench<T> F;
};
template <class T> DENOC_INLINE VaryingSubtree<T>& operator+=(VaryingSubtree<T>& a, const VaryingSubtree<T>& b) {
  a.Y += b.Y;
  a.C += b.C;
  a.F += b.F;
  return a;
}
template <class T> inline constexpr VaryingSubtree<T> zero_varying{zero_inertia<T>, zero_coriolis<T>, zero_wrench<T>};
// The children's, and the body they hang on.
template <class T, class I>
DENOC_INLINE VaryingSubtree<T> with_body(const VaryingSubtree<T>& s, const I& Y, const CoriolisInertia<T>& C,
                                         const Wrench<T>& F) {
  return {s.Y + Y, s.C + C, s.F + F};
}
template <class T, class P> [[gnu::noinline]] VaryingSubtree<T> carried_inward(const P& p, const VaryingSubtree<T>& s) {
  return {carried_inward<T>(p, s.Y), carried_inward(p, s.C), carried_inward<T>(p, s.F)};
}

template <Scalar T> struct VariationScratch {
  std::vector<Moving<T>> moving;             // where the tree branches
  std::vector<Variation<T>> variations;      // by degree of freedom
  std::vector<CoriolisInertia<T>> coriolis;  // of each link alone
  std::vector<VaryingSubtree<T>> subtrees;   // where the tree branches
  explicit VariationScratch(const ModelOf<T>& model)
      : moving(model.links().size()),
        variations(model.nv()),
        coriolis(model.links().size()),
        subtrees(model.links().size(), zero_varying<T>) {}
};

// Steps of the passes are long, and compiled once for each kind of link: none is inlined.
template <Scalar T, class Link, class Carried>
[[gnu::noinline]] Moving<T> vary_link(const Link& link, const T& d, const Carried& carried, In<T> v, In<T> a,
                                      VariationScratch<T>& s, Wrench<T>& w) {
  const auto parent = link.moved(carried.m, d, link.rates(Zero{}), link.rates(Zero{}));
  const auto m = link.moved(carried.m, d, link.rates(v), link.rates(a));
  const auto twist = link.columns().outward(
      TwistOf{carried.m.w, carried.v}, [&](auto p, const auto& t) DENOC_INLINED { return t + p * v[link.dof(p)]; });
  link.columns().each(
      [&](auto p) DENOC_INLINED { s.variations[link.dof(p)] = variation<T>(axis_of(p), parent, carried.v, twist); });
  s.coriolis[link.i] = coriolis_inertia<T>(link.inertia(), twist.w, twist.v);
  w = full<T>(link.inertia().wrench(m));
  return {full<T>(m), full<T>(twist.v)};
}

// Base to tip: the wrench on every link (in `w`), its Coriolis inertia, and the variations of its joint.
template <Scalar T>
void vary_outward(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, VariationScratch<T>& s,
                  std::vector<Wrench<T>>& w) {
  const MotionOf ground{detail::none, detail::none, model.ground_acceleration(), Mat3<Zero, Zero, Zero, Zero>{}};
  model.moving().outward(at, Moving<T>{full<T>(ground), zero3<T>}, s.moving,
                         [&](auto link, const auto& carried)
                             DENOC_INLINED { return vary_link<T>(link, at.z[link.i].d, carried, v, a, s, w[link.i]); });
}

// Tip to base: f(link, subtree), children included.
template <Scalar T, class F>
DENOC_INLINE void vary_inward(const ModelOf<T>& model, const Configuration<T>& at, VariationScratch<T>& s,
                              const std::vector<Wrench<T>>& w, F&& f) {
  model.moving().inward(
      at, zero_varying<T>, zero_varying<T>, s.subtrees, [&](auto link, const auto& children) DENOC_INLINED {
        const VaryingSubtree<T> whole = with_body(children, link.inertia(), s.coriolis[link.i], w[link.i]);
        f(link, whole);
        return whole;
      });
}

}  // namespace denoc
