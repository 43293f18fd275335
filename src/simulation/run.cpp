#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "denoc/kinematics/energy.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {

SimulationFailure::SimulationFailure(const std::string& cause, double time, std::vector<double> last_q,
                                     std::vector<double> last_v)
    : Error(fmt::format("t = {:.9g} s: {}", time, cause)), t(time), q(std::move(last_q)), v(std::move(last_v)) {}

}  // namespace denoc

namespace denoc::simulation {
namespace {

constexpr int most_events_at_once = 200;
// No run is looked at before it has made this many evaluations.
constexpr long least_work = 100'000;

}  // namespace

Run::Run(const Model& model, const SimulationSetup& setup, const Observer& observer)
    : q(setup.q),
      v(setup.v),
      model_(&model),
      setup_(&setup),
      observer_(&observer),
      system_(model, setup),
      progress_(std::max(least_work, setup.integrator.max_evaluations / motion::Progress::first_part)),
      at_(model),
      kin_(model) {
  normalise<double>(model, q);
}

void Run::begin() {
  assemble();
  for (std::size_t b = 1; b < model_->robot().bodies.size(); ++b) {
    const Joint& joint = model_->robot().bodies[b].joint;
    if (has_plain_coordinates(joint.type) && !(joint.limits.stiffness > 0) && is_within_limits(b, 0))
      limited_.push_back(b);
  }
  take_jumps();
  system_.settle_friction(t, q, v, [](const DryFriction&, FrictionEvent::Kind) {});
  arrive(false);
}

// The loops are closed to begin with, from however far.
void Run::assemble() {
  if (!system_.has_loops()) return;
  ClosedChain chain(*model_, system_.closure_rows());
  try {
    q = chain.assemble(q);
    const std::vector<double> given = v;
    v = chain.closed_rates(q, v);
    // What stands still does, where rounding alone would move it: friction would have to stop it first.
    double most = 0;
    for (const double x : v) most = std::max(most, std::abs(x));
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * most;
    for (std::size_t k = 0; k < v.size(); ++k)
      if (given[k] == 0 && std::abs(v[k]) <= rounding) v[k] = 0;
    const ClosedChain::Forward found = chain.forward_dynamics(q, v, std::vector<double>(v.size()));
    if (found.rows_depend) chain.require_motion(found.a);
  } catch (const NotAssembled& error) {
    fail(error.what());
  } catch (const SingularInertia&) {  // whoever evaluates the run says so, if friction or a law does not help
  }
}

double Run::next_stop() const { return std::min(end(), next_break_); }
double Run::next_target() const { return std::min(next_stop(), system_.next_knot(t + least_step())); }

double Run::next_sample() const {
  if (samples_ < 0) return std::numeric_limits<double>::infinity();
  const double due = static_cast<double>(samples_) * setup_->every;
  return due > end() - same_instant(setup_->every) ? end() : due;
}

bool Run::has_sample_before(double until) const { return next_sample() < until - same_instant(setup_->every); }

void Run::sample_before(double until, const std::function<void(double, State&)>& state) {
  while (has_sample_before(until)) {
    const double due = next_sample();
    state(due, sampled_);
    sample(due, sampled_);
  }
}

void Run::sample(double at, const State& state) {
  require_progress(at);
  const long before = system_.evaluations();
  system_.evaluate(at, state.q, state.v);
  statistics_.evaluations -= system_.evaluations() - before;  // not the integrator's
  statistics_.loop_defect = std::max(statistics_.loop_defect, system_.loop_gap());
  const auto [kinetic, potential] = system_.energy(state.v);
  if (samples_ == 0) energy_at_start_ = kinetic + potential;
  const double balance = kinetic + potential - energy_at_start_ - state.work + state.dissipated;
  if (!std::isfinite(balance)) fail("the energy is not a finite number");
  statistics_.balance_defect = std::max(statistics_.balance_defect, std::abs(balance));
  const double terms = kinetic + std::abs(potential) + std::abs(state.work) + std::abs(state.dissipated);
  statistics_.largest_energy = std::max(statistics_.largest_energy, terms);
  if (setup_->with_reactions) system_.reactions(state.v, reactions_);
  samples_ = at < end() ? samples_ + 1 : -1;
  if (!observer_->sample) return;
  observer_->sample({at, state.q, state.v, system_.a(), system_.tau(), kinetic, potential, system_.input_power(),
                     system_.dissipated_power(), state.work, state.dissipated, reactions_, system_.multipliers()});
}

// All jumps that no step could tell from t, which moves on to the last of them; an end so near is reached. Returns
// whether there were any.
bool Run::take_jumps() {
  const double until = t + least_step();
  const bool jumps = next_break_ <= until;
  while (next_break_ <= until) {
    t = std::max(t, next_break_);
    if (system_.next_control() <= t) system_.hold_control(q, v);
    next_break_ = system_.next_break(t);
    if (next_break_ <= t) fail(fmt::format("control jumps next at {} s, which is not later", next_break_));
  }
  if (end() <= until) t = end();
  return jumps;
}

void Run::measure() {
  place<double>(*model_, q, at_);
  positions<double>(*model_, at_, kin_);
  velocities<double>(*model_, v, kin_);
  statistics_.largest_kinetic = std::max(statistics_.largest_kinetic, kinetic_energy<double>(*model_, kin_));
  constexpr double much = 1e-3;  // more than a drive overshoots them by
  std::erase_if(limited_, [&](std::size_t b) {
    if (is_within_limits(b, much)) return false;
    statistics_.beyond_limits.push_back({model_->joint_name(static_cast<int>(b)), t});
    return true;
  });
}
// Up to a part of the way between the limits, or so many rad or m.
bool Run::is_within_limits(std::size_t body, double part) const {
  const Joint& joint = model_->robot().bodies[body].joint;
  const double range = joint.limits.upper - joint.limits.lower,
               slack = part * (std::isfinite(range) && range > 0 ? range : 1);
  const auto first = q.begin() + model_->bodies()[body].q;
  return std::all_of(first, first + coordinates(joint.type),
                     [&](double x) { return x >= joint.limits.lower - slack && x <= joint.limits.upper + slack; });
}

bool Run::arrive(bool friction_changes) {
  measure();
  const bool jumps = take_jumps();
  if (friction_changes || jumps) {
    system_.settle_friction(t, q, v, [&](const DryFriction& friction, FrictionEvent::Kind kind) {
      ++statistics_.events;
      if (observer_->event)
        observer_->event({kind, t, friction.dof, friction.q < 0 ? 0 : q[static_cast<std::size_t>(friction.q)]});
    });
  }
  if (friction_changes) {
    events_at_once_ = t > last_event_ * (1 + 1e-14) ? 0 : events_at_once_ + 1;
    last_event_ = t;
    if (events_at_once_ > most_events_at_once) fail("friction sticks and slips without end at one instant");
  }
  if (std::abs(next_sample() - t) <= same_instant(setup_->every)) {
    sampled_ = {q, v, work, dissipated};
    sample(t, sampled_);
  }
  return friction_changes || jumps;
}

void Run::count_step(double h) {
  ++statistics_.steps;
  statistics_.least_step = std::min(statistics_.least_step, h);
  statistics_.largest_step = std::max(statistics_.largest_step, h);
}

void Run::before_step() {
  if (observer_->step) observer_->step(t);
  require_progress(t);
}

void Run::require_progress(double at) {
  const long done = system_.evaluations(), most = setup_->integrator.max_evaluations;
  const auto because = [&]() -> std::string {
    if (statistics_.stiff) return "; its steps are held small by stability, the problem is stiff: use method bdf";
    return problem.empty() ? "" : fmt::format("; the last step that failed: {}", problem);
  };
  constexpr auto how = "`integrator: {max_evaluations: ...}` allows more, a larger rtol or a lower rate needs fewer";
  if (done > most)
    fail(fmt::format("too much work: more than {} evaluations of the accelerations{}; {}", most, because(), how));
  const auto since = progress_.look(at, done);
  if (!since) return;
  const double left = since->evaluations_for(end() - at);
  if (!(left > motion::Progress::much_faster * static_cast<double>(most))) return;
  fail(fmt::format(
      "the run gets nowhere: it went on by {:.2g} s with the last {} evaluations of the accelerations, and would need "
      "{:.1g} more, where max_evaluations is {:.1g}{}; if it is only long, {}; if not, look for forces that jump or "
      "grow without end here, and for a step, a sampling or a rate that is too short",
      since->time, since->evaluations, left, static_cast<double>(most), because(), how));
}

void Run::fail(const std::string& cause) const { throw SimulationFailure(cause, t, q, v); }
void Run::give_up(const std::string& cause) const {
  const std::vector<double> units = units_of(*model_);
  std::size_t fastest = 0;
  for (std::size_t k = 1; k < v.size(); ++k)
    if (std::abs(v[k]) / units[k] > std::abs(v[fastest]) / units[fastest]) fastest = k;
  if (v.empty() || v[fastest] == 0 || t == 0 || statistics_.stiff) fail(cause);
  const Dof dof = dofs_of(*model_)[fastest];
  fail(fmt::format("{}; joint '{}' moves fastest, at {:.3g} {}", cause, dof.name(), v[fastest], dof.rate_unit()));
}

}  // namespace denoc::simulation
