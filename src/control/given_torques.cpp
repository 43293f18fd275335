#include "denoc/control/controllers.hpp"
#include "denoc/error.hpp"

namespace denoc {

std::shared_ptr<Controller> given_torques(TorqueFunction tau, std::vector<double> breaks) {
  if (!tau) throw ArgumentError("given torques: there is no function that gives them");
  return feedback([given = std::move(tau)](double t, std::span<const double>, std::span<const double>,
                                           std::span<double> tau_at_t) { given(t, tau_at_t); },
                  std::move(breaks));
}

}  // namespace denoc
