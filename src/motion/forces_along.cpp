#include "denoc/motion/forces_along.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "breaks.hpp"
#include "checks.hpp"
#include "denoc/forces/dry_friction.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/chart.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "free_motion.hpp"

namespace denoc {
namespace {

using Vector = std::vector<double>;

// What the coordinates are measured in: 1 (rad, or a quaternion's entry), or the length of the robot.
Vector units_of_coordinates(const Model& model) {
  const double length = length_of(model.robot());
  Vector units;
  for (const NamedCoordinate& coordinate : coordinates_of(model))
    units.push_back(coordinate.kind == NamedCoordinate::Kind::length ? length : 1);
  return units;
}

bool contains(const std::vector<int>& dofs, int k) { return std::find(dofs.begin(), dofs.end(), k) != dofs.end(); }

// Dry friction of a degree of freedom without a drive. At rest on its surface it is whatever keeps the joint there, as a
// drive would, up to its limit. Sliding it opposes the way the joint slides, and goes on doing so smoothly when a trial
// step overshoots the standstill: 2 limit - law(-u), the law's image through (0, limit).
struct DryFriction {
  int dof;
  const Friction* law;
  double limit;
  double unit;       // of its speed: 1 rad, or the length of the robot, in a second
  int way = 0;       // that it slides: 1 or -1; 0: at rest
  double force = 0;  // at rest, of the last solution

  double speed(const Vector& v) const { return v[size_t(dof)] - law->surface_speed; }
  double at_speed(double u) const {
    const double along = way * u;
    return -way * (along < 0 ? 2 * limit - dry_friction<double>(*law, -along) : dry_friction<double>(*law, along));
  }
  // What forces of the file take it for: sgn(0) = 0.
  double by_sign(double u) const { return u == 0 ? 0 : std::copysign(dry_friction<double>(*law, std::abs(u)), -u); }
  bool holds() const { return std::abs(force) <= limit; }
  // What holds it at rest, against its limit.
  double strain() const { return way == 0 ? force / limit : 0; }
  // How far it is from being let go, or from a standstill; below 0 it is beyond.
  double margin(const Vector& v) const { return way == 0 ? 1 - std::abs(strain()) : way * speed(v) / unit; }
};

// The least value between 0 and 1 of the parabola with these values at 0, 1/2 and 1.
double least_of(double start, double middle, double end) {
  const double bend = 2 * (start - 2 * middle + end), slope = 4 * middle - 3 * start - end;
  const bool has_vertex = slope < 0 && -slope < 2 * bend;
  return std::min({start, middle, end, has_vertex ? start - slope * slope / (4 * bend) : start});
}

// The robot on its motion: driven joints where the motion has them, the others where they have come.
class OnMotion {
 public:
  OnMotion(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& options)
      : model_(mechanism.tree()),
        motion_(motion),
        breaks_(motion),
        knots_(motion.knots()),
        dynamics_(mechanism, options.forces),
        undriven_(motion::others(model_, options.driven)),
        is_free_(size_t(model_.nv())),
        given_q_(size_t(model_.nq())),
        given_v_(size_t(model_.nv())),
        a_(given_v_),
        tau_(given_v_) {
    if (mechanism.has_loops()) {
      // The loops lead all but a base that floats; what the drives share does not depend on the base's own forces.
      undriven_ = motion::floating(model_, options.driven);
      std::vector<std::string> names;
      for (int k = 0; k < model_.nv(); ++k)
        if (contains(options.driven, k) || contains(undriven_, k))
          names.push_back(model_.joint_name(model_.body_of_dof(k)));
      names.erase(std::unique(names.begin(), names.end()), names.end());
      dynamics_.drive(names);
    }
    for (const int k : undriven_) is_free_[size_t(k)] = true;
    led_v_ = motion::others(model_, undriven_);
    for (size_t b = 1; b < model_.bodies().size(); ++b) {
      const JointType type = model_.robot().bodies[b].joint.type;
      // A coordinate for each degree of freedom; of a quaternion all four with the last.
      for (int i = 0; i < coordinates(type); ++i) {
        const int k = model_.bodies()[b].v + std::min(i, degrees_of_freedom(type) - 1);
        if (!is_free_[size_t(k)]) led_q_.push_back(model_.bodies()[b].q + i);
      }
    }
    const Vector units = units_of(model_);
    if (options.forces == Forces::all)
      for_each_dof(model_, [&](int k, const Joint& joint, int) {
        if (is_free_[size_t(k)] && has_dry_friction(joint.friction))
          dry_.push_back({k, &joint.friction, dry_friction<double>(joint.friction, 0), units[size_t(k)]});
      });
  }

