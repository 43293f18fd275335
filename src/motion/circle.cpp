#include "denoc/motion/circle.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "guided_motion.hpp"
#include "kinematics/checks.hpp"

namespace denoc {

std::shared_ptr<const Trajectory> circle(std::shared_ptr<const Model> model, const Guide& guide,
                                         std::vector<double> start, const Vec3<double>& centre,
                                         const Vec3<double>& axis, double angle, double duration, Profile profile) {
  start = kinematics::coordinates_of(*model, std::move(start), "start");
  if (!std::isfinite(norm(centre)) || !std::isfinite(angle)) throw ArgumentError("centre or angle is not finite");
  const double most = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
  if (!(most > 0)) throw ArgumentError("the axis of a circle has a direction: it is not zero");
  Guide whole = motion::complete(*model, guide);
  const motion::Timing timing{profile, motion::positive_duration(duration)};
  const Vec3<double> along_axis{axis.x / most, axis.y / most,
                                axis.z / most};  // of any length, whose square is a number
  const Vec3<double> n = along_axis * (1 / norm(along_axis)), from = motion::guided_point(*model, whole, start),
                     along = n * dot(n, from - centre), radius = from - centre - along, ahead = cross(n, radius);
  if (!(norm(radius) > 1e-9 * (norm(from) + norm(centre))))
    throw ArgumentError("the point to be led stands on the axis of its circle: there is no way to go");
  // r = c + cos(phi) radius + sin(phi) n x radius,  phi = angle s
  motion::Curve curve{[=](double s) -> motion::Curve::Point {
                        const double x = std::cos(angle * s), y = std::sin(angle * s);
                        return {centre + along + radius * x + ahead * y, (ahead * x - radius * y) * angle,
                                (radius * x + ahead * y) * (-angle * angle)};
                      },
                      norm(radius) * std::abs(angle), fmt::format("a circle of radius {:.4g} m", norm(radius))};
  return motion::guided_motion(std::move(model), std::move(whole), std::move(start), std::move(curve), timing);
}

}  // namespace denoc
