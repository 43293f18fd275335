// Mohan07: what makes an error grow along its motion, and that every method in every precision has it.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "denoc/eigen.hpp"
#include "studies/distinct_methods.hpp"
#include "studies/reproduce/mohan07_parts.hpp"
#include "studies/reproduce/runs.hpp"
#include "studies/reproduce/single_precision.hpp"

namespace denoc::app {
namespace {

using Eigen::MatrixXd;

constexpr double upright = 5;  // s: from here on link 3 stands
constexpr double step = 1e-3;  // s, of what is carried along

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
  static MatrixXd dense(const MatrixView& m) { return map(m); }

  Mechanism robot_;
  Dynamics dynamics_;
  const Trajectory& motion_;
  Eigen::Index n_;
  std::vector<double> q_, v_, a_;
};

// The largest real part of the eigenvalues, of both robots.
void growth_along_the_motion(Page& page, const Scenario& forced) {
  figures::Plot plot{"", {"t", "s"}, {"largest real part", "1/s"}};
  for (const Version version : versions) {
    LinearisedMotion motion(robot_of(version, forced), *forced.motion);
    figures::Curve curve;
    curve.name = name_of(version);
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
}

// From an error at 5 s: frozen at each instant, and carried along.
void growth_within_a_second(Page& page, const Scenario& forced) {
  const int joints = forced.model->nv();
  LinearisedMotion motion(forced.model->robot(), *forced.motion);
  std::vector<Page::Row> rows;
  MatrixXd Phi = MatrixXd::Identity(2 * joints, 2 * joints);
  double exponent = 0;
  for (int i = 0; i < 1000; ++i) {
    const double t = upright + step * i;
    Phi = motion.carried(Phi, t, step);
    exponent += step * motion.fastest_growth(t + step / 2);
    if ((i + 1) % 250 == 0)
      rows.push_back({fmt::format("{:.2f}", t + step), fmt::format("{:.2f}", motion.fastest_growth(t + step)),
                      fmt::format("{:.2g}", std::exp(exponent)),
                      fmt::format("{:.2g}", Phi.topLeftCorner(joints, joints).cwiseAbs().maxCoeff())});
  }
  page.table({">t [s]", ">fastest eigenvalue [1/s]", ">exp of its integral from 5 s",
              ">largest angle from an error of 1 rad at 5 s"},
             rows);
  page.say(
      "Both columns are for the right robot: frozen at each instant (the eigenvalue) and carried along (x' = A x): "
      "within one second an error grows by eight orders of magnitude. So the error that a run has at 5 s decides when "
      "it leaves:");
}

// When the angles leave by the error of 5 s carried along, and when they do.
void predicted_departures(Page& page, const Scenario& forced) {
  const Model& model = *forced.model;
  LinearisedMotion motion(model.robot(), *forced.motion);
  std::vector<Page::Row> rows;
  for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
    const ForcedRun run = forced_run(model, *forced.motion, Elimination::recursive, {tolerance}, simulated);
    const auto at_5 = static_cast<std::size_t>(std::lround(upright / step));
    MatrixXd x = run.off[at_5];
    double t = upright;
    while (t < simulated && x.topRows(model.nv()).cwiseAbs().maxCoeff() <= acceptable) {
      x = motion.carried(x, t, step);
      t += step;
    }
    const double found = std::fmin(simulated, run.departures(acceptable).first);
    rows.push_back({fmt::format("{:.0e}", tolerance),
                    fmt::format("{:.1e}", run.off[at_5].head(model.nv()).cwiseAbs().maxCoeff()),
                    fmt::format("{:.2f}", t), fmt::format("{:.2f}", found)});
  }
  page.table({">tolerance", ">angles off at 5 s [rad]", ">leaves, by x' = A x [s]", ">leaves, simulated [s]"}, rows);
}

}  // namespace

void growth_of_errors(Page& page, const Scenario& forced) {
  page.section("growth", "Why the angles leave: eigenvalues of the linearised motion");
  page.say(fmt::format(
      "A small error x = (dq, dv) obeys x' = A(t) x, A the motion linearised where it should be, tau "
      "given. Link 3 is a 2 cm rod, a pendulum of sqrt(3 g/(2 l)) = {:.1f} rad/s: it hangs for t < 5 s, where errors "
      "swing, and stands upright for t > 5 s, where one eigenvalue is positive and as fast as that.",
      std::sqrt(1.5 * 9.81 / 0.02)));
  growth_along_the_motion(page, forced);
  growth_within_a_second(page, forced);
  predicted_departures(page, forced);
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
