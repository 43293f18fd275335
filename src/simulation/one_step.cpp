#include "one_step.hpp"

#include <cmath>

namespace denoc::simulation {

OneStep::OneStep(const Model& model, const SimulationSetup& setup, System& system)
    : model_(&model),
      options_(&setup.integrator),
      system_(&system),
      n_(static_cast<std::size_t>(model.nv())),
      chart_(model, setup.q),
      y0_(2 * n_ + integrals),
      f0_(y0_),
      y1_(y0_),
      f1_(y0_),
      error_(y0_),
      q_(setup.q),
      q1_(setup.q) {}

void OneStep::slope(double t, const Vector& y, Vector& f) {
  const std::span x(y.data(), n_), v(y.data() + n_, n_);
  chart_.place(x, q_);
  system_->evaluate(std::min(t, latest_), q_, v);
  chart_.rates(x, q_, v, std::span(f).first(n_));
  std::copy(system_->a().begin(), system_->a().end(), f.begin() + static_cast<std::ptrdiff_t>(n_));
  f[2 * n_] = system_->strain();
  f[2 * n_ + 1] = system_->input_power();
  f[2 * n_ + 2] = system_->dissipated_power();
}

void OneStep::begin(double t, std::span<const double> q, const Vector& y, bool slope_is_known) {
  t_ = latest_ = t;
  y0_ = y;
  std::fill_n(y0_.begin(), n_, 0.0);
  chart_.move_to(q);
  if (slope_is_known) {
    f0_ = f1_;
    chart_.rates({y0_.data(), n_}, q, {y0_.data() + n_, n_}, std::span(f0_).first(n_));
  } else {
    slope(t, y0_, f0_);
  }
}

void OneStep::attempt(double h, double before) {
  h_ = h;
  latest_ = std::nextafter(before, t_);
  system_->forget_strain();
  const auto f = [this](const Vector& y, Vector& dydt, double t) { slope(t, y, dydt); };
  switch (options_->method) {
    case IntegrationMethod::euler:
      euler_.do_step(f, y0_, f0_, t_, y1_, h);
      break;
    case IntegrationMethod::symplectic_euler:  // v first, then q with the new v
      for (std::size_t i = n_; i < y0_.size(); ++i) y1_[i] = y0_[i] + h * f0_[i];
      chart_.rates({y0_.data(), n_}, chart_.centre(), {y1_.data() + n_, n_}, std::span(y1_).first(n_));
      for (std::size_t i = 0; i < n_; ++i) y1_[i] *= h;
      break;
    case IntegrationMethod::rk4:
      rk4_.do_step(f, y0_, f0_, t_, y1_, h);
      break;
    default:
      dopri5_.do_step(f, y0_, f0_, t_, y1_, f1_, h, error_);
      chart_.place({y1_.data(), n_}, q1_);
      return;
  }
  slope(t_ + h, y1_, f1_);
  chart_.place({y1_.data(), n_}, q1_);
}

Vector OneStep::tolerances() const {
  Vector size(2 * n_ + 1), larger(n_);  // of what leads: the integrals of power follow
  chart_.magnitudes(chart_.centre(), std::span(size).first(n_));
  chart_.magnitudes(q1_, larger);
  for (std::size_t i = 0; i < n_; ++i) {
    size[i] = std::max(size[i], larger[i]);
    size[n_ + i] = std::max(std::abs(y0_[n_ + i]), std::abs(y1_[n_ + i]));
  }
  for (double& s : size) s = options_->atol + options_->rtol * s;
  return size;
}

double OneStep::error() const {
  const Vector tolerance = tolerances();
  double worst = 0;
  for (std::size_t i = 0; i < tolerance.size(); ++i) {
    const double part = std::abs(error_[i]) / tolerance[i];
    if (!(part <= worst)) worst = part;  // NaN stays
  }
  return worst;
}

void OneStep::inside(double t, Vector& y, std::span<double> q) const {
  if (options_->method == IntegrationMethod::dopri5) {
    dopri5_.calc_state(t, y, y0_, f0_, t_, y1_, f1_, t_ + h_);
  } else {  // the cubic of both ends and their slopes
    const double s = (t - t_) / h_, r = 1 - s;
    const double a = r * r * (1 + 2 * s), b = s * s * (1 + 2 * r), c = h_ * s * r * r, d = -h_ * r * s * s;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = a * y0_[i] + b * y1_[i] + c * f0_[i] + d * f1_[i];
  }
  chart_.place({y.data(), n_}, q);
}

double OneStep::fastest_rate() {
  // d, J d, J^2 d by differences at the end of the step; |J^2 d| / |d| is |lambda|^2 for damped and for swinging modes
  const Vector tolerance = tolerances();
  const auto length = [&](const Vector& d) {
    double sum = 0;
    for (std::size_t i = 0; i < tolerance.size(); ++i) sum += (d[i] / tolerance[i]) * (d[i] / tolerance[i]);
    return std::sqrt(sum);
  };
  Vector d = error_, y = y1_, f = f1_;
  const double first = length(d);
  if (!(first > 0)) return 0;
  double factor = 1;
  for (int k = 0; k < 2; ++k) {
    const double scale = 1 / length(d);  // as large as the tolerances
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y1_[i] + d[i] * scale;
    slope(t_ + h_, y, f);
    for (std::size_t i = 0; i < y.size(); ++i) d[i] = f[i] - f1_[i];
    factor *= length(d);
    if (!(length(d) > 0)) return 0;
  }
  return std::sqrt(factor);
}

}  // namespace denoc::simulation