  bool has_free() const { return !undriven_.empty(); }
  const std::vector<int>& free() const { return undriven_; }

  void start(Vector& q, Vector& v) {
    motion_.at(0, q, v, a_);
    for (DryFriction& friction : dry_) friction.way = (friction.speed(v) > 0) - (friction.speed(v) < 0);
    settle(q, v);
  }
  // Where the driven joints are at t, q and v; those without a drive keep theirs.
  void lead(double t, Vector& q, Vector& v) {
    motion_.at(t, given_q_, given_v_, a_);
    for (const int i : led_q_) q[size_t(i)] = given_q_[size_t(i)];
    for (const int k : led_v_) v[size_t(k)] = given_v_[size_t(k)];
  }
  // ... on the side of a break that t says, as steps between them need it.
  void lead_beside_breaks(double t, Vector& q, Vector& v) { lead(breaks_.beside(t), q, v); }
  const motion::Breaks& breaks() const { return breaks_; }
  double next_knot(double t) const { return motion::first_after(knots_, t); }
  // a and tau at the state that lead() has left.
  void solve(const Vector& q, const Vector& v) {
    for (const int k : undriven_) a_[size_t(k)] = 0;
    const auto all = dynamics_.inverse(q, v, a_);
    std::copy(all.begin(), all.end(), tau_.begin());
    if (!has_free()) return;
    std::vector<int> moving = undriven_;
    for (const DryFriction& friction : dry_) {
      const double u = friction.speed(v);
      if (friction.way != 0) tau_[size_t(friction.dof)] += friction.by_sign(u) - friction.at_speed(u);
      if (friction.way == 0) std::erase(moving, friction.dof);
    }
    if (!moving.empty()) motion::release(model_, dynamics_.inertia(q, Loops::open).entries(), moving, tau_, a_);
    for (DryFriction& friction : dry_)
      if (friction.way == 0) friction.force = std::exchange(tau_[size_t(friction.dof)], 0);
    if (!dynamics_.mechanism().has_loops()) return;
    const auto shared = dynamics_.inverse(q, v, a_);  // as the loops hand it on
    for (size_t k = 0; k < tau_.size(); ++k) tau_[k] = is_free_[k] ? 0 : shared[k];
  }
  // Of each joint with dry friction where lead() has left q and v: how far it is from stopping, or from being let go.
  Vector margins(const Vector& q, const Vector& v) {
    if (!dry_.empty()) solve(q, v);
    Vector all;
    for (const DryFriction& friction : dry_) all.push_back(friction.margin(v));
    return all;
  }
  // ... and what holds it, of the last solution.
  Vector strains() const {
    Vector all;
    for (const DryFriction& friction : dry_) all.push_back(friction.strain());
    return all;
  }
  // Which joints rest from here on: those that have stopped and that friction holds. The others set off the way they are
  // driven, the most overstrained first.
  void settle(const Vector& q, Vector& v) {
    if (dry_.empty()) return;
    for (DryFriction& friction : dry_) {
      if (friction.way * friction.speed(v) > 0) continue;
      friction.way = 0;
      v[size_t(friction.dof)] = friction.law->surface_speed;
    }
    for (size_t turn = 0; turn < dry_.size(); ++turn) {
      solve(q, v);
      DryFriction* weakest = nullptr;
      for (DryFriction& f : dry_)
        if (f.way == 0 && !f.holds() &&
            (weakest == nullptr || std::abs(f.force) * weakest->limit > std::abs(weakest->force) * f.limit))
          weakest = &f;
      if (weakest == nullptr) return;
      weakest->way = weakest->force > 0 ? -1 : 1;  // against what would hold it
    }
  }
  // The joint without a drive that dry friction stops soonest, for messages; none: -1.
  int slowest(const Vector& v) const {
    const auto slower = [&](const DryFriction& a, const DryFriction& b) {
      return std::abs(a.speed(v)) < std::abs(b.speed(v));
    };
    const auto found = std::min_element(dry_.begin(), dry_.end(), slower);
    return found == dry_.end() ? -1 : found->dof;
  }
  const Vector& a() const { return a_; }
  const Vector& tau() const { return tau_; }
  Dynamics::Energy energy(const Vector& q, const Vector& v) { return dynamics_.energy(q, v); }

