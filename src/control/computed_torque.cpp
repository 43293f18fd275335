#include "following.hpp"

namespace denoc {
namespace {

class ComputedTorque final : public control::Correcting {
 public:
  ComputedTorque(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion, Gains gains,
                 const std::vector<int>& driven)
      : Correcting(std::move(model), std::move(motion), std::move(gains), driven), wanted_(model_->nv()) {
    drives_.require_lead(q_);
  }
  void respond(double t, In<double> q, In<double> v, Out<double> tau) override {
    correct(t, q, v, wanted_);
    for (size_t k = 0; k < wanted_.size(); ++k) wanted_[k] += a_[k];
    drives_.moving(q, v, wanted_, tau);
  }

 private:
  std::vector<double> wanted_;
};

}  // namespace

std::shared_ptr<Controller> computed_torque(std::shared_ptr<const Model> model,
                                            std::shared_ptr<const Trajectory> motion, Gains gains,
                                            const std::vector<int>& driven) {
  return std::make_shared<ComputedTorque>(std::move(model), std::move(motion), std::move(gains), driven);
}

}  // namespace denoc
