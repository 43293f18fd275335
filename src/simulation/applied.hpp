// What acts on the robot of a simulation but loops and dry friction: its drives, and the forces of its file and of the
// scenario.
#pragma once
#include "denoc/error.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/simulation/simulation.hpp"
#include "motion/breaks.hpp"

namespace denoc::simulation {

// The accelerations cannot be had here; what() says why.
class NoAcceleration : public Error {
 public:
  using Error::Error;
};
// Throws NoAcceleration that names the joint whose entry is not finite.
void require_finite(const Model& model, std::span<const double> values, std::string_view what);

// Dry friction has modes of its own: dry_friction.hpp.
using SmoothForces = Without<SlidingFriction<double>, RobotForces<double>>;
using ActingForces = decltype(std::tuple_cat(std::declval<SmoothForces>(), std::declval<SurroundingForces<double>>()));

class Applied {
 public:
  Applied(const Model& model, const SimulationSetup& setup);

  // All of it at t, q (which is placed in `at`), v, into loads(). Throws NoAcceleration.
  void act(double t, const Configuration<double>& at, std::span<const double> q, std::span<const double> v);
  const ActingForces& forces() const { return forces_; }
  Loads<double>& loads() { return loads_; }  // of the last act(), and what others have added to it
  const Loads<double>& loads() const { return loads_; }
  // What the robot's own forces and the ground did to the world (body 0) in the last act().
  std::vector<BodyWrench<double>> on_world() const;

  // Sampled control: the controller is asked at k / control_rate, k = 0, 1, ..., and at no other instant. When it is
  // asked next; never, if control is continuous.
  double next_control() const;
  // Asks it for that instant, or for the last of its jumps that no step could tell from that, with q and v, and keeps its
  // answer until the next call.
  void hold_control(std::span<const double> q, std::span<const double> v);
  std::span<const double> tau() const { return tau_; }  // of the drives
  // The first instant after t at which something jumps with time.
  double next_break(double t) const;
  // ... and at which something takes another course without a jump.
  double next_knot(double t) const;

  struct Energy {
    double kinetic, potential;
  };
  // At q (placed in `at`) and v; what springs store is that of the last act().
  Energy energy(const Configuration<double>& at, std::span<const double> v);

 private:
  void drive(double t, std::span<const double> q, std::span<const double> v);
  void move(const Configuration<double>& at, std::span<const double> v);
  // What a sampled law does between its samples nobody sees.
  bool is_control_continuous() const { return setup_->control && setup_->control_rate == 0; }

  // A drive that gives no more than a certain force.
  struct LimitedDrive {
    int dof;
    double most;
  };

  const Model* model_;
  const SimulationSetup* setup_;
  Kinematics<double> kin_;
  ActingForces forces_;
  Loads<double> loads_;
  std::vector<LimitedDrive> limited_;
  std::vector<double> tau_;
  motion::Breaks wrench_breaks_;
  // Nothing follows the end of a run: a jump there is never taken. Up to here time goes for the law and for wrenches.
  double control_until_, wrenches_until_;
  bool is_control_held_ = false;
  long control_samples_ = 0;  // taken so far
};

}  // namespace denoc::simulation
