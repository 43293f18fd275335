// Mohan07, its central experiment: how long the arm follows, by the recursive method and by the other, the robot as
// printed and the right one, and what makes an error grow.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "denoc/mechanism/dynamics.hpp"
#include "output/table.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/reproduce/forced_arm.hpp"
#include "studies/reproduce/mohan07_parts.hpp"
#include "studies/reproduce/runs.hpp"
#include "studies/reproduce/single_precision.hpp"

namespace denoc::app {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double simulated = 6.6;  // s

struct Version {
  std::string name;
  Robot robot;
};
std::vector<Version> versions(const Scenario& forced) {
  return {{"as printed", with_printed_constant(forced.model->robot())}, {"right", forced.model->robot()}};
}
struct NamedSolution {
  const char* name;
  Elimination solution;
};
constexpr NamedSolution solutions[] = {{"recursive, U D U^T", Elimination::recursive},
                                       {"composite bodies, Cholesky", Elimination::cholesky}};

std::string departure_text(double t) { return std::isnan(t) ? "follows" : fmt::format("{:.2f}", t); }
std::string longest_step(const StepControl& control) {
  return std::isfinite(control.longest) ? fmt::format("{:g}", control.longest) : "any";
}

// Of the angles that leave at all, when the first and the last do; `run` may end before.
std::string departures(const ForcedRun& run) {
  double first = NAN, last = NAN;
  for (std::size_t k = 0; k < 6; ++k) {
    const double t = run.departure(k, acceptable);
    if (std::isnan(t)) continue;
    first = std::isnan(first) ? t : std::min(first, t);
    last = std::isnan(last) ? t : std::max(last, t);
  }
  return std::isnan(first) ? "no angle leaves" : fmt::format("{:.2f} to {:.2f} s", first, last);
}

struct Trial {
  std::string robot, method;
  StepControl control;
  ForcedRun run;
};

// The error of joint k, by both methods.
std::vector<figures::Plot> error_panels(const std::vector<const Trial*>& trials,
                                        const std::vector<std::string>& joints) {
  std::vector<figures::Plot> panels;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    figures::Plot panel{"", {"t", "s"}, {joints[k], "rad"}};
    panel.y_scale = figures::Scale::logarithmic;
    for (const Trial* trial : trials) {
      figures::Curve curve;
      curve.name = trial->method;
      for (std::size_t i = 0; i < trial->run.t.size(); i += 10) {
        curve.x.push_back(trial->run.t[i]);
        curve.y.push_back(std::abs(trial->run.off[i][static_cast<Eigen::Index>(k)]));
      }
      panel.curves.push_back(std::move(curve));
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

// d/dt (dq, dv) = A (dq, dv) along the motion, tau given as a function of time: A = [0 1; da/dq da/dv], with a by
// I a + bias(q, v) = tau, so that da/dx = -I^-1 dtau/dx at the a of the motion. Nothing is asked of the sign of I.
class LinearisedMotion {
 public:
  LinearisedMotion(const Robot& robot, const Trajectory& motion)
      : robot_(robot), dynamics_(robot_), motion_(motion), n_(robot_.nv()), q_(size()), v_(size()), a_(size()) {}

  MatrixXd at(double t) {
    motion_.at(t, q_, v_, a_);
    const auto found = dynamics_.inverse_derivatives(q_, v_, a_);
    const auto I = dense(found.da).partialPivLu();
    MatrixXd A = MatrixXd::Zero(2 * n_, 2 * n_);
    A.topRightCorner(n_, n_).setIdentity();
    A.bottomLeftCorner(n_, n_) = -I.solve(dense(found.dq));
    A.bottomRightCorner(n_, n_) = -I.solve(dense(found.dv));
    return A;
  }
  double fastest_growth(double t) { return Eigen::EigenSolver<MatrixXd>(at(t), false).eigenvalues().real().maxCoeff(); }
  // X' = A X from t to t + h, by Runge and Kutta's method.
  MatrixXd carried(const MatrixXd& X, double t, double h) {
    const MatrixXd middle = at(t + h / 2), k1 = at(t) * X, k2 = middle * (X + h / 2 * k1),
                   k3 = middle * (X + h / 2 * k2), k4 = at(t + h) * (X + h * k3);
    return X + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(n_); }
  static MatrixXd dense(const MatrixView& m) {
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const ByRows>(m.entries().data(), m.rows(), m.columns());
  }

  Mechanism robot_;
  Dynamics dynamics_;
  const Trajectory& motion_;
  Eigen::Index n_;
  std::vector<double> q_, v_, a_;
};

}  // namespace

void how_long_angles_follow(Page& page, const Scenario& forced) {
  page.section("lasts-longer", "Table 3: how long the angles follow, the robot as printed and the right one");
  page.say(
      "The paper applies the torques of its motion and watches when the angles leave it, by its recursive method and "
      "by composite bodies with Cholesky's. Its constant C5 is printed twice as large as it is, and nobody can say "
      "which one was run: here are both robots. Dormand and Prince's pair, which is that of ode45, with the elementary "
      "control of its steps [Hairer, Norsett and Wanner]; relative and absolute tolerance are the same. Where the "
      "printed robot's matrix is indefinite, its times depend on how steps are chosen: another control gives others.");
  std::vector<Trial> trials;
  const Version right = versions(forced).back();
  for (const Version& version : versions(forced)) {
    const Model model(version.robot);
    for (const StepControl& control :
         {StepControl{1e-3}, StepControl{1e-3, 0.1}, StepControl{1e-3, 0.01}, StepControl{1e-3, 0.001},
          StepControl{1e-3, 0.0001}, StepControl{1e-5}, StepControl{1e-8}})
      for (const auto& [name, solution] : solutions)
        trials.push_back(
            {version.name, name, control, forced_run(model, *forced.motion, solution, control, simulated)});
  }
  std::vector<Page::Row> rows;
  for (const auto& [robot, method, control, run] : trials) {
    rows.push_back({robot, fmt::format("{:.0e}", control.tolerance), longest_step(control), method});
    for (std::size_t k = 0; k < 6; ++k) rows.back().push_back(departure_text(run.departure(k, acceptable)));
    rows.back().push_back(std::isnan(run.stopped) ? "" : fmt::format("{:.2f}", run.stopped));
    rows.back().push_back(fmt::to_string(run.evaluations));
  }
  page.table({"robot", ">tolerance", ">longest step [s]", "method", ">theta_1 [s]", ">theta_2", ">theta_3", ">theta_4",
              ">theta_5", ">theta_6", ">ends at", ">evaluations"},
             rows);
  page.say(
      fmt::format("Seconds until an angle is off by more than {} rad; {} s are simulated. Ends at: Cholesky's method "
                  "meets a pivot that is not positive, or no step is short enough. (denoc refuses such a pivot in its "
                  "recursive method, too; here it goes on.)",
                  acceptable, simulated));
  const auto trial = [&](std::string_view robot, std::size_t solution, const StepControl& control) -> const Trial& {
    return *std::find_if(trials.begin(), trials.end(), [&](const Trial& t) {
      return t.robot == robot && t.method == solutions[solution].name && t.control.tolerance == control.tolerance &&
             t.control.longest == control.longest;
    });
  };
  const auto ends = [&](const StepControl& control) {
    return fmt::format("ends at {:.2f} s", trial("as printed", 1, control).run.stopped);
  };
  page.compare(
      {{"recursive: theta_1 to theta_6 follow (Table 3)", "5.4, 5.6, 5.4, 5.4, 5.4, 5.4 s",
        fmt::format("as printed, 1e-3: {}; with steps of at most 0.1 s: {}; right, 1e-3: {}; right, 1e-8: {}",
                    departures(trial("as printed", 0, {1e-3}).run), departures(trial("as printed", 0, {1e-3, 0.1}).run),
                    departures(trial("right", 0, {1e-3}).run), departures(trial("right", 0, {1e-8}).run)),
        "tolerance and step decide; the paper's times are those of 1e-3, not of the 1e-8 it names"},
       {"non-recursive: the same", "5.1, 5.1, 4.8, 5.1, 5.1, 4.8 s",
        fmt::format("as printed, 1e-3: {}, 1e-8: {}; right, 1e-3: {}; right, 1e-8: {}", ends({1e-3}), ends({1e-8}),
                    departures(trial("right", 1, {1e-3}).run), departures(trial("right", 1, {1e-8}).run)),
        "Cholesky's method cannot pass where the printed robot's matrix is indefinite"}});
  double earliest = simulated;
  long most_difference = 0;
  for (const Trial& t : trials) {
    if (t.method == solutions[1].name) {
      for (std::size_t k = 0; k < 6; ++k)
        if (const double left = t.run.departure(k, acceptable); left < earliest) earliest = left;
      if (t.run.stopped < earliest) earliest = t.run.stopped;
    }
    if (t.robot == right.name)
      most_difference =
          std::max(most_difference, std::abs(t.run.evaluations - trial("right", 0, t.control).run.evaluations));
  }
  page.compare({{"the recursive method lasts longer", "5.4 s against 5.1 s",
                 "so it is for the robot as printed, in every row: the other one ends where the matrix turns "
                 "indefinite. For the right robot both leave at the same time",
                 "the ordering is that of the misprint"},
                {"the non-recursive one follows for", "about 1.5 s (text), 4.8 to 5.1 s (Table 3)",
                 fmt::format("{:.2f} s at the least, of all the rows above", earliest),
                 "nothing here happens at 1.5 s; text and table contradict each other"}});
  page.say(fmt::format(
      "Smoother accelerations, hence fewer iterations? For the right robot the methods take evaluations that differ by "
      "{} at most: the accelerations are the same to rounding, and so are the steps.",
      most_difference));

  page.section("fig-6", "Fig. 6: errors of the angles, both methods");
  const std::vector<std::string> joints = {"theta 1", "theta 2", "theta 3", "theta 4", "theta 5", "theta 6"};
  const auto both = [&](std::string_view robot, const StepControl& control) {
    return error_panels({&trial(robot, 0, control), &trial(robot, 1, control)}, joints);
  };
  const figures::Size panel{640, 170};
  page.figure("fig6", "Fig. 6 (a-f), the right robot at a tolerance of 1e-8: the two methods draw one curve.",
              both("right", {1e-8}), panel);
  page.figure(
      "fig6-printed",
      "The same for the robot as printed at a tolerance of 1e-3, steps of at most 0.1 s: Cholesky's method ends, "
      "the recursive one goes on through the indefinite matrix and leaves later.",
      both("as printed", {1e-3, 0.1}), panel);

  page.section("fig-9", "Fig. 9: times of the processor by the length of the steps");
  figures::Plot times{"", {"longest step", "s"}, {"processor", "ms"}};
  times.x_scale = times.y_scale = figures::Scale::logarithmic;
  std::vector<Page::Row> time_rows;
  for (const auto& [name, solution] : solutions) {
    figures::Curve curve;
    curve.name = name;
    curve.draw = figures::Curve::Draw::both;
    for (const double longest : {0.0001, 0.001, 0.01, 0.1}) {
      const ForcedRun& run = trial("right", solution == Elimination::recursive ? 0 : 1, {1e-3, longest}).run;
      curve.x.push_back(longest);
      curve.y.push_back(1e3 * run.seconds);
      time_rows.push_back({name, fmt::format("{:g}", longest), fmt::to_string(run.evaluations),
                           fmt::format("{:.1f}", 1e3 * run.seconds),
                           fmt::format("{:.2f}", 1e6 * run.seconds / static_cast<double>(run.evaluations))});
    }
    times.curves.push_back(std::move(curve));
  }
  page.table({"method, the right robot", ">longest step [s]", ">evaluations", ">processor [ms]", ">of each [us]"},
             time_rows);
  page.figure("fig9", fmt::format("Processor time of {} s, torques of the motion included.", simulated), times);
  page.say(
      "The paper sees no significant effect of steps of 0.1 to 0.0001 s. If they are the longest steps that the "
      "integrator may take, as here, the shortest cost by far the most. If they are the instants at which ode45 is to "
      "report, it steps as it likes and interpolates, and they cost nothing: that would explain the sentence.");
}

void growth_of_errors(Page& page, const Scenario& forced) {
  page.section("growth", "Why the angles leave: eigenvalues of the linearised motion");
  page.say(fmt::format(
      "A small error x = (dq, dv) obeys x' = A(t) x, A the motion linearised where it should be, tau "
      "given. Link 3 is a 2 cm rod, a pendulum of sqrt(3 g/(2 l)) = {:.1f} rad/s: it hangs for t < 5 s, where errors "
      "swing, and stands upright for t > 5 s, where one eigenvalue is positive and as fast as that.",
      std::sqrt(1.5 * 9.81 / 0.02)));
  figures::Plot plot{"", {"t", "s"}, {"largest real part", "1/s"}};
  std::vector<Page::Row> table;
  for (const Version& version : versions(forced)) {
    LinearisedMotion motion(version.robot, *forced.motion);
    figures::Curve curve;
    curve.name = version.name;
    for (int i = 0; i <= 500; ++i) {
      curve.x.push_back(0.02 * i);
      const double rate = motion.fastest_growth(0.02 * i);
      curve.y.push_back(rate < 200 ? rate : NAN);  // poles, where the matrix of the printed robot is singular
    }
    plot.curves.push_back(std::move(curve));
  }
  page.figure(
      "eigenvalues",
      "The largest real part of the eigenvalues along the motion. As printed, the inertia matrix passes zero near "
      "4.5 and 5.45 s, and the eigenvalues pass infinity.",
      plot);

  const Model model(forced.model->robot());
  LinearisedMotion motion(forced.model->robot(), *forced.motion);
  const double from = 5, h = 1e-3;
  MatrixXd Phi = MatrixXd::Identity(2 * model.nv(), 2 * model.nv());
  double exponent = 0;
  for (int i = 0; i < 1000; ++i) {
    const double t = from + h * i;
    Phi = motion.carried(Phi, t, h);
    exponent += h * motion.fastest_growth(t + h / 2);
    if ((i + 1) % 250 == 0)
      table.push_back({fmt::format("{:.2f}", t + h), fmt::format("{:.2f}", motion.fastest_growth(t + h)),
                       fmt::format("{:.2g}", std::exp(exponent)),
                       fmt::format("{:.2g}", Phi.topLeftCorner(model.nv(), model.nv()).cwiseAbs().maxCoeff())});
  }
  page.table({">t [s]", ">fastest eigenvalue [1/s]", ">exp of its integral from 5 s",
              ">largest angle from an error of 1 rad at 5 s"},
             table);
  page.say(
      "Both columns are for the right robot: frozen at each instant (the eigenvalue) and carried along (x' = A x): "
      "within one second an error grows by eight orders of magnitude. So the error that a run has at 5 s decides when "
      "it leaves:");
  std::vector<Page::Row> predicted;
  for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
    const ForcedRun run = forced_run(model, *forced.motion, Elimination::recursive, {tolerance}, simulated);
    const auto at_5 = static_cast<std::size_t>(std::lround(from / h));
    MatrixXd x = run.off[at_5];
    double t = from, found = simulated;
    while (t < simulated && x.topRows(model.nv()).cwiseAbs().maxCoeff() <= acceptable) {
      x = motion.carried(x, t, h);
      t += h;
    }
    for (std::size_t k = 0; k < 6; ++k)
      if (const double left = run.departure(k, acceptable); left < found) found = left;
    predicted.push_back({fmt::format("{:.0e}", tolerance),
                         fmt::format("{:.1e}", run.off[at_5].head(model.nv()).cwiseAbs().maxCoeff()),
                         fmt::format("{:.2f}", t), fmt::format("{:.2f}", found)});
  }
  page.table({">tolerance", ">angles off at 5 s [rad]", ">leaves, by x' = A x [s]", ">leaves, simulated [s]"},
             predicted);
  page.say(
      "The factorisation has no part in it. Neither is the motion ill-conditioned where it is left: the condition "
      "number is the least at 5 s.");
}

void single_precision(Page& page, Scenario forced) {
  page.section("precision", "Every method, with steps of 1 ms, in double and in single precision");
  forced.setup.duration = 7;
  forced.setup.integrator = {.method = IntegrationMethod::rk4, .step = 1e-3};
  std::vector<Page::Row> rows;
  figures::Plot plot{"", {"t", "s"}, {"largest error", "rad"}};
  plot.y_scale = figures::Scale::logarithmic;
  const auto add = [&](const std::string& precision, std::string_view method, const std::vector<double>& t,
                       const std::vector<std::vector<double>>& q, double took) {
    const Desired path = desired(forced, t);
    rows.push_back({precision, std::string(method)});
    for (std::size_t k = 0; k < path.q.front().size(); ++k) {
      double left = NAN;
      for (std::size_t i = t.size(); i-- > 0;)
        if (!(std::abs(q[i][k] - path.q[i][k]) <= acceptable)) left = t[i];
      rows.back().push_back(departure_text(left));
    }
    rows.back().push_back(fmt::format("{:.0f}", 1e3 * took));
    if (method == forward_formulations<double>().front().name)
      plot.curves.push_back({precision, t, distance(q, path.q)});
  };
  for (const auto& method : distinct_forward_methods<double>()) {
    forced.setup.method = method.name;
    const Run found = run(forced);
    add("double", method.name, found.record.t, found.record.q, found.seconds);
  }
  for (const auto& method : distinct_forward_methods<float>()) {
    const SinglePrecisionRun found = single_precision_rk4(forced, method, 1e-3);
    add("float", method.name, found.t, found.q, found.seconds);
  }
  page.table({"precision", "method", ">theta_1 [s]", ">theta_2", ">theta_3", ">theta_4", ">theta_5", ">theta_6",
              ">processor [ms]"},
             rows);
  page.figure("precision", "Largest error of the angles, method denoc: the same growth, from other errors.", plot);
  page.say(
      "Classical Runge-Kutta, the right robot, 7 s. Rounding in single precision is what a looser tolerance is: an "
      "error at 5 s that grows. `articulated-body` is the code of `denoc` and left out.");
}

}  // namespace denoc::app
