#include "denoc/motion/forces_along.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/model/chart.hpp"
#include "denoc/model/manifold.hpp"
#include "free_motion.hpp"

namespace denoc {
namespace {

using Vector = std::vector<double>;

bool contains(const std::vector<int>& dofs, int k) { return std::find(dofs.begin(), dofs.end(), k) != dofs.end(); }

// The robot on its motion: driven joints where the motion has them, the others where they have come.
class OnMotion {
 public:
  OnMotion(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& options)
      : model_(mechanism.tree()),
        motion_(motion),
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
  }

  bool has_free() const { return !undriven_.empty(); }
  const std::vector<int>& free() const { return undriven_; }

  void start(Vector& q, Vector& v) { motion_.at(0, q, v, a_); }
  // Where the driven joints are at t, v and all of q; those without a drive keep theirs.
  void lead(double t, Vector& q, Vector& v) {
    motion_.at(t, given_q_, given_v_, a_);
    for (size_t b = 1; b < model_.bodies().size(); ++b) {
      const JointType type = model_.robot().bodies[b].joint.type;
      const auto first_q = size_t(model_.bodies()[b].q), first_v = size_t(model_.bodies()[b].v);
      if (degrees_of_freedom(type) == 0 || is_free_[first_v]) continue;
      for (size_t i = 0; i < size_t(coordinates(type)); ++i) q[first_q + i] = given_q_[first_q + i];
      for (size_t i = 0; i < size_t(degrees_of_freedom(type)); ++i) v[first_v + i] = given_v_[first_v + i];
    }
  }
  // a and tau at the state that lead() has left.
  void solve(const Vector& q, const Vector& v) {
    for (const int k : undriven_) a_[size_t(k)] = 0;
    const auto all = dynamics_.inverse(q, v, a_);
    std::copy(all.begin(), all.end(), tau_.begin());
    if (!has_free()) return;
    motion::release(dynamics_.inertia(q, Loops::open).entries(), undriven_, tau_, a_);
    if (!dynamics_.mechanism().has_loops()) return;
    const auto shared = dynamics_.inverse(q, v, a_);  // as the loops hand it on
    for (size_t k = 0; k < tau_.size(); ++k) tau_[k] = is_free_[k] ? 0 : shared[k];
  }
  const Vector& a() const { return a_; }
  const Vector& tau() const { return tau_; }
  Dynamics::Energy energy(const Vector& q, const Vector& v) { return dynamics_.energy(q, v); }

 private:
  const Model& model_;
  const Trajectory& motion_;
  Dynamics dynamics_;
  std::vector<int> undriven_;
  std::vector<bool> is_free_;
  Vector given_q_, given_v_, a_, tau_;
};

// q and v of the joints without a drive from one instant to the next: Runge and Kutta's method of order 4 in
// coordinates about the start of a step, with steps that agree with two halves of them. The error of the halves is
// a fifteenth of what the two differ by, up to order 5, and taken off.
class FreeRun {
 public:
  FreeRun(const Model& model, OnMotion& on, double tolerance)
      : model_(model),
        chart_(model, Vector(size_t(model.nq()))),
        on_(on),
        tolerance_(tolerance),
        x_rate_(size_t(model.nv())) {}

  void advance(double& t, double until, Vector& q, Vector& v) {
    constexpr double least = 1e-12;
    step_ = step_ > 0 ? step_ : until - t;
    while (t < until) {
      // The last step ends where it should, to the bit.
      const bool is_last = t + step_ * (1 + 1e-9) >= until;
      const double h = is_last ? until - t : step_;
      Vector once_q = q, once_v = v, q2 = q, v2 = v;
      step(t, h, once_q, once_v);
      step(t, h / 2, q2, v2);
      step(t + h / 2, h / 2, q2, v2);
      const double error = std::max(miss(once_q, q2), miss(once_v, v2)) / 15;
      if (error <= tolerance_) {
        refine(once_q, once_v, q2, v2);
        q = q2;
        v = v2;
        t = is_last ? until : t + h;
        on_.lead(t, q, v);
      } else if (h < least * until) {
        throw ArgumentError(fmt::format("t = {:.6g} s: joints without a drive cannot be followed further", t));
      }
      // order 4: the error goes with h^5
      const double factor = 0.9 * std::pow(tolerance_ / std::max(error, 1e-30), 0.2);
      if (!is_last || error > tolerance_) step_ = h * std::clamp(factor, 0.2, 4.0);
    }
  }

