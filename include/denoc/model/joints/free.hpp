#pragma once
#include "denoc/model/joints/spherical.hpp"

namespace denoc {

/// It moves in every way.
template <class R> struct Free {
  using Placements = TypeList<Branch<R>>;
  static constexpr int coordinates = 7;  // a position and a quaternion
  static constexpr bool turns = false, slides = false;

  template <class Link> explicit Free(const Link&) {}
  DENOC_INLINE ColumnsOf<UnitColumn<0, 6>, UnitColumn<1, 6>, UnitColumn<2, 6>, UnitColumn<3, 6>, UnitColumn<4, 6>,
                         UnitColumn<5, 6>>
  columns() const {
    return {};
  }
  DENOC_INLINE static const RigidInertia<R>& grouped(const RigidInertia<R>& b) { return b; }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) {
    return TwistOf{Spherical<R>::rates(v, dof), Spherical<R>::rates(v, dof + 3)};
  }
  /// The spherical joint's motion, and a += v_r' + (2 w_parent + w_r) x v_r
  template <class M, class T, class Q, class A>
  DENOC_INLINE auto moved(const M& m, const T& d, const Q& v, const A& vd) const {
    auto o = Spherical<R>(*this).moved(m, d, v.w, vd.w);
    return MotionOf{o.w, o.wd, o.a + vd.v + cross(m.w + o.w, v.v), o.B};
  }
};

}  // namespace denoc
