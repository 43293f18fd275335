// The motion columns p of joints as values: the unit of the recursions. What an algorithm does with one is
//   dot(p, w) = p^T w,   t + p * a,   M * p,   eliminate(p, Mhat),   loaded(p, w, psi, phihat, tau),   dot_psi(p, psi,
//   mu)
// A column about or along z knows its zeros and ones as types, so these are "take the third entry", "one addition",
// "take the third column". One column per degree of freedom.
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>

#include "denoc/spatial/inertia.hpp"

namespace denoc {

// psi = psihat/d, 1/d, and Mbar = Mhat - psihat psi^T. Of a column that is a unit vector psi has no entry along the
// column (it is one), and Mbar no row and column there (they are zero).
template <class Psi, class D, class Bar> struct Elimination {
  Psi psi;
  D d_inv;
  Bar m_bar;
};
template <class Psi, class D, class Bar> Elimination(Psi, D, Bar) -> Elimination<Psi, D, Bar>;

// What makes a type a column: its number among those of its joint.
template <class P>
concept Column = requires {
  P::number;
};

// p a: what a joint's rate or acceleration adds to a twist.
template <Column P, class T> struct Multiple {
  P p;
  T a;
};
template <Column P, class T> DENOC_INLINE Multiple<P, T> operator*(const P& p, const T& a) { return {p, a}; }

// A joint about, along, or both about and along z: p = (turn z; slide z). The factors are types where they are one or
// zero.
template <class Turn, class Slide> struct ScrewZ {
  static constexpr int number = 0;
  [[no_unique_address]] Turn turn;
  [[no_unique_address]] Slide slide;

  template <class N, class F> DENOC_INLINE friend auto dot(const ScrewZ& p, const WrenchOf<N, F>& w) {
    return w.n.z * p.turn + w.f.z * p.slide;
  }
  template <class W, class V, class T>
  DENOC_INLINE friend auto operator+(const TwistOf<W, V>& t, const Multiple<ScrewZ, T>& m) {
    return TwistOf{Vec3{t.w.x, t.w.y, t.w.z + m.a * m.p.turn}, Vec3{t.v.x, t.v.y, t.v.z + m.a * m.p.slide}};
  }
  template <class T> DENOC_INLINE friend auto operator*(const RigidInertia<T>& b, const ScrewZ& p) {
    return WrenchOf{
        Vec3{b.h.y * p.slide - b.xz * p.turn, -(b.h.x * p.slide) - b.yz * p.turn, b.xx * p.turn + b.yy * p.turn},
        Vec3{-(b.h.y * p.turn), b.h.x * p.turn, b.m * p.slide}};
  }
  template <class SI, class SH, class SM>
  DENOC_INLINE friend auto operator*(const Blocks<SI, SH, SM>& a, const ScrewZ& p) {
    const auto& [I, H, M] = a;
    return WrenchOf{
        Vec3{I.xz * p.turn + H.xz * p.slide, I.yz * p.turn + H.yz * p.slide, I.zz * p.turn + H.zz * p.slide},
        Vec3{H.zx * p.turn + M.xz * p.slide, H.zy * p.turn + M.yz * p.slide, H.zz * p.turn + M.zz * p.slide}};
  }
};
using RevoluteZ = ScrewZ<One, Zero>;
using PrismaticZ = ScrewZ<Zero, One>;
template <class R> using HelicalZ = ScrewZ<One, R>;

// One of the six unit twists in link axes: column c of a joint that has the first n of them.
template <int c, int n> struct UnitColumn {
  static constexpr int number = c;

  template <class N, class F> DENOC_INLINE friend auto dot(const UnitColumn&, const WrenchOf<N, F>& w) {
    return component<c>(w);
  }
  template <class W, class V, class T>
  DENOC_INLINE friend auto operator+(const TwistOf<W, V>& t, const Multiple<UnitColumn, T>& m) {
    auto o = full<T>(t);
    component<c>(o) = component<c>(t) + m.a;
    return o;
  }
  template <class T> DENOC_INLINE friend auto operator*(const RigidInertia<T>& b, const UnitColumn& p) {
    return blocks(b) * p;
  }
  template <class SI, class SH, class SM>
  DENOC_INLINE friend auto operator*(const Blocks<SI, SH, SM>& a, const UnitColumn&) {
    const auto& [I, H, M] = a;
    using T = decltype(I.xx + M.xx);
    if constexpr (c == 0) return Wrench<T>{{I.xx, I.xy, I.xz}, {H.xx, H.xy, H.xz}};
    if constexpr (c == 1) return Wrench<T>{{I.xy, I.yy, I.yz}, {H.yx, H.yy, H.yz}};
    if constexpr (c == 2) return Wrench<T>{{I.xz, I.yz, I.zz}, {H.zx, H.zy, H.zz}};
    if constexpr (c == 3) return Wrench<T>{{H.xx, H.yx, H.zx}, {M.xx, M.xy, M.xz}};
    if constexpr (c == 4) return Wrench<T>{{H.xy, H.yy, H.zy}, {M.xy, M.yy, M.yz}};
    if constexpr (c == 5) return Wrench<T>{{H.xz, H.yz, H.zz}, {M.xz, M.yz, M.zz}};
  }
};

// A column whose drive has a rotor behind its gear: its own inertia adds to the pivot, d = p^T Mhat p + rotor.
template <Column P, class R> struct Geared : P { R rotor; };
template <Column P, class R, class T> DENOC_INLINE Multiple<P, T> operator*(const Geared<P, R>& p, const T& a) {
  return {static_cast<const P&>(p), a};
}

// The columns of a joint, eliminated one after the other in the same frame: inward from the last, outward from the
// first.
template <class First, class... Rest> struct ColumnsOf {
  static constexpr int size = 1 + sizeof...(Rest);
  [[no_unique_address]] First first = {};
  [[no_unique_address]] ColumnsOf<Rest...> rest = {};
  ColumnsOf() = default;
  DENOC_INLINE explicit ColumnsOf(const First& p, const Rest&... others) : first(p), rest(others...) {}
  template <class X, class F> DENOC_INLINE auto inward(const X& x, F&& f) const { return f(first, rest.inward(x, f)); }
  template <class X, class F> DENOC_INLINE auto outward(const X& x, F&& f) const {
    return rest.outward(f(first, x), f);
  }
  template <class F> DENOC_INLINE void each(F&& f) const { f(first), rest.each(f); }
};
template <class Only> struct ColumnsOf<Only> {
  static constexpr int size = 1;
  [[no_unique_address]] Only first = {};
  ColumnsOf() = default;
  DENOC_INLINE explicit ColumnsOf(const Only& p) : first(p) {}
  template <class X, class F> DENOC_INLINE auto inward(const X& x, F&& f) const { return f(first, x); }
  template <class X, class F> DENOC_INLINE auto outward(const X& x, F&& f) const { return f(first, x); }
  template <class F> DENOC_INLINE void each(F&& f) const { f(first); }
};

// A column written out.
template <class R, class Turn, class Slide> DENOC_INLINE Twist<R> full(const ScrewZ<Turn, Slide>& p) {
  return {{R(0), R(0), R(p.turn)}, {R(0), R(0), R(p.slide)}};
}
template <class R, int c, int n> DENOC_INLINE Twist<R> full(const UnitColumn<c, n>&) {
  Twist<R> p{};
  component<c>(p) = R(1);
  return p;
}

// Mhat - psihat psi^T
template <class SI, class SH, class SM, class N, class F, class G, class K>
DENOC_INLINE auto minus_outer(const Blocks<SI, SH, SM>& a, const WrenchOf<G, K>& psi, const WrenchOf<N, F>& psi_hat) {
  const auto& [I, H, M] = a;
  const auto& [n, f] = psi_hat;
  const auto& [g, k] = psi;
  return Blocks{minus_outer(I, g, n),
                Mat3{H.xx - g.x * f.x, H.xy - g.x * f.y, H.yx - g.y * f.x, H.yy - g.y * f.y, H.zx - g.z * f.x,
                     H.zy - g.z * f.y, H.xz - g.x * f.z, H.yz - g.y * f.z, H.zz - g.z * f.z},
                minus_outer(M, k, f)};
}

// Where no row of Mbar vanishes by itself: psihat = Mhat p,  d = p^T psihat + rotor,  psi = psihat/d.
template <class P, class Rotor, class SI, class SH, class SM>
DENOC_INLINE auto eliminate_in_full(const P& p, const Rotor& rotor, const Blocks<SI, SH, SM>& m_hat) {
  const auto psi_hat = m_hat * p;
  const auto d_inv = 1 / (dot(p, psi_hat) + rotor);
  const auto psi = WrenchOf{psi_hat.n * d_inv, psi_hat.f * d_inv};
  return Elimination{psi, d_inv, minus_outer(m_hat, psi, psi_hat)};
}
template <class W, class P, class T> DENOC_INLINE auto loaded_in_full(const W& w, const P& psi, const T& phi_hat) {
  return WrenchOf{w.n + psi.n * phi_hat, w.f + psi.f * phi_hat};
}
template <class P, class A> DENOC_INLINE auto dot_in_full(const P& psi, const A& mu) {
  return dot(psi.n, mu.w) + dot(psi.f, mu.v);
}

template <class R, class M_hat> DENOC_INLINE auto eliminate(const HelicalZ<R>& p, const M_hat& a) {
  return eliminate_in_full(p, Zero{}, a);
}
template <class R, class W, class P, class T>
DENOC_INLINE auto loaded(const HelicalZ<R>&, const W& w, const P& psi, const T& phi_hat, const T&) {
  return loaded_in_full(w, psi, phi_hat);
}
template <class R, class P, class A> DENOC_INLINE auto dot_psi(const HelicalZ<R>&, const P& psi, const A& mu) {
  return dot_in_full(psi, mu);
}
template <class Q, class R, class M_hat> DENOC_INLINE auto eliminate(const Geared<Q, R>& p, const M_hat& a) {
  return eliminate_in_full(static_cast<const Q&>(p), p.rotor, a);
}
template <class Q, class R, class W, class P, class T>
DENOC_INLINE auto loaded(const Geared<Q, R>&, const W& w, const P& psi, const T& phi_hat, const T&) {
  return loaded_in_full(w, psi, phi_hat);
}
template <class Q, class R, class P, class A>
DENOC_INLINE auto dot_psi(const Geared<Q, R>&, const P& psi, const A& mu) {
  return dot_in_full(psi, mu);
}

// psihat is the third column: (Ixz, Iyz, Izz; Hzx, Hzy, Hzz)
template <class M_hat> DENOC_INLINE auto eliminate(const RevoluteZ&, const M_hat& a) {
  const auto& [I, H, M] = a;
  auto d_inv = 1 / I.zz;
  auto gx = I.xz * d_inv, gy = I.yz * d_inv;
  auto row = Vec3{H.zx, H.zy, H.zz};
  auto k = row * d_inv;
  return Elimination{WrenchOf{Vec3{gx, gy, Zero{}}, k}, d_inv,
                     Blocks{Sym3{I.xx - I.xz * gx, I.xy - I.xz * gy, I.yy - I.yz * gy, Zero{}, Zero{}, Zero{}},
                            Mat3{H.xx - gx * row.x, H.xy - gx * row.y, H.yx - gy * row.x, H.yy - gy * row.y, Zero{},
                                 Zero{}, H.xz - gx * row.z, H.yz - gy * row.z, Zero{}},
                            minus_outer(M, k, row)}};
}
// Along the joint the load is tau itself.
template <class W, class P, class T>
DENOC_INLINE auto loaded(const RevoluteZ&, const W& w, const P& psi, const T& phi_hat, const T& tau) {
  return WrenchOf{Vec3{w.n.x + psi.n.x * phi_hat, w.n.y + psi.n.y * phi_hat, tau}, w.f + psi.f * phi_hat};
}
template <class P, class A> DENOC_INLINE auto dot_psi(const RevoluteZ&, const P& psi, const A& mu) {
  return psi.n.x * mu.w.x + psi.n.y * mu.w.y + mu.w.z + dot(psi.f, mu.v);
}

// psihat is the sixth column: (Hxz, Hyz, Hzz; Mxz, Myz, Mzz)
template <class M_hat> DENOC_INLINE auto eliminate(const PrismaticZ&, const M_hat& a) {
  const auto& [I, H, M] = a;
  auto d_inv = 1 / M.zz;
  auto gx = M.xz * d_inv, gy = M.yz * d_inv;
  auto col = Vec3{H.xz, H.yz, H.zz};
  auto k = col * d_inv;
  return Elimination{WrenchOf{k, Vec3{gx, gy, Zero{}}}, d_inv,
                     Blocks{minus_outer(I, k, col),
                            Mat3{H.xx - col.x * gx, H.xy - col.x * gy, H.yx - col.y * gx, H.yy - col.y * gy,
                                 H.zx - col.z * gx, H.zy - col.z * gy, Zero{}, Zero{}, Zero{}},
                            Sym3{M.xx - M.xz * gx, M.xy - M.xz * gy, M.yy - M.yz * gy, Zero{}, Zero{}, Zero{}}}};
}
template <class W, class P, class T>
DENOC_INLINE auto loaded(const PrismaticZ&, const W& w, const P& psi, const T& phi_hat, const T& tau) {
  return WrenchOf{w.n + psi.n * phi_hat, Vec3{w.f.x + psi.f.x * phi_hat, w.f.y + psi.f.y * phi_hat, tau}};
}
template <class P, class A> DENOC_INLINE auto dot_psi(const PrismaticZ&, const P& psi, const A& mu) {
  return dot(psi.n, mu.w) + psi.f.x * mu.v.x + psi.f.y * mu.v.y + mu.v.z;
}

// Mhat by rows (upper triangle), where a joint has several columns; rows c to n - 1 are eliminated and never looked at.
template <class T, int c, int n> struct Remaining { T m[6][6]; };
template <int n, class SI, class SH, class SM> DENOC_INLINE auto remaining(const Blocks<SI, SH, SM>& b) {
  const auto& [I, H, M] = b;
  using T = decltype(I.xx + M.xx);
  return Remaining<T, n, n>{{{I.xx, I.xy, I.xz, H.xx, H.xy, H.xz},
                             {T(0), I.yy, I.yz, H.yx, H.yy, H.yz},
                             {T(0), T(0), I.zz, H.zx, H.zy, H.zz},
                             {T(0), T(0), T(0), M.xx, M.xy, M.xz},
                             {T(0), T(0), T(0), T(0), M.yy, M.yz},
                             {T(0), T(0), T(0), T(0), T(0), M.zz}}};
}
// All columns are gone: nothing of the angular part is left, and of the linear part what a ball joint carries.
template <class T, int n> DENOC_INLINE auto blocks(const Remaining<T, 0, n>& r) {
  constexpr Sym3<Zero> none{};
  constexpr Mat3<Zero, Zero, Zero, Zero> nothing{};
  if constexpr (n == 6)
    return Blocks{none, nothing, none};
  else
    return Blocks{none, nothing, Sym3{r.m[3][3], r.m[3][4], r.m[4][4], r.m[3][5], r.m[4][5], r.m[5][5]}};
}
namespace detail {
// f(i) for the rows that are there when column c of n is eliminated, but for c itself.
template <int c, int n, class F> DENOC_INLINE void for_others(F&& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
    ((i < c || i >= n ? f(std::integral_constant<int, i>{}) : void()), ...);
  }
  (std::make_integer_sequence<int, 6>{});
}
template <int i, int c, int n, class P, class A> DENOC_INLINE auto psi_term(const P& psi, const A& mu) {
  if constexpr (i == c)
    return component<i>(mu);
  else if constexpr (i < c || i >= n)
    return component<i>(psi) * component<i>(mu);
  else
    return Zero{};
}
}  // namespace detail
// Columns c + 1 to n - 1 are eliminated before column c.
template <int c, int n, class T> DENOC_INLINE auto eliminate(const UnitColumn<c, n>&, const Remaining<T, c + 1, n>& a) {
  T d_inv = 1 / a.m[c][c];
  Wrench<T> psi{};
  Remaining<T, c, n> bar = {};
  detail::for_others<c, n>([&](auto j) DENOC_INLINED {
    const T& psi_hat = j < c ? a.m[j][c] : a.m[c][j];
    component<j>(psi) = psi_hat * d_inv;
    detail::for_others<c, n>([&](auto i) DENOC_INLINED {
      if constexpr (i <= j) bar.m[i][j] = a.m[i][j] - component<i>(psi) * psi_hat;
    });
  });
  if constexpr (c == 0)
    return Elimination{psi, d_inv, blocks(bar)};
  else
    return Elimination{psi, d_inv, bar};
}
template <int c, int n, class SI, class SH, class SM>
DENOC_INLINE auto eliminate(const UnitColumn<c, n>& p, const Blocks<SI, SH, SM>& a) {
  return eliminate(p, remaining<n>(a));
}
template <int c, int n, class W, class P, class T>
DENOC_INLINE auto loaded(const UnitColumn<c, n>&, const W& w, const P& psi, const T& phi_hat, const T& tau) {
  auto o = full<T>(w);
  detail::for_others<c, n>([&](auto i) DENOC_INLINED { component<i>(o) += component<i>(psi) * phi_hat; });
  component<c>(o) = tau;
  return o;
}
template <int c, int n, class P, class A>
DENOC_INLINE auto dot_psi(const UnitColumn<c, n>&, const P& psi, const A& mu) {
  return [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
    return (detail::psi_term<i, c, n>(psi, mu) + ...);
  }
  (std::make_integer_sequence<int, 6>{});
}

}  // namespace denoc
