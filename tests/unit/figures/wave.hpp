// A run to draw.
#pragma once
#include <cmath>

#include "denoc/model/manifold.hpp"
#include "output/figures/page.hpp"

namespace denoc::figures {

// A motion of every joint at its own pace. Energies are those of nothing, but they balance.
inline Record wave(const Model& model, std::size_t samples = 200) {
  Record record;
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())), tau = v;
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = 0.02 * static_cast<double>(i);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = 0.5 * std::sin(t + static_cast<double>(k)) + 0.6;
    normalise<double>(model, q);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.5 * std::cos(t + static_cast<double>(k)), tau[k] = 2 * v[k];
    const double kinetic = 1 + std::sin(t);
    store(record, {t, q, v, v, tau, kinetic, -1, std::cos(t), 0, std::sin(t), 0, {}, {}});
  }
  return record;
}

}  // namespace denoc::figures
