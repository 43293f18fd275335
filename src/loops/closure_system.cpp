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
  if (G_->cols() == 0) return Eigen::VectorXd(0);
  if (!is_square_) return whole_.solve(z);
  Eigen::VectorXd f = square_.solve(G_->transpose() * z);
  f += square_.solve(G_->transpose() * (z - *G_ * f));  // what squaring lost
  return f;
}
Eigen::VectorXd Pseudoinverse::transposed(const Eigen::VectorXd& b) const {
  if (G_->cols() == 0) return Eigen::VectorXd::Zero(G_->rows());
  if (!is_square_) {
    Eigen::VectorXd z = whole_.transpose().solve(b);
    return z;
  }
  Eigen::VectorXd z = *G_ * square_.solve(b);
  z += *G_ * square_.solve(b - G_->transpose() * z);
  return z;
}

ClosureSystem::ClosureSystem(const Model& model)
    : model_(&model), rows_(closure_rows(model.robot())), all_(size()), place_(rows_.size()), kin_(model) {
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
    evaluate(at, q, std::vector<double>(static_cast<std::size_t>(model_->nv())));
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

void ClosureSystem::be_precise(bool precise) {
  is_precise_ = precise;
  if (precise && !extended_) extended_ = std::make_unique<Extended>(model_->robot());
}

void ClosureSystem::evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  if (!is_precise_) return evaluate_in<double>(*model_, at, q, v, kin_);
  positions<double>(*model_, at, kin_);
  Extended& e = *extended_;
  e.q.assign(q.begin(), q.end());
  e.v.assign(v.begin(), v.end());
  normalise<long double>(e.model, e.q);
  place<long double>(e.model, e.q, e.at);
  evaluate_in<long double>(e.model, e.at, e.q, e.v, e.kin);
}

template <class T>
void ClosureSystem::evaluate_in(const BasicModel<T>& model, const Configuration<T>& at, std::span<const T> q,
                                std::span<const T> v, Kinematics<T>& kin) {
  const std::vector<T> zero(v.size(), T(0));
  std::vector<T> gradient(v.size());
  positions<T>(model, at, kin);
  velocities<T>(model, v, kin);
  accelerations<T>(model, v, zero, kin);
  for (Eigen::Index i = 0; i < size();) {
    const int loop = row(i).loop;
    const LoopFrames<T> frames(model, kin, model.robot().loops[static_cast<std::size_t>(loop)]);
    for (; i < size() && row(i).loop == loop; ++i) {
      const ClosureValue<T> value = closure_value<T>(model, frames, q, v, row(i));
      residual[i] = static_cast<double>(value.residual);
      rate[i] = static_cast<double>(value.rate);
      bias[i] = static_cast<double>(value.bias);
      closure_gradient<T>(model, kin, row(i), value, gradient);
      for (Eigen::Index k = 0; k < gradients.rows(); ++k) {
        gradients(k, i) = static_cast<double>(gradient[static_cast<std::size_t>(k)]);
      }
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

int ClosureSystem::turned_loop() const {
  const std::vector<Loop>& loops = model_->robot().loops;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const auto in_world = [&](const Attachment& end, const Vec3<double>& direction) {
      return pose_in_world<double>(*model_, kin_, end.body).R * (end.frame.R * direction);
    };
    for (const Vec3<double>& d : shared_directions(loops[l]))
      if (dot(in_world(loops[l].a, d), in_world(loops[l].b, d)) < 0) return static_cast<int>(l);
  }
  return -1;
}

std::vector<BodyWrench<double>> ClosureSystem::wrenches(std::span<const double> q,
                                                        std::span<const double> multipliers) const {
  const std::vector<double> still(static_cast<std::size_t>(model_->nv()));
  std::vector<BodyWrench<double>> all;
  for (const Loop& loop : model_->robot().loops) {
    for (const Attachment* end : {&loop.a, &loop.b}) all.push_back({end->body, zero_wrench<double>});
  }
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (row(i).kind == ClosureRow::Kind::coupled) continue;
    const auto l = static_cast<std::size_t>(row(i).loop);
    const Loop& loop = model_->robot().loops[l];
    const ClosureValue<double> value =
        closure_value<double>(*model_, LoopFrames<double>(*model_, kin_, loop), q, still, row(i));
    const double f = multipliers[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])];
    // From the origin of the loop's frame to that of the body.
    const auto act = [&](BodyWrench<double>& on, const Attachment& end, const Vec3<double>& moment,
                         const Vec3<double>& force) {
      const Mat3<double> R = pose_in_world<double>(*model_, kin_, end.body).R;
      const Vec3<double> in_body = back(R, force);
      on.wrench += Wrench<double>{back(R, moment) + cross(end.frame.r, in_body), in_body};
    };
    act(all[2 * l], loop.a, value.moment_a * f, value.force * f);
    act(all[2 * l + 1], loop.b, value.moment_b * -f, value.force * -f);
  }
  return all;
}

}  // namespace denoc
