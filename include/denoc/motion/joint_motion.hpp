// Motions given in the joints.
#pragma once
#include <functional>
#include <memory>

#include "denoc/model/model.hpp"
#include "denoc/motion/profile.hpp"
#include "denoc/motion/trajectory.hpp"
#include "denoc/scalar/jet.hpp"

namespace denoc {

// All of them throw ArgumentError for sizes, times or coordinates that make no sense; quaternions off unit length by
// less than 1e-6 are normalised.

/// At rest at q.
std::shared_ptr<const Trajectory> hold(std::shared_ptr<const Model> model, std::vector<double> q, double duration);

/// From q0 to q1 along the shortest way on the manifold (quaternions turn about one axis), at rest at both ends.
std::shared_ptr<const Trajectory> point_to_point(std::shared_ptr<const Model> model, std::vector<double> q0,
                                                 std::vector<double> q1, double duration, Profile profile);

/// One end of a spline.
struct SplineEnd {
  enum class Kind {
    rate,       // v is given there
    natural,    // a is zero there
    not_a_knot  // the first two (last two) pieces are one cubic: nothing is known of the end but the points
  } kind = Kind::rate;
  std::vector<double> rate = {};  // nv numbers; empty: at rest
};
/// The cubic spline through points (rows of nq) at increasing times that begin at 0: v and a are continuous inside.
/// Joints with quaternions stand still; throws ArgumentError where they do not.
std::shared_ptr<const Trajectory> spline(const std::shared_ptr<const Model>& model, std::vector<double> times,
                                         std::vector<std::vector<double>> points, const SplineEnd& first = {},
                                         const SplineEnd& last = {});

using CoordinateFunction = std::function<void(double t, std::span<Jet> q)>;
/// q as a function of time, entry by entry with its first two derivatives; breaks: where a jumps, in order. v and a are
/// those of q, of quaternions too. Throws ArgumentError where q or v jumps at a break: no finite force does that.
std::shared_ptr<const Trajectory> given_motion(std::shared_ptr<const Model> model, CoordinateFunction q,
                                               double duration, std::vector<double> breaks = {});

/// One motion after the other. Throws ArgumentError where one does not begin at the posture in which the one before
/// ends. Rates may jump from one to the other, as those of linear profiles do at rest: no finite force follows them.
std::shared_ptr<const Trajectory> sequence(const std::shared_ptr<const Model>& model,
                                           std::vector<std::shared_ptr<const Trajectory>> motions);

}  // namespace denoc
