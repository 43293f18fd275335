// The system as implicit methods see it: equations and what is missing in them.
#include <algorithm>

#include "system.hpp"

namespace denoc::simulation {

std::size_t System::conditions() const {
  return (closure_ ? static_cast<std::size_t>(closure_->size()) : 0) + dry_.size();
}

bool System::is_anything_at_rest() const {
  return std::any_of(dry_.begin(), dry_.end(), [](const DryFriction& f) { return f.mode == DryFriction::Mode::rest; });
}

void System::rest(std::span<double> v) const {
  for (const DryFriction& friction : dry_) {
    if (friction.is_still()) v[static_cast<std::size_t>(friction.dof)] = friction.law->surface_speed;
  }
}

void System::miss(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                  std::span<const double> f, std::span<double> motion, std::span<double> condition) {
  ++evaluations_;
  is_known_ = false;
  load(t, q, v);
  // I a + bias - total - G f
  inverse_dynamics<double>(*model_, work_.at, v, a, work_.inverse, motion, loads_.wrenches);
  for (std::size_t k = 0; k < motion.size(); ++k) motion[k] -= loads_.tau[k];
  // G^T a - c
  std::size_t loops = 0;
  if (closure_) {
    closure_->evaluate(work_.at, q, v);
    closure_->differentiate(work_.at);
    const Eigen::Index rows = closure_->size();
    loops = static_cast<std::size_t>(rows);
    const auto vector = [](std::span<const double> x) {
      return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    };
    Eigen::Map<Eigen::VectorXd>(motion.data(), model_->nv()) -= closure_->gradients * vector(f.first(loops));
    Eigen::Map<Eigen::VectorXd>(condition.data(), rows) = closure_->gradients.transpose() * vector(a) - closing();
  }
  strain_ = 0;
  for (std::size_t i = 0; i < dry_.size(); ++i) {
    const double force = f[loops + i];
    const auto k = static_cast<std::size_t>(dry_[i].dof);
    const bool rests = dry_[i].mode == DryFriction::Mode::rest;
    condition[loops + i] = rests ? a[k] : force;
    motion[k] -= rests ? force : 0;
    if (!rests) continue;
    strain_ += force / dry_[i].limit;
    loads_.input += force * dry_[i].law->surface_speed;
  }
  require_finite(motion, "the force");
}

std::vector<bool> System::holding_forces(double t, std::span<const double> q, std::span<const double> v,
                                         std::span<double> f) {
  std::fill(f.begin(), f.end(), 0.0);
  std::vector<bool> is_needed(f.size());
  if (f.empty()) return is_needed;
  Eigen::VectorXd motion(model_->nv());
  std::vector<double> condition(f.size());
  miss(t, q, v, a_, f, {motion.data(), a_.size()}, condition);
  const Eigen::Index loops = closure_ ? closure_->size() : 0, all = static_cast<Eigen::Index>(f.size());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(model_->nv(), all);
  if (closure_) G.leftCols(loops) = closure_->gradients;
  for (Eigen::Index i = loops; i < all; ++i) {
    const DryFriction& friction = dry_[static_cast<std::size_t>(i - loops)];
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
