// Eigen's vectors and matrices in and out, for those who use Eigen: an opt-in, denoc.hpp does not include it.
//
//   Eigen::VectorXd q = ..., v = ..., a = ...;
//   auto tau = denoc::map(d.inverse(denoc::entries(q), denoc::entries(v), denoc::entries(a)));
//   auto I = denoc::map(d.inertia(denoc::entries(q)));
//
// Vectors and matrices are views: nothing is copied, and they are good as long as what they look at.
#pragma once
#include <Eigen/Geometry>

#include "denoc/mechanism/dynamics.hpp"

namespace denoc {

/// The entries of a vector as the library's calls take them. Only of what stands in memory one after the other: a
/// vector, a map of one, a segment; not a row of a matrix that is stored by columns, nor an expression.
template <class Vector> std::span<const double> entries(const Eigen::PlainObjectBase<Vector>& x) {
  static_assert(Vector::IsVectorAtCompileTime, "a vector is wanted");
  return {x.data(), size_t(x.size())};
}
template <class Vector> std::span<double> entries(Eigen::PlainObjectBase<Vector>& x) {
  static_assert(Vector::IsVectorAtCompileTime, "a vector is wanted");
  return {x.data(), size_t(x.size())};
}
template <class Vector> std::span<const double> entries(const Eigen::MapBase<Vector, Eigen::ReadOnlyAccessors>& x) {
  static_assert(Vector::IsVectorAtCompileTime && Vector::InnerStrideAtCompileTime == 1, "entries one after the other");
  return {x.data(), size_t(x.size())};
}

/// A result as a vector, or as a matrix with rows and columns.
inline Eigen::Map<const Eigen::VectorXd> map(std::span<const double> x) { return {x.data(), Eigen::Index(x.size())}; }
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
inline Eigen::Map<const RowMajor> map(const MatrixView& m) { return {m.entries().data(), m.rows(), m.columns()}; }

/// Small things, copied: frames, and twists and wrenches as six numbers, the angular part first.
inline Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
/// The same back.
inline Vec3<double> vec3(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
/// A frame as a transformation: rotation and translation.
inline Eigen::Isometry3d eigen(const Pose<double>& pose) {
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.linear() << eigen(column_x(pose.R)), eigen(column_y(pose.R)), eigen(column_z(pose.R));
  frame.translation() = eigen(pose.r);
  return frame;
}
inline Eigen::Vector<double, 6> eigen(const Twist<double>& t) { return {t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z}; }
inline Eigen::Vector<double, 6> eigen(const Wrench<double>& w) { return {w.n.x, w.n.y, w.n.z, w.f.x, w.f.y, w.f.z}; }

}  // namespace denoc
