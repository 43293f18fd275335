#include "closed_derivatives.hpp"

#include "closure_system.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ClosedDerivatives::ClosedDerivatives(const Model& model)
    : model_(&model),
      rows_(closure_rows(model.robot())),
      at_(model),
      kin_(model),
      q_(static_cast<std::size_t>(model.nq())),
      moved_(q_),
      v_(static_cast<std::size_t>(model.nv())),
      step_(v_),
      gradient_(v_),
      load_(v_),
      acceleration_(rows_.size()),
      solve_(model) {
  for (const Loop& loop : model.robot().loops) paths_.push_back(path_of(model, loop));
}

// At moved_ and v_, with a and the multipliers held.
void ClosedDerivatives::evaluate_loops(std::span<const double> a, std::span<const double> multipliers) {
  place<D>(*model_, moved_, at_);
  kin_.move(*model_, at_, v_);
  kin_.frames(frames_);
  for (D& x : load_) x = D(0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto loop = static_cast<std::size_t>(rows_[i].loop);
    const ClosureValue<D> value = closure_value<D>(*model_, frames_[loop], moved_, v_, rows_[i]);
    closure_gradient<D>(*model_, at_, frames_[loop], paths_[loop], rows_[i], value, gradient_);
    acceleration_[i] = value.bias;
    for (std::size_t k = 0; k < load_.size(); ++k) {
      acceleration_[i] += gradient_[k] * a[k];
      load_[k] += gradient_[k] * multipliers[i];
    }
  }
}

void ClosedDerivatives::close(const Configuration<double>& at, const Factor<double>& factor, std::span<const double> q,
                              std::span<const double> v, std::span<const double> a, std::span<const double> multipliers,
                              std::span<double> dq, std::span<double> dv, std::span<double> dtau) {
  const auto n = static_cast<Index>(v.size()), rows = static_cast<Index>(rows_.size());
  for (std::size_t k = 0; k < q.size(); ++k) moved_[k] = q_[k] = D(q[k]);
  for (std::size_t k = 0; k < v.size(); ++k) {
    v_[k] = D(v[k]);
    step_[k] = D(0.0);
  }
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<ByRows> by_q(dq.data(), n, n), by_v(dv.data(), n, n), by_tau(dtau.data(), n, n);
  MatrixXd G(n, rows), opening_q(rows, n), opening_v(rows, n);
  // The loops' part, one coordinate after the other.
  for (Index k = 0; k < n; ++k) {
    const auto at_k = static_cast<std::size_t>(k);
    const auto add_loops = [&](Eigen::Map<ByRows>& by, MatrixXd& opening) {
      evaluate_loops(a, multipliers);
      for (Index i = 0; i < n; ++i) by(i, k) -= load_[static_cast<std::size_t>(i)].d;
      for (Index i = 0; i < rows; ++i) opening(i, k) = acceleration_[static_cast<std::size_t>(i)].d;
    };
    step_[at_k].d = 1;
    integrate<D>(*model_, q_, step_, moved_);
    add_loops(by_q, opening_q);
    step_[at_k].d = 0;
    moved_ = q_;
    v_[at_k].d = 1;
    add_loops(by_v, opening_v);
    v_[at_k].d = 0;
  }
  // J^T itself, from the values of one more evaluation.
  kin_.move(*model_, at_, v_);
  kin_.frames(frames_);
  for (Index i = 0; i < rows; ++i) {
    const ClosureRow& row = rows_[static_cast<std::size_t>(i)];
    const auto loop = static_cast<std::size_t>(row.loop);
    closure_gradient<D>(*model_, at_, frames_[loop], paths_[loop], row,
                        closure_value<D>(*model_, frames_[loop], moved_, v_, row), gradient_);
    for (Index k = 0; k < n; ++k) G(k, i) = gradient_[static_cast<std::size_t>(k)].x;
  }
  // Gauss's principle for every column: the free one, and the least correction that keeps the loops closed.
  FactoredHalves halves(*model_, at, factor, solve_);
  MatrixXd B(n, rows);
  for (Index i = 0; i < rows; ++i) B.col(i) = halves.half(G.col(i));
  const Pseudoinverse inverse(B);
  VectorXd x(n);
  const auto solve_columns = [&](auto&& right, auto&& target, Eigen::Map<ByRows>& by) {
    for (Index k = 0; k < n; ++k) {
      const VectorXd load = right(k);
      denoc::solve<double>(*model_, at, factor, {load.data(), static_cast<std::size_t>(n)}, solve_,
                           {x.data(), static_cast<std::size_t>(n)});
      const VectorXd missing = target(k) - G.transpose() * x;
      by.col(k) = x + halves.back_half(inverse.transposed(missing));
    }
  };
  solve_columns([&](Index k) -> VectorXd { return -by_q.col(k); },
                [&](Index k) -> VectorXd { return -opening_q.col(k); }, by_q);
  solve_columns([&](Index k) -> VectorXd { return -by_v.col(k); },
                [&](Index k) -> VectorXd { return -opening_v.col(k); }, by_v);
  solve_columns([&](Index k) -> VectorXd { return VectorXd::Unit(n, k); },
                [&](Index) -> VectorXd { return VectorXd::Zero(rows); }, by_tau);
}

}  // namespace denoc
