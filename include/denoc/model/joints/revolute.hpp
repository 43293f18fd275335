#pragma once
#include "denoc/scalar/type_list.hpp"
#include "denoc/spatial/column.hpp"
#include "denoc/spatial/placement.hpp"

namespace denoc {

/// It turns about its z axis.
template <class R> struct Revolute {
  using Placements = TypeList<Screw<R>, QuarterScrew<R>, ParallelScrew<R>, Offset<R>, Branch<R>>;
  static constexpr int coordinates = 1;
  static constexpr bool turns = true, slides = false;

  template <class Link> explicit Revolute(const Link&) {}
  DENOC_INLINE ColumnsOf<RevoluteZ> columns() const { return {}; }
  /// A mass on the axis belongs to the parent as well.
  DENOC_INLINE static auto grouped(const RigidInertia<R>& b) {
    return RigidInertia<R, Zero, Zero, R, Zero>{{}, {b.h.x, b.h.y, {}}, b.xx, b.yy, b.xy, b.xz, b.yz, {}};
  }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) { return v[dof]; }
  /// w' += z q'' + w x z q',  w += z q',  and the origin moves to its place on the axis: a += B z d
  template <class M, class T, class Q, class A>
  DENOC_INLINE auto moved(const M& m, const T& d, const Q& qd, const A& qdd) const {
    auto wd = m.wd + Vec3{m.w.y * qd, -(m.w.x * qd), qdd};
    auto w = Vec3{m.w.x, m.w.y, m.w.z + qd};
    auto B = rate_tensor(w, wd);
    return MotionOf{w, wd, m.a + column_z(B) * d, B};
  }
};

}  // namespace denoc
