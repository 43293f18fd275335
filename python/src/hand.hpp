// What one thread asks of a robot.
#pragma once
#include <optional>

#include "denoc/mechanism/regressor.hpp"

namespace denoc::python {

// A Dynamics, and the regressor (with friction) when it is first needed.
class Hand : public Dynamics {
 public:
  using Dynamics::Dynamics;
  // Throws NotCovered for a robot with loops, unless they are open.
  Regressor& regressor(Loops loops) {
    const bool is_refused = mechanism().has_loops() && loops == Loops::closed;
    if (!regressor_ || is_refused) regressor_.emplace(mechanism(), Regressor::Friction::viscous_and_coulomb, loops);
    return *regressor_;
  }

 private:
  std::optional<Regressor> regressor_ = {};
};

}  // namespace denoc::python
