#include "closure_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "denoc/loops/open_gap.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double residual_closed = 1e-12;
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();  // of a closed loop, for each joint
constexpr int most_corrections = 8;

// In its units, the shortest change that takes so much of the rows away.
VectorXd shortest(const ClosureSystem& closure, const Pseudoinverse& inverse, const VectorXd& of_rows) {
  return inverse.transposed(of_rows.cwiseQuotient(closure.row_units)).cwiseProduct(closure.units);
}

}  // namespace

ClosureSystem::ClosureSystem(const Model& model, std::shared_ptr<const ClosureRows> rows)
    : lacking(VectorXd::Zero(model.nv())),
      residual(rows->size()),
      rate(rows->size()),
      bias(rows->size()),
      gradients(model.nv(), rows->size()),
      length(rows->length),
      row_units(rows->row_units),
      units(rows->units),
      model_(&model),
      rows_(std::move(rows)),
      rounded_(model) {}

void ClosureSystem::compute_in(Precision precision) {
  precision_ = precision;
  if (precision == Precision::extended && !extended_) extended_ = std::make_unique<Extended>(model_->robot());
}

void ClosureSystem::evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  evaluate_in<double>(*model_, at, q, v, rounded_);
  if (precision_ == Precision::extended) evaluate_extended(q, v);
  if (!has_still_sums()) return;
  for (VectorXd* values : {&residual, &rate, &bias}) *values = that_change(*values);
}
void ClosureSystem::evaluate_extended(std::span<const double> q, std::span<const double> v) {
  Extended& e = *extended_;
  e.q.assign(q.begin(), q.end());
  e.v.assign(lacking.begin(), lacking.end());
  normalise<long double>(e.model, e.q);
  integrate<long double>(e.model, e.q, e.v, e.q);
  e.v.assign(v.begin(), v.end());
  place<long double>(e.model, e.q, e.at);
  evaluate_in<long double>(e.model, e.at, e.q, e.v, e.state);
}

template <class T>
void ClosureSystem::evaluate_in(const BasicModel<T>& model, const Configuration<T>& at, std::span<const T> q,
                                std::span<const T> v, State<T>& state) {
  state.kin.move(model, at, v);
  state.values.clear();
  for (Index i = 0; i < size(); ++i) {
    const ClosureValue<T>& value =
        state.values.emplace_back(closure_value<T>(model, state.kin.frames(row(i).loop), q, v, row(i)));
    residual[i] = double(value.residual);
    rate[i] = double(value.rate);
    bias[i] = double(value.bias);
  }
}

void ClosureSystem::differentiate(const Configuration<double>& at) {
  if (precision_ == Precision::extended)
    differentiate_in<long double>(extended_->model, extended_->at, extended_->state);
  else
    differentiate_in<double>(*model_, at, rounded_);
  if (has_still_carriers()) leave_out_carriers(gradients);
  for (const auto& [rows, kept] : rows_->still_sums())
    gradients(Eigen::all, rows) = (gradients(Eigen::all, rows) * kept).eval();
}

template <class T>
void ClosureSystem::differentiate_in(const BasicModel<T>& model, const Configuration<T>& at, State<T>& state) {
  for (Index i = 0; i < size(); ++i) {
    const int l = row(i).loop;
    closure_gradient<T>(model, at, state.kin.frames(l), path(l), row(i), nth(state.values, i), state.gradient);
    for (Index k = 0; k < gradients.rows(); ++k) gradients(k, i) = double(nth(state.gradient, k));
  }
}

void ClosureSystem::leave_out_carriers(MatrixXd& of_rows) const {
  for (Index i = 0; i < size(); ++i) each_carrier(i, [&](int k) { of_rows(k, i) = 0; });
}
bool ClosureSystem::has_still_carriers() const { return left() <= open_gap; }
MatrixXd ClosureSystem::measured(const std::vector<int>& held) const {
  MatrixXd result = units.asDiagonal() * gradients * row_units.cwiseInverse().asDiagonal();
  leave_out_carriers(result);
  for (const int k : held) result.row(k).setZero();
  return result;
}
Pseudoinverse ClosureSystem::inverse(const std::vector<int>& held) const {
  return Pseudoinverse(measured(held), rank_threshold, 1);
}
VectorXd ClosureSystem::sizes() const {
  return (units.asDiagonal() * gradients).colwise().norm().transpose().cwiseQuotient(row_units);
}

