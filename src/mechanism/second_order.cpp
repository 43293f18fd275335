#include "second_order.hpp"

namespace denoc {

SecondDerivatives::SecondDerivatives(const Model& tree, bool with_forces)
    : tree_(&tree),
      n_(static_cast<std::size_t>(tree.nv())),
      varied_(tree, with_forces),
      gradient_(tree),
      inverse_(tree),
      turning_(tree),
      dq_(n_ * n_),
      dv_(dq_),
      da_(dq_),
      forces_q_(dq_),
      forces_v_(dq_),
      lambda_(n_) {
  if (with_forces) forces_.emplace(tree);
}

void SecondDerivatives::contract(const DifferentiatedMotion& m, std::span<const double> lambda) {
  for (std::size_t i = 0; i < n_; ++i) lambda_[i] = D(lambda[i]);
  const auto of_one = [&](std::vector<D>& x) { return std::span(x).first(n_); };
  const bool has_more = forces_ || !m.fixed_in_world.empty();
  differentiate(m, 1, [&] {
    inverse_gradient<D>(*tree_, varied_.at(), varied_.v(), varied_.a, lambda_, gradient_, of_one(dq_), of_one(dv_),
                        of_one(da_), varied_.acting());
    if (!has_more) return;
    for (auto* matrix : {&forces_q_, &forces_v_}) std::fill(matrix->begin(), matrix->end(), D(0.0));
    add_forces(forces_q_, forces_v_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < n_; ++k) {
        dq_[k] += lambda_[i] * forces_q_[i * n_ + k];
        dv_[k] += lambda_[i] * forces_v_[i * n_ + k];
      }
    }
  });
}

void SecondDerivatives::expand(const DifferentiatedMotion& m) {
  differentiate(m, n_, [&] {
    inverse_derivatives<D>(*tree_, varied_.at(), varied_.v(), varied_.a, inverse_, dq_, dv_, da_, varied_.acting());
    add_forces(dq_, dv_);
  });
}

template <class First>
void SecondDerivatives::differentiate(const DifferentiatedMotion& m, std::size_t rows, First&& first) {
  for (auto* all : {&qq, &qv, &qa, &vv}) all->resize(rows * n_ * n_);
  varied_.start(m);
  const auto for_entries = [&](auto&& f) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < n_; ++j) f(i * n_ * n_, j, i * n_ + j);
  };
  for (std::size_t k = 0; k < n_; ++k) {
    varied_.vary_q(static_cast<int>(k));
    first();
    for_entries([&](std::size_t row, std::size_t j, std::size_t entry) {
      qq[row + j * n_ + k] = dq_[entry].d;  // E_k E_j
      qv[row + k * n_ + j] = dv_[entry].d;
      qa[row + k * n_ + j] = da_[entry].d;
    });
    varied_.vary_v(static_cast<int>(k));
    first();
    for_entries([&](std::size_t row, std::size_t j, std::size_t entry) { vv[row + j * n_ + k] = dv_[entry].d; });
  }
  for_entries([&](std::size_t row, std::size_t j, std::size_t) {
    for (std::size_t k = 0; k < j; ++k) {
      double &one = qq[row + j * n_ + k], &other = qq[row + k * n_ + j];
      one = other = (one + other) / 2;
    }
  });
}

void SecondDerivatives::add_forces(std::span<D> dq, std::span<D> dv) {
  if (forces_) forces_->add(varied_.at(), varied_.q(), varied_.v(), dq, dv);
  turning_.add(varied_.at(), varied_.fixed_in_world(), dq);
}

}  // namespace denoc
