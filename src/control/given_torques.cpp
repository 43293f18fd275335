#include "following.hpp"

namespace denoc {
namespace {

class GivenTorques final : public Controller {
 public:
  GivenTorques(TorqueFunction tau, std::vector<double> breaks) : tau_(std::move(tau)), breaks_(std::move(breaks)) {}
  void torques(double t, std::span<const double>, std::span<const double>, std::span<double> tau) override {
    tau_(t, tau);
  }
  double next_break(double t) const override { return control::first_after(breaks_, t); }

 private:
  TorqueFunction tau_;
  std::vector<double> breaks_;
};

}  // namespace

std::shared_ptr<Controller> given_torques(TorqueFunction tau, std::vector<double> breaks) {
  if (!tau) throw ArgumentError("given torques: there is no function that gives them");
  if (!std::is_sorted(breaks.begin(), breaks.end()))
    throw ArgumentError("given torques: their breaks are not in order");
  return std::make_shared<GivenTorques>(std::move(tau), std::move(breaks));
}

}  // namespace denoc
