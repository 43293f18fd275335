// The robot with everything that acts on it: accelerations and powers at one instant, and which joints stick.
#pragma once
#include <Eigen/Dense>
#include <optional>

#include "applied.hpp"
#include "books.hpp"
#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "dry_friction.hpp"
#include "loops/conditioned.hpp"
#include "loops/loop_forces.hpp"
#include "loops/stiffened_tree.hpp"

namespace denoc::simulation {

class System {
 public:
  System(const Model& model, const SimulationSetup& setup);

  // What the drives give, a, and the powers, at t, q, v. It is computed once: asked again for the same state, nothing is
  // done. Throws NoAcceleration.
  void evaluate(double t, std::span<const double> q, std::span<const double> v);
  std::span<const double> a() const { return a_; }
  std::span<const double> tau() const { return applied_.tau(); }
  const ActingForces& forces() const { return applied_.forces(); }
  double input_power() const { return applied_.loads().input; }
  double dissipated_power() const { return applied_.loads().dissipated; }
  // What an integrator sums up beside the motion: the strain of each joint with dry friction, then input and dissipated
  // power for the books. The integrals of strains are there for their errors alone: nothing else shows an integrator how
  // fast the holding forces change. Each has its own, as loads that are opposite would cancel in a sum.
  std::size_t integrals() const { return friction_.size() + books; }
  void write_integrands(std::span<double> rates) const;
  long evaluations() const { return evaluations_; }
  // Of the last evaluation's q and v.
  Applied::Energy energy(std::span<const double> v) { return applied_.energy(at_, v); }
  void reactions(std::span<const double> v, std::vector<Wrench<double>>& result);

  // See Applied.
  double next_control() const { return applied_.next_control(); }
  void hold_control(std::span<const double> q, std::span<const double> v);
  double next_break(double t) const { return applied_.next_break(t); }
  double next_knot(double t) const { return applied_.next_knot(t); }

  // Dry friction, in the modes that a step keeps.
  const DryFrictions& friction() const { return friction_; }
  // Decides who sticks and who slides which way, after margins turned negative (or at the start of a run). Joints that
  // stand still get exactly their surface's speed. Reports every change.
  void settle_friction(double t, std::span<const double> q, std::span<double> v,
                       const std::function<void(const DryFriction&, FrictionEvent::Kind)>& changed);
  // Joints at rest stay so to the bit, whatever an integrator left of their speeds, and loops follow them.
  void keep_at_rest(std::span<const double> q, std::span<double> v);
  // Whether what holds a joint at rest was beyond its limit in any evaluation since begin_step().
  bool was_overstrained() const { return was_overstrained_; }
  void begin_step() { was_overstrained_ = false; }

  // Loops: q and v are brought onto them by the shortest way.
  bool has_loops() const { return closure_.has_value(); }
  std::shared_ptr<const ClosureRows> closure_rows() const { return closure_ ? closure_->rows() : nullptr; }
  void compute_loops_in(Precision precision);  // see ClosureSystem
  void mean_beyond_digits(const Eigen::VectorXd& lacking) { closure_->lacking = lacking; }
  void close_loops(std::span<double> q, std::span<double> v);
  double loop_gap() const;  // of the last evaluation
  std::span<const double> multipliers() const {
    return {multipliers_.data(), static_cast<std::size_t>(multipliers_.size())};
  }

  // For implicit methods: the residuals of I a + bias = tau + ... + G f and of G^T a = c, where f holds loops closed
  // (as many rows as closure has) and joints at rest (one for each with dry friction; 0 while it slides). The powers
  // and strains are those at f. Conditions that depend on each other, as they did where a state was last evaluated on
  // the loops, ask for the shortest f: with the projection P = G^+ G onto what is possible, P (G^T a - c) + (1 - P) f = 0,
  // where f counts as little as it accelerates: its rounding is none of the accelerations.
  // Throws NoAcceleration.
  std::size_t conditions() const;
  void residual(double t, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                std::span<const double> f, std::span<double> motion, std::span<double> condition);
  // The shortest f for the last evaluation, at t, q, v.
  void holding_forces(double t, std::span<const double> q, std::span<const double> v, std::span<double> f);

