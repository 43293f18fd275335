#include "free_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/error.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "mechanism/runge_kutta4.hpp"

namespace denoc::motion {
namespace {

constexpr long most_evaluations = 50'000'000;

// What the coordinates are measured in: 1 (rad, or a quaternion's entry), or the length of the robot.
std::vector<double> units_of_coordinates(const Model& model) {
  const double length = length_of(model.robot());
  std::vector<double> units;
  for (const NamedCoordinate& coordinate : coordinates_of(model))
    units.push_back(coordinate.kind == NamedCoordinate::Kind::length ? length : 1);
  return units;
}

// The least value between 0 and 1 of the parabola with these values at 0, 1/2 and 1.
double least_of(double start, double middle, double end) {
  const double bend = 2 * (start - 2 * middle + end), slope = 4 * middle - 3 * start - end;
  const bool has_vertex = slope < 0 && -slope < 2 * bend;
  return std::min({start, middle, end, has_vertex ? start - slope * slope / (4 * bend) : start});
}

// The most that they differ, against what they are measured in.
double gap(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& units) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]) / (units[i] + std::abs(b[i])));
  return std::isfinite(most) ? most : std::numeric_limits<double>::infinity();
}

}  // namespace

FreeRun::FreeRun(const Model& model, const Trajectory& motion, OnMotion& on, const AlongOptions& options)
    : model_(model),
      chart_(model, Vector(size_t(model.nq()))),
      on_(on),
      breaks_(motion),
      knots_(motion.knots()),
      tolerance_(options.tolerance),
      duration_(options.duration),
      first_step_(std::min(1e-3, options.duration / 1000)),
      units_of_q_(units_of_coordinates(model)),
      units_of_v_(units_of(model)),
      progress_(most_evaluations / Progress::first_part) {}

// Steps end where the motion's acceleration jumps. What it does from there on is not known: they begin small and grow with
// what they find. A step that begins large may look at a motion that repeats itself at one phase alone. They pass no knot
// of it: where nothing moves they grow, and a whole move may lie between two samples.
void FreeRun::follow(double& t, double end, Vector& q, Vector& v) {
  while (t < end) {
    const double jump = breaks_.first_after(t);
    advance(t, std::min({jump, first_after(knots_, t), end}), q, v);
    if (t == jump) step_ = first_step_;
  }
}

void FreeRun::advance(double& t, double until, Vector& q, Vector& v) {
  constexpr double least = 1e-12;
  while (t < until) {
    require_progress(t, v);
    // The last step ends where it should, to the bit.
    const bool is_last = t + step_ * (1 + 1e-9) >= until;
    const double h = is_last ? until - t : step_;
    Trial trial = try_step(t, h, q, v);
    const bool is_good = trial.error <= tolerance_, is_least = h < least * until;
    if (is_good && !is_least && is_late(breaks_.beside(std::nextafter(t + h, t)), trial)) {  // before a jump at the end
      step_ = h / 2;
      continue;
    }
    if (is_good) {
      q = std::move(trial.q);
      v = std::move(trial.v);
      t = is_last ? until : t + h;
      on_.settle(breaks_.beside(t), q, v);
    } else if (is_least) {
      throw Error(fmt::format("t = {:.6g} s: joints without a drive cannot be followed further", t));
    }
    // order 4: the error goes with h^5
    const double factor = 0.9 * std::pow(tolerance_ / std::max(trial.error, 1e-30), 0.2);
    if (!is_last || !is_good) step_ = h * std::clamp(factor, 0.2, 4.0);
  }
}

FreeRun::Trial FreeRun::try_step(double t, double h, const Vector& q, const Vector& v) {
  const Step whole = step(t, h, q, v);
  Step first = step(t, h / 2, q, v), second = step(t + h / 2, h / 2, first.q, first.v);
  const double error = disagreement(whole, first, second);
  if (error <= tolerance_) refine(whole, second.q, second.v);
  return {std::move(second.q), std::move(second.v), error, std::move(first.margins), std::move(second.margins)};
}

