#include "reproduce/mass_centre_elimination.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace denoc::app {
namespace {

using Vector = Eigen::Vector3f;
using Matrix = Eigen::Matrix3f;

// What turning at 1 rad/s about a point does at r from it.
Vector turning(const Eigen::Vector2f& r) { return {1, -r.y(), r.x()}; }

Matrix inertia_about_mass_centre(const Inertial& link) {
  const auto m = static_cast<float>(link.mass);
  return Vector(static_cast<float>(link.inertia.zz), m, m).asDiagonal();
}

}  // namespace

double first_acceleration_about_mass_centres(const Robot& robot, double q2) {
  const Body &first = robot.bodies[1], &second = robot.bodies[2];
  const auto l1 = static_cast<float>(first.own_frame.r.x), l2 = static_cast<float>(second.own_frame.r.x);
  const auto angle = static_cast<float>(q2);
  const Eigen::Vector2f c1(l1 + static_cast<float>(first.inertial.com.x), 0), joint2(l1, 0);
  const Eigen::Vector2f arm2 =
      (l2 + static_cast<float>(second.inertial.com.x)) * Eigen::Vector2f(std::cos(angle), std::sin(angle));
  const Vector p1 = turning(c1), p2 = turning(arm2);
  const Matrix M1 = inertia_about_mass_centre(first.inertial), M2 = inertia_about_mass_centre(second.inertial);
  Matrix B = Matrix::Identity();  // the twist of the first mass centre, carried to the second
  B.col(0) = turning(joint2 + arm2 - c1);

  const auto g = static_cast<float>(robot.gravity.y);
  const Vector w1(0, 0, M1(1, 1) * g), w2(0, 0, M2(1, 1) * g);
  const float phi2 = p2.dot(w2), phi1 = p1.dot(w1 + B.transpose() * w2);

  // psihat = Mhat p, d = p^T psihat, Mhat_1 = M_1 + B^T (Mhat_2 - psihat psi^T) B
  const Vector psi_hat = M2 * p2, psi = psi_hat / p2.dot(psi_hat);
  const Matrix M1_hat = M1 + B.transpose() * (M2 - psi_hat * psi.transpose()) * B;
  const float u12 = p1.dot(B.transpose() * psi);
  return static_cast<double>((phi1 - u12 * phi2) / p1.dot(M1_hat * p1));
}

}  // namespace denoc::app
