#include "closure_system.hpp"

#include <numeric>
#include <random>

#include "denoc/model/manifold.hpp"

namespace denoc {
namespace {

constexpr double no_change = 1e-14;  // of a row whose entries are lengths and cosines
constexpr double closed = 1e-12;
constexpr int most_corrections = 4;
constexpr double far_from_dependent = 1e-4;  // reciprocal condition: one refinement brings back what squaring loses

Eigen::VectorXd shortest(const ClosureSystem& closure, const Eigen::VectorXd& rows) {
  return Pseudoinverse(closure.gradients).transposed(rows);
}

}  // namespace

Pseudoinverse::Pseudoinverse(const Eigen::MatrixXd& G) : G_(&G) {
  if (G.cols() == 0) return;
  square_.compute(G.transpose() * G);
  const double condition = square_.info() == Eigen::Success ? square_.rcond() : 0;
  is_square_ = condition > far_from_dependent;
  if (is_square_) {
    rank_ = G.cols();
    return;
  }
  whole_.setThreshold(rank_threshold);
  whole_.compute(G);
  rank_ = whole_.rank();
}

Eigen::VectorXd Pseudoinverse::solve(const Eigen::VectorXd& z) const {
  if (!is_square_) return whole_.solve(z);
  Eigen::VectorXd f = square_.solve(G_->transpose() * z);
  f += square_.solve(G_->transpose() * (z - *G_ * f));  // what squaring lost
  return f;
}
Eigen::VectorXd Pseudoinverse::transposed(const Eigen::VectorXd& b) const {
  if (!is_square_) {
    const Eigen::VectorXd z = whole_.transpose().solve(b);
    return z;
  }
  Eigen::VectorXd z = *G_ * square_.solve(b);
  z += *G_ * square_.solve(b - G_->transpose() * z);
  return z;
}

ClosureSystem::ClosureSystem(const Model& model)
    : model_(&model),
      rows_(closure_rows(model.robot())),
      all_(size()),
      place_(rows_.size()),
      kin_(model),
      zero_(static_cast<std::size_t>(model.nv())) {
  std::iota(place_.begin(), place_.end(), 0);
  resize();
  leave_out_constant_rows();
}

void ClosureSystem::resize() {
  residual.resize(size());
  rate.resize(size());
  bias.resize(size());
  gradients.resize(model_->nv(), size());
}

void ClosureSystem::leave_out_constant_rows() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Configuration<double> at(*model_);
  std::vector<double> q(static_cast<std::size_t>(model_->nq()));
  Eigen::VectorXd change = Eigen::VectorXd::Zero(size());
  for (int posture = 0; posture < 3; ++posture) {
    for (double& x : q) x = uniform(random);
    normalise<double>(*model_, q);
    place<double>(*model_, q, at);
    evaluate(at, q, zero_);
    for (Eigen::Index i = 0; i < size(); ++i)
      change[i] = std::max({change[i], gradients.col(i).cwiseAbs().sum(), std::abs(residual[i])});
  }
  std::vector<ClosureRow> kept;
  std::vector<Eigen::Index> places;
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (change[i] <= no_change * model_->nv()) continue;
    kept.push_back(row(i));
    places.push_back(i);
  }
  rows_ = kept;
  place_ = places;
  resize();
}

Eigen::VectorXd ClosureSystem::for_all(const Eigen::VectorXd& values) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(all_);
  for (Eigen::Index i = 0; i < size(); ++i) result[place_[static_cast<std::size_t>(i)]] = values[i];
  return result;
}

void ClosureSystem::evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  positions<double>(*model_, at, kin_);
  velocities<double>(*model_, v, kin_);
  accelerations<double>(*model_, v, zero_, kin_);
  for (Eigen::Index i = 0; i < size();) {
    const int loop = row(i).loop;
    const LoopFrames<double> frames(*model_, kin_, model_->robot().loops[static_cast<std::size_t>(loop)]);
    for (; i < size() && row(i).loop == loop; ++i) {
      const ClosureValue<double> value = closure_value<double>(*model_, frames, q, v, row(i));
      residual[i] = value.residual;
      rate[i] = value.rate;
      bias[i] = value.bias;
      closure_gradient<double>(*model_, kin_, row(i), value,
                               {gradients.col(i).data(), static_cast<std::size_t>(model_->nv())});
    }
  }
}

void project(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
             std::span<double> v) {
  std::vector<double> moved(q.size());
  for (int k = 0; k < most_corrections; ++k) {
    place<double>(model, q, at);
    closure.evaluate(at, q, v);
    if (k > 0 && closure.residual.cwiseAbs().maxCoeff() <= closed) break;
    const Eigen::VectorXd d = -shortest(closure, closure.residual);
    integrate<double>(model, q, {d.data(), v.size()}, moved);
    std::copy(moved.begin(), moved.end(), q.begin());
  }
  Eigen::Map<Eigen::VectorXd>(v.data(), model.nv()) -= shortest(closure, closure.rate);
}

}  // namespace denoc
