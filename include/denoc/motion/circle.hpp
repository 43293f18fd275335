// A body led along a circle in space.
#pragma once
#include <memory>

#include "denoc/motion/guide.hpp"
#include "denoc/motion/line.hpp"

namespace denoc {

/// From the posture `start` the guided point turns by `angle` (rad) about the axis through `centre` (both in the
/// world); the body itself does not turn. Throws as straight_line does; ArgumentError for an axis of no length or a
/// point on it.
std::shared_ptr<const Trajectory> circle(std::shared_ptr<const Model> model, const Guide& guide,
                                         std::vector<double> start, const Vec3<double>& centre,
                                         const Vec3<double>& axis, double angle, double duration, Profile profile);

}  // namespace denoc
