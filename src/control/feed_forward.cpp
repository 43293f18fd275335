#include "following.hpp"

namespace denoc {
namespace {

class FeedForward final : public control::Following {
 public:
  FeedForward(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
              const std::vector<int>& driven)
      : Following(std::move(model), std::move(motion), driven) {
    const ClosedChain::Gap gap = ClosedChain(*model_).gap(q_);
    if (gap.is_open())
      throw ArgumentError(
          fmt::format("{}: the motion starts where it is open by {:.3g} m (or rad): make a closed motion of it",
                      gap.loop, gap.size));
    drives_.require_lead(q_);
    floating_ = drives_.floating();
  }
  // A base that floats goes its own way: the motion is that of the joints, seen from where the base is.
  void respond(double t, In<double> q, In<double> v, Out<double> tau) override {
    desire(t);
    for (const int b : floating_) {
      const auto& base = model_->bodies()[size_t(b)];
      std::copy_n(q.begin() + base.q, coordinates(JointType::free), q_.begin() + base.q);
      std::copy_n(v.begin() + base.v, degrees_of_freedom(JointType::free), v_.begin() + base.v);
    }
    drives_.moving(q_, v_, a_, tau);
  }

 private:
  std::vector<int> floating_ = {};
};

}  // namespace

std::shared_ptr<Controller> feed_forward(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                                         const std::vector<int>& driven) {
  return std::make_shared<FeedForward>(std::move(model), std::move(motion), driven);
}

}  // namespace denoc
