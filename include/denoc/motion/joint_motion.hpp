// Motions given in the joints.
#pragma once
#include <memory>

#include "denoc/model/model.hpp"
#include "denoc/motion/profile.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc {

// Both throw ArgumentError for sizes, times or coordinates that make no sense; quaternions off unit length by
// less than 1e-6 are normalised.

// From q0 to q1 along the shortest way on the manifold (quaternions turn about one axis), at rest at both ends.
std::shared_ptr<const Trajectory> point_to_point(std::shared_ptr<const Model> model, std::vector<double> q0,
                                                 std::vector<double> q1, double duration, Profile profile);
// The cubic spline through points (rows of nq) at increasing times that begin at 0, at rest at both ends: v and a are
// continuous inside. Throws ArgumentError where q has quaternions.
std::shared_ptr<const Trajectory> spline(const std::shared_ptr<const Model>& model, std::vector<double> times,
                                         std::vector<std::vector<double>> points);

}  // namespace denoc
