#include "one_step.hpp"

#include <algorithm>
#include <cmath>

namespace denoc::simulation {

OneStep::OneStep(const Model& model, const SimulationSetup& setup, System& system)
    : options_(&setup.integrator),
      system_(&system),
      coordinates_(model, setup.q, system.closure_rows()),
      q_(setup.q),
      v_(setup.v) {}

void OneStep::slope(double t, const Vector& y, Vector& f) {
  const std::size_t n = coordinates_.size();
  coordinates_.place({y.data(), n}, {y.data() + n, n}, q_, v_);
  if (coordinates_.is_near_singular()) system_->mean_beyond_digits(coordinates_.lacking());
  system_->evaluate(std::min(t, latest_), q_, v_);
  write_slope(q_, v_, system_->a(), f);
}
void OneStep::write_slope(std::span<const double> q, std::span<const double> v, std::span<const double> a, Vector& f) {
  const std::size_t n = coordinates_.size();
  coordinates_.rates(q, v, {f.data(), n});
  coordinates_.lead(a, {f.data() + n, n});
  system_->write_integrands({f.data() + 2 * n, system_->integrals()});
}

void OneStep::begin(double t, std::span<const double> q, std::span<const double> v, double work, double dissipated,
                    bool a_is_known) {
  t_ = latest_ = t;
  coordinates_.move_to(q);
  system_->compute_loops_in(coordinates_.precision());
  const std::size_t n = coordinates_.size();
  start_.y.assign(2 * n + system_->friction().size(), 0);
  start_.y.insert(start_.y.end(), {work, dissipated});
  coordinates_.lead(v, {start_.y.data() + n, n});
  start_.q.assign(q.begin(), q.end());
  start_.v.assign(v.begin(), v.end());
  const auto integrals = static_cast<std::ptrdiff_t>(system_->integrals());
  const Vector integrands(end_.slope.end() - (a_is_known ? integrals : 0), end_.slope.end());
  if (start_.y.size() != end_.y.size()) {  // where loops tie fewer coordinates, more of them move
    for (Vector* sized : {&start_.slope, &end_.y, &end_.slope, &error_}) sized->resize(start_.y.size());
    rk4_.adjust_size(start_.y);
    dopri5_.adjust_size(start_.y);
  }
  if (a_is_known) {
    start_.a = end_.a;
    write_slope(q, v, start_.a, start_.slope);
    std::copy(integrands.begin(), integrands.end(), start_.slope.end() - integrals);
  } else {
    slope(t, start_.y, start_.slope);
    start_.a.assign(system_->a().begin(), system_->a().end());
  }
}

void OneStep::attempt(double h, double before, bool end) {
  h_ = h;
  latest_ = std::nextafter(before, t_);
  system_->begin_step();
  coordinates_.go_back();
  const auto f = [this](const Vector& y, Vector& dydt, double t) { slope(t, y, dydt); };
  switch (options_->method) {
    case IntegrationMethod::euler:
      euler_.do_step(f, start_.y, start_.slope, t_, end_.y, h);
      break;
    case IntegrationMethod::symplectic_euler: {  // v first, then q with the new v
      const std::size_t n = coordinates_.size();
      end_.y = start_.y;
      for (std::size_t i = n; i < end_.y.size(); ++i) end_.y[i] += h * start_.slope[i];
      coordinates_.place({start_.y.data(), n}, {end_.y.data() + n, n}, q_, v_);
      coordinates_.rates(q_, v_, {end_.y.data(), n});
      for (std::size_t i = 0; i < n; ++i) end_.y[i] *= h;
      break;
    }
    case IntegrationMethod::rk4:
      rk4_.do_step(f, start_.y, start_.slope, t_, end_.y, h);
      break;
    case IntegrationMethod::backward_euler: {
      Vector about(coordinates_.size());
      coordinates_.magnitudes(start_.q, about);
      backward_euler_.do_step(f, start_.y, start_.slope, t_, about, end_.y, h);
      break;
    }
    case IntegrationMethod::bs23:
      bs23_.do_step(f, start_.y, start_.slope, t_, end_.y, end_.slope, h, error_);
      finish_end();
      return;
    default:
      dopri5_.do_step(f, start_.y, start_.slope, t_, end_.y, end_.slope, h, error_);
      finish_end();
      return;
  }
  if (!std::all_of(end_.y.begin(), end_.y.end(), [](double x) { return std::isfinite(x); }))
    throw NoAcceleration("the state is not a finite number");
  const std::size_t n = coordinates_.size();
  if (end) {
    slope(t_ + h, end_.y, end_.slope);
  } else {
    coordinates_.place({end_.y.data(), n}, {end_.y.data() + n, n}, q_, v_);
  }
  finish_end();
}

// q_, v_ and the last evaluation, if there was one, are those of the end.
void OneStep::finish_end() {
  end_.q = q_;
  end_.v = v_;
  end_.a.assign(system_->a().begin(), system_->a().end());
}

const Pair& OneStep::pair() const {
  static constexpr double dopri5_nodes[] = {0.2, 0.3, 0.5, 0.8, 8.0 / 9};
  static constexpr Pair dopri5{5, 2.8, dopri5_nodes}, bs23{3, 2.3, BogackiShampine::nodes};
  return options_->method == IntegrationMethod::bs23 ? bs23 : dopri5;
}

Vector OneStep::tolerances() const {
  const std::size_t n = coordinates_.size();
  Vector size(2 * n + system_->friction().size()), larger(n);  // of the motion and of strains: the books follow
  coordinates_.magnitudes(start_.q, {size.data(), n});
  coordinates_.magnitudes(end_.q, larger);
  for (std::size_t i = 0; i < n; ++i) {
    size[i] = std::max(size[i], larger[i]);
    size[n + i] = std::max(std::abs(start_.y[n + i]), std::abs(end_.y[n + i]));
  }
  for (double& s : size) s = options_->atol + options_->rtol * s;
  return size;
}

double OneStep::error(double tolerance_of_books) const {
  Vector tolerance = tolerances();
  tolerance.insert(tolerance.end(), books, tolerance_of_books);
  double worst = 0;
  for (std::size_t i = 0; i < tolerance.size(); ++i) {
    const double part = std::abs(error_[i]) / tolerance[i];
    if (!(part <= worst)) worst = part;  // NaN stays
  }
  return worst;
}

void OneStep::inside(double t, Instant& at) {
  at.y.resize(start_.y.size());
  at.q.resize(q_.size());
  at.v.resize(v_.size());
  if (options_->method == IntegrationMethod::dopri5) {
    dopri5_.calc_state(t, at.y, start_.y, start_.slope, t_, end_.y, end_.slope, t_ + h_);
  } else {  // the cubic of both ends and their slopes
    const double s = (t - t_) / h_, r = 1 - s;
    const double a = r * r * (1 + 2 * s), b = s * s * (1 + 2 * r), c = h_ * s * r * r, d = -h_ * r * s * s;
    for (std::size_t i = 0; i < at.y.size(); ++i)
      at.y[i] = a * start_.y[i] + b * end_.y[i] + c * start_.slope[i] + d * end_.slope[i];
  }
  const std::size_t n = coordinates_.size();
  coordinates_.place({at.y.data(), n}, {at.y.data() + n, n}, at.q, at.v);
}

double OneStep::fastest_rate() {
  // d, J d, J^2 d by differences at the end of the step; |J^2 d| / |d| is |lambda|^2 for damped and for swinging modes
  const Vector tolerance = tolerances();
  const auto length = [&](const Vector& d) {
    double sum = 0;
    for (std::size_t i = 0; i < tolerance.size(); ++i) sum += (d[i] / tolerance[i]) * (d[i] / tolerance[i]);
    return std::sqrt(sum);
  };
  Vector d = error_, y = end_.y, f = end_.slope;
  double factor = 1;
  for (int k = 0; k < 2; ++k) {
    const double size = length(d);
    if (!(size > 0)) return 0;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = end_.y[i] + d[i] / size;  // as large as the tolerances
    slope(t_ + h_, y, f);
    for (std::size_t i = 0; i < y.size(); ++i) d[i] = f[i] - end_.slope[i];
    factor *= length(d);
  }
  return std::sqrt(factor);
}

}  // namespace denoc::simulation
