#include "denoc/motion/line.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <cmath>

#include "guided_motion.hpp"
#include "kinematics/checks.hpp"

namespace denoc {

std::shared_ptr<const Trajectory> straight_line(std::shared_ptr<const Model> model, const Guide& guide,
                                                std::vector<double> start, const Vec3<double>& displacement,
                                                double duration, Profile profile) {
  start = kinematics::coordinates_of(*model, std::move(start), "start");
  if (!std::isfinite(norm(displacement))) throw ArgumentError("the displacement is not finite");
  Guide whole = motion::complete(*model, guide);
  const motion::Timing timing{profile, motion::positive_duration(duration)};
  const Vec3<double> from = motion::guided_point(*model, whole, start);
  motion::Curve curve{[=](double s) -> motion::Curve::Point {
                        return {from + displacement * s, displacement, zero3<double>};
                      },
                      norm(displacement), fmt::format("a line of {:.4g} m", norm(displacement))};
  return motion::guided_motion(std::move(model), std::move(whole), std::move(start), std::move(curve), timing);
}
std::shared_ptr<const Trajectory> straight_line(std::shared_ptr<const Model> model, int body, std::vector<double> start,
                                                const Vec3<double>& displacement, double duration, Profile profile) {
  return straight_line(std::move(model), Guide{body}, std::move(start), displacement, duration, profile);
}

}  // namespace denoc
