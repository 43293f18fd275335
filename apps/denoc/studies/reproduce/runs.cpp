#include "studies/reproduce/runs.hpp"

#include <cstdlib>
#include <ctime>

#include "output/dofs.hpp"
#include "output/interrupt.hpp"

namespace denoc::app {
namespace {

namespace fs = std::filesystem;

fs::path scenarios_directory() {
  if (const char* chosen = std::getenv("DENOC_SCENARIOS"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path installed = DENOC_INSTALLED_SCENARIOS;
  return fs::is_directory(installed, error) ? installed : fs::path(DENOC_SOURCE_SCENARIOS);
}

}  // namespace

Scenario example(const std::string& name) { return load_scenario(scenarios_directory() / (name + ".yaml")); }

Run run(const Model& model, const SimulationSetup& setup) {
  Run kept;
  const auto sample = [&](const Sample& s) {
    stop_if_interrupted();
    figures::store(kept.record, s);
    kept.a.emplace_back(s.a.begin(), s.a.end());
  };
  const std::clock_t start = std::clock();
  kept.statistics = simulate(model, setup, {sample, [&](const FrictionEvent& e) { kept.events.push_back(e); }});
  kept.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return kept;
}
Run run(const Scenario& scenario) { return run(*scenario.model, scenario.setup); }

Desired desired(const Scenario& scenario, const std::vector<double>& t) {
  const auto nq = static_cast<std::size_t>(scenario.model->nq()), nv = static_cast<std::size_t>(scenario.model->nv());
  Desired all;
  for (const double at : t) {
    all.q.emplace_back(nq);
    all.v.emplace_back(nv);
    all.a.emplace_back(nv);
    scenario.motion->at(at, all.q.back(), all.v.back(), all.a.back());
  }
  return all;
}

std::vector<double> distance(const std::vector<std::vector<double>>& x, const std::vector<std::vector<double>>& y) {
  std::vector<double> worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst.push_back(0);
    for (std::size_t k = 0; k < x[i].size(); ++k) worst.back() = std::max(worst.back(), std::abs(x[i][k] - y[i][k]));
  }
  return worst;
}

std::vector<figures::Curve> curves_of(const Model& model, const std::vector<double>& t,
                                      const std::vector<std::vector<double>>& rows) {
  std::vector<figures::Curve> curves;
  for (const Dof& dof : dofs_of(model)) curves.push_back({dof.name(), t, figures::column(rows, curves.size())});
  return curves;
}

}  // namespace denoc::app
