// What drives the joints: generalised forces from time and state.
#pragma once
#include <limits>
#include <span>

namespace denoc {

/// A control law. It may keep scratch: one object for each simulation that runs at a time.
class Controller {
 public:
  virtual ~Controller() = default;
  /// tau for t, q, v: what the drives are asked for, before their limits.
  virtual void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) = 0;
  /// The first instant after t at which tau jumps with time alone: an integrator steps onto it.
  virtual double next_break(double t) const { return static_cast<void>(t), std::numeric_limits<double>::infinity(); }

 protected:
  Controller() = default;
  Controller(const Controller&) = default;
  Controller& operator=(const Controller&) = default;
};

}  // namespace denoc