std::vector<int> ClosureSystem::untied() const {
  std::vector<bool> is_tied(static_cast<std::size_t>(model_->nv()), false);
  const auto tie = [&](int link) {
    for (int c = 0; c < model_->links()[link].columns; ++c) nth(is_tied, model_->links()[link].dof + c) = true;
  };
  for (int l = 0; l < int(model_->robot().loops.size()); ++l) {
    const Loop& loop = nth(model_->robot().loops, l);
    if (couples_coordinates(loop.type)) {
      for (const Attachment* end : {&loop.a, &loop.b}) tie(model_->body(end->body).link);
    } else {
      for (const auto* links : {&path(l).from_a, &path(l).from_b})
        for (const int i : *links) tie(i);
    }
  }
  std::vector<int> dofs;
  for (int k = 0; k < model_->nv(); ++k)
    if (!nth(is_tied, k)) dofs.push_back(k);
  return dofs;
}

void close_near_by(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
                   std::span<const double> v) {
  std::vector<double> moved(q.size());
  const auto left_at = [&](std::span<const double> posture) {
    place<double>(model, posture, at);
    closure.evaluate(at, posture, v);
    return closure.left();
  };
  double left = left_at(q);
  for (int k = 0; k < most_corrections && left > rounding; ++k) {
    closure.differentiate(at);
    const VectorXd gap = closure.residual.cwiseQuotient(closure.row_units);
    const Pseudoinverse inverse(closure.measured(), std::max(rank_threshold, std::sqrt(gap.cwiseAbs().maxCoeff())), 1);
    const VectorXd d = -inverse.transposed(gap).cwiseProduct(closure.units);
    integrate<double>(model, q, {d.data(), v.size()}, moved);
    const double there = left_at(moved);
    if (!(there < left)) {  // rounding allows no more
      left_at(q);
      return;
    }
    std::copy(moved.begin(), moved.end(), q.begin());
    left = there;
  }
}
bool project(const Model& model, ClosureSystem& closure, Configuration<double>& at, std::span<double> q,
             std::span<double> v) {
  close_near_by(model, closure, at, q, v);
  closure.differentiate(at);
  const Pseudoinverse inverse = closure.inverse();
  Eigen::Map<VectorXd>(v.data(), model.nv()) -= shortest(closure, inverse, closure.rate);
  return inverse.is_near_singular();
}
void project_beyond_digits(const Model& model, ClosureSystem& closure, Configuration<double>& at,
                           std::span<const double> q, std::span<double> v) {
  closure.compute_in(Precision::extended);
  closure.lacking.setZero();
  const auto move = [&] {
    closure.evaluate(at, q, v);
    closure.differentiate(at);
  };
  constexpr int q_corrections = 3, v_corrections = 2;
  for (int k = 0; k < q_corrections; ++k) {
    move();
    closure.lacking -= shortest(closure, closure.inverse(), closure.residual);
  }
  for (int k = 0; k < v_corrections; ++k) {
    move();
    Eigen::Map<VectorXd>(v.data(), model.nv()) -= shortest(closure, closure.inverse(), closure.rate);
  }
}

bool ClosureSystem::is_closed() const { return left() <= std::max(residual_closed, rounding * model_->nv()); }
double ClosureSystem::left() const {
  double most = 0;
  for (Index i = 0; i < size(); ++i) {
    const bool is_placed = row(i).kind != ClosureRow::Kind::coupled && ClosureRows::is_length(model_->robot(), row(i));
    const Vec3<double>& r = frames(row(i).loop).a.r;
    const double unit = is_placed ? std::max(row_units[i], std::hypot(r.x, r.y, r.z)) : row_units[i];
    const double part = std::abs(residual[i]) / unit;
    if (!(part <= most)) most = std::isnan(part) ? std::numeric_limits<double>::infinity() : part;
  }
  return most;
}

bool ClosureSystem::is_turned(int loop) const {
  const LoopFrames<double>& ends = frames(loop);
  const std::vector<Vec3<double>>& shared = rows_->shared(loop);
  return std::any_of(shared.begin(), shared.end(),
                     [&](const Vec3<double>& d) { return dot(ends.a.axis(d), ends.b.axis(d)) < 0; });
}
int ClosureSystem::turned_loop() const {
  for (int l = 0; l < int(model_->robot().loops.size()); ++l)
    if (is_turned(l)) return l;
  return -1;
}

std::vector<BodyWrench<double>> ClosureSystem::wrenches(std::span<const double> multipliers) const {
  std::vector<BodyWrench<double>> all;
  for (const Loop& loop : model_->robot().loops) {
    for (const Attachment* end : {&loop.a, &loop.b}) all.push_back({end->body, zero_wrench<double>});
  }
  for (Index i = 0; i < size(); ++i) {
    const int l = row(i).loop;
    add_loop_wrench<double>(*model_, frames(l), row(i), value(i), nth(multipliers, rows_->among_all(i)),
                            nth(all, 2 * l), nth(all, 2 * l + 1));
  }
  return all;
}

}  // namespace denoc
