// How fast whole simulations run: the rope of Shah13 and a PUMA under sampled computed torque, recording included.
// Processor time of one thread; a missed bar is said, not a failure.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "denoc/simulation/scenario.hpp"
#include "recorder.hpp"

namespace denoc::benchmarks {
namespace {

namespace fs = std::filesystem;
constexpr int turns = 7;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The least of several runs; the files of all of them go.
double seconds_for(const Scenario& scenario) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("denoc-bench-{}", std::clock());
  double least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn < turns; ++turn) {
    const double start = processor_seconds();
    app::Recorder recorder(folder, scenario);
    simulate(*scenario.model, scenario.setup, {[&](const Sample& s) { recorder.sample(s); }, {}});
    recorder.commit();
    least = std::min(least, processor_seconds() - start);
  }
  fs::remove_all(folder);
  return least;
}

void report(const char* name, const char* what, double bar) {
  const Scenario scenario = load_scenario(fs::path(DENOC_SCENARIOS) / name);
  const double seconds = seconds_for(scenario), factor = scenario.setup.duration / seconds;
  fmt::print("| {} | {} s | {:.4f} s | {:.0f} | {:.0f} | {} |\n", what, scenario.setup.duration, seconds, factor, bar,
             factor >= bar ? "met" : "**missed**");
}

int compare() {
  fmt::print(
      "\n| simulation, recorded to CSV | simulated | processor time | times real time | bar | |\n"
      "|---|---:|---:|---:|---:|---|\n");
  report("rope.yaml", "rope, 100 degrees of freedom, RK4 at 1 ms", 20);
  report("puma_computed_torque.yaml", "PUMA 560, computed torque at 1 kHz, RK4 at 1 ms", 200);
  return 0;
}

}  // namespace
}  // namespace denoc::benchmarks

int main() try { return denoc::benchmarks::compare(); } catch (const std::exception& e) {
  fmt::print(stderr, "denoc_bench_simulation: {}\n", e.what());
  return 1;
}
