// A closed chain whose tree alone has no inertia somewhere: a massless link that nothing but its loops holds.
//   I a = phi + G f,   G^T a = c
// As G s (G^T a - c) = 0, the same a and f solve
//   (I + G s G^T) a = phi + G s c + G f,   G^T a = c
// whose matrix is regular where the closed chain is. s, by rows, brings both terms to one size: G is measured in the units
// of the rows, and with what inertia the joints have that share loops. No heavy body elsewhere drowns a small linkage.
#pragma once
#include <Eigen/Cholesky>

#include "closure_system.hpp"

namespace denoc {

class StiffenedTree {
 public:
  // At the state where the closure has its gradients.
  StiffenedTree(const Model& model, const Configuration<double>& at, const ClosureSystem& closure);
  // Whether the matrix, and so the closed chain, is regular.
  bool is_regular() const { return is_regular_; }

  // a of the stiffened tree, which condition() closes.
  Eigen::VectorXd free(const Eigen::VectorXd& phi, const Eigen::VectorXd& c) const {
    return factor_.solve(phi + G_ * c.cwiseProduct(root_));
  }
  // The same where v, tau and wrenches act on the tree: phi = tau - bias.
  Eigen::VectorXd free(const Model& model, const Configuration<double>& at, std::span<const double> v,
                       std::span<const double> tau, Wrenches<double> wrenches, const Eigen::VectorXd& c) const;
  Eigen::VectorXd half(const Eigen::VectorXd& g) const { return factor_.matrixL().solve(g); }
  Eigen::VectorXd back_half(const Eigen::VectorXd& z) const { return factor_.matrixU().solve(z); }

 private:
  Eigen::VectorXd root_;  // of s, by rows
  Eigen::MatrixXd G_;     // G sqrt(s)
  Eigen::LLT<Eigen::MatrixXd> factor_ = {};
  bool is_regular_ = false;
};

}  // namespace denoc
