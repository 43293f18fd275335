#include "possible_inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "eigen/views.hpp"
#include "inspection.hpp"
#include "point_inertia.hpp"

namespace denoc::inspection {
namespace {

// Rounding that the sums of a program leave in a tensor, relative to its largest moment; and what an exporter's
// rounding leaves of a point mass: no more than the mass at ten nanometres.
constexpr double inertia_rounding = 1e-9;
constexpr double point_radius = 1e-8;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Both about the common mass centre.
Inertial sum(const Inertial& a, const Inertial& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.com, a.inertia + b.inertia};
  const Vec3<double> com = (a.com * a.mass + b.com * b.mass) * (1 / mass);
  return {mass, com, a.inertia + point_inertia(a.mass, a.com - com) + b.inertia + point_inertia(b.mass, b.com - com)};
}

Inertial seen_from(const Pose<double>& frame, const Inertial& own) {
  return {own.mass, frame.r + frame.R * own.com, turn(frame.R, own.inertia)};
}

bool is_sound(const Inertial& i) { return finite(i.mass) && i.mass >= 0 && finite(i.com) && finite(i.inertia); }

Eigen::Matrix3d second_moment(const Sym3<double>& inertia) {
  const Eigen::Matrix3d i = views::dense(inertia);
  return i.trace() / 2 * Eigen::Matrix3d::Identity() - i;
}

}  // namespace

std::string Moments::text() const { return fmt::format("{}, {}, {}", small, middle, large); }

Moments moments_of(const Sym3<double>& inertia) {
  const auto [small, middle, large] = principal_moments(inertia);
  return {small, middle, large};
}

std::vector<Rigid> rigid_bodies(const Robot& robot) {
  std::vector<Rigid> rigid;
  std::vector<int> place(robot.bodies.size(), -1);  // in `rigid`; -1: the ground
  std::vector<Pose<double>> in_carrier(robot.bodies.size());
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Body& body = robot.bodies[b];
    if (body.parent < 0 || at(body.parent) >= b) continue;  // faults_of says so
    const bool is_welded = body.joint.type == JointType::fixed;
    place[b] = is_welded ? place[at(body.parent)] : static_cast<int>(rigid.size());
    if (!is_welded) rigid.push_back({static_cast<int>(b)});
    if (place[b] < 0) continue;
    if (is_welded) in_carrier[b] = in_carrier[at(body.parent)] * body.joint_frame * body.own_frame;
    Rigid& whole = rigid[at(place[b])];
    whole.links.push_back(static_cast<int>(b));
    if (is_sound(body.inertial)) whole.inertial = sum(whole.inertial, seen_from(in_carrier[b], body.inertial));
  }
  return rigid;
}

std::vector<Impossible> impossible_inertias(const Robot& robot, std::span<const double> rounding) {
  const auto allowed = [&](const Moments& m, double mass, double printed) {
    return printed + inertia_rounding * std::max(std::abs(m.small), std::abs(m.large)) +
           mass * point_radius * point_radius;
  };
  const auto printed = [&](int b) { return at(b) < rounding.size() ? rounding[at(b)] : 0; };
  std::vector<Impossible> found;
  for (const Rigid& whole : rigid_bodies(robot)) {
    double printed_in_all = 0;
    for (const int b : whole.links) printed_in_all += printed(b);
    const Moments moments = moments_of(whole.inertial.inertia);
    if (!(moments.excess() > allowed(moments, whole.inertial.mass, printed_in_all))) continue;
    for (const int b : whole.links) {
      const Inertial& inertial = robot.bodies[at(b)].inertial;
      if (!is_sound(inertial)) continue;
      const Moments own = moments_of(inertial.inertia);
      if (own.excess() > allowed(own, inertial.mass, printed(b)))
        found.push_back({b, own, moments, whole.links.size() > 1});
    }
  }
  return found;
}

Fault doubt(const Robot& robot, const Impossible& found) {
  const Moments& own = found.own;
  std::string rule =
      own.small < 0 ? fmt::format("an inertia is positive semidefinite; its principal moments are {}", own.text())
                    : fmt::format(
                          "triangle inequality: no mass distribution has the principal moments {}; the largest exceeds "
                          "the sum of the others by {}",
                          own.text(), own.excess());
  if (found.is_welded) rule += fmt::format(" (with what is welded to it they are {})", found.rigid.text());
  return {part_of(source_of(robot.bodies[at(found.body)]), "inertia"), rule};
}

Sym3<double> nearest_possible(const Sym3<double>& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(second_moment(inertia));
  const Eigen::Vector3d kept = eigen.eigenvalues().cwiseMax(0);
  const Eigen::Matrix3d s = eigen.eigenvectors() * kept.asDiagonal() * eigen.eigenvectors().transpose();
  return views::sym3(kept.sum() * Eigen::Matrix3d::Identity() - s);
}

Fault repair(Robot& robot, const Impossible& found) {
  Body& body = robot.bodies[at(found.body)];
  const Sym3<double> before = body.inertial.inertia;
  body.inertial.inertia = nearest_possible(before);
  const Eigen::Matrix3d was = second_moment(before), change = second_moment(body.inertial.inertia) - was;
  return {part_of(source_of(body), "inertia"),
          fmt::format("repaired: the principal moments {} became {}; the pseudo-inertia at the mass centre moved by {} "
                      "kg m^2 (Frobenius norm), {:.3g} % of it",
                      found.own.text(), moments_of(body.inertial.inertia).text(), change.norm(),
                      100 * change.norm() / was.norm())};
}

}  // namespace denoc::inspection