 private:
  const Model& model_;
  const Trajectory& motion_;
  motion::Breaks breaks_;
  Vector knots_;
  Dynamics dynamics_;
  std::vector<int> undriven_, led_q_ = {}, led_v_ = {};
  std::vector<DryFriction> dry_ = {};  // of the undriven
  std::vector<bool> is_free_;
  Vector given_q_, given_v_, a_, tau_;
};

// q and v of the joints without a drive from one instant to the next: Runge and Kutta's method of order 4 in
// coordinates about the start of a step, with steps that agree with two halves of them. The error of the halves is
// a fifteenth of what the two differ by, up to order 5, and taken off.
class FreeRun {
 public:
  FreeRun(const Model& model, OnMotion& on, const AlongOptions& options)
      : model_(model),
        chart_(model, Vector(size_t(model.nq()))),
        on_(on),
        tolerance_(options.tolerance),
        end_(options.duration),
        first_step_(std::min(1e-3, options.duration / 1000)),
        units_of_q_(units_of_coordinates(model)),
        units_of_v_(units_of(model)),
        x_rate_(size_t(model.nv())) {}

  // What the motion does from here on is not known: steps begin small and grow with what they find. A step that begins
  // large may look at a motion that repeats itself at one phase alone.
  void begin() { step_ = first_step_; }

  void advance(double& t, double until, Vector& q, Vector& v) {
    constexpr double least = 1e-12;
    on_.lead_beside_breaks(t, q, v);
    Vector start = on_.margins(q, v);
    while (t < until) {
      require_progress(t, v);
      // The last step ends where it should, to the bit.
      const bool is_last = t + step_ * (1 + 1e-9) >= until;
      const double h = is_last ? until - t : step_;
      Vector once_q = q, once_v = v, q2 = q, v2 = v;
      const Vector held_once = step(t, h, once_q, once_v), held_first = step(t, h / 2, q2, v2);
      const Vector middle = on_.margins(q2, v2);
      const Vector held_last = step(t + h / 2, h / 2, q2, v2);
      double error = std::max(miss(once_q, q2, units_of_q_), miss(once_v, v2, units_of_v_)) / 15;
      // At rest nothing but what holds a joint shows how fast its load changes.
      for (size_t i = 0; i < held_once.size(); ++i)
        error = std::max(error, std::abs(held_first[i] + held_last[i] - held_once[i]) / (15 * end_));
      if (error <= tolerance_) {
        refine(once_q, once_v, q2, v2);
        on_.lead_beside_breaks(std::nextafter(t + h, t), q2, v2);  // before a jump at the end
        if (h > least * until && is_late(start, middle, on_.margins(q2, v2))) {
          step_ = h / 2;
          continue;
        }
        q = q2;
        v = v2;
        t = is_last ? until : t + h;
        on_.lead_beside_breaks(t, q, v);
        on_.settle(q, v);
        start = on_.margins(q, v);
      } else if (h < least * until) {
        throw Error(fmt::format("t = {:.6g} s: joints without a drive cannot be followed further", t));
      }
      // order 4: the error goes with h^5
      const double factor = 0.9 * std::pow(tolerance_ / std::max(error, 1e-30), 0.2);
      if (!is_last || error > tolerance_) step_ = h * std::clamp(factor, 0.2, 4.0);
    }
  }

 private:
  // Every run ends, as in a simulation (docs/theory/simulation.md): it is looked at when it has made 1 % of the
  // evaluations that it may make, and whenever it has made twice as many. It gets nowhere if the rest would have to go
  // ten times faster than what was since the last look.
  static constexpr double most_evaluations = 50e6, much_faster = 10;

