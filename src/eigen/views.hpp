// The library's vectors and matrices as Eigen's: what is long is looked at where it lies, what is small is copied.
#pragma once
#include <Eigen/Core>
#include <span>

#include "denoc/spatial/tensor.hpp"

namespace denoc::views {

using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Map<const Eigen::VectorXd> vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
inline std::span<const double> entries(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline Eigen::Map<const ByRows> by_rows(std::span<const double> x, Eigen::Index rows, Eigen::Index columns) {
  return {x.data(), rows, columns};
}
// Of a MatrixView.
template <class View> Eigen::Map<const ByRows> by_rows(const View& m) {
  return by_rows(m.entries(), m.rows(), m.columns());
}

inline Eigen::Matrix3d dense(const Mat3<double>& a) {
  Eigen::Matrix3d m;
  m << a.xx, a.xy, a.xz, a.yx, a.yy, a.yz, a.zx, a.zy, a.zz;
  return m;
}
inline Eigen::Matrix3d dense(const Sym3<double>& s) {
  Eigen::Matrix3d m;
  m << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return m;
}
// Its lower triangle is not looked at.
inline Sym3<double> sym3(const Eigen::Matrix3d& m) { return {m(0, 0), m(0, 1), m(1, 1), m(0, 2), m(1, 2), m(2, 2)}; }

}  // namespace denoc::views
