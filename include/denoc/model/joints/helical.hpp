#pragma once
#include "denoc/model/joints/revolute.hpp"

namespace denoc {

/// It turns about its z axis and slides along it by pitch times the angle. Nothing is grouped.
template <class R> struct Helical {
  using Placements = TypeList<Screw<R>, Branch<R>>;
  static constexpr int coordinates = 1;
  static constexpr bool turns = true, slides = true;
  R pitch;

  template <class Link> explicit Helical(const Link& link) : pitch(link.slide) {}
  DENOC_INLINE ColumnsOf<HelicalZ<R>> columns() const { return ColumnsOf<HelicalZ<R>>({{}, pitch}); }
  DENOC_INLINE static const RigidInertia<R>& grouped(const RigidInertia<R>& b) { return b; }
  template <class V> DENOC_INLINE static auto rates(const V& v, int dof) { return v[dof]; }
  /// The revolute joint's motion, and a += (z q'' + 2 w x z q') pitch
  template <class M, class T, class Q, class A>
  DENOC_INLINE auto moved(const M& m, const T& d, const Q& qd, const A& qdd) const {
    auto o = Revolute<R>(*this).moved(m, d, qd, qdd);
    auto slide = qd * pitch, two = slide + slide;
    return MotionOf{o.w, o.wd, o.a + Vec3{m.w.y * two, -(m.w.x * two), qdd * pitch}, o.B};
  }
};

}  // namespace denoc
