// The linear quadratic regulator about a posture.
#pragma once
#include <memory>
#include <vector>

#include "denoc/control/controller.hpp"
#include "denoc/error.hpp"
#include "denoc/model/model.hpp"

namespace denoc {

/// No feedback of these drives keeps the robot at the posture; what() says which joint is the reason.
class NotStabilisable : public Error {
 public:
  using Error::Error;
};

/// Weights of the posture's error, of the rates and of the forces: one for each degree of freedom.
struct LqrWeights {
  std::vector<double> q, v, tau;
};

/// tau = tau_0 - K (d, v), d leading from the posture to q on the manifold: of all laws the one with the least
///   integral of sum q_k d_k^2 + v_k v_k^2 + tau_k (tau - tau_0)_k^2
/// for small motions about the posture, springs and viscous friction of the robot taken into account. tau_0 holds the
/// robot there. `driven`: degrees of freedom with a drive. Throws ArgumentError for sizes and weights that make no
/// sense and for a posture in which the drives cannot hold the robot, NotStabilisable, and NotCovered for robots with
/// loops.
std::shared_ptr<Controller> lqr(const std::shared_ptr<const Model>& model, const std::vector<double>& posture,
                                const LqrWeights& weights, const std::vector<int>& driven);

}  // namespace denoc
