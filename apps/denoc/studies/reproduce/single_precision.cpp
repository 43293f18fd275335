#include "studies/reproduce/single_precision.hpp"

#include <cmath>
#include <ctime>

#include "output/interrupt.hpp"

namespace denoc::app {
namespace {

using Floats = std::vector<float>;

Floats ahead(const Floats& x, float h, const Floats& rate) {
  Floats y = x;
  for (std::size_t k = 0; k < y.size(); ++k) y[k] += h * rate[k];
  return y;
}
// x + h/6 (k1 + 2 k2 + 2 k3 + k4)
Floats weighted(const Floats& x, float h, const Floats& k1, const Floats& k2, const Floats& k3, const Floats& k4) {
  Floats y = x;
  for (std::size_t k = 0; k < y.size(); ++k) y[k] += h / 6 * (k1[k] + 2 * (k2[k] + k3[k]) + k4[k]);
  return y;
}

}  // namespace

SinglePrecisionRun single_precision_rk4(const Scenario& scenario, const ForwardFormulation<float>& method,
                                        double step) {
  const ModelOf<float> model(scenario.model->robot());
  Configuration<float> at(model);
  const auto forward = method.prepare(model);
  const auto n = static_cast<std::size_t>(model.nv());
  Controller& control = *scenario.setup.control;
  Floats q(scenario.setup.q.begin(), scenario.setup.q.end()), v(scenario.setup.v.begin(), scenario.setup.v.end());
  std::vector<double> tau(n), wide_q(n), wide_v(n);
  const auto acceleration = [&](double t, const Floats& at_q, const Floats& at_v) {
    wide_q.assign(at_q.begin(), at_q.end());
    wide_v.assign(at_v.begin(), at_v.end());
    control.torques(t, wide_q, wide_v, tau);
    Floats a(n);
    place<float>(model, at_q, at);
    forward(at, at_v, Floats(tau.begin(), tau.end()), a, {});
    return a;
  };
  SinglePrecisionRun run{{0}, {{q.begin(), q.end()}}};
  const std::clock_t start = std::clock();
  const auto h = static_cast<float>(step);
  const auto steps = static_cast<long>(std::lround(scenario.setup.duration / step));
  for (long i = 0; i < steps; ++i) {
    stop_if_interrupted();
    const double t = static_cast<double>(i) * step;
    const Floats a1 = acceleration(t, q, v);
    const Floats v2 = ahead(v, h / 2, a1), a2 = acceleration(t + step / 2, ahead(q, h / 2, v), v2);
    const Floats v3 = ahead(v, h / 2, a2), a3 = acceleration(t + step / 2, ahead(q, h / 2, v2), v3);
    const Floats v4 = ahead(v, h, a3), a4 = acceleration(t + step, ahead(q, h, v3), v4);
    q = weighted(q, h, v, v2, v3, v4);
    v = weighted(v, h, a1, a2, a3, a4);
    if ((i + 1) % 10 != 0) continue;
    run.t.push_back(static_cast<double>(i + 1) * step);
    run.q.emplace_back(q.begin(), q.end());
  }
  run.evaluations = 4 * steps;
  run.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return run;
}

}  // namespace denoc::app