  void require_progress(double t, const Vector& v) {
    if (evaluations_ < next_look_) return;
    const double pace = (t - looked_at_) / (evaluations_ - looked_after_), left = most_evaluations - evaluations_;
    if (end_ - t > much_faster * pace * left) {
      const int k = on_.slowest(v);
      throw Error(fmt::format(
          "t = {:.6g} s: joints without a drive get nowhere, {:.2g} evaluations were in vain{}; simulate the motion", t,
          evaluations_ - looked_after_,
          k < 0 ? "" : fmt::format(" (joint '{}' has dry friction)", model_.joint_name(model_.body_of_dof(k)))));
    }
    looked_at_ = t;
    looked_after_ = evaluations_;
    next_look_ *= 2;
  }
  // Whether friction stops a joint, or lets it go, inside the step or at its end, by more than the tolerance: margins at its
  // start, in the middle and at the end.
  bool is_late(const Vector& start, const Vector& middle, const Vector& end) const {
    for (size_t i = 0; i < end.size(); ++i)
      if (least_of(start[i], middle[i], end[i]) < -tolerance_) return true;
    return false;
  }
  static double miss(const Vector& a, const Vector& b, const Vector& units) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]) / (units[i] + std::abs(b[i])));
    return std::isfinite(most) ? most : std::numeric_limits<double>::infinity();
  }
  // halves + (halves - whole) / 15
  void refine(const Vector& once_q, const Vector& once_v, Vector& q, Vector& v) const {
    Vector gap(v.size());
    difference<double>(model_, once_q, q, gap);
    for (size_t k = 0; k < v.size(); ++k) {
      gap[k] /= 15;
      v[k] += (v[k] - once_v[k]) / 15;
    }
    const Vector halves = q;
    integrate<double>(model_, halves, gap, q);
  }
  // Returns the integrals of the strains.
  Vector step(double t, double h, Vector& q, Vector& v) {
    evaluations_ += 4;
    constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    chart_.move_to(q);
    const size_t n = v.size();
    Vector x(n), stage_q = q, stage_v = v, sum_x(n), sum_v(n), slope_v(n), held;
    for (int s = 0; s < 4; ++s) {
      if (s > 0) {
        for (const int k : on_.free()) {
          x[size_t(k)] = h * node[s] * x_rate_[size_t(k)];
          stage_v[size_t(k)] = v[size_t(k)] + h * node[s] * slope_v[size_t(k)];
        }
        chart_.place(x, stage_q);
      }
      // The first stage sees what follows a jump at the start of the step, the last what is before one at its end.
      on_.lead_beside_breaks(s == 3 ? std::nextafter(t + h, t) : t + h * node[s], stage_q, stage_v);
      on_.solve(stage_q, stage_v);
      slope_v = on_.a();
      const Vector strains = on_.strains();
      held.resize(strains.size());
      for (size_t i = 0; i < held.size(); ++i) held[i] += h * weight[s] * strains[i];
      chart_.rates(x, stage_q, stage_v, x_rate_);
      for (const int k : on_.free()) {
        sum_x[size_t(k)] += h * weight[s] * x_rate_[size_t(k)];
        sum_v[size_t(k)] += h * weight[s] * slope_v[size_t(k)];
      }
    }
    chart_.place(sum_x, q);
    for (const int k : on_.free()) v[size_t(k)] += sum_v[size_t(k)];
    on_.lead(t + h, q, v);
    return held;
  }

  const Model& model_;
  Chart chart_;
  OnMotion& on_;
  double tolerance_, end_, first_step_, step_ = first_step_;
  Vector units_of_q_, units_of_v_;
  double evaluations_ = 0, next_look_ = most_evaluations / 100;
  double looked_at_ = 0, looked_after_ = 0;  // the time, and the evaluations that it took
  Vector x_rate_;
};

AlongOptions complete(const Mechanism& mechanism, const Trajectory& motion, AlongOptions options) {
  if (options.duration == 0) options.duration = motion.duration();
  for (const auto& [x, name] : {std::pair(options.duration, "duration"), {options.every, "every"}})
    if (!(x > 0) || !std::isfinite(x)) throw ArgumentError(fmt::format("{} = {} is not positive", name, x));
  if (const std::string words = motion::too_many_samples(options.every, options.duration); !words.empty())
    throw ArgumentError(fmt::format("duration: {}", words));
  if (options.driven.empty()) options.driven = mechanism.driven();
  for (const int b : motion::joints_in_part(mechanism.tree(), options.driven)) {
    const JointType type = mechanism.robot().bodies[size_t(b)].joint.type;
    const bool is_plain = coordinates(type) == degrees_of_freedom(type);
    if (is_plain && !mechanism.has_loops()) continue;
    throw ArgumentError(fmt::format("joint '{}' is driven in part: {}; drive all of it, or none",
                                    mechanism.tree().joint_name(b),
                                    is_plain ? "the robot has loops" : "its q is a quaternion"));
  }
  return options;
}

}  // namespace

void forces_along(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& given,
                  const std::function<void(const AlongSample&)>& f) {
  const AlongOptions options = complete(mechanism, motion, given);
  OnMotion on(mechanism, motion, options);
  FreeRun run(mechanism.tree(), on, options);
  Vector q(size_t(mechanism.nq())), v(size_t(mechanism.nv()));
  on.start(q, v);
  const auto samples = static_cast<long>(std::ceil(options.duration / options.every * (1 - 1e-12)));
  double t = 0;
  for (long i = 0; i <= samples; ++i) {
    const double next = i == samples ? options.duration : double(i) * options.every;
    // Steps end where the motion's acceleration jumps, and begin anew. They pass no knot of it: where nothing moves they grow,
    // and a whole move may lie between two samples.
    while (on.has_free() && t < next) {
      const double jump = on.breaks().first_after(t);
      run.advance(t, std::min({jump, on.next_knot(t), next}), q, v);
      if (t == jump) run.begin();
    }
    t = next;
    on.lead(t, q, v);
    on.solve(q, v);
    const Dynamics::Energy energy = on.energy(q, v);
    f({t, q, v, on.a(), on.tau(), energy.kinetic, energy.potential});
  }
}

}  // namespace denoc
