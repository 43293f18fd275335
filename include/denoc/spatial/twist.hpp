// Twists, wrenches and the motion of a body: angular part first, body axes, about the body's origin.
#pragma once
#include "denoc/spatial/tensor.hpp"

namespace denoc {

// Angular velocity and velocity of the origin; also their rates and the motion columns of joints.
template <class W, class V> struct TwistOf {
  W w;
  V v;
};
template <class W, class V> TwistOf(W, V) -> TwistOf<W, V>;
template <class T> using Twist = TwistOf<Vec3<T>, Vec3<T>>;
template <class W, class V, class X, class Y>
DENOC_INLINE auto operator+(const TwistOf<W, V>& a, const TwistOf<X, Y>& b) {
  return TwistOf{a.w + b.w, a.v + b.v};
}
template <class T> DENOC_INLINE Twist<T>& operator+=(Twist<T>& a, const Twist<T>& b) { return a = a + b; }
template <class A, class T> DENOC_INLINE auto operator*(const Twist<A>& a, const T& s) {
  return TwistOf{a.w * s, a.v * s};
}

// Moment about the origin and force.
template <class N, class F> struct WrenchOf {
  N n;
  F f;
};
template <class N, class F> WrenchOf(N, F) -> WrenchOf<N, F>;
template <class T> using Wrench = WrenchOf<Vec3<T>, Vec3<T>>;
template <class N, class F, class M, class G>
DENOC_INLINE auto operator+(const WrenchOf<N, F>& a, const WrenchOf<M, G>& b) {
  return WrenchOf{a.n + b.n, a.f + b.f};
}
template <class T> DENOC_INLINE Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) {
  return {a.n - b.n, a.f - b.f};
}
template <class T> DENOC_INLINE Wrench<T>& operator+=(Wrench<T>& a, const Wrench<T>& b) { return a = a + b; }
template <class T> DENOC_INLINE Wrench<T>& operator-=(Wrench<T>& a, const Wrench<T>& b) { return a = a - b; }

// Power; there is no product of two twists or of two wrenches.
template <class A, class B> DENOC_INLINE auto dot(const Twist<A>& t, const Wrench<B>& w) {
  return dot(t.w, w.n) + dot(t.v, w.f);
}
// t x p: how a column p fixed in a body with twist t changes. t x* w: the same for a wrench.
template <class W, class V, class X, class Y> DENOC_INLINE auto cross(const TwistOf<W, V>& t, const TwistOf<X, Y>& p) {
  return TwistOf{cross(t.w, p.w), cross(t.w, p.v) + cross(t.v, p.w)};
}
template <class A, class B> DENOC_INLINE auto cross(const Twist<A>& t, const Wrench<B>& w) {
  return WrenchOf{cross(t.w, w.n) + cross(t.v, w.f), cross(t.w, w.f)};
}

// Component 0..5 of a twist or a wrench, angular part first.
template <int i, class V> DENOC_INLINE auto& entry(V& v) {
  if constexpr (i == 0)
    return v.x;
  else if constexpr (i == 1)
    return v.y;
  else
    return v.z;
}
template <int i, class W> DENOC_INLINE auto& component(W& w) {
  auto& [angular, linear] = w;
  if constexpr (i < 3)
    return entry<i>(angular);
  else
    return entry<i - 3>(linear);
}

// What inverse dynamics needs of a body's motion: angular velocity and acceleration, acceleration of the origin, and
// B = [w'] + [w][w]. A point r of the body accelerates by a + B r; no linear velocity is formed.
template <class W, class D, class A, class M> struct MotionOf {
  W w;
  D wd;
  A a;
  M B;
};
template <class W, class D, class A, class M> MotionOf(W, D, A, M) -> MotionOf<W, D, A, M>;
template <class T> using Motion = MotionOf<Vec3<T>, Vec3<T>, Vec3<T>, Mat3<T>>;
template <class A, class AZ, class D, class DZ>
DENOC_INLINE auto rate_tensor(const Vec3<A, AZ>& w, const Vec3<D, DZ>& wd) {
  auto xx = w.x * w.x, yy = w.y * w.y, xy = w.x * w.y;
  auto xz = w.x * w.z, yz = w.y * w.z;
  auto zz = w.z * w.z;
  return Mat3{-(yy + zz), xy - wd.z, xy + wd.z, -(xx + zz), xz - wd.y, yz + wd.x, xz + wd.y, yz - wd.x, -(xx + yy)};
}

template <class T, class W, class V> DENOC_INLINE Twist<T> full(const TwistOf<W, V>& t) {
  return {full<T>(t.w), full<T>(t.v)};
}
template <class T, class N, class F> DENOC_INLINE Wrench<T> full(const WrenchOf<N, F>& w) {
  return {full<T>(w.n), full<T>(w.f)};
}
template <class T, class W, class D, class A, class M> DENOC_INLINE Motion<T> full(const MotionOf<W, D, A, M>& m) {
  return {full<T>(m.w), full<T>(m.wd), full<T>(m.a), full<T>(m.B)};
}
template <class T> inline constexpr Twist<T> zero_twist{zero3<T>, zero3<T>};
template <class T> inline constexpr Wrench<T> zero_wrench{zero3<T>, zero3<T>};

}  // namespace denoc
