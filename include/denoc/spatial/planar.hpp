// Planar rotations of vectors, and of tensors by the double angle. All flattened arithmetic of the library is in
// spatial/.
#pragma once
#include "denoc/spatial/inertia.hpp"

namespace denoc {

namespace detail {
// What a planar rotation makes of two entries of a vector, or of a tensor.
template <class X, class Y> struct Pair {
  X x;
  Y y;
};
template <class X, class Y> Pair(X, Y) -> Pair<X, Y>;
template <class A, class B, class E> struct Triple {
  A a;
  B b;
  E e;
};
template <class A, class B, class E> Triple(A, B, E) -> Triple<A, B, E>;
template <class A, class B, class G, class E> struct Quad {
  A a;
  B b;
  G g;
  E e;
};
template <class A, class B, class G, class E> Quad(A, B, G, E) -> Quad<A, B, G, E>;
}  // namespace detail

// Child to parent (turn) and parent to child (back): 4 multiplications, 2 additions.
template <class R> struct Planar {
  R c, s;
  template <class X, class Y> DENOC_INLINE auto turn(const X& x, const Y& y) const {
    return detail::Pair{c * x - s * y, s * x + c * y};
  }
  template <class X, class Y> DENOC_INLINE auto back(const X& x, const Y& y) const {
    return detail::Pair{c * x + s * y, c * y - s * x};
  }
};
// The same for a tensor: t = s^2 (a - e) + cs (b + g) passes from one diagonal entry to the other.
template <class R> struct PlanarTensor {
  R c, s, ss, cs, cs2, cc;
  DENOC_INLINE explicit PlanarTensor(const Planar<R>& p)
      : c(p.c), s(p.s), ss(s * s), cs(c * s), cs2(cs + cs), cc(R(1) - (ss + ss)) {}
  template <class X, class Y> DENOC_INLINE auto vector(const X& x, const Y& y) const {
    return detail::Pair{c * x - s * y, s * x + c * y};
  }
  template <class A, class B, class E> DENOC_INLINE auto symmetric(const A& a, const B& b, const E& e) const {
    auto x = a - e;
    auto t = ss * x + cs2 * b;
    return detail::Triple{a - t, cs * x + cc * b, e + t};
  }
  template <class A, class B, class G, class E>
  DENOC_INLINE auto general(const A& a, const B& b, const G& g, const E& e) const {
    auto x = a - e;
    auto y = b + g;
    auto t = ss * x + cs * y, u = cs * x - ss * y;
    return detail::Quad{a - t, b + u, g + u, e + t};
  }
};
// The right angle and no angle at all, for vectors and tensors: most joints of real robots. They cost nothing.
struct QuarterTurn {
  template <class X, class Y> DENOC_INLINE auto turn(const X& x, const Y& y) const { return detail::Pair{-y, x}; }
  template <class X, class Y> DENOC_INLINE auto back(const X& x, const Y& y) const { return detail::Pair{y, -x}; }
  template <class X, class Y> DENOC_INLINE auto vector(const X& x, const Y& y) const { return detail::Pair{-y, x}; }
  template <class A, class B, class E> DENOC_INLINE auto symmetric(const A& a, const B& b, const E& e) const {
    return detail::Triple{e, -b, a};
  }
  template <class A, class B, class G, class E>
  DENOC_INLINE auto general(const A& a, const B& b, const G& g, const E& e) const {
    return detail::Quad{e, -g, -b, a};
  }
};
struct NoTurn {
  template <class X, class Y> DENOC_INLINE auto turn(const X& x, const Y& y) const { return detail::Pair{x, y}; }
  template <class X, class Y> DENOC_INLINE auto back(const X& x, const Y& y) const { return detail::Pair{x, y}; }
  template <class X, class Y> DENOC_INLINE auto vector(const X& x, const Y& y) const { return detail::Pair{x, y}; }
  template <class A, class B, class E> DENOC_INLINE auto symmetric(const A& a, const B& b, const E& e) const {
    return detail::Triple{a, b, e};
  }
  template <class A, class B, class G, class E>
  DENOC_INLINE auto general(const A& a, const B& b, const G& g, const E& e) const {
    return detail::Quad{a, b, g, e};
  }
};

template <class K, class A, class Z> DENOC_INLINE auto turn_z(const K& k, const Vec3<A, Z>& v) {
  auto [x, y] = k.turn(v.x, v.y);
  return Vec3{x, y, v.z};
}
template <class K, class A, class Z> DENOC_INLINE auto turn_x(const K& k, const Vec3<A, Z>& v) {
  auto [y, z] = k.turn(v.y, v.z);
  return Vec3{v.x, y, z};
}
template <class K, class A, class Z> DENOC_INLINE auto back_z(const K& k, const Vec3<A, Z>& v) {
  auto [x, y] = k.back(v.x, v.y);
  return Vec3{x, y, v.z};
}
template <class K, class A, class Z> DENOC_INLINE auto back_x(const K& k, const Vec3<A, Z>& v) {
  auto [y, z] = k.back(v.y, v.z);
  return Vec3{v.x, y, z};
}

// R S R^T and R H R^T for a rotation about z, and about x.
template <class K, class T, class Z> DENOC_INLINE auto turn_z(const K& k, const Sym3<T, Z>& s) {
  auto [xx, xy, yy] = k.symmetric(s.xx, s.xy, s.yy);
  auto [xz, yz] = k.vector(s.xz, s.yz);
  return Sym3{xx, xy, yy, xz, yz, s.zz};
}
template <class K, class T, class Z> DENOC_INLINE auto turn_x(const K& k, const Sym3<T, Z>& s) {
  auto [yy, yz, zz] = k.symmetric(s.yy, s.yz, s.zz);
  auto [xy, xz] = k.vector(s.xy, s.xz);
  return Sym3{s.xx, xy, yy, xz, yz, zz};
}
template <class K, class T, class R, class C, class D> DENOC_INLINE auto turn_z(const K& k, const Mat3<T, R, C, D>& h) {
  auto [xx, xy, yx, yy] = k.general(h.xx, h.xy, h.yx, h.yy);
  auto [xz, yz] = k.vector(h.xz, h.yz);
  auto [zx, zy] = k.vector(h.zx, h.zy);
  return Mat3{xx, xy, yx, yy, zx, zy, xz, yz, h.zz};
}
template <class K, class T, class R, class C, class D> DENOC_INLINE auto turn_x(const K& k, const Mat3<T, R, C, D>& h) {
  auto [yy, yz, zy, zz] = k.general(h.yy, h.yz, h.zy, h.zz);
  auto [xy, xz] = k.vector(h.xy, h.xz);
  auto [yx, zx] = k.vector(h.yx, h.zx);
  return Mat3{h.xx, xy, yx, yy, zx, zy, xz, yz, zz};
}
template <class K, class SI, class SH, class SM> DENOC_INLINE auto turn_z(const K& k, const Blocks<SI, SH, SM>& b) {
  return Blocks{turn_z(k, b.I), turn_z(k, b.H), turn_z(k, b.M)};
}
template <class K, class SI, class SH, class SM> DENOC_INLINE auto turn_x(const K& k, const Blocks<SI, SH, SM>& b) {
  return Blocks{turn_x(k, b.I), turn_x(k, b.H), turn_x(k, b.M)};
}

}  // namespace denoc
