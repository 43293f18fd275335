// Joints that follow a curve in space.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "checks.hpp"
#include "denoc/model/model.hpp"
#include "denoc/motion/guide.hpp"
#include "denoc/motion/trajectory.hpp"

namespace denoc::motion {

// Where the guided point is at s from 0 to 1, and its derivatives by s. Length and name: "a line of 0.5 m".
struct Curve {
  struct Point {
    Vec3<double> r, first, second;
  };
  std::function<Point(double s)> at;
  double length;
  std::string name;
};

// The guide as it is meant: with the degrees of freedom that take part. Throws ArgumentError.
Guide complete(const Model& model, Guide guide);
// Where the guided point is at the posture.
Vec3<double> guided_point(const Model& model, const Guide& guide, const std::vector<double>& q);
// Throws Unreachable and SingularPosture with the place along the curve.
std::shared_ptr<const Trajectory> guided_motion(std::shared_ptr<const Model> model, Guide guide,
                                                std::vector<double> start, Curve curve, Timing timing);

}  // namespace denoc::motion
