#include "closure_system.hpp"

namespace denoc {

void ClosureSystem::evaluate(const Configuration<double>& at, std::span<const double> q, std::span<const double> v) {
  positions<double>(*model_, at, kin_);
  velocities<double>(*model_, v, kin_);
  accelerations<double>(*model_, v, zero_, kin_);
  for (Eigen::Index i = 0; i < size(); ++i) {
    const ClosureRow& row = rows_[static_cast<std::size_t>(i)];
    const ClosureValue<double> value = closure_value<double>(*model_, kin_, q, v, row);
    residual[i] = value.residual;
    rate[i] = value.rate;
    bias[i] = value.bias;
    closure_gradient<double>(*model_, kin_, row, value,
                             {gradients.col(i).data(), static_cast<std::size_t>(model_->nv())});
  }
}

}  // namespace denoc
