#include "studies/reproduce/forced_arm.hpp"

#include <cmath>
#include <ctime>

#include "denoc/dynamics/formulations.hpp"
#include "output/interrupt.hpp"

namespace denoc::app {
namespace {

using Eigen::VectorXd;

constexpr double sampled_every = 1e-3;

// y = (q, v) under the torques that the motion needs.
class ForcedArm {
 public:
  ForcedArm(const Model& model, const Trajectory& motion, Elimination solution)
      : model_(model), motion_(motion), solution_(solution), at_(model), scratch_(model), composite_(model) {
    for (std::vector<double>* x : {&q_, &v_, &a_, &tau_}) x->resize(static_cast<std::size_t>(model.nv()));
  }

  VectorXd desired(double t) {
    motion_.at(t, q_, v_, a_);
    VectorXd y(2 * model_.nv());
    y << Eigen::Map<const VectorXd>(q_.data(), model_.nv()), Eigen::Map<const VectorXd>(v_.data(), model_.nv());
    return y;
  }
  // Throws SingularInertia if that is what the solution does.
  VectorXd slope(double t, const VectorXd& y) {
    ++evaluations;
    const auto n = static_cast<std::size_t>(model_.nv());
    motion_.at(t, q_, v_, a_);
    place<double>(model_, q_, at_);
    inverse_dynamics<double>(model_, at_, v_, a_, scratch_.inverse, tau_);
    const In<double> q(y.data(), n), v(y.data() + n, n);
    place<double>(model_, q, at_);
    if (solution_ == Elimination::cholesky) {
      composite_.run(model_, at_, v, tau_, a_, {});
    } else {
      body_wrenches<double>(model_, at_, v, Zero{}, scratch_.inverse);
      eliminate_loaded_joints<double>(model_, at_, tau_, scratch_);
      solve_lower<double>(model_, at_, scratch_.factor, scratch_.solve.phi_hat, scratch_.solve, a_);
    }
    VectorXd rate(y.size());
    rate << y.tail(model_.nv()), Eigen::Map<const VectorXd>(a_.data(), model_.nv());
    return rate;
  }

  long evaluations = 0;

