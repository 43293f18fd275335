// The elementary joints: the list that everything about them is read from. A user's joint is made of these (universal:
// revolute + revolute, cylindrical: revolute + prismatic, planar: prismatic + prismatic + revolute, with massless links
// between). What a joint has: see joints/revolute.hpp.
#pragma once
#include "denoc/model/joints/free.hpp"
#include "denoc/model/joints/geared.hpp"
#include "denoc/model/joints/helical.hpp"
#include "denoc/model/joints/prismatic.hpp"

namespace denoc {

/// In the order of the list below.
enum class Elementary : unsigned char { revolute, prismatic, helical, spherical, free };

// Each joint, and what the elimination of joints takes for it where its drive has a rotor (a free joint has none).
template <class R> using Joints = TypeList<Revolute<R>, Prismatic<R>, Helical<R>, Spherical<R>, Free<R>>;
template <class R>
using GearedJoints = TypeList<GearedAxis<R>, GearedAxis<R>, GearedAxis<R>, GearedSpherical<R>, Free<R>>;

/// f(Type<J>) for the joint of that kind.
template <class R, class F> DENOC_INLINE void with_joint(Elementary joint, F&& f) { Joints<R>::at(int(joint), f); }
/// The same with the rotor of its drive, as the elimination of joints takes it.
template <class R, class F> DENOC_INLINE void with_geared_joint(Elementary joint, F&& f) {
  GearedJoints<R>::at(int(joint), f);
}

}  // namespace denoc
