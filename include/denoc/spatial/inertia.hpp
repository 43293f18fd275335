// Rigid and articulated inertias about the body's origin, in body axes.
#pragma once
#include "denoc/spatial/twist.hpp"

namespace denoc {

// A rigid body: mass, first moment h, second moment J = int r r^T dm = tr(I)/2 - I. Typed zeros are what grouping has
// moved to the parent (see axis.hpp).
template <class R, class Mass = R, class Hz = R, class Jr = R, class Jz = R> struct RigidInertia {
  Mass m;
  Vec3<R, Hz> h;
  Jr xx, yy, xy, xz, yz;
  Jz zz;

  // f = m a + B h,   n = h x a + 2 vect(B J)                              [Mata02, corrected: t~ = B J - (B J)^T]
  template <class Motion> DENOC_INLINE auto wrench(const Motion& t) const {
    const auto& [w, wd, a, B] = t;
    auto n = Vec3{B.zx * xy + B.zy * yy + (B.zz - B.yy) * yz - B.yx * xz - B.yz * zz,
                  B.xy * yz + (B.xx - B.zz) * xz + B.xz * zz - B.zx * xx - B.zy * xy,
                  B.yx * xx + (B.yy - B.xx) * xy + B.yz * xz - B.xy * yy - B.xz * yz};
    return WrenchOf{cross(h, a) + n, B * h + a * m};
  }
};
template <class T, class R, class Mass, class Hz, class Jr, class Jz>
DENOC_INLINE RigidInertia<T> operator+(const RigidInertia<T>& a, const RigidInertia<R, Mass, Hz, Jr, Jz>& b) {
  return {a.m + b.m, full<T>(a.h + b.h), a.xx + b.xx, a.yy + b.yy, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz, a.zz + b.zz};
}
template <class R> DENOC_INLINE RigidInertia<R>& operator+=(RigidInertia<R>& a, const RigidInertia<R>& b) {
  return a = a + b;
}
template <class R> DENOC_INLINE Sym3<R> second_moment(const RigidInertia<R>& b) {
  return {b.xx, b.xy, b.yy, b.xz, b.yz, b.zz};
}
template <class R> DENOC_INLINE RigidInertia<R> rigid_inertia(const R& m, const Vec3<R>& h, const Sym3<R>& J) {
  return {m, h, J.xx, J.yy, J.xy, J.xz, J.yz, J.zz};
}
// The tensor I of angular motion about the origin.
template <class R> DENOC_INLINE Sym3<R> angular_inertia(const RigidInertia<R>& b) {
  return {b.yy + b.zz, -b.xy, b.xx + b.zz, -b.xz, -b.yz, b.xx + b.yy};
}
// M t: n = I w + h x v,  f = m v - h x w
template <class R, class T> DENOC_INLINE auto operator*(const RigidInertia<R>& b, const Twist<T>& t) {
  return WrenchOf{angular_inertia(b) * t.w + cross(b.h, t.v), t.v * b.m - cross(b.h, t.w)};
}
template <class T, class R, class Mass, class Hz, class Jr, class Jz>
DENOC_INLINE RigidInertia<T> full(const RigidInertia<R, Mass, Hz, Jr, Jz>& b) {
  return {T(b.m), full<T>(b.h), T(b.xx), T(b.yy), T(b.xy), T(b.xz), T(b.yz), T(b.zz)};
}

// Articulated inertia by blocks: n = I w' + H a,  f = H^T w' + M a. The zero pattern of a thin one is in its types.
template <class SI, class SH, class SM> struct Blocks {
  SI I;
  SH H;
  SM M;
};
template <class SI, class SH, class SM> Blocks(SI, SH, SM) -> Blocks<SI, SH, SM>;
template <class T> using ArticulatedInertia = Blocks<Sym3<T>, Mat3<T>, Sym3<T>>;
template <class T>
DENOC_INLINE ArticulatedInertia<T>& operator+=(ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) {
  a.I += b.I;
  a.H += b.H;
  a.M += b.M;
  return a;
}
template <class T, class R, class Mass, class Hz, class Jr, class Jz>
DENOC_INLINE ArticulatedInertia<T> operator+(const ArticulatedInertia<T>& a,
                                             const RigidInertia<R, Mass, Hz, Jr, Jz>& b) {
  const auto &I = a.I, &M = a.M;
  const auto& H = a.H;
  return {{I.xx + (b.yy + b.zz), I.xy - b.xy, I.yy + (b.xx + b.zz), I.xz - b.xz, I.yz - b.yz, I.zz + (b.xx + b.yy)},
          {H.xx, H.xy - b.h.z, H.yx + b.h.z, H.yy, H.zx - b.h.y, H.zy + b.h.x, H.xz + b.h.y, H.yz - b.h.x, H.zz},
          {M.xx + b.m, M.xy, M.yy + b.m, M.xz, M.yz, M.zz + b.m}};
}
// A rigid body as an articulated one: what a tip is.
template <class R, class Mass, class Hz, class Jr, class Jz>
DENOC_INLINE auto blocks(const RigidInertia<R, Mass, Hz, Jr, Jz>& b) {
  return Blocks{Sym3{b.yy + b.zz, -b.xy, b.xx + b.zz, -b.xz, -b.yz, b.xx + b.yy},
                Mat3{Zero{}, -b.h.z, b.h.z, Zero{}, -b.h.y, b.h.x, b.h.y, -b.h.x, Zero{}},
                Sym3{b.m, Zero{}, b.m, Zero{}, Zero{}, b.m}};
}
template <class SI, class SH, class SM> DENOC_INLINE const Blocks<SI, SH, SM>& blocks(const Blocks<SI, SH, SM>& b) {
  return b;
}
template <class T, class SI, class SH, class SM> DENOC_INLINE ArticulatedInertia<T> full(const Blocks<SI, SH, SM>& b) {
  return {full<T>(b.I), full<T>(b.H), full<T>(b.M)};
}
template <class T> inline constexpr Sym3<T> zero_sym{T(0), T(0), T(0), T(0), T(0), T(0)};
template <class T>
inline constexpr ArticulatedInertia<T> zero_articulated{
    zero_sym<T>, {T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0)}, zero_sym<T>};
