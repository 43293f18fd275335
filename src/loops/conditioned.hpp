// The equations of motion under conditions on the accelerations.
#pragma once
#include <Eigen/Dense>
#include <cmath>

#include "denoc/dynamics/inertia/udut.hpp"
#include "nth.hpp"
#include "pseudoinverse.hpp"

namespace denoc {

// The least correction of a under linear conditions, in the metric of the inertia matrix [Gauss's principle], through a
// factor I = L L^T given by what L^-1 and L^-T do (halves.half, halves.back_half):
//   I a = tau + G f,  G^T a = c,   B = L^-1 G,   z = (B^T)^+ (c - G^T a_free),  a = a_free + L^-T z,  f = B^+ z
// f is the shortest where it is not unique. sizes: of the columns of G, see Pseudoinverse::in_metric.
struct Conditioned {
  Eigen::VectorXd multipliers;
  Eigen::Index rank = 0;
};
template <class Halves>
Conditioned condition(const Eigen::MatrixXd& G, const Eigen::VectorXd& sizes, const Eigen::VectorXd& c, Halves& halves,
                      Eigen::Ref<Eigen::VectorXd> a) {
  Eigen::MatrixXd B(G.rows(), G.cols());
  for (Eigen::Index j = 0; j < G.cols(); ++j) B.col(j) = halves.half(G.col(j));
  const Pseudoinverse inverse = Pseudoinverse::in_metric(sizes, B);
  const Eigen::VectorXd z = inverse.transposed(c - G.transpose() * a);
  a += halves.back_half(z);
  return {inverse.solve(z), inverse.rank()};
}

// The same through I = U D U^T.
class FactoredHalves {
 public:
  FactoredHalves(const Model& model, const Configuration<double>& at, const Factor<double>& factor,
                 SolveScratch<double>& scratch)
      : model_(&model), at_(&at), factor_(&factor), scratch_(&scratch), hat_(model.nv()), a_(model.nv()) {}

  // D^-1/2 U^-1 g
  const Eigen::VectorXd& half(const Eigen::VectorXd& g) {
    solve_upper<double>(*model_, *at_, *factor_, {g.data(), size()}, *scratch_, {hat_.data(), size()});
    for (Eigen::Index k = 0; k < hat_.size(); ++k) hat_[k] *= std::sqrt(nth(factor_->d_inv, k));
    return hat_;
  }
  // U^-T D^-1/2 z
  const Eigen::VectorXd& back_half(const Eigen::VectorXd& z) {
    for (Eigen::Index k = 0; k < hat_.size(); ++k) hat_[k] = z[k] / std::sqrt(nth(factor_->d_inv, k));
    solve_lower<double>(*model_, *at_, *factor_, {hat_.data(), size()}, *scratch_, {a_.data(), size()});
    return a_;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(hat_.size()); }
  const Model* model_;
  const Configuration<double>* at_;
  const Factor<double>* factor_;
  SolveScratch<double>* scratch_;
  Eigen::VectorXd hat_, a_;
};

}  // namespace denoc
