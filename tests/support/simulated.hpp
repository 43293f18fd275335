// Runs kept in memory.
#pragma once
#include <gtest/gtest.h>

#include "denoc/kinematics/energy.hpp"
#include "denoc/simulation/simulation.hpp"

namespace denoc::test {

struct Kept {
  double t;
  std::vector<double> q, v, a, tau;
  double kinetic, potential, work, dissipated;
  double energy() const { return kinetic + potential; }
};
struct Simulated {
  std::vector<Kept> samples;
  std::vector<FrictionEvent> events;
  Statistics statistics;

  // The sample at t.
  const Kept& at(double t) const {
    for (const Kept& sample : samples) {
      if (std::abs(sample.t - t) < 1e-9) return sample;
    }
    throw std::out_of_range("no sample at " + std::to_string(t));
  }
  // What a conservative run lost or won, against the largest kinetic energy.
  double energy_drift() const {
    double worst = 0;
    for (const Kept& sample : samples) worst = std::max(worst, std::abs(sample.energy() - samples[0].energy()));
    return worst / statistics.largest_kinetic;
  }
};

inline Simulated simulated(const Model& model, const SimulationSetup& setup) {
  Simulated run;
  Observer observer;
  observer.sample = [&](const Sample& s) {
    run.samples.push_back({s.t,
                           {s.q.begin(), s.q.end()},
                           {s.v.begin(), s.v.end()},
                           {s.a.begin(), s.a.end()},
                           {s.tau.begin(), s.tau.end()},
                           s.kinetic,
                           s.potential,
                           s.work,
                           s.dissipated});
  };
  observer.event = [&](const FrictionEvent& event) { run.events.push_back(event); };
  run.statistics = simulate(model, setup, observer);
  return run;
}

inline SimulationSetup setup_of(std::vector<double> q, std::vector<double> v, double duration, double every,
                                const IntegratorOptions& integrator) {
  SimulationSetup setup;
  setup.q = std::move(q);
  setup.v = std::move(v);
  setup.duration = duration;
  setup.every = every;
  setup.integrator = integrator;
  return setup;
}
// Angular momentum about the world's origin and momentum.
inline Wrench<double> momentum(const Model& model, const Kept& sample) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, sample.q, at);
  positions<double>(model, at, kin);
  velocities<double>(model, sample.v, kin);
  return momentum_in_world<double>(model, kin);
}
inline IntegratorOptions tight(double rtol, IntegrationMethod method = IntegrationMethod::dopri5) {
  return {.method = method, .rtol = rtol, .atol = rtol};
}
inline IntegratorOptions fixed(double step, IntegrationMethod method = IntegrationMethod::rk4) {
  return {.method = method, .step = step};
}

}  // namespace denoc::test
