// How fast whole simulations run: the rope of Shah13 and a PUMA under sampled computed torque, recording included.
// Processor time of one thread; a missed bar is said, not a failure.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "denoc/scenario/scenario.hpp"
#include "output/recorder.hpp"

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

// `every`: between samples, s; bar: times real time, 0 for none.
void report(const char* name, const char* what, double every, double bar) {
  Scenario scenario = load_scenario(fs::path(DENOC_SCENARIOS) / name);
  scenario.setup.every = every;
  const double seconds = seconds_for(scenario), factor = scenario.setup.duration / seconds;
  fmt::print("| {}, recorded every {:.0f} ms | {} s | {:.4f} s | {:.0f} | {} |\n", what, 1e3 * every,
             scenario.setup.duration, seconds, factor,
             bar == 0 ? "" : fmt::format("{:.0f}: {}", bar, factor >= bar ? "met" : "**missed**"));
}

int compare() {
  fmt::print(
      "\n| simulation, RK4 at 1 ms, to CSV | simulated | processor time | times real time | bar |\n"
      "|---|---:|---:|---:|---|\n");
  report("rope.yaml", "rope, 100 degrees of freedom", 0.01, 20);
  const char* const arm = "PUMA 560, computed torque at 1 kHz";
  report("puma_computed_torque.yaml", arm, 0.01, 200);
  report("puma_computed_torque.yaml", arm, 0.001, 0);
  return 0;
}

}  // namespace
}  // namespace denoc::benchmarks

int main() try { return denoc::benchmarks::compare(); } catch (const std::exception& e) {
  fmt::print(stderr, "denoc_bench_simulation: {}\n", e.what());
  return 1;
}
