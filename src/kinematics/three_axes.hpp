// Three revolute joints: where must they stand to bring a point to a given place, or to give a rotation?  [Pieper 1968]
#pragma once
#include <array>
#include <vector>

#include "denoc/spatial/pose.hpp"

namespace denoc::kinematics {

// A line in space.
struct Line {
  Vec3<double> point, direction;  // of unit length
};
// What a turn about the line does.
Pose<double> turn_about(const Line& axis, double angle);
// The angle about the line that brings `from` over `to`, as far as they go round it.
double angle_about(const Line& axis, const Vec3<double>& from, const Vec3<double>& to);

// The feet of the common normal of two lines, the normal's direction from the first to the second (where they meet:
// across both), and its length. Parallel lines: one of their normals.
struct CommonNormal {
  Vec3<double> first, second, direction;
  double length;
};
CommonNormal common_normal(const Line& first, const Line& second);

// All angles (up to four triples) with turn_1 turn_2 turn_3 `point` = `goal`, the axes as they are at zero. Some may be
// listed twice. `size`: of the whole, for rounding.
std::vector<std::array<double, 3>> angles_to(const std::array<Line, 3>& axes, const Vec3<double>& point,
                                             const Vec3<double>& goal, double size);
// The same for axes through one point and a rotation: turn_1 turn_2 turn_3 = R, or as near as they come.
std::array<std::array<double, 3>, 2> angles_to(const std::array<Vec3<double>, 3>& axes, const Mat3<double>& R);

}  // namespace denoc::kinematics
