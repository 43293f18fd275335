// What all integrators share: the state of a run, its samples, its events and its end.
#pragma once
#include "least_step.hpp"
#include "motion/progress.hpp"
#include "system.hpp"

namespace denoc::simulation {

class Run {
 public:
  Run(const Model& model, const SimulationSetup& setup, const Observer& observer);

  System& system() { return system_; }
  Statistics& statistics() { return statistics_; }
  const SimulationSetup& setup() const { return *setup_; }
  double end() const { return setup_->duration; }
  double least_step() const { return simulation::least_step(end()); }
  // Of methods with error control. Where a robot rests every step is without error, and steps that grow without bound would
  // pass whatever comes next between their stages. Samples are what the user wants to tell apart, and each of them is
  // evaluated: steps pass ten of them, and cost no more than they do.
  double largest_step() const { return std::min(setup_->integrator.max_step, 10 * setup_->every); }
  // Instants nearer to each other than this are one, where such instants are this far from each other.
  double same_instant(double apart) const { return std::max(1e-9 * std::min(apart, end()), least_step()); }

  // Where the run stands: the last good state.
  double t = 0;
  std::vector<double> q, v;
  double work = 0, dissipated = 0;
  // Why the last step that failed did so; empty if its error was too large.
  std::string problem = {};

  // Friction and held control at the start, and the first sample.
  void begin();
  // The instant at which a run begins anew: a jump, or the end.
  double next_stop() const;
  // The instant that no step with error control passes: a knot of the law, where nothing jumps, or the next stop.
  double next_target() const;
  // Samples that are due before `until`, each filled in by state(t, ...).
  struct State {
    std::vector<double> q, v;
    double work = 0, dissipated = 0;
  };
  double next_sample() const;
  bool has_sample_before(double until) const;
  void sample_before(double until, const std::function<void(double, State&)>& state);
  // The run has arrived at t, q, v: friction settles if margins asked for it, jumps are taken, a sample that is due is
  // brought. Returns whether the accelerations changed by a jump.
  bool arrive(bool friction_changes);
  // A step of this length is done.
  void count_step(double h);
  // Called before every step: ends the run if it works too much or gets nowhere, or its observer has enough.
  void before_step();
  [[noreturn]] void fail(const std::string& cause) const;
  // The method gives up: says as well which joint moves fastest, where it goes wrong more often than not.
  [[noreturn]] void give_up(const std::string& cause) const;

 private:
  void assemble();
  void measure();  // what is said of a whole run, where a step ends
  bool is_within_limits(std::size_t body, double part) const;
  bool take_jumps();
  void require_progress(double at);  // by the evaluations made so far
  void sample(double at, const State& state);

  const Model* model_;
  const SimulationSetup* setup_;
  const Observer* observer_;
  System system_;
  Statistics statistics_;
  long samples_ = 0;
  double next_break_ = 0;  // the start is one
  double energy_at_start_ = 0;
  State sampled_;
  std::vector<Wrench<double>> reactions_;
  double last_event_ = -1;
  int events_at_once_ = 0;
  motion::Progress progress_;
  Configuration<double> at_;
  Kinematics<double> kin_;
  // Bodies whose joints may pass their limits, as no end stop holds them, and have not.
  std::vector<std::size_t> limited_;
};

// The integrators, by the library that they are of.
using RunBy = void (*)(const Model& model, Run& run);
void run_one_step(const Model& model, Run& run);
void run_multistep(const Model& model, Run& run);
void run_ida(const Model& model, Run& run);
extern RunBy run_arkode;  // none until use_arkode() sets it

}  // namespace denoc::simulation
