// What Dynamics says of positions, velocities and what is carried along with them: energy, momentum, mass centre.
#include <array>

#include "denoc/kinematics/energy.hpp"
#include "dynamics_parts.hpp"
#include "finite_answers.hpp"

namespace denoc {

Dynamics::Energy Dynamics::energy(Vector q, Vector v) {
  Parts& p = *parts_;
  p.place(q);
  p.move(v);
  Energy energy{kinetic_energy<double>(p.tree, p.here.kin), potential_energy<double>(p.tree, p.here.kin)};
  if (p.acting.forces) energy.potential += p.acting.forces->stored(p.here.at, p.here.q);
  require_all_finite(std::array{energy.kinetic, energy.potential}, "the energy");
  return energy;
}
Dynamics::Momentum Dynamics::momentum(Vector q, Vector v) {
  Parts& p = *parts_;
  p.place(q);
  p.move(v);
  const Wrench<double> momentum = momentum_in_world<double>(p.tree, p.here.kin);
  Parts::require_finite(momentum.n, momentum.f, "the momentum");
  return {momentum.f, momentum.n};
}

Pose<double> Dynamics::Parts::pose(int body, const Vec3<double>& point) const {
  Pose<double> pose = pose_in_world<double>(tree, here.kin, body);
  pose.r += pose.R * point;
  require_finite(pose.R * Vec3<double>{1, 1, 1}, pose.r, "the pose");
  return pose;
}
Pose<double> Dynamics::pose(Vector q, const Which& body, const Vec3<double>& point) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.place(q);
  positions<double>(p.tree, p.here.at, p.here.kin);
  return p.pose(b, point);
}
std::vector<Pose<double>> Dynamics::poses(Vector q, const Vec3<double>& point) {
  Parts& p = *parts_;
  p.place(q);
  positions<double>(p.tree, p.here.at, p.here.kin);
  std::vector<Pose<double>> all;
  for (int b = 0; b < static_cast<int>(p.tree.bodies().size()); ++b) all.push_back(p.pose(b, point));
  return all;
}

Twist<double> Dynamics::twist(Vector q, Vector v, const Which& body, const Vec3<double>& point, Axes axes) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.place(q);
  p.move(v);
  const auto [w, origin] = twist_in_body<double>(p.tree, p.here.kin, b);
  const Vec3<double> velocity = origin + cross(w, point);
  Parts::require_finite(w, velocity, "the twist");
  if (axes == Axes::body) return {w, velocity};
  const Mat3<double> R = pose_in_world<double>(p.tree, p.here.kin, b).R;
  return {R * w, R * velocity};
}

MatrixView Dynamics::jacobian(Vector q, const Which& body, const Vec3<double>& point, Axes axes) {
  return jacobian(q, body, Loops::closed, point, axes);
}
MatrixView Dynamics::jacobian(Vector q, const Which& body, Loops loops, const Vec3<double>& point, Axes axes) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.require_tree(loops, "Jacobian");
  p.place(q);
  positions<double>(p.tree, p.here.at, p.here.kin);
  jacobian_in_body<double>(p.tree, p.here.kin, b, p.given.jacobian);
  const Mat3<double> R = axes == Axes::body ? identity3<double>() : pose_in_world<double>(p.tree, p.here.kin, b).R;
  const int n = p.tree.nv();
  for (int k = 0; k < n; ++k) {
    const auto at = [&](int row) -> double& { return p.given.jacobian[size_t(row) * size_t(n) + size_t(k)]; };
    const Vec3<double> w{at(0), at(1), at(2)}, v{at(3), at(4), at(5)};
    detail::store_column<double>(p.given.jacobian, n, k, {R * w, R * (v + cross(w, point))});
  }
  require_all_finite(p.given.jacobian, "the Jacobian");
  return {p.given.jacobian, 6, n};
}

Twist<double> Dynamics::jacobian_bias(Vector q, Vector v, const Which& body, const Vec3<double>& point, Axes axes) {
  Parts& p = *parts_;
  const int b = p.mechanism.body(body);
  p.place(q);
  p.move(v);
  denoc::accelerations<double>(p.tree, v, p.zero, p.here.kin);
  const auto [w, velocity] = twist_in_body<double>(p.tree, p.here.kin, b);
  const auto [wd, rate] = twist_rate_in_body<double>(p.tree, p.here.kin, b);
  // of the origin, and from there to the point
  const Vec3<double> a = rate + cross(w, velocity) + cross(wd, point) + cross(w, cross(w, point));
  Parts::require_finite(wd, a, "the acceleration");
  if (axes == Axes::body) return {wd, a};
  const Mat3<double> R = pose_in_world<double>(p.tree, p.here.kin, b).R;
  return {R * wd, R * a};
}

Dynamics::Centre Dynamics::Parts::find_centre() const {
  const auto [mass, position] = denoc::mass_centre<double>(tree, here.kin);
  if (!(mass > 0)) throw Error("the robot has no mass, and so no mass centre");
  require_finite(position, {mass, 0, 0}, "the mass centre");
  return {mass, position};
}
Dynamics::Centre Dynamics::mass_centre(Vector q) {
  Parts& p = *parts_;
  p.place(q);
  positions<double>(p.tree, p.here.at, p.here.kin);
  return p.find_centre();
}
MatrixView Dynamics::mass_centre_jacobian(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "Jacobian of the mass centre");
  p.find_momenta(q, p.scratch.momenta);
  const double mass = p.find_centre().mass;
  p.given.centre_jacobian.resize(3 * p.zero.size());
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < p.tree.nv(); ++k)
      p.given.centre_jacobian[size_t(row) * size_t(p.tree.nv()) + size_t(k)] =
          p.scratch.momenta[size_t(3 + row) * size_t(p.tree.nv()) + size_t(k)] / mass;
  return {p.given.centre_jacobian, 3, p.tree.nv()};
}
MatrixView Dynamics::centroidal_momentum_matrix(Vector q, Loops loops) {
  Parts& p = *parts_;
  p.require_tree(loops, "centroidal momentum matrix");
  p.find_momenta(q, p.given.momentum_matrix);
  return {p.given.momentum_matrix, 6, p.tree.nv()};
}
void Dynamics::Parts::find_momenta(Vector q, std::vector<double>& matrix) {
  place(q);
  positions<double>(tree, here.at, here.kin);
  matrix.resize(6 * zero.size());
  denoc::momentum_matrix<double>(tree, here.kin, find_centre().position, scratch.composite, matrix);
  require_all_finite(matrix, "the momentum matrix");
}

}  // namespace denoc
