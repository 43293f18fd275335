#include "following.hpp"

namespace denoc {
namespace {

class PdWithGravity final : public control::Correcting {
 public:
  PdWithGravity(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains,
                const std::vector<int>& driven)
      : Correcting(std::move(model), std::move(motion), std::move(gains), driven), gravity_(model_->nv()) {
    drives_.require_lead(q_);
  }
  void respond(double t, In<double> q, In<double> v, Out<double> tau) override {
    correct(t, q, v, tau);
    drives_.holding(q, gravity_);
    for (size_t k = 0; k < gravity_.size(); ++k) tau[k] += gravity_[k];
  }

 private:
  std::vector<double> gravity_;
};

}  // namespace

std::shared_ptr<Controller> pd_with_gravity(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven) {
  return std::make_shared<PdWithGravity>(std::move(model), std::move(motion), std::move(gains), driven);
}

}  // namespace denoc
