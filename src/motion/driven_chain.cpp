#include "driven_chain.hpp"

#include <fmt/format.h>

#include <numeric>

#include "denoc/error.hpp"
#include "loops/closure_system.hpp"

namespace denoc::motion {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const VectorXd> vector(std::span<const double> x) { return {x.data(), static_cast<Index>(x.size())}; }
Eigen::Map<VectorXd> vector(std::span<double> x) { return {x.data(), static_cast<Index>(x.size())}; }

std::vector<int> all_of(const Model& model) {
  std::vector<int> dofs(static_cast<std::size_t>(model.nv()));
  std::iota(dofs.begin(), dofs.end(), 0);
  return dofs;
}

}  // namespace

DrivenChain::DrivenChain(const Model& model, std::vector<int> driven)
    : model_(model), chain_(model), driven_(driven.empty() ? all_of(model) : std::move(driven)) {
  require_dofs(model, driven_);
  loops_.setThreshold(rank_threshold);
}

VectorXd DrivenChain::of_driven(const VectorXd& x) const {
  VectorXd part(static_cast<Index>(driven_.size()));
  for (std::size_t j = 0; j < driven_.size(); ++j) part[static_cast<Index>(j)] = x[driven_[j]];
  return part;
}

// What all do when the driven do this.
VectorXd DrivenChain::following(const VectorXd& of_driven) const {
  return led_ ? VectorXd(along_ * led_->solve(of_driven)) : VectorXd(VectorXd::Zero(model_.nv()));
}

void DrivenChain::place(In<double> q) {
  q_.assign(q.begin(), q.end());
  const Index n = model_.nv();
  // Whole new matrices wherever the size may change: where there is no memory, Eigen's resize() leaves what it has given
  // back.
  along_ = MatrixXd(MatrixXd::Identity(n, n));
  across_ = MatrixXd(n, 0);
  if (n > 0 && chain_.rows() > 0) {
    const std::vector<double> J = chain_.jacobian(q);  // by rows: as a matrix by columns J^T
    loops_.compute(Eigen::Map<const MatrixXd>(J.data(), n, chain_.rows()));
    const MatrixXd Q = loops_.householderQ();
    across_ = MatrixXd(Q.leftCols(loops_.rank()));
    along_ = MatrixXd(Q.rightCols(n - loops_.rank()));
  }
  felt_ = MatrixXd(static_cast<Index>(driven_.size()), along_.cols());
  led_.reset();
  if (along_.cols() == 0) return;  // nothing moves, whatever is driven
  for (std::size_t j = 0; j < driven_.size(); ++j) felt_.row(static_cast<Index>(j)) = along_.row(driven_[j]);
  led_.emplace().setThreshold(rank_threshold);
  led_->compute(felt_);
  if (led_->rank() == along_.cols()) return;
  // The motion in which no driven joint takes part.
  Eigen::FullPivLU<MatrixXd> still;
  still.setThreshold(rank_threshold);
  const VectorXd alone = along_ * still.compute(felt_).kernel().col(0);
  Index k = 0;
  alone.cwiseAbs().maxCoeff(&k);
  throw NotDriveable(
      fmt::format("the driven joints leave joint '{}' to itself: drive it, or a joint that moves it, as well",
                  model_.joint_name(model_.body_of_dof(static_cast<int>(k)))));
}

void DrivenChain::rates(In<double> given, Out<double> v) const { vector(v) = following(of_driven(vector(given))); }

void DrivenChain::accelerations(In<double> v, In<double> given, Out<double> a) {
  VectorXd turning = VectorXd::Zero(model_.nv());  // a_0, from as many rows as are independent: J^T P = Q R
  if (const Index rank = across_.cols(); rank > 0) {
    const std::vector<double> bias = chain_.bias(q_, v);
    const VectorXd independent = (loops_.colsPermutation().transpose() * vector(std::span(bias))).head(rank);
    const MatrixXd R = loops_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
    turning = -across_ * R.transpose().triangularView<Eigen::Lower>().solve(independent);
  }
  vector(a) = turning + following(of_driven(vector(given) - turning));
}

void DrivenChain::forces(In<double> all, Out<double> tau) const {
  if (!led_) {
    vector(tau).setZero();
    return;
  }
  const VectorXd share = led_->transpose().solve(along_.transpose() * vector(all));
  vector(tau).setZero();
  for (std::size_t j = 0; j < driven_.size(); ++j)
    tau[static_cast<std::size_t>(driven_[j])] = share[static_cast<Index>(j)];
}

std::vector<int> DrivenChain::leading() const {
  std::vector<int> lead;
  MatrixXd rest = felt_;  // what is left of each row beside those taken
  for (Index j = 0; j < rest.rows() && static_cast<Index>(lead.size()) < rest.cols(); ++j) {
    const double size = rest.row(j).norm();
    if (size <= rank_threshold) continue;
    const Eigen::RowVectorXd direction = rest.row(j) / size;
    rest -= (rest * direction.transpose()) * direction;
    lead.push_back(driven_[static_cast<std::size_t>(j)]);
  }
  return lead;
}

}  // namespace denoc::motion
