// The system as implicit methods see it: the residuals of its equations.
#include <algorithm>

#include "system.hpp"

namespace denoc::simulation {

std::size_t System::conditions() const {
  return (closure_ ? static_cast<std::size_t>(closure_->size()) : 0) + friction_.size();
}

void System::residual(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                      std::span<const double> f, std::span<double> motion, std::span<double> condition) {
  ++evaluations_;
  evaluated_.forget();
  load(t, q, v);
  Loads<double>& loads = applied_.loads();
  // I a + bias - total - G f
  inverse_dynamics<double>(*model_, at_, v, a, forward_.inverse, motion, loads.wrenches);
  for (std::size_t k = 0; k < motion.size(); ++k) motion[k] -= loads.tau[k];
  // G^T a - c
  std::size_t loops = 0;
  if (closure_) {
    closure_->evaluate(at_, q, v);
    closure_->differentiate(at_);
    const Eigen::Index rows = closure_->size();
    loops = static_cast<std::size_t>(rows);
    const auto vector = [](std::span<const double> x) {
      return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    };
    Eigen::Map<Eigen::VectorXd>(motion.data(), model_->nv()) -= closure_->gradients * vector(f.first(loops));
    Eigen::Map<Eigen::VectorXd>(condition.data(), rows) = closure_->gradients.transpose() * vector(a) - closing();
  }
  strain_ = 0;
  for (std::size_t i = 0; i < friction_.size(); ++i) {
    const double force = f[loops + i];
    const auto k = static_cast<std::size_t>(friction_[i].dof);
    const bool rests = friction_[i].mode == DryFriction::Mode::rest;
    condition[loops + i] = rests ? a[k] : force;
    motion[k] -= rests ? force : 0;
    if (!rests) continue;
    strain_ += force / friction_[i].limit;
    loads.input += force * friction_[i].law->surface_speed;
  }
  require_finite(*model_, motion, "the force");
}

std::vector<bool> System::holding_forces(double t, std::span<const double> q, std::span<const double> v,
                                         std::span<double> f) {
  std::fill(f.begin(), f.end(), 0.0);
  std::vector<bool> is_needed(f.size());
  if (f.empty()) return is_needed;
  Eigen::VectorXd motion(model_->nv());
  std::vector<double> condition(f.size());
  residual(t, q, v, a_, f, {motion.data(), a_.size()}, condition);
  const Eigen::Index loops = closure_ ? closure_->size() : 0, all = static_cast<Eigen::Index>(f.size());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(model_->nv(), all);
  if (closure_) G.leftCols(loops) = closure_->gradients;
  for (Eigen::Index i = loops; i < all; ++i) {
    const DryFriction& friction = friction_[static_cast<std::size_t>(i - loops)];
    if (friction.mode == DryFriction::Mode::rest) G(friction.dof, i) = 1;
  }
  // G f = I a + bias - total, by as many columns as are independent: G P = Q R
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(rank_threshold);
  qr.compute(G);
  const Eigen::Index rank = qr.rank();
  const Eigen::VectorXd right = (qr.householderQ().transpose() * motion).head(rank);
  const Eigen::VectorXd found = qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(right);
  for (Eigen::Index j = 0; j < rank; ++j) {
    const auto i = static_cast<std::size_t>(qr.colsPermutation().indices()[j]);
    is_needed[i] = true;
    f[i] = found[j];
  }
  return is_needed;
}

}  // namespace denoc::simulation
