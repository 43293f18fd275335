// One step of a motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/model/arguments.hpp"
#include "dynamics_parts.hpp"
#include "runge_kutta4.hpp"

namespace denoc {
void Dynamics::step(std::span<double> q, std::span<double> v, Vector tau, double dt, GivenWrenches wrenches) {
  Parts& p = *parts_;
  p.place(q);
  require_numbers(v, p.tree.nv(), "v");
  require_numbers(tau, p.tree.nv(), "tau");
  if (!(dt > 0) || !std::isfinite(dt)) throw ArgumentError(fmt::format("step: dt is {} s, not above 0", dt));
  auto& [chart, x, x_rate, stage_q, stage_v, sum_x, sum_v] = p.stages;
  const size_t n = v.size();
  p.acting.taken.assign(wrenches.begin(), wrenches.end());
  chart.move_to(p.here.q);
  std::copy(p.here.q.begin(), p.here.q.end(), stage_q.begin());
  std::copy(v.begin(), v.end(), stage_v.begin());
  for (auto* sum : {&x, &sum_x, &sum_v}) std::fill(sum->begin(), sum->end(), 0.0);
  const auto close = [&](std::span<double> posture, std::span<double> rates) {
    const std::vector<double> closed_q = p.closing.chain->assemble(posture),
                              closed_v = p.closing.chain->closed_rates(closed_q, rates);
    std::copy(closed_q.begin(), closed_q.end(), posture.begin());
    std::copy(closed_v.begin(), closed_v.end(), rates.begin());
  };
  const auto require_bounded = [&](Vector all) {
    if (!all_finite(all))
      throw Error(fmt::format("step: within {} s the motion leaves the range of numbers: take shorter steps", dt));
  };
  // x' = x_rate, v' = a at the four stages, in coordinates about the start
  using namespace runge_kutta4;
  for (size_t s = 0; s < stages; ++s) {
    if (s > 0) {
      for (size_t k = 0; k < n; ++k) {
        x[k] = dt * node[s] * x_rate[k];
        stage_v[k] = v[k] + dt * node[s] * p.found.a[k];
      }
      chart.place(x, stage_q);
      require_bounded(stage_q);
      require_bounded(stage_v);
      // Rows that depend on each other do so only where the loops are closed: as far as they are open, they would ask for
      // motions that the loops leave free.
      if (p.is_closed && p.closing.rows_depend) close(stage_q, stage_v);
      p.place(stage_q);
    }
    if (p.is_closed && s == 0) p.close(stage_v);
    if (p.is_closed && s > 0) p.closing.chain->move_to(p.here.at, p.here.q, stage_v);
    p.act(tau, stage_v, p.acting.taken);
    p.accelerate(stage_v);
    if (s == 0) p.require_motion();
    require_bounded(p.found.a);
    chart.rates(x, stage_q, stage_v, x_rate);
    for (size_t k = 0; k < n; ++k) {
      sum_x[k] += dt * weight[s] * x_rate[k];
      sum_v[k] += dt * weight[s] * p.found.a[k];
    }
  }
  chart.place(sum_x, stage_q);
  for (size_t k = 0; k < n; ++k) stage_v[k] = v[k] + sum_v[k];
  require_bounded(stage_q);
  require_bounded(stage_v);
  if (p.is_closed) close(stage_q, stage_v);
  std::copy(stage_q.begin(), stage_q.end(), q.begin());
  std::copy(stage_v.begin(), stage_v.end(), v.begin());
}

}  // namespace denoc
