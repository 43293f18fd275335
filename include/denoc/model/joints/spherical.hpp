#pragma once
#include "denoc/scalar/type_list.hpp"
#include "denoc/spatial/column.hpp"
#include "denoc/spatial/placement.hpp"

namespace denoc {

/// It turns about its origin in every way.
template <class R> struct Spherical {
  using Placements = TypeList<Branch<R>>;
  static constexpr int coordinates = 4;  // a quaternion
  static constexpr bool turns = false, slides = false;

  template <class Link> explicit Spherical(const Link&) {}
  DENOC_INLINE ColumnsOf<UnitColumn<0, 3>, UnitColumn<1, 3>, UnitColumn<2, 3>> columns() const { return {}; }
  /// A mass in the centre belongs to the parent as well.
  DENOC_INLINE static auto grouped(const RigidInertia<R>& b) {
    return RigidInertia<R, Zero>{{}, b.h, b.xx, b.yy, b.xy, b.xz, b.yz, b.zz};
  }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) {
    return Vec3{v[dof], v[dof + 1], v[dof + 2]};
  }
  /// w' += w_r' + w x w_r,  w += w_r
  template <class M, class T, class Q, class A>
  DENOC_INLINE auto moved(const M& m, const T&, const Q& w_r, const A& wd_r) const {
    auto w = m.w + w_r;
    auto wd = m.wd + wd_r + cross(m.w, w_r);
    return MotionOf{w, wd, m.a, rate_tensor(w, wd)};
  }
};

}  // namespace denoc
