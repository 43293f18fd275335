#include "stiffened_tree.hpp"

#include "denoc/dynamics/inertia/composite.hpp"

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
  // times the root of the pivot.
  const Eigen::MatrixXd sizes = K.diagonal().cwiseSqrt().asDiagonal();
  const Eigen::VectorXd lifted = factor_.matrixL().solve(sizes).cwiseAbs().rowwise().sum();
  const double rounding = 16 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  is_regular_ = (rounding * lifted.array().square() < 1).all();
}

}  // namespace denoc