 private:
  const Model& model_;
  const Trajectory& motion_;
  Elimination solution_;
  Configuration<double> at_;
  ForwardScratch<double> scratch_;
  CompositeCholesky<double> composite_;
  std::vector<double> q_ = {}, v_ = {}, a_ = {}, tau_ = {};
};

// Dormand and Prince's pair of orders 5 and 4; the last stage is the first of the next step.
constexpr int stages = 7;
constexpr double node[stages] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double weight[stages][stages - 1] = {{},
                                               {1. / 5},
                                               {3. / 40, 9. / 40},
                                               {44. / 45, -56. / 15, 32. / 9},
                                               {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                               {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                               {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
constexpr double of_error[stages] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

double mean_root(const VectorXd& x) { return std::sqrt(x.squaredNorm() / static_cast<double>(x.size())); }

class Stepping {
 public:
  Stepping(ForcedArm& arm, const StepControl& control) : arm_(arm), control_(control) {}

  // Goes on from y at t, f its slope, by a step whose error is acceptable, to `end` at most. False: there is none.
  bool step(double end) {
    bool is_second_try = false;
    for (;;) {
      const double least = 10 * std::nextafter(t, end) - 10 * t;
      h = std::min({next_, control_.longest, end - t});
      if (!(h >= std::min(least, end - t))) return false;
      VectorXd k[stages] = {f}, y1, error = of_error[0] * f;
      for (int s = 1; s < stages; ++s) {
        y1 = y;
        for (int j = 0; j < s; ++j) y1 += h * weight[s][j] * k[j];
        k[s] = arm_.slope(t + node[s] * h, y1);
        error += of_error[s] * k[s];
      }
      const double size = mean_root(h * error.cwiseQuotient(scale(y.cwiseAbs().cwiseMax(y1.cwiseAbs()))));
      const double growth = 0.9 * std::pow(size, -0.2);
      if (size < 1) {
        before = y, f_before = f;
        t += h, y = y1, f = k[stages - 1];
        next_ = h * std::min(growth, is_second_try ? 1.0 : 10.0);
        return true;
      }
      next_ = h * (growth > 0.2 ? growth : 0.2);  // also where nothing is a number
      is_second_try = true;
    }
  }
  // So long that the error of an Euler step would be a hundredth of the tolerance.        [Hairer, Norsett, Wanner II.4]
  void begin(const VectorXd& start) {
    t = 0, y = start, f = arm_.slope(0, y);
    const VectorXd tolerance = scale(y.cwiseAbs());
    const double d0 = mean_root(y.cwiseQuotient(tolerance)), d1 = mean_root(f.cwiseQuotient(tolerance));
    const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    const double d2 = mean_root((arm_.slope(h0, y + h0 * f) - f).cwiseQuotient(tolerance)) / h0, d = std::max(d1, d2);
    next_ = std::min(100 * h0, d <= 1e-15 ? std::max(1e-6, h0 * 1e-3) : std::pow(0.01 / d, 0.2));
  }
  // Inside the last step: the cubic of both ends and their slopes.
  VectorXd inside(double at) const {
    const double s = (at - (t - h)) / h, r = 1 - s;
    return r * r * (1 + 2 * s) * before + s * s * (1 + 2 * r) * y + h * s * r * r * f_before - h * r * s * s * f;
  }

  double t = 0, h = 0;
  VectorXd y = {}, f = {}, before = {}, f_before = {};

 private:
  VectorXd scale(const VectorXd& size) const { return (control_.tolerance * (size.array() + 1)).matrix(); }

  ForcedArm& arm_;
  const StepControl& control_;
  double next_ = 0;
};

}  // namespace

Robot with_printed_constant(Robot puma) {
  Inertial& link = puma.bodies[2].inertial;
  const double a = 0.432, b = 0.149, rho = link.mass / (a + b);
  link.inertia.xz -= rho * a * a * b / 2;
  return puma;
}

double ForcedRun::departure(std::size_t k, double acceptable) const {
  for (std::size_t i = 0; i < t.size(); ++i)
    if (!(std::abs(off[i][static_cast<Eigen::Index>(k)]) <= acceptable)) return t[i];
  return std::numeric_limits<double>::quiet_NaN();
}

ForcedRun::Departures ForcedRun::departures(double acceptable) const {
  Departures all{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const Eigen::Index joints = off.front().size() / 2;
  for (Eigen::Index k = 0; k < joints; ++k) {
    const double t = departure(static_cast<std::size_t>(k), acceptable);
    all = {std::fmin(all.first, t), std::fmax(all.last, t)};  // NaN is none
  }
  return all;
}

ForcedRun forced_run(const Model& model, const Trajectory& motion, Elimination solution, const StepControl& control,
                     double duration) {
  ForcedRun run;
  const std::clock_t start = std::clock();
  ForcedArm arm(model, motion, solution);
  Stepping steps(arm, control);
  const auto note = [&](double t, const VectorXd& y) {
    run.t.push_back(t);
    run.off.emplace_back(y - arm.desired(t));
  };
  try {
    steps.begin(arm.desired(0));
    note(0, steps.y);
    while (steps.t < duration) {
      stop_if_interrupted();
      if (!steps.step(duration)) {
        run.stopped = steps.t;
        break;
      }
      for (double due = static_cast<double>(run.t.size()) * sampled_every; due <= steps.t;
           due = static_cast<double>(run.t.size()) * sampled_every)
        note(due, steps.inside(due));
    }
  } catch (const SingularInertia&) {
    run.stopped = steps.t;
  }
  run.evaluations = arm.evaluations;
  run.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return run;
}

}  // namespace denoc::app
