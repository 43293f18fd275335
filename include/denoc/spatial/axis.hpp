// The joints as types: how a joint moves its link, and how its columns are eliminated from an articulated inertia. One
// column p of the complement N_d per degree of freedom; a revolute or prismatic joint is its own only column, and the
// products with p are "take the third column", "take the third entry".
#pragma once
#include <type_traits>
#include <utility>

#include "denoc/spatial/inertia.hpp"

namespace denoc {

// psi = psihat/d without its entry along the joint (which is one), 1/d, and Mbar = Mhat - psihat psi^T without its zero
// row and column.
template <class Psi, class D, class Bar> struct Elimination {
  Psi psi;
  D d_inv;
  Bar m_bar;
};
template <class Psi, class D, class Bar> Elimination(Psi, D, Bar) -> Elimination<Psi, D, Bar>;

// The columns of a joint, eliminated one after the other in the same frame: inward from the last, outward from the
// first.
template <class First, class... Rest> struct ColumnsOf {
  static constexpr int size = 1 + sizeof...(Rest);
  template <class X, class F> DENOC_INLINE static auto inward(const X& x, F&& f) {
    if constexpr (sizeof...(Rest) == 0)
      return f(First{}, x);
    else
      return f(First{}, ColumnsOf<Rest...>::inward(x, f));
  }
  template <class X, class F> DENOC_INLINE static auto outward(const X& x, F&& f) {
    if constexpr (sizeof...(Rest) == 0)
      return f(First{}, x);
    else
      return ColumnsOf<Rest...>::outward(f(First{}, x), f);
  }
  template <class F> DENOC_INLINE static void each(F&& f) { f(First{}), (f(Rest{}), ...); }
};

// What every joint type below has:
//   grouped(b)         the inertia the recursions see: what does not feel the joint has gone to the parent
//   rates(v, dof)      the joint's part of v (or of a)
//   moved(m, d, v, a)  the link's motion from its parent's, seen in link axes
// and every column: component(w) = p^T w, accelerated(t, a) = t + p a, momentum(M) = M p of a rigid body,
// eliminate(Mhat), loaded(w, psi, phihat, tau) = w + psi phihat, and dot_psi(psi, mu) = psi^T mu.

struct RevoluteZ {
  using Columns = ColumnsOf<RevoluteZ>;
  static constexpr int number = 0;  // among the joint's columns
  // A mass on the axis belongs to the parent as well.
  template <class R> DENOC_INLINE static auto grouped(const RigidInertia<R>& b) {
    return RigidInertia<R, Zero, Zero, R, Zero>{{}, {b.h.x, b.h.y, {}}, b.xx, b.yy, b.xy, b.xz, b.yz, {}};
  }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) { return v[dof]; }
  // w' += z q'' + w x z q',  w += z q',  and the origin moves to its place on the axis: a += B z d
  template <class L, class M, class T, class Q, class A>
  DENOC_INLINE static auto moved(const L&, const M& m, const T& d, const Q& qd, const A& qdd) {
    auto wd = m.wd + Vec3{m.w.y * qd, -(m.w.x * qd), qdd};
    auto w = Vec3{m.w.x, m.w.y, m.w.z + qd};
    auto B = rate_tensor(w, wd);
    return MotionOf{w, wd, m.a + column_z(B) * d, B};
  }
  template <class L, class N, class F> DENOC_INLINE static auto component(const L&, const WrenchOf<N, F>& w) {
    return w.n.z;
  }
  template <class L, class A, class Q> DENOC_INLINE static auto accelerated(const L&, const A& m, const Q& qdd) {
    return TwistOf{Vec3{m.w.x, m.w.y, m.w.z + qdd}, m.v};
  }
  template <class L, class T> DENOC_INLINE static auto momentum(const L&, const RigidInertia<T>& b) {
    return WrenchOf{Vec3{-b.xz, -b.yz, b.xx + b.yy}, Vec3{-b.h.y, b.h.x, Zero{}}};
  }
  // psihat = Mhat p is the third column: (Ixz, Iyz, Izz; Hzx, Hzy, Hzz)
  template <class L, class M_hat> DENOC_INLINE static auto eliminate(const L&, const M_hat& a) {
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
  template <class L, class W, class P, class T>
  DENOC_INLINE static auto loaded(const L&, const W& w, const P& psi, const T& phi_hat, const T& tau) {
    return WrenchOf{Vec3{w.n.x + psi.n.x * phi_hat, w.n.y + psi.n.y * phi_hat, tau}, w.f + psi.f * phi_hat};
  }
  template <class P, class A> DENOC_INLINE static auto dot_psi(const P& psi, const A& mu) {
    return psi.n.x * mu.w.x + psi.n.y * mu.w.y + mu.w.z + dot(psi.f, mu.v);
  }
};

struct PrismaticZ {
  using Columns = ColumnsOf<PrismaticZ>;
  static constexpr int number = 0;
  // It turns with its parent: the second moments belong to that.
  template <class R> DENOC_INLINE static auto grouped(const RigidInertia<R>& b) {
    return RigidInertia<R, R, R, Zero, Zero>{b.m, b.h, {}, {}, {}, {}, {}, {}};
  }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) { return v[dof]; }
  // a += B z d + z q'' + 2 w x z q'
  template <class L, class M, class T, class Q, class A>
  DENOC_INLINE static auto moved(const L&, const M& m, const T& d, const Q& qd, const A& qdd) {
    auto B = rate_tensor(m.w, m.wd);
    auto two_qd = qd + qd;
    return MotionOf{m.w, m.wd, m.a + column_z(B) * d + Vec3{m.w.y * two_qd, -(m.w.x * two_qd), qdd}, B};
  }
  template <class L, class N, class F> DENOC_INLINE static auto component(const L&, const WrenchOf<N, F>& w) {
    return w.f.z;
  }
  template <class L, class A, class Q> DENOC_INLINE static auto accelerated(const L&, const A& m, const Q& qdd) {
    return TwistOf{m.w, Vec3{m.v.x, m.v.y, m.v.z + qdd}};
  }
  template <class L, class T> DENOC_INLINE static auto momentum(const L&, const RigidInertia<T>& b) {
    return WrenchOf{Vec3{b.h.y, -b.h.x, Zero{}}, Vec3{Zero{}, Zero{}, b.m}};
  }
  // psihat is the sixth column: (Hxz, Hyz, Hzz; Mxz, Myz, Mzz)
  template <class L, class M_hat> DENOC_INLINE static auto eliminate(const L&, const M_hat& a) {
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
  template <class L, class W, class P, class T>
  DENOC_INLINE static auto loaded(const L&, const W& w, const P& psi, const T& phi_hat, const T& tau) {
    return WrenchOf{w.n + psi.n * phi_hat, Vec3{w.f.x + psi.f.x * phi_hat, w.f.y + psi.f.y * phi_hat, tau}};
  }
  template <class P, class A> DENOC_INLINE static auto dot_psi(const P& psi, const A& mu) {
    return dot(psi.n, mu.w) + psi.f.x * mu.v.x + psi.f.y * mu.v.y + mu.v.z;
  }
};

// A screw: p = (z; pitch z). Nothing is grouped, and no row of Mbar vanishes by itself.
struct HelicalZ {
  using Columns = ColumnsOf<HelicalZ>;
  static constexpr int number = 0;
  template <class R> DENOC_INLINE static const RigidInertia<R>& grouped(const RigidInertia<R>& b) { return b; }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) { return v[dof]; }
  // The revolute joint's motion, and a += (z q'' + 2 w x z q') pitch
  template <class L, class M, class T, class Q, class A>
  DENOC_INLINE static auto moved(const L& link, const M& m, const T& d, const Q& qd, const A& qdd) {
    auto o = RevoluteZ::moved(link, m, d, qd, qdd);
    auto slide = qd * link.pitch, two = slide + slide;
    return MotionOf{o.w, o.wd, o.a + Vec3{m.w.y * two, -(m.w.x * two), qdd * link.pitch}, o.B};
  }
  template <class L, class N, class F> DENOC_INLINE static auto component(const L& link, const WrenchOf<N, F>& w) {
    return w.n.z + w.f.z * link.pitch;
  }
  template <class L, class A, class Q> DENOC_INLINE static auto accelerated(const L& link, const A& m, const Q& qdd) {
    return TwistOf{Vec3{m.w.x, m.w.y, m.w.z + qdd}, Vec3{m.v.x, m.v.y, m.v.z + qdd * link.pitch}};
  }
  template <class L, class T> DENOC_INLINE static auto momentum(const L& link, const RigidInertia<T>& b) {
    return WrenchOf{Vec3{b.h.y * link.pitch - b.xz, -(b.h.x * link.pitch) - b.yz, b.xx + b.yy},
                    Vec3{-b.h.y, b.h.x, b.m * link.pitch}};
  }
  template <class L, class M_hat> DENOC_INLINE static auto eliminate(const L& link, const M_hat& a) {
    const auto& [I, H, M] = a;
    auto n = Vec3{I.xz + H.xz * link.pitch, I.yz + H.yz * link.pitch, I.zz + H.zz * link.pitch};
    auto f = Vec3{H.zx + M.xz * link.pitch, H.zy + M.yz * link.pitch, H.zz + M.zz * link.pitch};
    auto d_inv = 1 / (n.z + f.z * link.pitch);
    auto g = n * d_inv, k = f * d_inv;
    return Elimination{
        WrenchOf{g, k}, d_inv,
        Blocks{minus_outer(I, g, n),
               Mat3{H.xx - g.x * f.x, H.xy - g.x * f.y, H.yx - g.y * f.x, H.yy - g.y * f.y, H.zx - g.z * f.x,
                    H.zy - g.z * f.y, H.xz - g.x * f.z, H.yz - g.y * f.z, H.zz - g.z * f.z},
               minus_outer(M, k, f)}};
  }
  template <class L, class W, class P, class T>
  DENOC_INLINE static auto loaded(const L&, const W& w, const P& psi, const T& phi_hat, const T&) {
    return WrenchOf{w.n + psi.n * phi_hat, w.f + psi.f * phi_hat};
  }
  template <class P, class A> DENOC_INLINE static auto dot_psi(const P& psi, const A& mu) {
    return dot(psi.n, mu.w) + dot(psi.f, mu.v);
  }
};

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