template <class T> inline constexpr RigidInertia<T> zero_inertia{T(0), zero3<T>, T(0), T(0), T(0), T(0), T(0), T(0)};

// Inertia about a point -r away: H' = H + [r] M,  I' = I - H [r] + [r] H'^T; along z (it keeps the thin patterns), x
// and y.
template <class K, class SI, class SH, class SM> DENOC_INLINE auto shift_z(const K& d, const Blocks<SI, SH, SM>& a) {
  auto& [I, H, M] = a;
  Mat3 G{H.xx - d * M.xy,
         H.xy - d * M.yy,
         H.yx + d * M.xx,
         H.yy + d * M.xy,
         H.zx,
         H.zy,
         H.xz - d * M.yz,
         H.yz + d * M.xz,
         H.zz};
  Sym3 S{I.xx - d * (H.xy + G.xy), I.xy + d * (H.xx - G.yy), I.yy + d * (H.yx + G.yx),
         I.xz - d * H.zy,          I.yz + d * H.zx,          I.zz};
  return Blocks{S, G, M};
}
template <class K, class SI, class SH, class SM> DENOC_INLINE auto shift_x(const K& r, const Blocks<SI, SH, SM>& a) {
  auto& [I, H, M] = a;
  Mat3 G{
      H.xx,           H.xy, H.yx - r * M.xz, H.yy - r * M.yz, H.zx + r * M.xy, H.zy + r * M.yy, H.xz, H.yz - r * M.zz,
      H.zz + r * M.yz};
  Sym3 S{I.xx,
         I.xy - r * H.xz,
         I.yy - r * (H.yz + G.yz),
         I.xz + r * H.xy,
         I.yz + r * (H.yy - G.zz),
         I.zz + r * (H.zy + G.zy)};
  return Blocks{S, G, M};
}
template <class K, class SI, class SH, class SM> DENOC_INLINE auto shift_y(const K& r, const Blocks<SI, SH, SM>& a) {
  auto& [I, H, M] = a;
  Mat3 G{H.xx + r * M.xz, H.xy + r * M.yz, H.yx, H.yy,           H.zx - r * M.xx,
         H.zy - r * M.xy, H.xz + r * M.zz, H.yz, H.zz - r * M.xz};
  Sym3 S{I.xx + r * (H.xz + G.xz), I.xy + r * H.yz, I.yy,
         I.xz + r * (G.zz - H.xx), I.yz - r * H.yx, I.zz - r * (H.zx + G.zx)};
  return Blocks{S, G, M};
}
template <class R, class SI, class SH, class SM>
DENOC_INLINE auto shift(const Vec3<R>& r, const Blocks<SI, SH, SM>& a) {
  return shift_z(r.z, shift_y(r.y, shift_x(r.x, a)));
}

// The same for a rigid body: h' = h + m r,  J' = J + h' r^T + r h^T.
template <class K, class T> DENOC_INLINE RigidInertia<T> shift_z(const K& d, const RigidInertia<T>& b) {
  const T z = b.h.z + b.m * d;
  return {b.m, {b.h.x, b.h.y, z}, b.xx, b.yy, b.xy, b.xz + b.h.x * d, b.yz + b.h.y * d, b.zz + (b.h.z + z) * d};
}
template <class K, class T> DENOC_INLINE RigidInertia<T> shift_x(const K& a, const RigidInertia<T>& b) {
  const T x = b.h.x + b.m * a;
  return {b.m, {x, b.h.y, b.h.z}, b.xx + (b.h.x + x) * a, b.yy, b.xy + b.h.y * a, b.xz + b.h.z * a, b.yz, b.zz};
}
template <class R, class T> DENOC_INLINE RigidInertia<T> shift(const Vec3<R>& r, const RigidInertia<T>& b) {
  const Vec3<T> h = b.h + r * b.m;
  return rigid_inertia<T>(b.m, h, minus_outer(minus_outer(second_moment(b), -h, r), -r, b.h));
}

}  // namespace denoc
