// Joints whose drives have rotors, as the elimination of joints sees them: gear^2 rotor_inertia adds to their pivots.
// How they move is their plain joint's matter. One type serves every joint about or along z.
#pragma once
#include "denoc/model/joints/spherical.hpp"

namespace denoc {

/// A joint about or along z with the rotor of its drive.
template <class R> struct GearedAxis {
  using Placements = TypeList<Screw<R>, Branch<R>>;
  static constexpr int coordinates = 1;
  R turn, slide, rotor;

  template <class Link> explicit GearedAxis(const Link& link) : turn(link.turn), slide(link.slide), rotor(link.rotor) {}
  DENOC_INLINE ColumnsOf<Geared<ScrewZ<R, R>, R>> columns() const {
    return ColumnsOf<Geared<ScrewZ<R, R>, R>>({{turn, slide}, rotor});
  }
  DENOC_INLINE static const RigidInertia<R>& grouped(const RigidInertia<R>& b) { return b; }
};

/// Every column of the plain joint, with the rotor.
template <class R> struct GearedSpherical {
  using Placements = TypeList<Branch<R>>;
  static constexpr int coordinates = Spherical<R>::coordinates;
  R rotor;

  template <class Link> explicit GearedSpherical(const Link& link) : rotor(link.rotor) {}
  DENOC_INLINE auto columns() const {
    return ColumnsOf<Geared<UnitColumn<0, 3>, R>, Geared<UnitColumn<1, 3>, R>, Geared<UnitColumn<2, 3>, R>>(
        {{}, rotor}, {{}, rotor}, {{}, rotor});
  }
  DENOC_INLINE static auto grouped(const RigidInertia<R>& b) { return Spherical<R>::grouped(b); }
};

}  // namespace denoc
