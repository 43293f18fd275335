#include "following.hpp"

namespace denoc {
namespace {

class Pd final : public control::Correcting {
 public:
  using Correcting::Correcting;
  void respond(double t, In<double> q, In<double> v, Out<double> tau) override { correct(t, q, v, tau); }
};

}  // namespace

std::shared_ptr<Controller> pd(std::shared_ptr<const Model> model, std::shared_ptr<const Trajectory> motion,
                               Gains gains, const std::vector<int>& driven) {
  return std::make_shared<Pd>(std::move(model), std::move(motion), std::move(gains), driven);
}

}  // namespace denoc
