#include "stiffened_tree.hpp"

#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inverse/denoc.hpp"
#include "denoc/dynamics/singular_inertia.hpp"

namespace denoc {

StiffenedTree::StiffenedTree(const Model& model, const Configuration<double>& at, const ClosureSystem& closure)
    : root_(Eigen::VectorXd::Zero(closure.size())) {
  const Eigen::Index n = model.nv();
  CompositeScratch<double> scratch(model);
  Eigen::MatrixXd K(n, n);
  inertia_matrix<double>(model, at, scratch, {K.data(), static_cast<std::size_t>(n * n)});
  const Eigen::VectorXd inertia = K.diagonal().cwiseProduct(closure.units.cwiseAbs2());
  Eigen::VectorXd sizes = closure.sizes();
  sizes = (sizes.array() > rank_threshold).select(sizes, 0).eval();  // others are rounding
  for (const auto& [dofs, rows] : blocks_of(closure.gradients)) {
    const double moved = inertia(dofs).sum(), size = sizes(rows).norm();
    if (size == 0) continue;
    const double root = std::sqrt(moved > 0 ? moved : inertia.sum()) / size;
    for (const Eigen::Index i : rows)
      if (sizes[i] > 0) root_[i] = root / closure.row_units[i];
  }
  if (root_.isZero(0)) return;
  G_ = closure.gradients * root_.asDiagonal();
  K += G_ * G_.transpose();
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

Eigen::VectorXd StiffenedTree::free(const Model& model, const Configuration<double>& at, std::span<const double> v,
                                    std::span<const double> tau, Wrenches<double> wrenches,
                                    const Eigen::VectorXd& c) const {
  InverseScratch<double> scratch(model);
  const std::vector<double> rest(v.size(), 0.0);
  Eigen::VectorXd bias(model.nv());
  inverse_dynamics<double>(model, at, v, rest, scratch, {bias.data(), v.size()}, wrenches);
  return free(Eigen::Map<const Eigen::VectorXd>(tau.data(), model.nv()) - bias, c);
}

}  // namespace denoc
