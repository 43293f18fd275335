
#include "denoc/error.hpp"
#include "links.hpp"

namespace denoc::study {

namespace {

// Rounding of a rotation, not of a robot that was meant to be planar.
constexpr double leaving = 1e-9;

// The plane's normal: the first axis a joint turns about. A robot that only slides has none of its own.
Vector3d normal_of(const std::vector<StudyLink>& links) {
  for (const StudyLink& link : links)
    if (link.turns || !link.is_screw) return link.e;
  for (const StudyLink& link : links)
    if (const Vector3d normal = links[0].e.cross(link.e); normal.norm() > leaving) return normal.normalized();
  return links[0].e.unitOrthogonal();
}

// The world's x in the plane, so that a robot in the plane of x and y has their components; or y, if x is the normal.
Vector3d first_axis(const Vector3d& normal) {
  const Vector3d of_x = Vector3d::UnitX() - normal.x() * normal, of_y = Vector3d::UnitY() - normal.y() * normal;
  return (of_x.norm() > 0.5 ? of_x : of_y).normalized();
}

void require_planar(const Model& model, const std::vector<StudyLink>& links, const Vector3d& normal) {
  for (const StudyLink& link : links)
    for (Eigen::Index c = 0; c < link.p.cols(); ++c) {
      const Vector3d w = link.p.col(c).head<3>(), v = link.p.col(c).tail<3>();
      if (w.cross(normal).norm() > leaving || std::abs(v.dot(normal)) > leaving)
        throw ArgumentError("joint '" + model.joint_of_dof(link.dofs[size_t(c)]) +
                            "' leaves the plane in which the joints before it move");
    }
}

}  // namespace

PlanarMatrices planar_matrices(const Model& model, std::span<const double> q, std::span<const double> v) {
  require_size(v, model.nv(), "v");
  const auto links = study_links(model, q, v);
  const auto m = Eigen::Index(links.size()), n = Eigen::Index(model.nv());
  if (n == 0) return {};
  const Vector3d normal = normal_of(links), x = first_axis(normal), y = normal.cross(x);
  require_planar(model, links, normal);
  // [w; c'] of six entries to three
  Eigen::Matrix<double, 3, 6> flat = Eigen::Matrix<double, 3, 6>::Zero();
  flat.row(0).head<3>() = normal;
  flat.row(1).tail<3>() = x;
  flat.row(2).tail<3>() = y;
  const Matrices spatial = matrices(model, q, v);
  const MatrixXd T6 = to_eigen(spatial.T), T6_rate = to_eigen(spatial.T_rate);
  const Vec3<double>& g = model.robot().gravity;
  const Vector3d gravity(g.x, g.y, g.z);
  MatrixXd T(3 * m, n), T_rate(3 * m, n), M = MatrixXd::Zero(3 * m, 3 * m), w_G(3 * m, 1);
  for (Eigen::Index i = 0; i < m; ++i) {
    const StudyLink& link = links[size_t(i)];
    T.middleRows<3>(3 * i) = flat * T6.middleRows<6>(6 * i);
    T_rate.middleRows<3>(3 * i) = flat * T6_rate.middleRows<6>(6 * i);
    M.block<3, 3>(3 * i, 3 * i).diagonal() << normal.dot(link.I * normal), link.m, link.m;
    w_G.middleRows<3>(3 * i) << 0, link.m * x.dot(gravity), link.m * y.dot(gravity);
  }
  return {to_matrix(T),
          to_matrix(T_rate),
          to_matrix(M),
          to_matrix(T.transpose() * M * T),
          to_matrix(T.transpose() * M * T_rate),
          to_matrix(T.transpose() * w_G)};
}

}  // namespace denoc::study
