#include "following.hpp"

namespace denoc {
namespace {

// The error is summed where the law is asked, by the trapezium over the time since it was asked last: a sampled law.
class Pid final : public control::Correcting {
 public:
  Pid(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains, std::vector<double> ki,
      const std::vector<int>& driven, std::vector<double> most)
      : Correcting(std::move(model), std::move(motion), std::move(gains), driven),
        ki_(std::move(ki)),
        most_(std::move(most)),
        before_(ki_.size()),
        sum_(ki_.size()) {
    control::require_gains(*model_, ki_, "ki");
    require_drives(ki_);
    if (most_.empty()) most_.assign(ki_.size(), std::numeric_limits<double>::infinity());
    require_size(std::span<const double>(most_), model_->nv(), "most");
  }
  bool wants_rate() const override { return true; }
  void respond(double t, In<double> q, In<double> v, Out<double> tau) override {
    correct(t, q, v, tau);
    const bool begins = t < last_;  // a run
    if (begins) std::fill(sum_.begin(), sum_.end(), 0.0);
    for (size_t k = 0; k < sum_.size(); ++k) {
      const double more = begins ? 0 : (t - last_) * (before_[k] + error_[k]) / 2;
      const double wanted = tau[k] + ki_[k] * (sum_[k] + more);
      const bool asks_beyond = std::abs(wanted) > most_[k] && wanted * ki_[k] * more > 0;
      if (!asks_beyond) sum_[k] += more;
      tau[k] += ki_[k] * sum_[k];
    }
    last_ = t;
    before_ = error_;
  }

 private:
  std::vector<double> ki_, most_, before_, sum_;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::shared_ptr<Controller> pid(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                Gains gains, std::vector<double> ki, const std::vector<int>& driven,
                                std::vector<double> most) {
  return std::make_shared<Pid>(std::move(model), std::move(motion), std::move(gains), std::move(ki), driven,
                               std::move(most));
}

}  // namespace denoc
