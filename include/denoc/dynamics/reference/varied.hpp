// A robot whose motion is varied, for the formulations by derivatives of the energies. With two nilpotent numbers
// (e1^2 = e2^2 = 0) a displacement x of the joints that has a factor e2 is exact to first order: x_i x_j = 0. So
//   q becomes q + x:  theta turns by x, R by 1 + [x], and the rates are v(x, x') = x' - [x, x']/2
// exactly, for unit quaternions, too: x are the coordinates of the exponential map.
#pragma once
#include "denoc/kinematics/energy.hpp"

namespace denoc {

template <class T> using Varied = Dual<Dual<T>>;
/// a + b e1 + c e2 + d e1 e2
template <class T> Varied<T> varied(const T& a, const T& b, const T& c, const T& d) {
  return {Dual<T>{a, c}, Dual<T>{b, d}};
}

/// The robot with numbers that carry derivatives.
template <Scalar T> struct VariedRobot {
  Configuration<Varied<T>> at;
  Kinematics<Varied<T>> kin;
  std::vector<Varied<T>> x, rates;
  explicit VariedRobot(const ModelOf<T>& model) : at(model), kin(model), x(model.nv()), rates(model.nv()) {}
};

/// at + x. x must have a factor e2 (or be zero).
template <Scalar T> void displace(const ModelOf<T>& model, const Configuration<T>& at, VariedRobot<T>& s) {
  using V = Varied<T>;
  const auto constant = [](const T& c) { return varied<T>(c, T(0), T(0), T(0)); };
  const auto constants = [&](const Vec3<T>& c) { return Vec3<V>{constant(c.x), constant(c.y), constant(c.z)}; };
  for (int i = 1; i <= model.link_count(); ++i) {
    const auto& link = model.links()[i];
    const V* x = &s.x[size_t(link.dof)];
    if (link.pose < 0) {  // theta turns by turn x, d slides by slide x
      const auto& [theta, d] = at.z[i];
      const V c = constant(theta.c), sine = constant(theta.s), turn = x[0] * V(link.turn);
      s.at.z[i] = {{c - sine * turn, sine + c * turn}, constant(d) + x[0] * V(link.slide)};
      continue;
    }
    const Pose<T>& pose = at.poses[link.pose];
    const Mat3<V> R =
        from_columns(constants(column_x(pose.R)), constants(column_y(pose.R)), constants(column_z(pose.R)));
    s.at.poses[link.pose] = {R + R * skew(Vec3<V>{x[0], x[1], x[2]}), constants(pose.r)};
    if (link.joint == Elementary::free) s.at.poses[link.pose].r += R * Vec3<V>{x[3], x[4], x[5]};
  }
  positions<V>(model, s.at, s.kin);
}
/// The twists at the rates v(x, x'), x' in s.rates.
template <Scalar T> void vary_twists(const ModelOf<T>& model, VariedRobot<T>& s) {
  using V = Varied<T>;
  const V half(Real<T>(0.5));
  for (const int i : model.posed_links()) {
    const auto& link = model.links()[i];
    const V* x = &s.x[size_t(link.dof)];
    V* rate = &s.rates[size_t(link.dof)];
    const Vec3<V> turn{x[0], x[1], x[2]}, w{rate[0], rate[1], rate[2]}, bracket = cross(turn, w) * half;
    rate[0] -= bracket.x, rate[1] -= bracket.y, rate[2] -= bracket.z;
    if (link.joint != Elementary::free) continue;
    const Vec3<V> slide{x[3], x[4], x[5]}, v{rate[3], rate[4], rate[5]};
    const Vec3<V> linear = (cross(turn, v) + cross(slide, w)) * half;
    rate[3] -= linear.x, rate[4] -= linear.y, rate[5] -= linear.z;
  }
  velocities<V>(model, s.rates, s.kin);
}

}  // namespace denoc
