// Three-vectors and tensors. The entries of row and column z have types of their own: a joint about or along z leaves
// structural zeros (`Zero`) there, and one text then serves full and thin tensors alike.
#pragma once
#include <cmath>

#include "denoc/scalar/scalar.hpp"

namespace denoc {

template <class T, class Z = T> struct Vec3 {
  T x, y;
  Z z;
};
template <class A, class B, class Z> Vec3(A, B, Z) -> Vec3<decltype(A() + B()), Z>;

template <class A, class AZ, class B, class BZ>
DENOC_INLINE auto operator+(const Vec3<A, AZ>& a, const Vec3<B, BZ>& b) {
  return Vec3{a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class AZ, class B, class BZ>
DENOC_INLINE auto operator-(const Vec3<A, AZ>& a, const Vec3<B, BZ>& b) {
  return Vec3{a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class A, class AZ> DENOC_INLINE auto operator-(const Vec3<A, AZ>& a) { return Vec3{-a.x, -a.y, -a.z}; }
template <class A, class AZ, class B> DENOC_INLINE auto operator*(const Vec3<A, AZ>& a, const B& s) {
  return Vec3{a.x * s, a.y * s, a.z * s};
}
template <class A, class AZ> DENOC_INLINE Zero operator*(const Vec3<A, AZ>&, Zero) { return {}; }
template <class T> DENOC_INLINE Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) { return a = a + b; }
template <class T> DENOC_INLINE Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) { return a = a - b; }
template <class A, class AZ, class B, class BZ> DENOC_INLINE auto cross(const Vec3<A, AZ>& a, const Vec3<B, BZ>& b) {
  return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class A, class AZ, class B, class BZ> DENOC_INLINE auto dot(const Vec3<A, AZ>& a, const Vec3<B, BZ>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> DENOC_INLINE T norm(const Vec3<T>& a) { return sqrt(dot(a, a)); }
DENOC_INLINE bool is_zero(const Vec3<double>& a) { return a.x == 0 && a.y == 0 && a.z == 0; }
DENOC_INLINE bool finite(const Vec3<double>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// Symmetric tensor; Z is the type of its row and column z.
template <class T, class Z = T> struct Sym3 {
  T xx, xy, yy;
  Z xz, yz, zz;
};
template <class A, class B, class C, class X, class Y, class Z>
Sym3(A, B, C, X, Y, Z) -> Sym3<decltype(A() + B() + C()), decltype(X() + Y() + Z())>;
template <class T> DENOC_INLINE auto operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return Sym3<T>{a.xx + b.xx, a.xy + b.xy, a.yy + b.yy, a.xz + b.xz, a.yz + b.yz, a.zz + b.zz};
}
template <class T> DENOC_INLINE Sym3<T>& operator+=(Sym3<T>& a, const Sym3<T>& b) { return a = a + b; }
template <class T, class Z, class B> DENOC_INLINE auto operator*(const Sym3<T, Z>& s, const Vec3<B>& b) {
  return Vec3{s.xx * b.x + s.xy * b.y + s.xz * b.z, s.xy * b.x + s.yy * b.y + s.yz * b.z,
              s.xz * b.x + s.yz * b.y + s.zz * b.z};
}
// S - a b^T for vectors known to give a symmetric result.
template <class T, class Z, class A, class AZ, class B, class BZ>
DENOC_INLINE auto minus_outer(const Sym3<T, Z>& s, const Vec3<A, AZ>& a, const Vec3<B, BZ>& b) {
  return Sym3{s.xx - a.x * b.x, s.xy - a.x * b.y, s.yy - a.y * b.y,
              s.xz - a.x * b.z, s.yz - a.y * b.z, s.zz - a.z * b.z};
}
DENOC_INLINE bool is_zero(const Sym3<double>& s) {
  return s.xx == 0 && s.xy == 0 && s.yy == 0 && s.xz == 0 && s.yz == 0 && s.zz == 0;
}

// General tensor; R, C, D: the types of row z, of column z and of their common entry.
template <class T, class R = T, class C = T, class D = T> struct Mat3 {
  T xx, xy, yx, yy;
  R zx, zy;
  C xz, yz;
  D zz;
};
template <class A, class B, class C, class D, class E, class F, class G, class H, class Z>
Mat3(A, B, C, D, E, F, G, H, Z) -> Mat3<decltype(A() + B() + C() + D()), decltype(E() + F()), decltype(G() + H()), Z>;
template <class T, class R, class C, class D> DENOC_INLINE auto column_x(const Mat3<T, R, C, D>& a) {
  return Vec3{a.xx, a.yx, a.zx};
}
template <class T, class R, class C, class D> DENOC_INLINE auto column_y(const Mat3<T, R, C, D>& a) {
  return Vec3{a.xy, a.yy, a.zy};
}
template <class T, class R, class C, class D> DENOC_INLINE auto column_z(const Mat3<T, R, C, D>& a) {
  return Vec3{a.xz, a.yz, a.zz};
}
template <class A, class B, class C>
DENOC_INLINE auto from_columns(const Vec3<A>& x, const Vec3<B>& y, const Vec3<C>& z) {
  return Mat3{x.x, y.x, x.y, y.y, x.z, y.z, z.x, z.y, z.z};
}
template <class T> DENOC_INLINE Mat3<T> transposed(const Mat3<T>& a) {
  return {a.xx, a.yx, a.xy, a.yy, a.xz, a.yz, a.zx, a.zy, a.zz};
}
template <class T> DENOC_INLINE Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.yx + b.yx, a.yy + b.yy, a.zx + b.zx,
          a.zy + b.zy, a.xz + b.xz, a.yz + b.yz, a.zz + b.zz};
}
template <class T> DENOC_INLINE Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.xx - b.xx, a.xy - b.xy, a.yx - b.yx, a.yy - b.yy, a.zx - b.zx,
          a.zy - b.zy, a.xz - b.xz, a.yz - b.yz, a.zz - b.zz};
}
template <class T> DENOC_INLINE Mat3<T>& operator+=(Mat3<T>& a, const Mat3<T>& b) { return a = a + b; }
template <class T, class R, class C, class D, class B, class BZ>
DENOC_INLINE auto operator*(const Mat3<T, R, C, D>& a, const Vec3<B, BZ>& b) {
  return Vec3{a.xx * b.x + a.xy * b.y + a.xz * b.z, a.yx * b.x + a.yy * b.y + a.yz * b.z,
              a.zx * b.x + a.zy * b.y + a.zz * b.z};
}
template <class A, class B> DENOC_INLINE auto operator*(const Mat3<A>& a, const Mat3<B>& b) {
  return from_columns(a * column_x(b), a * column_y(b), a * column_z(b));
}
// R^T v
template <class T, class B, class BZ> DENOC_INLINE auto back(const Mat3<T>& r, const Vec3<B, BZ>& b) {
  return Vec3{r.xx * b.x + r.yx * b.y + r.zx * b.z, r.xy * b.x + r.yy * b.y + r.zy * b.z,
              r.xz * b.x + r.yz * b.y + r.zz * b.z};
}
// R S R^T
template <class T, class S, class Z> DENOC_INLINE auto turn(const Mat3<T>& r, const Sym3<S, Z>& s) {
  const Vec3 x{r.xx, r.xy, r.xz}, y{r.yx, r.yy, r.yz}, z{r.zx, r.zy, r.zz};
  auto sx = s * x, sy = s * y, sz = s * z;
  return Sym3{dot(x, sx), dot(y, sx), dot(y, sy), dot(z, sx), dot(z, sy), dot(z, sz)};
}
// The cross-product tensor: skew(a) b = a x b.
template <class T> DENOC_INLINE Mat3<T> skew(const Vec3<T>& a) {
  return {T(0), -a.z, a.z, T(0), -a.y, a.x, a.y, -a.x, T(0)};
}
template <class T> DENOC_INLINE Mat3<T> identity3() { return {T(1), T(0), T(0), T(1), T(0), T(0), T(0), T(0), T(1)}; }

// The same with every zero written out, in the scalar that is stored.
template <class T, class A, class Z> DENOC_INLINE Vec3<T> full(const Vec3<A, Z>& v) { return {T(v.x), T(v.y), T(v.z)}; }
template <class T, class A, class Z> DENOC_INLINE Sym3<T> full(const Sym3<A, Z>& s) {
  return {T(s.xx), T(s.xy), T(s.yy), T(s.xz), T(s.yz), T(s.zz)};
}
template <class T, class A, class R, class C, class D> DENOC_INLINE Mat3<T> full(const Mat3<A, R, C, D>& m) {
  return {T(m.xx), T(m.xy), T(m.yx), T(m.yy), T(m.zx), T(m.zy), T(m.xz), T(m.yz), T(m.zz)};
}
template <class T> inline constexpr Vec3<T> zero3{T(0), T(0), T(0)};

}  // namespace denoc
