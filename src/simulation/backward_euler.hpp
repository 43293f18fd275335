// The simplest implicit method, y1 = y + h f(t + h, y1): of order 1, and stable for stiff problems whatever the step.
//                                                                                                   [Angeles7 (7.121)]
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "system.hpp"

namespace denoc::simulation {

class BackwardEuler {
 public:
  // f depends on the first `leading` entries of y: the others are integrals. Newton's iteration from y + h slope, with
  // the derivatives of f by differences at its start, and anew wherever these no longer lead on fast. Throws
  // NoAcceleration where it does not converge.
  template <class F>
  void do_step(F&& f, const std::vector<double>& y, const std::vector<double>& slope, double t, std::size_t leading,
               std::vector<double>& y1, double h) {
    const auto n = static_cast<Eigen::Index>(leading);
    rate_.resize(y.size()), moved_.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) y1[i] = y[i] + h * slope[i];
    f(y1, rate_, t + h);
    differentiate(f, y1, t, n, h);
    Eigen::VectorXd missing(n);
    double last = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < most_turns; ++turn) {
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        missing(i) = y1[at] - y[at] - h * rate_[at];
      }
      const Eigen::VectorXd correction = factor_.solve(missing);
      double worst = 0;
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        y1[at] -= correction(i);
        worst = std::max(worst, std::abs(correction(i)) / (1 + std::abs(y1[at])));
      }
      if (!std::isfinite(worst)) break;
      f(y1, rate_, t + h);
      if (worst <= converged) {
        for (std::size_t i = leading; i < y.size(); ++i) y1[i] = y[i] + h * rate_[i];
        return;
      }
      if (worst > leads_on * last) differentiate(f, y1, t, n, h);
      last = worst;
    }
    throw NoAcceleration("the iteration of backward Euler does not converge");
  }

 private:
  static constexpr int most_turns = 30;
  static constexpr double converged = 1e-12;  // of entries as large as 1: far below the error of any step
  static constexpr double leads_on = 0.1;     // what a turn leaves at most of the correction before

  // The factors of J = 1 - h f' at y1, where f is rate_.
  template <class F> void differentiate(F&& f, const std::vector<double>& y1, double t, Eigen::Index n, double h) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      std::vector<double> beside = y1;
      double& x = beside[static_cast<std::size_t>(k)];
      const double from = x;
      x += std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(from));
      const double step = x - from;
      f(beside, moved_, t + h);
      for (Eigen::Index i = 0; i < n; ++i)
        J(i, k) -= h * (moved_[static_cast<std::size_t>(i)] - rate_[static_cast<std::size_t>(i)]) / step;
    }
    factor_.compute(J);
  }

  Eigen::PartialPivLU<Eigen::MatrixXd> factor_ = {};
  std::vector<double> rate_ = {}, moved_ = {};
};

}  // namespace denoc::simulation