 private:
  friend class Settling;

  bool has_rows() const { return closure_ && closure_->size() > 0; }

  // Everything that acts but loops and joints at rest.
  void load(double t, std::span<const double> q, std::span<const double> v);
  // a of the joints that are free to move, with nothing holding those at rest.
  void solve(std::span<const double> v);
  // The same where the inertia matrix of the tree alone is singular. Returns false if that of the closed chain is, too.
  bool solve_stiffened(std::span<const double> v);
  // Loops stay closed and joints at rest stay at rest: corrects a, and finds what holds them.
  void hold();
  // As far as a stage of a method leaves loops open, rows that depend on each other where they are closed would ask for
  // motions that the loops leave free; and where two motions cross, gaps of 1e-9 lead from the one to the other, energy
  // and all. So a stage is taken to the loops near by, and feedback [Baumgarte 1972] is that of the way there, away(), which
  // the accelerations are short of:
  //   a = a(q~, v~) - 2 s (v - v~) - s^2 (q - q~)
  // Throws NoAcceleration where the loops cannot be closed.
  struct Near {
    std::span<const double> q, v;
  };
  Near near_by(std::span<const double> q, std::span<const double> v);
  Eigen::VectorXd away(std::span<const double> q, std::span<const double> v) const;
  // G of the conditions, at the state last differentiated: the gradients of the loops, then unit columns of these joints;
  // of those that are not at rest they are zero.
  Eigen::MatrixXd forbidden(const std::vector<DryFriction*>& joints) const;
  // The same with loops, of all joints with dry friction, in units: of degrees of freedom, and of rows.
  struct MeasuredConditions {
    Eigen::MatrixXd G;
    Eigen::VectorXd units;  // of rows
  };
  MeasuredConditions measured_conditions();
  // With loops: what is forbidden where joints stand still, G^T v = c, and the v nearest to the given one that keeps to it.
  struct Standing {
    Eigen::MatrixXd G;
    Eigen::VectorXd v;
  };
  Standing standing(std::span<const double> q, std::span<const double> v);
  // The same where nothing but the loops holds, through the band in which they share links. Returns false, with nothing
  // done, where that does not apply.
  bool close_by_band();

  const Model* model_;
  Configuration<double> at_;
  ForwardScratch<double> forward_;                 // of the first method, which leaves the factor of I behind
  ForwardProblem<double>::Prepared other_method_;  // none: the first
  SolveScratch<double> solve_scratch_;
  FactoredHalves halves_;
  ReactionScratch<double> reaction_scratch_;
  Applied applied_;
  DryFrictions friction_;
  std::optional<ClosureSystem> closure_ = {};
  std::optional<LoopForces> loop_forces_ = {};
  std::optional<StiffenedTree> stiffened_ = {};  // of the last evaluation, where that was needed
  bool leaves_loops_ = false;                    // the method, in its stages
  double stabilisation_ = 0;                     // then, of the loops by feedback [Baumgarte 1972], 1/s; 0: none
  bool rows_depend_ = false;                     // on each other, and on joints at rest, where they were last closed
  std::vector<double> near_q_ = {}, near_v_ = {};
  Eigen::VectorXd multipliers_ = {};
  std::vector<double> a_;
  double inertia_ = 0;   // with loops: of all mass at the robot's length, and of what turns
  double released_ = 0;  // |a| of the tree at the last evaluation, before anything was held
  bool was_overstrained_ = false;
  long evaluations_ = 0;
  // Where everything was evaluated last, unless something has changed since.
  class Evaluated {
   public:
    bool is_at(double t, std::span<const double> q, std::span<const double> v) const;
    void set(double t, std::span<const double> q, std::span<const double> v);
    void forget() { is_known_ = false; }

   private:
    bool is_known_ = false;
    double t_ = 0;
    std::vector<double> q_ = {}, v_ = {};
  } evaluated_ = {};
};

}  // namespace denoc::simulation