 private:
  static double miss(const Vector& a, const Vector& b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]) / (1 + std::abs(b[i])));
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
  void step(double t, double h, Vector& q, Vector& v) {
    constexpr double node[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    chart_.move_to(q);
    const size_t n = v.size();
    Vector x(n), stage_q = q, stage_v = v, sum_x(n), sum_v(n), slope_v(n);
    for (int s = 0; s < 4; ++s) {
      if (s > 0) {
        for (const int k : on_.free()) {
          x[size_t(k)] = h * node[s] * x_rate_[size_t(k)];
          stage_v[size_t(k)] = v[size_t(k)] + h * node[s] * slope_v[size_t(k)];
        }
        chart_.place(x, stage_q);
      }
      // The first stage sees what follows a jump at the start of the step, the last what is before one at its end.
      const double outer[] = {std::nextafter(t, t + h), std::nextafter(t + h, t)};
      on_.lead(s == 0 ? outer[0] : s == 3 ? outer[1] : t + h * node[s], stage_q, stage_v);
      on_.solve(stage_q, stage_v);
      slope_v = on_.a();
      chart_.rates(x, stage_q, stage_v, x_rate_);
      for (const int k : on_.free()) {
        sum_x[size_t(k)] += h * weight[s] * x_rate_[size_t(k)];
        sum_v[size_t(k)] += h * weight[s] * slope_v[size_t(k)];
      }
    }
    chart_.place(sum_x, q);
    for (const int k : on_.free()) v[size_t(k)] += sum_v[size_t(k)];
    on_.lead(t + h, q, v);
  }

  const Model& model_;
  Chart chart_;
  OnMotion& on_;
  double tolerance_, step_ = 0;
  Vector x_rate_;
};

AlongOptions complete(const Mechanism& mechanism, const Trajectory& motion, AlongOptions options) {
  if (options.duration == 0) options.duration = motion.duration();
  for (const auto& [x, name] : {std::pair(options.duration, "duration"), {options.every, "every"}})
    if (!(x > 0) || !std::isfinite(x)) throw ArgumentError(fmt::format("{} = {} is not positive", name, x));
  if (options.driven.empty()) options.driven = mechanism.driven();
  return options;
}

}  // namespace

void forces_along(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& given,
                  const std::function<void(const AlongSample&)>& f) {
  const AlongOptions options = complete(mechanism, motion, given);
  OnMotion on(mechanism, motion, options);
  FreeRun run(mechanism.tree(), on, options.tolerance);
  Vector q(size_t(mechanism.nq())), v(size_t(mechanism.nv())), stops = motion.breaks();
  stops.push_back(motion.duration());  // where it comes to rest
  on.start(q, v);
  const auto samples = static_cast<long>(std::ceil(options.duration / options.every * (1 - 1e-12)));
  double t = 0;
  for (long i = 0; i <= samples; ++i) {
    const double next = i == samples ? options.duration : double(i) * options.every;
    // Steps end where the motion's acceleration jumps.
    for (auto stop = std::upper_bound(stops.begin(), stops.end(), t); on.has_free() && t < next;
         stop = std::upper_bound(stops.begin(), stops.end(), t))
      run.advance(t, stop == stops.end() ? next : std::min(*stop, next), q, v);
    t = next;
    on.lead(t, q, v);
    on.solve(q, v);
    const Dynamics::Energy energy = on.energy(q, v);
    f({t, q, v, on.a(), on.tau(), energy.kinetic, energy.potential});
  }
}

}  // namespace denoc
