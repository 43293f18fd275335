#include "output/figures/view.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <optional>

namespace denoc::figures {
namespace {

constexpr double degrees = std::numbers::pi / 180;
// Squares of lengths against each other: a plane is flat to 1e-4 of its size.
constexpr double flat = 1e-8;

Eigen::Vector3d eigen(const Point& p) { return {p.x, p.y, p.z}; }

Eigen::Matrix3d spread(const std::vector<Point>& cloud) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Point& p : cloud) mean += eigen(p) / static_cast<double>(cloud.size());
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const Point& p : cloud) sum += (eigen(p) - mean) * (eigen(p) - mean).transpose();
  return sum;
}

// The normal of the plane the points lie in; none if they fill space or a line.
std::optional<Point> plane_of(const std::vector<Point>& cloud) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread(cloud));
  const Eigen::Vector3d& size = solver.eigenvalues();  // rising
  if (!(size[0] <= flat * size[2] && size[1] > flat * size[2])) return {};
  const Eigen::Vector3d n = solver.eigenvectors().col(0);
  return Point{n[0], n[1], n[2]};
}

std::vector<Point> displacements(const std::vector<std::vector<Point>>& frames) {
  std::vector<Point> all;
  for (const auto& frame : frames)
    for (std::size_t i = 0; i < frame.size(); ++i) all.push_back(frame[i] - frames.front()[i]);
  return all;
}

void look_along(View& view, const Point& normal) {
  const double sine = dot(normal, view.up);
  if (std::abs(sine) > 1 - 1e-9) {
    view.pitch = 90 * degrees;
    return;
  }
  // of the two sides of the plane, the one with a to the right
  const double side = dot(normal, view.b) > 0 ? -1 : 1;
  view.pitch = std::asin(side * sine);
  view.yaw = std::atan2(side * dot(normal, view.a), -side * dot(normal, view.b));
}

}  // namespace

Point View::right() const { return a * std::cos(yaw) + b * std::sin(yaw); }
Point View::towards() const { return (a * std::sin(yaw) - b * std::cos(yaw)) * std::cos(pitch) + up * std::sin(pitch); }
Point View::above() const { return cross(towards(), right()); }

View view_of(const std::vector<std::vector<Point>>& frames, const Point& gravity) {
  View view;
  view.up = norm(gravity) > 0 ? unit(-gravity) : Point{0, 0, 1};
  const Point x{1, 0, 0}, y{0, 1, 0};
  const Point along = std::abs(view.up.x) < 0.9 ? x : y;
  view.a = unit(along - view.up * dot(along, view.up));
  view.b = cross(view.up, view.a);

  std::optional<Point> normal = plane_of(displacements(frames));
  if (!normal) normal = plane_of(frames.front());
  if (normal) {
    look_along(view, *normal);
    view.is_square_on = true;
    return view;
  }
  std::vector<Point> cloud;
  for (const auto& frame : frames) cloud.insert(cloud.end(), frame.begin(), frame.end());
  const Eigen::Matrix3d C = spread(cloud);
  view.pitch = 22 * degrees;
  View best = view;
  double widest = -1;
  for (const int yaw : {-35, -50, -20, 35, 20, 50}) {
    view.yaw = yaw * degrees;
    const Eigen::Vector3d r = eigen(view.right()), u = eigen(view.above());
    const double area = r.dot(C * r) * u.dot(C * u) - std::pow(r.dot(C * u), 2);
    // a little better is not worth an unusual angle
    if (area > 1.05 * widest) widest = area, best = view;
  }
  return best;
}

}  // namespace denoc::figures
