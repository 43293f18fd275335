// What a moving body takes for the Coriolis acceleration 2 w x u of its points, u their velocities: a wrench that is
// linear in w,
//   n = G w,  G = 2 int (r.u) 1 - u r^T dm,     f = w x P,  P = 2 int u dm (twice the momentum)
// Derivatives of dynamics need no more of the motion of a subtree. About the body's origin, in body axes.
#pragma once
#include "denoc/spatial/placement.hpp"

namespace denoc {

template <class T> struct CoriolisInertia {
  Mat3<T> G;
  Vec3<T> P;
};
template <class T> DENOC_INLINE CoriolisInertia<T> operator+(const CoriolisInertia<T>& a, const CoriolisInertia<T>& b) {
  return {a.G + b.G, a.P + b.P};
}
template <class T> DENOC_INLINE CoriolisInertia<T>& operator+=(CoriolisInertia<T>& a, const CoriolisInertia<T>& b) {
  return a = a + b;
}

// Of a rigid body, u = v + w x r:  G = 2 ((v.h) 1 - v h^T - [w] J),  P = 2 (m v + w x h)
template <class T, class R, class Mass, class Hz, class Jr, class Jz, class W, class V>
DENOC_INLINE CoriolisInertia<T> coriolis_inertia(const RigidInertia<R, Mass, Hz, Jr, Jz>& b, const W& half_w,
                                                 const V& half_v) {
  const auto w = half_w + half_w;
  const auto v = half_v + half_v;
  const auto& h = b.h;
  const auto vhx = v.x * h.x, vhy = v.y * h.y;
  const auto vhz = v.z * h.z;
  return {{T(vhy + vhz - (w.y * b.xz - w.z * b.xy)), T(w.z * b.yy - w.y * b.yz - v.x * h.y),
           T(w.x * b.xz - w.z * b.xx - v.y * h.x), T(vhx + vhz - (w.z * b.xy - w.x * b.yz)),
           T(w.y * b.xx - w.x * b.xy - v.z * h.x), T(w.y * b.xy - w.x * b.yy - v.z * h.y),
           T(w.z * b.yz - w.y * b.zz - v.x * h.z), T(w.x * b.zz - w.z * b.xz - v.y * h.z),
           T(vhx + vhy - (w.x * b.yz - w.y * b.xz))},
          full<T>(Vec3{v.x * b.m, v.y * b.m, v.z * b.m} + cross(w, h))};
}

// About a point -r away:  G' = G + (r.P) 1 - P r^T;  along z, along x, and along any way.
template <class K, class T> DENOC_INLINE CoriolisInertia<T> shift_z(const K& d, const CoriolisInertia<T>& c) {
  const auto& [G, P] = c;
  const T along = P.z * d;
  return {{G.xx + along, G.xy, G.yx, G.yy + along, G.zx, G.zy, G.xz - P.x * d, G.yz - P.y * d, G.zz}, P};
}
template <class K, class T> DENOC_INLINE CoriolisInertia<T> shift_x(const K& a, const CoriolisInertia<T>& c) {
  const auto& [G, P] = c;
  const T along = P.x * a;
  return {{G.xx, G.xy, G.yx - P.y * a, G.yy + along, G.zx - P.z * a, G.zy, G.xz, G.yz, G.zz + along}, P};
}
template <class R, class T> DENOC_INLINE CoriolisInertia<T> shift(const Vec3<R>& r, const CoriolisInertia<T>& c) {
  const auto& [G, P] = c;
  const T x = P.x * r.x, y = P.y * r.y, z = P.z * r.z;
  return {{G.xx + (y + z), G.xy - P.x * r.y, G.yx - P.y * r.x, G.yy + (x + z), G.zx - P.z * r.x, G.zy - P.z * r.y,
           G.xz - P.x * r.z, G.yz - P.y * r.z, G.zz + (x + y)},
          P};
}

namespace detail {
// The constant halves of placements.
template <class T, class R, class A, class A2>
DENOC_INLINE CoriolisInertia<T> through(const ScrewOf<R, A, A2>& base, const CoriolisInertia<T>& c) {
  return shift_x(base.a, CoriolisInertia<T>{full<T>(turn_x(base.alpha2, c.G)), full<T>(turn_x(base.alpha, c.P))});
}
template <class T, class R>
DENOC_INLINE CoriolisInertia<T> through(const Offset<R>& base, const CoriolisInertia<T>& c) {
  return shift(base.r, CoriolisInertia<T>{full<T>(turn_x(base.alpha2, c.G)), full<T>(turn_x(base.alpha, c.P))});
}
template <class T, class R>
DENOC_INLINE CoriolisInertia<T> through(const Branch<R>& base, const CoriolisInertia<T>& c) {
  return shift(base.r,
               CoriolisInertia<T>{full<T>(turn_z(base.gamma2, turn_x(base.alpha2, c.G))), full<T>(base.turn(c.P))});
}
}  // namespace detail
template <class T, class Base>
DENOC_INLINE CoriolisInertia<T> carried_inward(const Placement<T, Base>& p, const CoriolisInertia<T>& c) {
  const CoriolisInertia<T> o = shift_z(p.z.d, c);
  return detail::through<T>(p.base,
                            {full<T>(turn_z(PlanarTensor<T>(p.z.theta), o.G)), full<T>(turn_z(p.z.theta, o.P))});
}
template <class T> DENOC_INLINE CoriolisInertia<T> carried_inward(const Pose<T>& p, const CoriolisInertia<T>& c) {
  return shift(p.r, CoriolisInertia<T>{p.R * c.G * transposed(p.R), p.R * c.P});
}

}  // namespace denoc
