#include "stiffened_tree.hpp"

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/singular_inertia.hpp"

namespace denoc {

StiffenedTree::StiffenedTree(const Model& model, const Configuration<double>& at, const ClosureSystem& closure)
    : row_units_(closure.row_units), G_(closure.gradients * row_units_.cwiseInverse().asDiagonal()) {
  const Eigen::Index n = model.nv();
  CompositeScratch<double> scratch(model);
  Eigen::MatrixXd K(n, n);
  inertia_matrix<double>(model, at, scratch, {K.data(), static_cast<std::size_t>(n * n)});
  const double size = closure.sizes().squaredNorm();
  if (size == 0) return;
  s_ = K.diagonal().dot(closure.units.cwiseAbs2()) / size;
  K += s_ * G_ * G_.transpose();
  factor_.compute(K);
  if (factor_.info() != Eigen::Success) return;
  // A pivot that may be nothing but rounding does not count (dynamics/singular_inertia.hpp), x_k being row k of L^-1
  // times the root of the pivot; what it is made of is known to n roundings.
  Eigen::MatrixXd lifted(n, detail::sign_patterns);
  for (int k = 0; k < n; ++k)
    for (int pattern = 0; pattern < detail::sign_patterns; ++pattern)
      lifted(k, pattern) = detail::signed_part(std::sqrt(K(k, k)), k, pattern);
  factor_.matrixL().solveInPlace(lifted);
  const double rounding = 16 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  is_regular_ = (rounding / detail::sign_patterns * lifted.rowwise().squaredNorm().array() < 1).all();
}

}  // namespace denoc
