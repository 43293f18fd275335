// The simplest implicit method, y1 = y + h f(t + h, y1): of order 1, and stable for stiff problems whatever the step.
//                                                                                                   [Angeles7 (7.121)]
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "system.hpp"

namespace denoc::simulation {

class BackwardEuler {
 public:
  // y = (u, p, integrals): f depends on u and on the speeds p, and `about` are the sizes of what each u is added to.
  // Newton's iteration from y + h slope, with the derivatives of f by differences at its start, and anew wherever these no
  // longer lead on fast. Throws NoAcceleration where it does not converge.
  // All is measured in (u, h p), what a step changes: whatever the units of length and time, the same is done.
  template <class F>
  void do_step(F&& f, const std::vector<double>& y, const std::vector<double>& slope, double t,
               std::span<const double> about, std::vector<double>& y1, double h) {
    const auto n = static_cast<Eigen::Index>(about.size());
    rate_.resize(y.size()), moved_.resize(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) y1[i] = y[i] + h * slope[i];
    f(y1, rate_, t + h);
    measure(about, y1, h);
    differentiate(f, y1, t, h);
    Eigen::VectorXd missing(2 * n);
    double last = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < most_turns; ++turn) {
      for (Eigen::Index i = 0; i < 2 * n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        missing(i) = y1[at] - y[at] - h * rate_[at];
      }
      missing.tail(n) *= h;
      const Eigen::VectorXd correction = factor_.solve(missing);
      if (!correction.allFinite()) break;
      bool is_exact = true;  // each entry by itself
      for (Eigen::Index i = 0; i < 2 * n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        y1[at] -= i < n ? correction(i) : correction(i) / h;
        const double size = i < n ? std::max(about[at], std::abs(y1[at])) : h * std::abs(y1[at]);
        is_exact = is_exact && std::abs(correction(i)) <= converged * size;
      }
      f(y1, rate_, t + h);
      const double worst = largest(correction);
      const bool leads = worst <= leads_on * last, is_rounding = worst <= converged * largest(size_);
      if (is_exact || (!leads && is_rounding)) {
        for (std::size_t i = 2 * about.size(); i < y.size(); ++i) y1[i] = y[i] + h * rate_[i];
        return;
      }
      if (!leads) differentiate(f, y1, t, h);
      last = worst;
    }
    throw NoAcceleration("the iteration of backward Euler does not converge");
  }

 private:
  static constexpr int most_turns = 30;
  static constexpr double converged = 1e-12;  // far below the error of any step
  static constexpr double leads_on = 0.1;     // what a turn leaves at most of the correction before
  static constexpr double least_part =
      1e-4;  // of the largest size: below it forces may not tell rounding from a change

  // 0 of a robot that cannot move, which has no entries.
  static double largest(const Eigen::VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }

  // The size of each u, and of what its speed and its acceleration, rate_, make of it in a step.
  void measure(std::span<const double> about, const std::vector<double>& y1, double h) {
    const std::size_t n = about.size();
    size_.resize(static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
      size_(static_cast<Eigen::Index>(i)) =
          std::max({about[i], std::abs(y1[i]), h * std::abs(y1[n + i]), h * h * std::abs(rate_[n + i])});
    }
    size_ = size_.cwiseMax(least_part * largest(size_));
  }

  // The factors of J = 1 - h f' at y1, where f is rate_.
  template <class F> void differentiate(F&& f, const std::vector<double>& y1, double t, double h) {
    const Eigen::Index n = size_.size();
    Eigen::MatrixXd J = Eigen::MatrixXd::Identity(2 * n, 2 * n);
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      const double unit = k < n ? 1 : 1 / h, size = size_(k % n);
      std::vector<double> beside = y1;
      double& x = beside[static_cast<std::size_t>(k)];
      const double from = x;
      // Where nothing moves at all any difference will do.
      x += std::sqrt(std::numeric_limits<double>::epsilon()) * (size > 0 ? size : 1) * unit;
      const double step = (x - from) / unit;
      f(beside, moved_, t + h);
      for (Eigen::Index i = 0; i < 2 * n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        J(i, k) -= h * (i < n ? 1 : h) * (moved_[at] - rate_[at]) / step;
      }
    }
    factor_.compute(J);
  }

  Eigen::PartialPivLU<Eigen::MatrixXd> factor_ = {};
  Eigen::VectorXd size_ = {};
  std::vector<double> rate_ = {}, moved_ = {};
};

}  // namespace denoc::simulation
