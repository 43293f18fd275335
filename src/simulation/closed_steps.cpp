#include "closed_steps.hpp"

#include <fmt/format.h>

#include "denoc/model/chart.hpp"

namespace denoc {
namespace {

using Eigen::VectorXd;

constexpr double all_closed = 1e-13;  // units: as ClosedChain::assemble has it
constexpr int most_closing_steps = 20;

}  // namespace

ClosedSteps::ClosedSteps(const Mechanism& mechanism, Forces forces)
    : ClosedSteps(mechanism, forces, ClosureRows::of(mechanism.tree())) {}
ClosedSteps::ClosedSteps(const Mechanism& mechanism, Forces forces, const std::shared_ptr<const ClosureRows>& rows)
    : derivatives(mechanism.tree(), forces == Forces::all, rows),
      mechanism_(&mechanism),
      chain_(mechanism.tree(), rows),
      at_(mechanism.tree()),
      rows_(mechanism.tree(), rows),
      at_d_(mechanism.tree()),
      kin_(mechanism.tree()) {
  if (forces == Forces::all) forces_.emplace(mechanism.tree());
  const Eigen::Index n = mechanism.nv(), count = rows_.size();
  for (std::vector<D>* each : {&rest_, &gradient_, &step_}) each->resize(static_cast<std::size_t>(n), D(0.0));
  phi_ = {VectorXd(count), VectorXd(count)};
  G_ = dG_ = Eigen::MatrixXd(n, count);
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

// phi and J^T at q_
void ClosedSteps::evaluate() {
  const Model& model = mechanism_->tree();
  place<D>(model, q_, at_d_);
  kin_.move(model, at_d_, rest_);
  for (Eigen::Index i = 0; i < G_.cols(); ++i) {
    const ClosureRow& row = rows_.row(i);
    const LoopFrames<D>& frames = kin_.frames(row.loop);
    const ClosureValue<D> value = closure_value<D>(model, frames, q_, rest_, row);
    closure_gradient<D>(model, at_d_, frames, rows_.path(row.loop), row, value, gradient_);
    phi_.x[i] = value.residual.x / rows_.row_units[i];
    phi_.d[i] = value.residual.d / rows_.row_units[i];
    for (Eigen::Index k = 0; k < G_.rows(); ++k) {
      const double unit = rows_.units[k] / rows_.row_units[i];
      G_(k, i) = gradient_[static_cast<std::size_t>(k)].x * unit;
      dG_(k, i) = gradient_[static_cast<std::size_t>(k)].d * unit;
    }
  }
  for (Eigen::MatrixXd* gradients : {&G_, &dG_}) rows_.leave_out_carriers(*gradients);
}

// The shortest d with J d = right is J^T y, and changes with J and right by
//   J d' = right' - J' d,   d' = J'^T y + J^T y'
ClosedSteps::Changing ClosedSteps::shortest(const Changing& right) const {
  const Pseudoinverse inverse(G_);
  if (rows_.has_still_sums() || inverse.rank() < G_.cols())
    throw NotCovered(fmt::format("{}: rows of its loops depend on each other: runs of such have no sensitivities",
                                 mechanism_->name().empty() ? "the robot" : mechanism_->name()));
  const VectorXd d = inverse.transposed(right.x), y = inverse.solve(d);
  return {d, inverse.transposed(right.d - dG_.transpose() * d) + inverse.beside(dG_ * y)};
}

// q_ <- q_ + d
void ClosedSteps::move(const Changing& d) {
  for (std::size_t k = 0; k < step_.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    step_[k] = D(d.x[at], d.d[at]);
  }
  std::vector<D> moved(q_.size());
  integrate<D>(mechanism_->tree(), q_, step_, moved);
  q_ = std::move(moved);
}

Eigen::MatrixXd ClosedSteps::close(const std::vector<double>& q, const std::vector<double>& v) {
  const Eigen::Index n = G_.rows();
  const VectorXd &units = rows_.units, zero = VectorXd::Zero(n),
                 rates = Eigen::Map<const VectorXd>(v.data(), n).cwiseQuotient(units);
  Eigen::MatrixXd followed(2 * n, 2 * n);
  for (Eigen::Index column = 0; column < 2 * n; ++column) {
    VectorXd dq = zero, dv = zero;
    (column < n ? dq[column] : dv[column - n]) = 1;
    q_.assign(q.begin(), q.end());
    move({zero, dq});
    // The step at a closed posture no longer moves it, but brings how it moves onto the loops.
    bool is_closed = false;
    for (int pass = 0; pass < most_closing_steps && !is_closed; ++pass) {
      evaluate();
      is_closed = phi_.x.isZero(all_closed);
      const Changing d = shortest(phi_);
      move({-d.x.cwiseProduct(units), -d.d.cwiseProduct(units)});
    }
    evaluate();
    const Changing opening =
        shortest({G_.transpose() * rates, G_.transpose() * dv.cwiseQuotient(units) + dG_.transpose() * rates});
    rates_of<double>(mechanism_->tree(), q_, {dq.data(), step_.size()});
    followed.col(column) << dq, dv - opening.d.cwiseProduct(units);
  }
  return followed;
}

}  // namespace denoc
