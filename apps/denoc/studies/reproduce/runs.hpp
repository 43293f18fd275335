// The scenarios that ship with denoc, run and kept in memory.
#pragma once
#include "denoc/scenario/scenario.hpp"
#include "output/figures/plot.hpp"
#include "output/figures/record.hpp"

namespace denoc::app {

// The scenario of that name: of the folder in DENOC_SCENARIOS, else of the installed ones, else of the source tree.
Scenario example(const std::string& name);

struct Run {
  figures::Record record = {};
  std::vector<std::vector<double>> a = {};  // by sample
  std::vector<FrictionEvent> events = {};
  Statistics statistics = {};
  double seconds = 0;  // of the processor
};
Run run(const Scenario& scenario);
Run run(const Model& model, const SimulationSetup& setup);

// The motion of a scenario at the times of its samples.
struct Desired {
  std::vector<std::vector<double>> q, v, a;
};
Desired desired(const Scenario& scenario, const std::vector<double>& t);

// Largest |x - y| of the entries, by sample.
std::vector<double> distance(const std::vector<std::vector<double>>& x, const std::vector<std::vector<double>>& y);

// A curve for each joint: entry k of every row.
std::vector<figures::Curve> curves_of(const Model& model, const std::vector<double>& t,
                                      const std::vector<std::vector<double>>& rows);

}  // namespace denoc::app
