// The links of a robot at a state in world axes, as Eigen wants them.
#pragma once
#include <Eigen/Dense>

#include "denoc/dynamics/study.hpp"

namespace denoc::study {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

struct StudyLink {
  int parent;     // -1 on the ground
  bool is_screw;  // its joint has one column, about or along e
  bool turns;     // ... about it: a screw of this pitch
  double pitch;
  std::vector<int> dofs;
  Vector3d o, c, e;                            // origin, mass centre, joint axis
  Vector3d w, v_o, v_c;                        // angular velocity, velocities of origin and mass centre
  Eigen::Matrix<double, 6, Eigen::Dynamic> p;  // the joint's columns, about the origin
  double m;
  Matrix3d I;  // about the mass centre
};
// [0] is the first link: the ground is not among them.
std::vector<StudyLink> study_links(const Model& model, std::span<const double> q, std::span<const double> v);

inline Matrix3d tilde(const Vector3d& a) {
  Matrix3d x;
  x << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return x;
}
// A_ij: the twist about the point `from` as it is about the point `to`, a_ij from `to` to `from`.
//                                                                                            [Mohan07 (6), Shah13 (7b)]
inline Matrix6d propagation(const Vector3d& to, const Vector3d& from) {
  Matrix6d A = Matrix6d::Identity();
  A.bottomLeftCorner<3, 3>() = tilde(from - to);
  return A;
}
inline Matrix6d inertia_about(const StudyLink& link, const Vector3d& point) {
  const Matrix3d d = tilde(link.c - point);
  Matrix6d M;
  M << link.I - link.m * d * d, link.m * d, -link.m * d, link.m * Matrix3d::Identity();
  return M;
}
inline const Vector3d& reference(const StudyLink& link, About about) {
  return about == About::origins ? link.o : link.c;
}
// The links of each module, base to tip, and its parent.
std::vector<ModuleMatrices> grouped(const Model& model, const std::vector<StudyLink>& links, Grouping grouping);
// d/dt of a column about a point that moves with this velocity; c: of the mover's columns.
Vector6d rate_of_column(const StudyLink& mover, int c, const Vector3d& point, const Vector3d& velocity);

inline Matrix to_matrix(const MatrixXd& x) {
  Matrix m{int(x.rows()), int(x.cols()), {}};
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index k = 0; k < x.cols(); ++k) m.entries.push_back(x(i, k));
  return m;
}
inline MatrixXd to_eigen(const Matrix& m) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(m.entries.data(),
                                                                                                  m.rows, m.cols);
}

}  // namespace denoc::study
