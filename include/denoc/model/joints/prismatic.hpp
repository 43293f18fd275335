#pragma once
#include "denoc/scalar/type_list.hpp"
#include "denoc/spatial/column.hpp"
#include "denoc/spatial/placement.hpp"

namespace denoc {

/// It slides along its z axis.
template <class R> struct Prismatic {
  using Placements = TypeList<Screw<R>, Branch<R>>;
  static constexpr int coordinates = 1;
  static constexpr bool turns = false, slides = true;

  template <class Link> explicit Prismatic(const Link&) {}
  DENOC_INLINE ColumnsOf<PrismaticZ> columns() const { return {}; }
  /// It turns with its parent: the second moments belong to that.
  DENOC_INLINE static auto grouped(const RigidInertia<R>& b) {
    return RigidInertia<R, R, R, Zero, Zero>{b.m, b.h, {}, {}, {}, {}, {}, {}};
  }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) { return v[dof]; }
  /// a += B z d + z q'' + 2 w x z q'
  template <class M, class T, class Q, class A>
  DENOC_INLINE auto moved(const M& m, const T& d, const Q& qd, const A& qdd) const {
    auto B = rate_tensor(m.w, m.wd);
    auto two_qd = qd + qd;
    return MotionOf{m.w, m.wd, m.a + column_z(B) * d + Vec3{m.w.y * two_qd, -(m.w.x * two_qd), qdd}, B};
  }
};

}  // namespace denoc
