// A link's frame in its parent's: [T(r) Rz(gamma)] Tx(a) Rx(alpha) Rz(theta) Tz(d). The bracket only for further
// children of a link. theta = theta0 + q (revolute), d = d0 + q (prismatic), both (helical). Vectors cross by planar
// rotations, tensors by planar rotations of the double angle.
#pragma once
#include "denoc/spatial/planar.hpp"
#include "denoc/spatial/pose.hpp"

namespace denoc {

// What a subtree hands to its parent in forward dynamics: articulated inertia and wrench.
template <class M, class W> struct Subtree {
  M m;
  W w;
};
template <class M, class W> Subtree(M, W) -> Subtree<M, W>;
template <class T> using FullSubtree = Subtree<ArticulatedInertia<T>, Wrench<T>>;
template <class T> DENOC_INLINE FullSubtree<T>& operator+=(FullSubtree<T>& a, const FullSubtree<T>& b) {
  a.m += b.m;
  a.w += b.w;
  return a;
}
template <class T> inline constexpr FullSubtree<T> zero_subtree{zero_articulated<T>, zero_wrench<T>};

// The constant half of a placement: a screw about the parent's x axis (each link's main child) ...
template <class R, class Alpha, class Alpha2> struct ScrewOf {
  Alpha alpha;
  R a;
  Alpha2 alpha2;
  template <class V> DENOC_INLINE auto back(const V& v) const { return back_x(alpha, v); }
  template <class V> DENOC_INLINE auto turn(const V& v) const { return turn_x(alpha, v); }
  template <class V> DENOC_INLINE auto reach(const V& v) const { return v.x * a; }                       // r . v
  template <class M> DENOC_INLINE auto accelerate(const M& m) const { return m.a + column_x(m.B) * a; }  // a + B r
  template <class W, class V> DENOC_INLINE auto carried(const TwistOf<W, V>& t) const {                  // v + w x r
    return Vec3{t.v.x, t.v.y + t.w.z * a, t.v.z - t.w.y * a};
  }
  template <class N, class F> DENOC_INLINE auto carried(const N& n, const F& f) const {  // n + r x f
    return Vec3{n.x, n.y - f.z * a, n.z + f.y * a};
  }
  template <class SI, class SH, class SM> DENOC_INLINE auto to_parent(const Blocks<SI, SH, SM>& b) const {
    return shift_x(a, turn_x(alpha2, b));
  }
  template <class T> DENOC_INLINE RigidInertia<T> to_parent(const RigidInertia<T>& b) const {
    return shift_x(a, rigid_inertia<T>(b.m, turn_x(alpha, b.h), turn_x(alpha2, second_moment(b))));
  }
};
template <class R> using Screw = ScrewOf<R, Planar<R>, PlanarTensor<R>>;
template <class R> using QuarterScrew = ScrewOf<R, QuarterTurn, QuarterTurn>;  // alpha = 90 degrees
template <class R> using ParallelScrew = ScrewOf<R, NoTurn, NoTurn>;           // alpha = 0

// ... or, where the common normal is ill conditioned, a turn about x and any offset ...
template <class R> struct Offset : Screw<R> {
  Vec3<R> r;
  template <class V> DENOC_INLINE auto reach(const V& v) const { return dot(r, v); }
  template <class M> DENOC_INLINE auto accelerate(const M& m) const { return m.a + m.B * r; }
  template <class W, class V> DENOC_INLINE auto carried(const TwistOf<W, V>& t) const { return t.v + cross(t.w, r); }
  template <class N, class F> DENOC_INLINE auto carried(const N& n, const F& f) const { return n + cross(r, f); }
  template <class SI, class SH, class SM> DENOC_INLINE auto to_parent(const Blocks<SI, SH, SM>& b) const {
    return shift(r, turn_x(this->alpha2, b));
  }
  template <class T> DENOC_INLINE RigidInertia<T> to_parent(const RigidInertia<T>& b) const {
    return shift(r, rigid_inertia<T>(b.m, turn_x(this->alpha, b.h), turn_x(this->alpha2, second_moment(b))));
  }
};
// ... and for the further children of a link also a turn about the parent's z axis.
template <class R> struct Branch : Offset<R> {
  Planar<R> gamma;
  PlanarTensor<R> gamma2;
  template <class V> DENOC_INLINE auto back(const V& v) const { return Screw<R>::back(back_z(gamma, v)); }
  template <class V> DENOC_INLINE auto turn(const V& v) const { return turn_z(gamma, Screw<R>::turn(v)); }
  template <class SI, class SH, class SM> DENOC_INLINE auto to_parent(const Blocks<SI, SH, SM>& b) const {
    return shift(this->r, turn_z(gamma2, turn_x(this->alpha2, b)));
  }
  template <class T> DENOC_INLINE RigidInertia<T> to_parent(const RigidInertia<T>& b) const {
    return shift(this->r, rigid_inertia<T>(b.m, turn(b.h), turn_z(gamma2, turn_x(this->alpha2, second_moment(b)))));
  }
};

// The moving half: a screw about the link's own z axis.
template <class T> struct JointScrew {
  Planar<T> theta;
  T d;
};

// A whole placement at one configuration. Base is a reference to a constant half, or one of the small classified ones.
template <class T, class Base> struct Placement {
  Base base;
  const JointScrew<T>& z;

  template <class A, class Z> DENOC_INLINE auto to_child(const Vec3<A, Z>& v) const {
    return back_z(z.theta, base.back(v));
  }
  template <class A, class Z> DENOC_INLINE auto to_parent(const Vec3<A, Z>& v) const {
    return base.turn(turn_z(z.theta, v));
  }

  // How far the child's origin is from the parent's along a direction that both see.
  template <class V, class W> DENOC_INLINE auto reach(const V& by_parent, const W& by_child) const {
    return base.reach(by_parent) + by_child.z * z.d;
  }

  // w, w' and the acceleration of the foot of the common normal on the joint axis, in child axes.
  template <class W, class D, class A, class M> DENOC_INLINE auto to_child(const MotionOf<W, D, A, M>& m) const {
    return MotionOf{to_child(m.w), to_child(m.wd), to_child(base.accelerate(m)), Zero{}};
  }
  template <class W, class V> DENOC_INLINE auto to_child(const TwistOf<W, V>& t) const {
    auto w = to_child(t.w);
    auto v = to_child(base.carried(t));
    return TwistOf{w, Vec3{v.x + w.y * z.d, v.y - w.x * z.d, v.z}};
  }
  // A type put together from vectors, twists or wrenches says in its member seen_through how a child sees it.
  template <class X> DENOC_INLINE auto to_child(const X& x) const { return x.seen_through(*this); }
  template <class N, class F> DENOC_INLINE auto to_parent(const WrenchOf<N, F>& w) const {
    auto n = to_parent(Vec3{w.n.x - w.f.y * z.d, w.n.y + w.f.x * z.d, w.n.z});
    auto f = to_parent(w.f);
    return WrenchOf{base.carried(n, f), f};
  }
  template <class SI, class SH, class SM> DENOC_INLINE auto to_parent(const Blocks<SI, SH, SM>& thin) const {
    return base.to_parent(turn_z(PlanarTensor<T>(z.theta), shift_z(z.d, thin)));
  }
  template <class S> DENOC_INLINE RigidInertia<T> to_parent(const RigidInertia<S>& b) const {
    const RigidInertia<T> o = shift_z(z.d, b);
    return base.to_parent(
        rigid_inertia<T>(o.m, turn_z(z.theta, o.h), turn_z(PlanarTensor<T>(z.theta), second_moment(o))));
  }
};

// What is carried along the tree, in its stored form.
template <class T, class P, class N, class F>
DENOC_INLINE Wrench<T> carried_inward(const P& p, const WrenchOf<N, F>& w) {
  return full<T>(p.to_parent(w));
}
template <class T, class P, class SI, class SH, class SM>
DENOC_INLINE ArticulatedInertia<T> carried_inward(const P& p, const Blocks<SI, SH, SM>& b) {
  return full<T>(p.to_parent(b));
}
template <class T, class P> DENOC_INLINE RigidInertia<T> carried_inward(const P& p, const RigidInertia<T>& b) {
  return p.to_parent(b);
}
template <class T, class P, class M, class W>
DENOC_INLINE FullSubtree<T> carried_inward(const P& p, const Subtree<M, W>& s) {
  return {carried_inward<T>(p, s.m), carried_inward<T>(p, s.w)};
}

}  // namespace denoc
