#include "closed_derivatives.hpp"

#include "conditioned.hpp"
#include "denoc/model/manifold.hpp"
#include "stiffened_tree.hpp"

namespace denoc {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ClosedDerivatives::ClosedDerivatives(const Model& model, std::shared_ptr<const ClosureRows> rows)
    : model_(&model),
      closure_(model, std::move(rows)),
      at_(model),
      kin_(model),
      q_(static_cast<std::size_t>(model.nq())),
      moved_(q_),
      v_(static_cast<std::size_t>(model.nv())),
      step_(v_),
      gradient_(v_),
      load_(v_),
      acceleration_(static_cast<std::size_t>(closure_.size())),
      weighed_(acceleration_),
      solve_(model) {}

// At moved_ and v_, with a, the multipliers and u held.
void ClosedDerivatives::evaluate_loops(std::span<const double> a, const VectorXd& multipliers, const VectorXd& u) {
  place<D>(*model_, moved_, at_);
  kin_.move(*model_, at_, v_);
  for (D& x : load_) x = D(0.0);
  for (Index i = 0; i < closure_.size(); ++i) {
    const ClosureRow& row = closure_.row(i);
    const LoopFrames<D>& frames = kin_.frames(row.loop);
    const ClosureValue<D> value = closure_value<D>(*model_, frames, moved_, v_, row);
    closure_gradient<D>(*model_, at_, frames, closure_.path(row.loop), row, value, gradient_);
    if (has_still_carriers_) closure_.each_carrier(i, [&](int k) { nth(gradient_, k) = D(0.0); });
    D &acceleration = nth(acceleration_, i), &weighed = nth(weighed_, i);
    acceleration = value.bias;
    weighed = D(0.0);
    for (std::size_t k = 0; k < load_.size(); ++k) {
      acceleration += gradient_[k] * a[k];
      load_[k] += gradient_[k] * multipliers[i];
      weighed += gradient_[k] * u[static_cast<Index>(k)];
    }
  }
}

// J^T at q_, v_.
MatrixXd ClosedDerivatives::gradients() {
  MatrixXd G(static_cast<Index>(v_.size()), closure_.size());
  place<D>(*model_, q_, at_);
  kin_.move(*model_, at_, v_);
  for (Index i = 0; i < closure_.size(); ++i) {
    const ClosureRow& row = closure_.row(i);
    const LoopFrames<D>& frames = kin_.frames(row.loop);
    closure_gradient<D>(*model_, at_, frames, closure_.path(row.loop), row,
                        closure_value<D>(*model_, frames, q_, v_, row), gradient_);
    for (Index k = 0; k < G.rows(); ++k) G(k, i) = nth(gradient_, k).x;
  }
  if (has_still_carriers_) closure_.leave_out_carriers(G);
  for (Index k = 0; k < G.rows() && closure_.has_still_sums(); ++k)
    G.row(k) = closure_.that_change(G.row(k).transpose()).transpose();
  return G;
}

void ClosedDerivatives::close(const State& s, std::span<double> dq, std::span<double> dv, std::span<double> dtau) {
  move_to(s);
  FactoredHalves halves(*model_, s.at, s.factor, solve_);
  const auto free = [&](const VectorXd& load, const VectorXd&) {
    VectorXd x(load.size());
    denoc::solve<double>(*model_, s.at, s.factor, {load.data(), v_.size()}, solve_, {x.data(), v_.size()});
    return x;
  };
  close_in(halves, free, s, dq, dv, dtau);
}

bool ClosedDerivatives::close_stiffened(const State& s, std::span<double> dq, std::span<double> dv,
                                        std::span<double> dtau) {
  move_to(s);
  const StiffenedTree tree(*model_, s.at, closure_);
  if (!tree.is_regular()) return false;
  const auto free = [&](const VectorXd& load, const VectorXd& acceleration) { return tree.free(load, acceleration); };
  close_in(tree, free, s, dq, dv, dtau);
  return true;
}

void ClosedDerivatives::move_to(const State& s) {
  for (std::size_t k = 0; k < q_.size(); ++k) moved_[k] = q_[k] = D(s.q[k]);
  for (std::size_t k = 0; k < v_.size(); ++k) {
    v_[k] = D(s.v[k]);
    step_[k] = D(0.0);
  }
  closure_.evaluate(s.at, s.q, s.v);
  has_still_carriers_ = closure_.has_still_carriers();
  closure_.gradients = gradients();
}

template <class Halves, class Free>
void ClosedDerivatives::close_in(Halves& halves, const Free& free, const State& s, std::span<double> dq,
                                 std::span<double> dv, std::span<double> dtau) {
  const auto n = static_cast<Index>(v_.size()), rows = closure_.size(), all = closure_.all();
  const MatrixXd& G = closure_.gradients;
  const VectorXd multipliers = closure_.of_all(s.multipliers);
  for (auto* matrix : {&of_multipliers.dq, &of_multipliers.dv, &of_multipliers.dtau})
    matrix->resize(static_cast<std::size_t>(all) * v_.size());
  // Gauss's principle for every column: the free one, and the least correction that keeps the loops closed.
  MatrixXd B(n, rows);
  for (Index i = 0; i < rows; ++i) B.col(i) = halves.half(G.col(i));
  const Pseudoinverse inverse = Pseudoinverse::in_metric(closure_.sizes(), B);
  const bool is_redundant = inverse.rank() < rows;
  const VectorXd u = halves.back_half(inverse.transposed(multipliers));
  // One column of da and df: what is on the right of the equations above, and dJ u.
  const auto solve_column = [&](const VectorXd& load, const VectorXd& acceleration, const VectorXd& turning, auto&& da,
                                auto&& df) {
    const VectorXd x = free(load, acceleration), z = inverse.transposed(acceleration - G.transpose() * x);
    da = x + halves.back_half(z);
    VectorXd f = inverse.solve(z);
    if (is_redundant) f += turning - inverse.solve(B * turning);
    df = closure_.for_all(f);
  };
  const auto by_rows = [&](std::span<double> matrix, Index height) {
    return Eigen::Map<ByRows>(matrix.data(), height, n);
  };
  auto by_q = by_rows(dq, n), by_v = by_rows(dv, n), by_tau = by_rows(dtau, n);
  auto f_by_q = by_rows(of_multipliers.dq, all), f_by_v = by_rows(of_multipliers.dv, all),
       f_by_tau = by_rows(of_multipliers.dtau, all);
  // The loops' part by one coordinate, added to the tree's.
  VectorXd load(n), acceleration(rows), turning(rows);
  const auto close_column = [&](Index k, auto& a_by, auto& f_by) {
    evaluate_loops(s.a, multipliers, u);
    for (Index i = 0; i < n; ++i) load[i] = load_[static_cast<std::size_t>(i)].d - a_by(i, k);
    for (Index i = 0; i < rows; ++i) {
      acceleration[i] = -acceleration_[static_cast<std::size_t>(i)].d;
      turning[i] = weighed_[static_cast<std::size_t>(i)].d;
    }
    acceleration = closure_.that_change(std::move(acceleration));
    turning = closure_.that_change(std::move(turning));
    solve_column(load, acceleration, turning, a_by.col(k), f_by.col(k));
  };
  for (Index k = 0; k < n; ++k) {
    const auto at_k = static_cast<std::size_t>(k);
    step_[at_k].d = 1;
    integrate<D>(*model_, q_, step_, moved_);
    close_column(k, by_q, f_by_q);
    step_[at_k].d = 0;
    moved_ = q_;
    v_[at_k].d = 1;
    close_column(k, by_v, f_by_v);
    v_[at_k].d = 0;
    solve_column(VectorXd::Unit(n, k), VectorXd::Zero(rows), VectorXd::Zero(rows), by_tau.col(k), f_by_tau.col(k));
  }
}

}  // namespace denoc
