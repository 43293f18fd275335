#include "following.hpp"

namespace denoc {
namespace {

// The error is summed where the law is asked, by the trapezium over the time since it was asked last: a sampled law.
class Pid final : public control::Correcting {
 public:
  Pid(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains, std::vector<double> ki,
      const std::vector<int>& driven)
      : Correcting(std::move(model), std::move(motion), std::move(gains), driven),
        ki_(std::move(ki)),
        before_(ki_.size()),
        sum_(ki_.size()) {
    control::require_gains(*model_, ki_, "ki");
    require_drives(ki_);
  }
  void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) override {
    correct(t, q, v, tau);
    if (t < last_) {  // a run begins
      std::fill(sum_.begin(), sum_.end(), 0.0);
    } else {
      for (size_t k = 0; k < sum_.size(); ++k) sum_[k] += (t - last_) * (before_[k] + error_[k]) / 2;
    }
    last_ = t;
    before_ = error_;
    for (size_t k = 0; k < sum_.size(); ++k) tau[k] += ki_[k] * sum_[k];
  }

 private:
  std::vector<double> ki_, before_, sum_;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::shared_ptr<Controller> pid(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                Gains gains, std::vector<double> ki, const std::vector<int>& driven) {
  return std::make_shared<Pid>(std::move(model), std::move(motion), std::move(gains), std::move(ki), driven);
}

}  // namespace denoc
