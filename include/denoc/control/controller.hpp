// What drives the joints: generalised forces from time and state.
#pragma once
#include <limits>
#include <span>

namespace denoc {

/// A control law. It may keep scratch: one object for each simulation that runs at a time.
class Controller {
 public:
  virtual ~Controller() = default;
  /// tau for t, q, v: what the drives are asked for, before their limits. A simulation hands it over as zeros.
  virtual void torques(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) = 0;
  /// Whether it goes on from one sample to the next, as sums of errors do: a simulation then wants a rate of it
  /// (SimulationSetup::control_rate), as steps that are tried and taken back would count, too.
  virtual bool wants_rate() const { return false; }
  /// The first instant after t at which tau jumps with time alone: an integrator steps onto it.
  virtual double next_break(double t) const { return static_cast<void>(t), std::numeric_limits<double>::infinity(); }
  /// The first instant after t at which the law takes another course with time alone, without a jump: the next knot of the
  /// motion that it follows. No step passes it.
  virtual double next_knot(double t) const { return static_cast<void>(t), std::numeric_limits<double>::infinity(); }

 protected:
  Controller() = default;
  Controller(const Controller&) = default;
  Controller& operator=(const Controller&) = default;
};

}  // namespace denoc
