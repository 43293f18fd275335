#include "closed_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "denoc/model/chart.hpp"

namespace denoc {
namespace {

constexpr double all_closed = 1e-13;  // m or rad: as ClosedChain::assemble has it
constexpr int most_closing_steps = 20;
constexpr double dependent_rows = 1e-8;  // of a squared pivot against its entry on the diagonal

}  // namespace

ClosedSteps::ClosedSteps(const Mechanism& mechanism, Forces forces)
    : derivatives(mechanism.tree(), forces == Forces::all, true),
      mechanism_(&mechanism),
      chain_(mechanism.tree()),
      at_(mechanism.tree()),
      rows_(mechanism.tree()),
      at_d_(mechanism.tree()),
      kin_(mechanism.tree()) {
  if (forces == Forces::all) forces_.emplace(mechanism.tree());
  const auto n = static_cast<std::size_t>(mechanism.nv()), rows = static_cast<std::size_t>(rows_.size());
  phi_.resize(rows);
  J_.resize(rows * n);
  squared_.resize(rows * rows);
  step_.resize(n);
}

std::vector<double> ClosedSteps::accelerate(std::span<const double> q, std::span<const double> v,
                                            std::span<const double> tau) {
  std::vector<double> load(tau.begin(), tau.end());
  std::vector<BodyWrench<double>> acting;
  place<double>(mechanism_->tree(), q, at_);
  if (forces_) {
    const Loads<double>& loads = forces_->act(at_, q, v);
    for (std::size_t k = 0; k < load.size(); ++k) load[k] += loads.tau[k];
    acting = loads.wrenches;
  }
  chain_.move_to(at_, q, v);
  ClosedChain::Forward found = chain_.forward_dynamics(load, acting);
  derivatives.closed({at_, q, v, found.a, acting, {}, {}}, found.multipliers);
  return std::move(found.a);
}

// phi, J and J J^T = L L^T at q_.
void ClosedSteps::evaluate() {
  const Model& model = mechanism_->tree();
  const std::size_t n = step_.size(), rows = phi_.size();
  place<D>(model, q_, at_d_);
  kin_.move(model, at_d_, v_);
  kin_.frames(frames_);
  for (std::size_t i = 0; i < rows; ++i) {
    const ClosureRow& row = rows_.row(static_cast<Eigen::Index>(i));
    const LoopFrames<D>& frames = frames_[static_cast<std::size_t>(row.loop)];
    const ClosureValue<D> value = closure_value<D>(model, frames, q_, v_, row);
    phi_[i] = value.residual;
    closure_gradient<D>(model, at_d_, frames, rows_.path(row.loop), row, value, std::span(J_).subspan(i * n, n));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      D sum(0.0);
      for (std::size_t k = 0; k < n; ++k) sum += J_[i * n + k] * J_[j * n + k];
      const double whole = sum.x;
      for (std::size_t k = 0; k < j; ++k) sum -= squared_[i * rows + k] * squared_[j * rows + k];
      if (i == j && !(sum.x > dependent_rows * whole))
        throw NotCovered(fmt::format("{}: rows of its loops depend on each other: runs of such have no sensitivities",
                                     mechanism_->name().empty() ? "the robot" : mechanism_->name()));
      squared_[i * rows + j] = i == j ? sqrt(sum) : sum / squared_[j * rows + j];
    }
  }
}

// by -= J^T (J J^T)^-1 right
void ClosedSteps::correct(const std::vector<D>& right, std::vector<D>& by) {
  const std::size_t n = step_.size(), rows = right.size();
  std::vector<D> y = right;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) y[i] -= squared_[i * rows + k] * y[k];
    y[i] = y[i] / squared_[i * rows + i];
  }
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < rows; ++k) y[i] -= squared_[k * rows + i] * y[k];
    y[i] = y[i] / squared_[i * rows + i];
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < n; ++k) by[k] -= J_[i * n + k] * y[i];
}

Eigen::MatrixXd ClosedSteps::close(const std::vector<double>& q, const std::vector<double>& v) {
  const Model& model = mechanism_->tree();
  const std::size_t n = v.size();
  Eigen::MatrixXd followed(2 * v.size(), 2 * v.size());
  std::vector<D> start, moved(q.size()), rates(phi_.size());
  for (const double x : q) start.emplace_back(x);
  std::vector<double> change(n);
  for (std::size_t column = 0; column < 2 * n; ++column) {
    v_.clear();
    for (const double x : v) v_.emplace_back(x);
    for (D& x : step_) x = D(0.0);
    (column < n ? step_[column] : v_[column - n]).d = 1;
    q_.resize(start.size());
    integrate<D>(model, start, step_, q_);
    // The step at a closed posture no longer moves it, but brings how it moves onto the loops.
    bool is_closed = false;
    for (int pass = 0; pass < most_closing_steps && !is_closed; ++pass) {
      evaluate();
      is_closed = std::all_of(phi_.begin(), phi_.end(), [](const D& x) { return std::abs(x.x) <= all_closed; });
      for (D& x : step_) x = D(0.0);
      correct(phi_, step_);
      integrate<D>(model, q_, step_, moved);
      q_ = moved;
    }
    evaluate();
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = D(0.0);
      for (std::size_t k = 0; k < n; ++k) rates[i] += J_[i * n + k] * v_[k];
    }
    correct(rates, v_);
    rates_of<double>(model, q_, change);
    for (std::size_t k = 0; k < n; ++k) {
      followed(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(column)) = change[k];
      followed(static_cast<Eigen::Index>(n + k), static_cast<Eigen::Index>(column)) = v_[k].d;
    }
  }
  return followed;
}

}  // namespace denoc