// Column c of a joint whose columns are the first n of the six unit twists in link axes. Columns c + 1 to n - 1 are
// eliminated before it.
template <int c, int n> struct UnitColumn {
  static constexpr int number = c;
  template <class L, class N, class F> DENOC_INLINE static auto component(const L&, const WrenchOf<N, F>& w) {
    return denoc::component<c>(w);
  }
  template <class L, class A, class T> DENOC_INLINE static auto accelerated(const L&, const A& mu, const T& a) {
    auto o = full<T>(mu);
    denoc::component<c>(o) = denoc::component<c>(mu) + a;
    return o;
  }
  template <class L, class T> DENOC_INLINE static auto momentum(const L&, const RigidInertia<T>& b) {
    const auto [m] = remaining<n>(blocks(b));
    return [&m = m]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
      Wrench<T> w{};
      ((denoc::component<i>(w) = m[std::min(i, c)][std::max(i, c)]), ...);
      return w;
    }
    (std::make_integer_sequence<int, 6>{});
  }
  // f(i) for the rows still there, but for c itself
  template <class F> DENOC_INLINE static void others(F&& f) {
    [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED {
      ((i < c || i >= n ? f(std::integral_constant<int, i>{}) : void()), ...);
    }
    (std::make_integer_sequence<int, 6>{});
  }
  template <class L, class T> DENOC_INLINE static auto eliminate(const L&, const Remaining<T, c + 1, n>& a) {
    T d_inv = 1 / a.m[c][c];
    Wrench<T> psi{};
    Remaining<T, c, n> bar = {};
    others([&](auto j) DENOC_INLINED {
      const T& psi_hat = j < c ? a.m[j][c] : a.m[c][j];
      denoc::component<j>(psi) = psi_hat * d_inv;
      others([&](auto i) DENOC_INLINED {
        if constexpr (i <= j) bar.m[i][j] = a.m[i][j] - denoc::component<i>(psi) * psi_hat;
      });
    });
    if constexpr (c == 0)
      return Elimination{psi, d_inv, blocks(bar)};
    else
      return Elimination{psi, d_inv, bar};
  }
  template <class L, class SI, class SH, class SM>
  DENOC_INLINE static auto eliminate(const L& link, const Blocks<SI, SH, SM>& a) {
    return eliminate(link, remaining<n>(a));
  }
  template <class L, class W, class P, class T>
  DENOC_INLINE static auto loaded(const L&, const W& w, const P& psi, const T& phi_hat, const T& tau) {
    auto o = full<T>(w);
    others([&](auto i) DENOC_INLINED { denoc::component<i>(o) += denoc::component<i>(psi) * phi_hat; });
    denoc::component<c>(o) = tau;
    return o;
  }
  template <class P, class A> DENOC_INLINE static auto dot_psi(const P& psi, const A& mu) {
    return [&]<int... i>(std::integer_sequence<int, i...>) DENOC_INLINED { return (term<i>(psi, mu) + ...); }
    (std::make_integer_sequence<int, 6>{});
  }

 private:
  template <int i, class P, class A> DENOC_INLINE static auto term(const P& psi, const A& mu) {
    if constexpr (i == c)
      return denoc::component<i>(mu);
    else if constexpr (i < c || i >= n)
      return denoc::component<i>(psi) * denoc::component<i>(mu);
    else
      return Zero{};
  }
};

