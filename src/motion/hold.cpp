#include <algorithm>

#include "checks.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "kinematics/checks.hpp"

namespace denoc {
namespace {

// Rests to the bit; the difference of a quaternion and itself would have the size of rounding.
class Hold final : public Trajectory {
 public:
  Hold(std::shared_ptr<const Model> model, std::vector<double> q, double duration)
      : model_(std::move(model)), q_(std::move(q)), duration_(duration) {}
  double duration() const override { return duration_; }
  void at(double, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    motion::require_sizes(model_->nq(), model_->nv(), q, v, a);
    std::copy(q_.begin(), q_.end(), q.begin());
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);
  }

 private:
  std::shared_ptr<const Model> model_;
  std::vector<double> q_;
  double duration_;
};

}  // namespace

std::shared_ptr<const Trajectory> hold(std::shared_ptr<const Model> model, std::vector<double> q, double duration) {
  q = kinematics::coordinates_of(*model, std::move(q), "q");
  return std::make_shared<Hold>(std::move(model), std::move(q), motion::positive_duration(duration));
}

}  // namespace denoc
