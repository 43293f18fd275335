// A motion of all joints: q, v and a as functions of time, for controllers to follow and for inverse dynamics.
#pragma once
#include <span>
#include <vector>

namespace denoc {

/// q, v and a as functions of time (s). Const and shared; q has nq entries, v and a have nv. Before 0 and after
/// duration() the robot rests where it is then.
class Trajectory {
 public:
  virtual ~Trajectory() = default;
  virtual double duration() const = 0;
  virtual void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const = 0;
  /// Instants inside (0, duration) where a jumps, in order: an integrator steps onto them.
  virtual std::vector<double> breaks() const { return {}; }
  /// Instants inside (0, duration) where a goes on but takes another course, as at the knots of a spline, in order: what
  /// is behind the next of them no step can know, and none passes it.
  virtual std::vector<double> knots() const { return {}; }
  /// Degrees of freedom that move a body which is led along a curve in space, in order, those that rest included: all of
  /// them as the motion says, or the body is elsewhere.
  virtual std::vector<int> along_curve() const { return {}; }

 protected:
  Trajectory() = default;
  Trajectory(const Trajectory&) = default;
  Trajectory& operator=(const Trajectory&) = default;
};

}  // namespace denoc