struct Spherical {
  using Columns = ColumnsOf<UnitColumn<0, 3>, UnitColumn<1, 3>, UnitColumn<2, 3>>;
  // A mass in the centre belongs to the parent as well.
  template <class R> DENOC_INLINE static auto grouped(const RigidInertia<R>& b) {
    return RigidInertia<R, Zero>{{}, b.h, b.xx, b.yy, b.xy, b.xz, b.yz, b.zz};
  }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) {
    return Vec3{v[dof], v[dof + 1], v[dof + 2]};
  }
  // w' += w_r' + w x w_r,  w += w_r
  template <class L, class M, class T, class Q, class A>
  DENOC_INLINE static auto moved(const L&, const M& m, const T&, const Q& w_r, const A& wd_r) {
    auto w = m.w + w_r;
    auto wd = m.wd + wd_r + cross(m.w, w_r);
    return MotionOf{w, wd, m.a, rate_tensor(w, wd)};
  }
};

struct Free {
  using Columns = ColumnsOf<UnitColumn<0, 6>, UnitColumn<1, 6>, UnitColumn<2, 6>, UnitColumn<3, 6>, UnitColumn<4, 6>,
                            UnitColumn<5, 6>>;
  template <class R> DENOC_INLINE static const RigidInertia<R>& grouped(const RigidInertia<R>& b) { return b; }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) {
    return TwistOf{Spherical::rates(v, dof), Spherical::rates(v, dof + 3)};
  }
  // and a += v_r' + (2 w_parent + w_r) x v_r
  template <class L, class M, class T, class Q, class A>
  DENOC_INLINE static auto moved(const L& link, const M& m, const T& d, const Q& v, const A& vd) {
    auto o = Spherical::moved(link, m, d, v.w, vd.w);
    return MotionOf{o.w, o.wd, o.a + vd.v + cross(m.w + o.w, v.v), o.B};
  }
};

}  // namespace denoc
