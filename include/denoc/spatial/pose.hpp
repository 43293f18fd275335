// A frame seen from another: any rotation and the origin's position. What files, users and joints of several columns
// use.
#pragma once
#include "denoc/spatial/inertia.hpp"

namespace denoc {

template <class T> struct Pose {
  Mat3<T> R = identity3<T>();
  Vec3<T> r = zero3<T>;

  // Twist (or its rate) of the inner frame when both move as one body; wrench and inertias as the outer frame sees
  // them.
  template <class A, class Z> DENOC_INLINE auto to_child(const Vec3<A, Z>& v) const { return back(R, v); }
  template <class V, class W> DENOC_INLINE auto reach(const V& by_parent, const W&) const { return dot(r, by_parent); }
  template <class X> DENOC_INLINE auto to_child(const X& x) const { return x.seen_through(*this); }
  template <class W, class V> DENOC_INLINE auto to_child(const TwistOf<W, V>& t) const {
    return TwistOf{back(R, t.w), back(R, t.v + cross(t.w, r))};
  }
  template <class W, class D, class A, class M> DENOC_INLINE auto to_child(const MotionOf<W, D, A, M>& m) const {
    return MotionOf{back(R, m.w), back(R, m.wd), back(R, m.a + m.B * r), Zero{}};
  }
  template <class S> DENOC_INLINE auto to_parent(const Twist<S>& t) const {
    auto w = R * t.w;
    return TwistOf{w, R * t.v + cross(r, w)};
  }
  template <class N, class F> DENOC_INLINE auto to_parent(const WrenchOf<N, F>& w) const {
    auto f = R * w.f;
    return WrenchOf{R * w.n + cross(r, f), f};
  }
  template <class S> DENOC_INLINE auto to_child(const Wrench<S>& w) const {
    return WrenchOf{back(R, w.n - cross(r, w.f)), back(R, w.f)};
  }
  // h' = R h + m r,  J' = R J R^T + (R h) r^T + r (R h)^T + m r r^T
  template <class S> DENOC_INLINE auto to_parent(const RigidInertia<S>& b) const {
    auto Rh = R * b.h;
    auto h = Rh + r * b.m;
    return rigid_inertia(T(b.m), h, minus_outer(minus_outer(turn(R, second_moment(b)), -h, r), -r, Rh));
  }
  template <class SM> DENOC_INLINE auto to_parent(const Blocks<Sym3<Zero>, Mat3<Zero, Zero, Zero, Zero>, SM>& b) const {
    return shift(r, Blocks{b.I, b.H, turn(R, b.M)});
  }
  template <class S>
  requires(!std::is_same_v<S, Zero>) DENOC_INLINE auto to_parent(const ArticulatedInertia<S>& b) const {
    return shift(r, Blocks{turn(R, b.I), R * b.H * transposed(R), turn(R, b.M)});
  }
};
template <class A, class B> DENOC_INLINE auto operator*(const Pose<A>& a, const Pose<B>& b) {
  using T = decltype(a.R.xx * b.R.xx);
  return Pose<T>{a.R * b.R, a.r + a.R * b.r};
}
template <class T> DENOC_INLINE Pose<T> inverse(const Pose<T>& a) { return {transposed(a.R), -back(a.R, a.r)}; }
template <class T, class A> DENOC_INLINE Pose<T> full(const Pose<A>& a) { return {full<T>(a.R), full<T>(a.r)}; }

// The rotation of a unit quaternion.
template <class T> struct Quaternion { T w, x, y, z; };
template <class T> DENOC_INLINE Mat3<T> rotation(const Quaternion<T>& q) {
  const auto& [w, x, y, z] = q;
  T x2 = x + x, y2 = y + y, z2 = z + z;
  T xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2, wx = w * x2, wy = w * y2, wz = w * z2;
  return {T(1) - (yy + zz), xy - wz, xy + wz, T(1) - (xx + zz), xz - wy, yz + wx, xz + wy, yz - wx, T(1) - (xx + yy)};
}

}  // namespace denoc
