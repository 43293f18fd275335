#include "studies/reproduce/printed_angeles7.hpp"

#include <cmath>

#include "denoc/kinematics/kinematics.hpp"

namespace denoc::app::printed {

PlanarArm::PlanarArm(const Robot& robot, const std::vector<double>& q, const std::vector<double>& v)
    : m1_(robot.bodies[1].inertial.mass),
      m2_(robot.bodies[2].inertial.mass),
      m3_(robot.bodies[3].inertial.mass),
      a1_(robot.bodies[1].own_frame.r.x),
      a2_(robot.bodies[2].own_frame.r.x),
      a3_(robot.bodies[3].own_frame.r.x),
      I1_(robot.bodies[1].inertial.inertia.zz),
      I2_(robot.bodies[2].inertial.inertia.zz),
      I3_(robot.bodies[3].inertial.inertia.zz),
      g_(-robot.gravity.y),
      d1_(v[0]),
      d2_(v[1]),
      d3_(v[2]),
      c1_(std::cos(q[0])),
      c12_(std::cos(q[0] + q[1])),
      c123_(std::cos(q[0] + q[1] + q[2])),
      c2_(std::cos(q[1])),
      c3_(std::cos(q[2])),
      c23_(std::cos(q[1] + q[2])),
      s2_(std::sin(q[1])),
      s3_(std::sin(q[2])),
      s23_(std::sin(q[1] + q[2])) {}

std::vector<double> PlanarArm::inertia() const {
  const double I11 =
      I1_ + I2_ + I3_ + m1_ * a1_ * a1_ / 4 + m2_ * (a1_ * a1_ + a2_ * a2_ / 4 + a1_ * a2_ * c2_) +
      m3_ * (a1_ * a1_ + a2_ * a2_ + a3_ * a3_ / 4 + 2 * a1_ * a2_ * c2_ + a1_ * a3_ * c23_ + a2_ * a3_ * c3_);
  const double I12 =
      I2_ + I3_ +
      (m2_ * (a2_ * a2_ / 2 + a1_ * a2_ * c2_) +
       m3_ * (2 * a2_ * a2_ + a3_ * a3_ / 2 + 2 * a1_ * a2_ * c2_ + a1_ * a3_ * c23_ + 2 * a2_ * a3_ * c3_)) /
          2;
  const double I13 = I3_ + m3_ * (a3_ * a3_ / 2 + a1_ * a3_ * c23_ + a2_ * a3_ * c3_) / 2;
  const double I22 = I2_ + I3_ + m2_ * a2_ * a2_ / 4 + m3_ * (a2_ * a2_ + a3_ * a3_ / 4 + a2_ * a3_ * c3_);
  const double I23 = I3_ + m3_ * (a3_ * a3_ / 2 + a2_ * a3_ * c3_) / 2;
  const double I33 = I3_ + m3_ * a3_ * a3_ / 4;
  return {I11, I12, I13, I12, I22, I23, I13, I23, I33};
}

std::vector<double> PlanarArm::velocity_forces() const {
  const double first = m2_ * a1_ * a2_ * s2_ + m3_ * (2 * a1_ * a2_ * s2_ + a1_ * a3_ * s23_);
  const double both = m3_ * (a1_ * a3_ * s23_ + a2_ * a3_ * s3_), third = m3_ * a2_ * a3_ * s3_;
  return {-first * d1_ * d2_ - both * d1_ * d3_ - first * d2_ * d2_ / 2 - both * d2_ * d3_ - both * d3_ * d3_ / 2,
          first * d1_ * d1_ / 2 - third * d1_ * d3_ - third * d2_ * d3_ - third * d3_ * d3_ / 2,
          both * d1_ * d1_ / 2 + third * d1_ * d2_ + third * d2_ * d2_ / 2};
}

std::vector<double> PlanarArm::iota() const {
  const double first = m2_ * a1_ * a2_ * s2_ + m3_ * a1_ * (2 * a2_ * s2_ + a3_ * s23_);
  const double both = m3_ * a3_ * (a1_ * s23_ + a2_ * s3_), third = m3_ * a2_ * a3_ * s3_;
  return {-first * d1_ * d2_ - both * d1_ * d3_ - first * d2_ * d2_ / 2 - both * d2_ * d3_ - both * d3_ * d3_ / 2,
          -first * d1_ * d2_ / 2 - both * d1_ * d3_ / 2 - third * d2_ * d3_ - third * d3_ * d3_ / 2,
          -m3_ * a1_ * a3_ * s23_ * d1_ * d2_ / 2 - both * d1_ * d3_ / 2 - third * d2_ * d3_ / 2};
}
std::vector<double> PlanarArm::gamma_of_731() const {
  const double first = m2_ * a1_ * a2_ * s2_ + m3_ * (2 * a1_ * a2_ * s2_ + a1_ * a3_ * s23_);
  const double both = m3_ * (a1_ * a3_ * s23_ + a2_ * a3_ * s3_), third = m3_ * a2_ * a3_ * s3_;
  return {0, -first * d1_ * d1_ - first * d1_ * d2_ - m3_ * a1_ * a3_ * s23_ * d1_ * d3_,
          -both * d1_ * d1_ - (both + third) * d1_ * d2_ - both * d1_ * d3_ - third * d3_ * d3_ - third * d2_ * d3_};
}

std::vector<double> PlanarArm::gravity_of_731() const {
  return {-m1_ * g_ * a1_ * c1_ / 2 - m2_ * g_ * (a1_ * c1_ + a2_ * c12_ / 2) -
              m3_ * g_ * (a1_ * c1_ + a2_ * c12_ + a3_ * c123_ / 2),
          -m2_ * g_ * a2_ * c12_ / 2 - m3_ * g_ * (a2_ * c12_ + a3_ * c123_ / 2), -m3_ * g_ * a3_ * c123_ / 2};
}
std::vector<double> PlanarArm::gravity_of_762() const {
  return {
      g_ / 2 *
          (-m1_ * a1_ * c1_ - 2 * m2_ * (a1_ * c1_ + a2_ * c12_) - 2 * m3_ * (a1_ * c1_ + a2_ * c12_ + a3_ * c123_)),
      g_ / 2 * (-m2_ * a2_ * c12_ - 2 * m3_ * (a2_ * c12_ + a3_ * c123_)), -g_ / 2 * m3_ * a3_ * c123_};
}

double PlanarArm::squared_speed_3() const {
  const double d12 = d1_ + d2_, d123 = d12 + d3_;
  return a1_ * a1_ * d1_ * d1_ + a2_ * a2_ * d12 * d12 + a3_ * a3_ * d123 * d123 / 4 + 2 * a1_ * a2_ * c2_ * d1_ * d12 +
         a1_ * a3_ * c23_ * d1_ * d123 + 2 * a2_ * a3_ * c3_ * d12 * d123;
}

std::vector<double> wrist_inertia(const std::vector<double>& q) {
  const double J2 = 0.015, K1 = 0.010, K2 = 0.008, K3 = 0.007, L1 = 0.004, L2 = 0.004, L3 = 0.002;
  const double s5 = std::sin(q[1]), c5 = std::cos(q[1]), s6 = std::sin(q[2]), c6 = std::cos(q[2]);
  const double I44 = J2 + K1 * s5 * s5 + K3 * c5 * c5 + s5 * s5 * (L1 * c6 * c6 + L2 * s6 * s6) + L3 * c5 * c5;
  const double I45 = (L1 - L2) * s5 * s6 * c6, I46 = -L3 * c5, I55 = K2 + L1 * s6 * s6 + L2 * c6 * c6;
  return {I44, I45, I46, I45, I55, 0, I46, 0, L3};
}

std::vector<double> rrp_inertia(const std::vector<double>& q) {
  const double A = 0.05, B = 0.04, C = 0.03, m3 = 1.8, b = q[2], s2 = std::sin(q[1]);
  return {A + B + C + m3 * b * b * s2 * s2, 0, 0, 0, B + C + m3 * b * b, 0, 0, 0, m3};
}
std::vector<double> rrp_forces(const std::vector<double>& q, const std::vector<double>& v) {
  const double m3 = 1.8, g = 9.81, b = q[2];
  const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s2 = std::sin(q[1]), c2 = std::cos(q[1]);
  return {2 * m3 * b * s2 * s2 * v[2] * v[0] + 2 * m3 * b * b * s2 * c2 * v[0] * v[1] + m3 * g * b * s1 * s2,
          2 * m3 * b * v[2] * v[1] - m3 * b * b * s2 * c2 * v[0] * v[0] - m3 * g * b * c1 * c2,
          -m3 * b * (v[1] * v[1] + s2 * s2 * v[0] * v[0]) - m3 * g * c1 * s2};
}

double squared_speed_of_mass_centre(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                                    int body) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, q, at);
  positions<double>(model, at, kin);
  velocities<double>(model, v, kin);
  const Twist<double> t = twist_in_body<double>(model, kin, body);
  const Vec3<double> speed = t.v + cross(t.w, model.robot().bodies[static_cast<std::size_t>(body)].inertial.com);
  return dot(speed, speed);
}

}  // namespace denoc::app::printed
