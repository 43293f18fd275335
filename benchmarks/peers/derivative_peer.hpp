// Another library that differentiates the same equations. Plain data only, as peer.hpp.
#pragma once
#include "peer.hpp"

namespace denoc::benchmarks {

// By q (on its tangent space), v, and a or tau: n x n by rows.
struct PlainDerivatives {
  std::vector<double> dq, dv, dx;
};

class DerivativePeer {
 public:
  virtual ~DerivativePeer() = default;
  virtual void set_states(const std::vector<State>& states) = 0;
  // What is timed: derivatives of tau at a (inverse), of a at tau (forward), in the library's memory.
  virtual void run(bool forward, int state) = 0;
  // Those of the last run, in denoc's terms.
  virtual PlainDerivatives result(bool forward) = 0;
};

DENOC_PEER std::unique_ptr<DerivativePeer> pinocchio_derivatives(const PlainRobot& robot);

}  // namespace denoc::benchmarks
