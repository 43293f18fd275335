// The robot with everything that acts on it: accelerations and powers at one instant, and which joints stick.
#pragma once
#include <Eigen/Dense>
#include <optional>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/error.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/kinematics/energy.hpp"
#include "denoc/simulation/simulation.hpp"
#include "loops/loop_forces.hpp"
#include "loops/stiffened_tree.hpp"

namespace denoc::simulation {

// The accelerations cannot be had here; what() says why.
class NoAcceleration : public Error {
 public:
  using Error::Error;
};

// Sticking friction may exceed its limit by this part before it lets go, and a joint let go must exceed half of it:
// rounding alone neither frees nor catches a joint.
constexpr double hysteresis = 2e-12;

// Dry friction in one degree of freedom. At rest on its surface it is an unknown within +-limit; sliding, it opposes
// the way the joint slides, and goes on doing so smoothly when a trial step overshoots the standstill. Carried, it is
// at rest as well, but loops leave it nothing to hold that others at rest do not: its force stays what it was.
struct DryFriction {
  enum class Mode { backward = -1, rest = 0, forward = 1, carried = 2 };
  int dof, q;  // q: -1 for a rotation
  const Friction* law;
  double limit;  // break-away
  Mode mode = Mode::rest;
  double force = 0;  // of the last evaluation

  bool is_still() const { return mode == Mode::rest || mode == Mode::carried; }
  double speed(std::span<const double> v) const { return v[dof] - law->surface_speed; }
  double sliding(double u) const;  // the force at the speed u, in this mode
};

class System {
 public:
  System(const Model& model, const SimulationSetup& setup);

  // What the drives give, a, and the powers, at t, q, v. Asked twice, it remembers. Throws NoAcceleration.
  void evaluate(double t, std::span<const double> q, std::span<const double> v);
  std::span<const double> a() const { return a_; }
  std::span<const double> tau() const { return tau_; }
  double input_power() const { return loads_.input; }
  double dissipated_power() const { return loads_.dissipated; }
  long evaluations() const { return evaluations_; }

  // Sampled control: asks the controller now and keeps its answer until the next call.
  void hold_control(double t, std::span<const double> q, std::span<const double> v);
  // The first instant after t at which something jumps with time.
  double next_break(double t) const;

  // Friction as a set of modes that a step keeps, and margins that turn negative when one of them has to change.
  std::size_t margins() const { return dry_.size(); }
  void margin_values(std::span<const double> v, std::span<double> margin) const;  // of the last evaluation
  // What holds the joints at rest, against its limits: a rate whose integral an integrator has to get right, as
  // nothing else shows it how fast the holding forces change.
  double strain() const { return strain_; }
  // Whether one of them was beyond its limit in any evaluation since begin_step().
  bool was_overstrained() const { return was_overstrained_; }
  void begin_step() { was_overstrained_ = false; }
  const DryFriction& dry(std::size_t i) const { return dry_[i]; }
  // Decides who sticks and who slides which way, after margins turned negative (or at the start of a run). Joints that
  // stand still get exactly their surface's speed. Reports every change.
  void settle_friction(double t, std::span<const double> q, std::span<double> v,
                       const std::function<void(const DryFriction&)>& changed);

  // Loops: q and v are brought onto them by the shortest way.
  bool has_loops() const { return closure_.has_value(); }
  void be_precise(bool precise);  // see ClosureSystem
  void mean_beyond_digits(const Eigen::VectorXd& lacking) { closure_->lacking = lacking; }
  void close_loops(std::span<double> q, std::span<double> v);
  double loop_gap() const;  // of the last evaluation
  std::span<const double> multipliers() const {
    return {multipliers_.data(), static_cast<std::size_t>(multipliers_.size())};
  }

  // For implicit methods: what is missing in I a + bias = tau + ... + G f and in G^T a = c, where f holds loops closed
  // (as many rows as closure has) and joints at rest (one for each with dry friction; 0 while it slides). The powers
  // and the strain are those at f. Throws NoAcceleration.
  std::size_t conditions() const;
  void miss(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
            std::span<const double> f, std::span<double> motion, std::span<double> condition);
  // f for the last evaluation, at t, q, v, and which of its entries have a part: no two conditions say the same.
  std::vector<bool> holding_forces(double t, std::span<const double> q, std::span<const double> v, std::span<double> f);
  bool is_anything_at_rest() const;
  void rest(std::span<double> v) const;  // joints at rest have exactly their surface's speed

  double kinetic(std::span<const double> v) const;  // of the last evaluation's q, v
  double potential() const;
  void reactions(std::span<const double> v, std::vector<Wrench<double>>& result);

 private:
  // Everything that acts but loops and joints at rest.
  void load(double t, std::span<const double> q, std::span<const double> v);
  void drive(double t, std::span<const double> q, std::span<const double> v);
  void slide(std::span<const double> v);
  void solve(std::span<const double> v);
  // The same where the tree alone has no inertia and the closed chain has. False: not here.
  bool solve_stiffened(std::span<const double> v);
  // Loops stay closed and joints at rest stay at rest: corrects a, and finds what holds them.
  void hold();
  Eigen::VectorXd closing() const;  // J a that keeps the loops closed
  // The same where nothing but the loops holds, through the band in which they share links. False: not here.
  bool close_by_band();
  void refresh_kinematics(std::span<const double> v) const;
  // Joints that loops stop when others stop do so.
  void stop_together(std::span<const double> q, std::span<double> v);
  void set_off_at_turning_points(double t, std::span<const double> q, std::span<const double> v);
  // L^-1 e of the joints, without what the loops take up: R^T R is what forces there do to their accelerations.
  Eigen::MatrixXd responses(const std::vector<DryFriction*>& still);
  std::vector<DryFriction*> at_rest();
  [[noreturn]] void refuse(int dof, std::string_view what) const;
  void require_finite(std::span<const double> values, std::string_view what) const;

  // Everything that acts but dry friction, which has modes here.
  using SmoothForces = Without<SlidingFriction<double>, RobotForces<double>>;
  using ActingForces =
      decltype(std::tuple_cat(std::declval<SmoothForces>(), std::declval<SurroundingForces<double>>()));
  // A drive that gives no more than a certain force.
  struct LimitedDrive {
    int dof;
    double most;
  };

  const Model* model_;
  const SimulationSetup* setup_;
  const ForwardFormulation<double>* method_;
  Workspace<double> work_;
  SolveScratch<double> solve_scratch_;
  mutable Kinematics<double> kin_;
  ReactionScratch<double> reaction_scratch_;
  ActingForces forces_;
  Loads<double> loads_;  // of drives, these forces and sliding friction
  std::vector<LimitedDrive> limited_;
  std::vector<DryFriction> dry_;
  std::optional<ClosureSystem> closure_ = {};
  std::optional<LoopForces> loop_forces_ = {};
  std::optional<StiffenedTree> stiffened_ = {};  // of the last evaluation, where that was needed
  double stabilisation_ = 0;                     // of the loops by feedback [Baumgarte 1972], 1/s; 0: none
  Eigen::VectorXd multipliers_ = {};
  std::vector<double> tau_, a_, zero_;
  bool factor_is_known_;  // the method leaves that of the inertia matrix behind
  bool held_ = false, was_overstrained_ = false;
  // Where everything was evaluated last, unless something has changed since.
  bool is_known_ = false;
  double known_t_ = 0;
  std::vector<double> known_q_ = {}, known_v_ = {};
  FactoredHalves halves_;
  double strain_ = 0;
  long evaluations_ = 0;
};

}  // namespace denoc::simulation
