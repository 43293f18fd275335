#include "checks.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/motion/joint_motion.hpp"
#include "kinematics/checks.hpp"

namespace denoc {
namespace {

// q = q0 exp(s d),  v = s' d,  a = s'' d: the way goes about one axis, so d is fixed in the moving body, too.
class PointToPoint final : public Trajectory {
 public:
  PointToPoint(std::shared_ptr<const Model> model, std::vector<double> q0, const std::vector<double>& q1,
               motion::Timing timing)
      : model_(std::move(model)), q0_(std::move(q0)), way_(model_->nv()), timing_(timing) {
    difference<double>(*model_, q0_, q1, way_);
  }
  double duration() const override { return timing_.duration; }
  std::vector<double> breaks() const override { return timing_.breaks(); }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    motion::require_sizes(model_->nq(), model_->nv(), q, v, a);
    const auto [s, rate, acceleration] = timing_.at(t);
    for (size_t k = 0; k < way_.size(); ++k) v[k] = s * way_[k];
    integrate<double>(*model_, q0_, v, q);
    for (size_t k = 0; k < way_.size(); ++k) {
      v[k] = rate * way_[k];
      a[k] = acceleration * way_[k];
    }
  }

 private:
  std::shared_ptr<const Model> model_;
  std::vector<double> q0_, way_;
  motion::Timing timing_;
};

}  // namespace

std::shared_ptr<const Trajectory> point_to_point(std::shared_ptr<const Model> model, std::vector<double> q0,
                                                 std::vector<double> q1, double duration, Profile profile) {
  q0 = kinematics::coordinates_of(*model, std::move(q0), "q0");
  q1 = kinematics::coordinates_of(*model, std::move(q1), "q1");
  const motion::Timing timing{profile, motion::positive_duration(duration)};
  return std::make_shared<PointToPoint>(std::move(model), std::move(q0), q1, timing);
}

}  // namespace denoc
