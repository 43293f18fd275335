#include "coordinates.hpp"

#include "system.hpp"

namespace denoc::simulation {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_corrections = 12;
constexpr double closed = 4e-15;       // what rounding leaves
constexpr double near_singular = 0.1;  // a pivot against the largest: a step may pass the position itself
constexpr double closable = 1e-11;     // ... in a large robot

Eigen::Map<const VectorXd> vector(std::span<const double> x) { return {x.data(), static_cast<Index>(x.size())}; }
std::span<const double> entries(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
template <class Matrix> auto column(Matrix& m, Index j) {
  return std::span(m.col(j).data(), static_cast<std::size_t>(m.rows()));
}
template <class Expression> void put(const Expression& x, std::span<double> to) {
  Eigen::Map<VectorXd>(to.data(), static_cast<Index>(to.size())) = x;
}

}  // namespace

Coordinates::Coordinates(const Model& model, std::span<const double> q, std::shared_ptr<const ClosureRows> loops)
    : model_(&model),
      chart_(model, q),
      size_(static_cast<std::size_t>(model.nv())),
      at_(model),
      x_(model.nv()),
      zero_(static_cast<std::size_t>(model.nv())) {
  if (loops && loops->size() > 0) closure_.emplace(model, std::move(loops));  // others tie nothing
}

void Coordinates::move_to(std::span<const double> q) {
  chart_.move_to(q);
  x_.setZero();
  if (!closure_) return;
  denoc::place<double>(*model_, q, at_);
  closure_->evaluate(at_, q, zero_);
  closure_->differentiate(at_);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(rank_threshold);
  // Rows of one length, whatever they measure and by what ratio they couple: powers of two, which round nothing.
  per_row_ = closure_->row_units.cwiseInverse();
  for (Index i = 0; i < per_row_.size(); ++i)
    if (const double size = closure_->gradients.col(i).norm() * per_row_[i]; size >= 2)
      per_row_[i] *= std::exp2(-std::logb(size));
  qr.compute(closure_->gradients * per_row_.asDiagonal());
  const Eigen::MatrixXd Q = qr.householderQ();
  const Index rank = qr.rank();
  is_near_singular_ = rank > 0 && std::abs(qr.matrixQR()(rank - 1, rank - 1)) < near_singular * qr.maxPivot();
  closure_->compute_in(precision());
  // Whole new matrices, since the rank may be another: where there is no memory, Eigen's resize() leaves what it has
  // given back.
  across_ = Eigen::MatrixXd(Q.leftCols(rank));
  across_here_ = Eigen::MatrixXd(across_);
  along_ = Eigen::MatrixXd(Q.rightCols(Q.cols() - rank));
  size_ = static_cast<std::size_t>(along_.cols());
  c_ = VectorXd(VectorXd::Zero(rank));
}

void Coordinates::lead(std::span<const double> v, std::span<double> p) const {
  if (closure_) {
    put(along_.transpose() * vector(v), p);
  } else {
    std::copy(v.begin(), v.end(), p.begin());
  }
}

void Coordinates::place(std::span<const double> u, std::span<const double> p, std::span<double> q,
                        std::span<double> v) {
  if (!closure_) {
    x_ = vector(u);
    chart_.place(u, q);
    std::copy(p.begin(), p.end(), v.begin());
    return;
  }
  close(u, q);
  // v = Z p + N s with J v = 0; the second time takes away what rounding left of the first
  put(along_ * vector(p), v);
  for (int k = 0; k < (is_near_singular_ ? 2 : 1); ++k) {
    closure_->evaluate(at_, q, v);
    closure_->differentiate(at_);
    Eigen::Map<VectorXd>(v.data(), model_->nv()) -= across_ * solution(across_, closure_->rate);
  }
}

// The c with J N c = what.
VectorXd Coordinates::solution(const Eigen::MatrixXd& across, const VectorXd& what) const {
  const Eigen::MatrixXd JN = per_row_.asDiagonal() * closure_->gradients.transpose() * across;
  return Pseudoinverse(JN).solve(per_row_.cwiseProduct(what));
}

// Newton's method for c, from where it was last in this step. Corrections that do not shrink lead to another branch.
void Coordinates::close(std::span<const double> u, std::span<double> q) {
  const VectorXd led = along_ * vector(u);
  closure_->lacking.setZero();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double before = infinity, corrected = infinity;
  const auto give_up = [&] {
    go_back();
    throw NoAcceleration("the loops cannot be closed");
  };
  for (int k = 0;; ++k) {
    x_ = led + across_ * c_;
    chart_.place(entries(x_), q);
    denoc::place<double>(*model_, q, at_);
    closure_->evaluate(at_, q, zero_);
    const double gap = closure_->left();
    // Good to rounding, or as good as it gets.
    if (gap <= closed || (gap <= closable && gap >= before)) break;
    if (k == most_corrections || !std::isfinite(gap)) give_up();
    before = gap;
    closure_->differentiate(at_);
    for (Index j = 0; j < across_.cols(); ++j)
      chart_.velocities(entries(x_), q, column(across_, j), column(across_here_, j));
    const VectorXd correction = solution(across_here_, closure_->residual);
    if (gap > closable && !(correction.norm() < corrected)) give_up();
    corrected = correction.norm();
    c_ -= correction;
  }
  // Near a singular position, beyond the digits of q.
  for (int k = 0; k < (is_near_singular_ ? 3 : 0); ++k) {
    closure_->differentiate(at_);
    closure_->lacking -= across_ * solution(across_, closure_->residual);
    closure_->evaluate(at_, q, zero_);
  }
}

void Coordinates::rates(std::span<const double> q, std::span<const double> v, std::span<double> rate) {
  if (!closure_) return chart_.rates(entries(x_), q, v, rate);
  VectorXd all(model_->nv());
  chart_.rates(entries(x_), q, v, {all.data(), v.size()});
  put(along_.transpose() * all, rate);
}

void Coordinates::magnitudes(std::span<const double> q, std::span<double> size) const {
  if (!closure_) return chart_.magnitudes(q, size);
  VectorXd all(model_->nv());
  chart_.magnitudes(q, {all.data(), static_cast<std::size_t>(all.size())});
  put(along_.cwiseAbs().transpose() * all, size);
}

}  // namespace denoc::simulation
