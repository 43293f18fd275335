#include "driven_chain.hpp"

#include <fmt/format.h>

#include <numeric>

#include "denoc/error.hpp"
#include "denoc/model/lengths.hpp"
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
    : model_(model),
      chain_(model),
      driven_(driven.empty() ? all_of(model) : std::move(driven)),
      units_(vector(std::span<const double>(units_of(model)))) {
  require_dofs(model, driven_);
  loops_.setThreshold(rank_threshold);
}

// What all do when those that lead do this.
VectorXd DrivenChain::following(const VectorXd& given) const {
  if (!by_leading_) return VectorXd::Zero(model_.nv());
  VectorXd of_leading(static_cast<Index>(leading_.size()));
  for (std::size_t j = 0; j < leading_.size(); ++j)
    of_leading[static_cast<Index>(j)] = given[leading_[j]] / units_[leading_[j]];
  return units_.cwiseProduct(along_ * by_leading_->solve(of_leading));
}

void DrivenChain::place(In<double> q) {
  q_.assign(q.begin(), q.end());
  const Index n = model_.nv();
  // Whole new matrices wherever the size may change: where there is no memory, Eigen's resize() leaves what it has given
  // back.
  along_ = MatrixXd(MatrixXd::Identity(n, n));
  across_ = MatrixXd(n, 0);
  if (n > 0 && chain_.rows() > 0) {
    const std::vector<double> J = chain_.closing(q);  // by rows: as a matrix by columns J^T
    loops_.compute(Eigen::Map<const MatrixXd>(J.data(), n, chain_.rows()));
    const MatrixXd Q = loops_.householderQ();
    across_ = MatrixXd(Q.leftCols(loops_.rank()));
    along_ = MatrixXd(Q.rightCols(n - loops_.rank()));
  }
  felt_ = MatrixXd(static_cast<Index>(driven_.size()), along_.cols());
  led_.reset();
  by_leading_.reset();
  leading_.clear();
  if (along_.cols() == 0) return;  // nothing moves, whatever is driven
  // Z is orthonormal, and known as well as J is: rows of it that are smaller are rounding.
  const Index rank = across_.cols();
  const double known = rank > 0 ? std::abs(loops_.matrixR()(rank - 1, rank - 1)) : 1,
               least = 16 * double(n) * std::numeric_limits<double>::epsilon() / std::min(known, 1.0);
  for (std::size_t j = 0; j < driven_.size(); ++j) {
    const Eigen::RowVectorXd row = along_.row(driven_[j]);
    felt_.row(static_cast<Index>(j)) = row.norm() > least ? row : Eigen::RowVectorXd::Zero(row.size());
  }
  find_leading();
  if (static_cast<Index>(leading_.size()) == along_.cols()) {
    led_.emplace(units_(driven_).asDiagonal() * felt_);
    return;
  }
  // The motion in which no driven joint takes part.
  by_leading_.reset();
  VectorXd alone = along_.col(0);
  if (!felt_.isZero(0)) {
    for (Index j = 0; j < felt_.rows(); ++j) felt_.row(j).stableNormalize();
    Eigen::FullPivLU<MatrixXd> still;
    still.setThreshold(rank_threshold);
    alone = along_ * still.compute(felt_).kernel().col(0);
  }
  Index k = 0;
  alone.cwiseAbs().maxCoeff(&k);
  throw NotDriveable(
      fmt::format("the driven joints leave joint '{}' to itself: drive it, or a joint that moves it, as well",
                  model_.joint_of_dof(static_cast<int>(k))));
}

void DrivenChain::rates(In<double> given, Out<double> v) const { vector(v) = following(vector(given)); }

void DrivenChain::accelerations(In<double> v, In<double> given, Out<double> a) {
  VectorXd turning = VectorXd::Zero(model_.nv());  // a_0, from as many rows as are independent: J^T P = Q R
  if (const Index rank = across_.cols(); rank > 0) {
    const std::vector<double> bias = chain_.bias(q_, v), row_units = chain_.row_units();
    const VectorXd in_units = vector(std::span(bias)).cwiseQuotient(vector(std::span(row_units)));
    const VectorXd independent = (loops_.colsPermutation().transpose() * in_units).head(rank);
    const MatrixXd R = loops_.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
    turning = units_.cwiseProduct(-across_ * R.transpose().triangularView<Eigen::Lower>().solve(independent));
  }
  vector(a) = turning + following(vector(given) - turning);
}

void DrivenChain::forces(In<double> all, Out<double> tau) const {
  if (!led_) {
    vector(tau).setZero();
    return;
  }
  // The shortest tau with F^T tau = g, F = Q (R; 0):  tau = Q (R^-T g; 0)
  const Index m = along_.cols();
  VectorXd share = VectorXd::Zero(felt_.rows());
  share.head(m) = led_->matrixQR().topRows(m).triangularView<Eigen::Upper>().transpose().solve(
      along_.transpose() * units_.cwiseProduct(vector(all)));
  share.applyOnTheLeft(led_->householderQ());
  vector(tau).setZero();
  for (std::size_t j = 0; j < driven_.size(); ++j)
    tau[static_cast<std::size_t>(driven_[j])] = share[static_cast<Index>(j)];
}

// The first whose rows of S^T Z are independent.
void DrivenChain::find_leading() {
  MatrixXd rest = felt_, taken(felt_.cols(), felt_.cols());  // rest: what is left of each row beside those taken
  for (Index j = 0; j < rest.rows() && static_cast<Index>(leading_.size()) < rest.cols(); ++j) {
    const double size = rest.row(j).norm();
    if (size <= rank_threshold * felt_.row(j).norm()) continue;
    const Eigen::RowVectorXd direction = rest.row(j) / size;
    rest -= (rest * direction.transpose()) * direction;
    taken.row(static_cast<Index>(leading_.size())) = felt_.row(j);
    leading_.push_back(driven_[static_cast<std::size_t>(j)]);
  }
  by_leading_.emplace(taken.topRows(static_cast<Index>(leading_.size())));
}

}  // namespace denoc::motion