FreeRun::Step FreeRun::step(double t, double h, const Vector& q, const Vector& v) {
  using namespace runge_kutta4;
  const size_t n = v.size();
  Step to{q, v, {}, {}};
  Vector x(n), x_rate(n), a(n), stage_q = q, stage_v = v, sum_x(n), sum_v(n);
  chart_.move_to(q);
  for (size_t s = 0; s < stages; ++s) {
    if (s > 0) {
      for (const int i : on_.undriven()) {
        const auto k = size_t(i);
        x[k] = h * node[s] * x_rate[k];
        stage_v[k] = v[k] + h * node[s] * a[k];
      }
      chart_.place(x, stage_q);
    }
    // The first stage sees what follows a jump at the start of the step, the last what is before one at its end.
    const double stage_t = breaks_.beside(s + 1 == stages ? std::nextafter(t + h, t) : t + h * node[s]);
    const OnMotion::Answer& answer = on_.at(stage_t, stage_q, stage_v);
    if (s == 0) {
      to.margins = answer.margins;
      to.strains.resize(answer.strains.size());
    }
    a = answer.a;
    chart_.rates(x, stage_q, stage_v, x_rate);
    for (const int i : on_.undriven()) {
      const auto k = size_t(i);
      sum_x[k] += h * weight[s] * x_rate[k];
      sum_v[k] += h * weight[s] * a[k];
    }
    for (size_t i = 0; i < to.strains.size(); ++i) to.strains[i] += h * weight[s] * answer.strains[i];
  }
  evaluations_ += long(stages);
  chart_.place(sum_x, to.q);
  for (const int k : on_.undriven()) to.v[size_t(k)] += sum_v[size_t(k)];
  on_.lead(t + h, to.q, to.v);
  return to;
}

// The error of the halves is a fifteenth of what the two differ by, up to order 5. At rest nothing but what holds a joint
// shows how fast its load changes.
double FreeRun::disagreement(const Step& whole, const Step& first, const Step& second) const {
  double most = std::max(gap(whole.q, second.q, units_of_q_), gap(whole.v, second.v, units_of_v_)) / 15;
  for (size_t i = 0; i < whole.strains.size(); ++i)
    most = std::max(most, std::abs(first.strains[i] + second.strains[i] - whole.strains[i]) / (15 * duration_));
  return most;
}

// It is taken off: halves + (halves - whole) / 15.
void FreeRun::refine(const Step& whole, Vector& q, Vector& v) const {
  Vector off(v.size());
  difference<double>(model_, whole.q, q, off);
  for (size_t k = 0; k < v.size(); ++k) {
    off[k] /= 15;
    v[k] += (v[k] - whole.v[k]) / 15;
  }
  const Vector halves = q;
  integrate<double>(model_, halves, off, q);
}

// Whether friction stops a joint, or lets it go, inside the step or at its end, t, by more than the tolerance.
bool FreeRun::is_late(double t, const Trial& trial) {
  if (on_.frictions().empty()) return false;
  Vector q = trial.q, v = trial.v;
  const Vector &start = trial.margins, &middle = trial.margins_in_the_middle, &end = on_.at(t, q, v).margins;
  for (size_t i = 0; i < end.size(); ++i)
    if (least_of(start[i], middle[i], end[i]) < -tolerance_) return true;
  return false;
}

// Every run ends, as in a simulation (docs/theory/simulation.md).
void FreeRun::require_progress(double t, const Vector& v) {
  const auto since = progress_.look(t, evaluations_);
  if (!since) return;
  const auto left = static_cast<double>(most_evaluations - evaluations_);
  if (!(since->evaluations_for(duration_ - t) > Progress::much_faster * left)) return;
  const int k = on_.frictions().slowest(v);
  throw Error(fmt::format(
      "t = {:.6g} s: joints without a drive get nowhere, {:.2g} evaluations were in vain{}; simulate the motion", t,
      static_cast<double>(since->evaluations),
      k < 0 ? "" : fmt::format(" (joint '{}' has dry friction)", model_.joint_of_dof(k))));
}

}  // namespace denoc::motion
