// denoc simulate: a scenario, integrated over time, to files in a folder.
#include "commands/list.hpp"
#include "denoc/simulation/simulation.hpp"

#include <sstream>

#include "commands/problem.hpp"
#include "output/figures/page.hpp"
#include "output/figures/picture.hpp"
#include "output/figures/run_figures.hpp"
#include "output/interrupt.hpp"
#include "output/progress.hpp"
#include "output/recorder.hpp"
#include "output/run_result.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct SimulateOptions {
  std::string scenario, folder;
  bool plot = false, report = false, animate = false, json = false;
};

constexpr const char* scenario_format = R"yaml(A scenario, the least of it:
  robot: puma560                        a shipped name, or a file beside the scenario
  start: {q: {link2: -0.5}}             lists, or by joint; zero if left out
  duration: 2                           s
  integrator: {method: dopri5, rtol: 1e-8}
  output: {every: 0.01}                 s between rows of DIR/trajectory.csv
  control: {type: torques, tau: {link1: "2*sin(t)"}}
docs/scenario-files.md has every key.)yaml";

constexpr std::size_t most_events = 5;
constexpr const char *picture_file = "robot.svg", *report_file = "report.html", *final_file = "final.json";

std::string file_of(std::string_view figure) { return fmt::format("{}.svg", figure); }

// By its name or its file. A pipe is not asked: it has nothing to say a second time.
bool is_robot(const std::string& name) {
  try {
    const std::string file = find_robot(name);
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && read_robot(file).faults.empty();
  } catch (const RobotError&) {
    return false;
  }
}
void refuse_robot(const std::string& file) {
  if (!is_robot(file)) return;
  std::vector<std::string> lines;
  std::istringstream text(scenario_format);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  throw Failure(Status::file, fmt::format("denoc simulate: {} is a robot; a scenario says what it does", file), lines);
}

void require_multistep(const IntegratorOptions& options) {
  if (is_available(options.method)) return;
  throw Failure(Status::numbers,
                fmt::format("denoc: this denoc was built without SUNDIALS, which {} needs", name_of(options.method)),
                {"Install libsundials-dev and build again, or choose another integrator."});
}

// The samples that figures are made of: all of a short run, evenly thinned of a long one.
class Kept {
 public:
  explicit Kept(const Scenario& scenario) {
    for (const auto& [name, body, point] : scenario.points) record.watched.push_back({name, body, point});
    const IntegratorOptions& integrator = scenario.setup.integrator;
    if (!has_tolerances(integrator.method)) return;
    record.rtol = integrator.rtol;
    record.atol = integrator.atol;
  }
  void sample(const Sample& s) {
    if (ends_between_) figures::drop_last(record);
    figures::store(record, s);
    ends_between_ = samples++ % stride_ != 0;
    if (ends_between_ || record.size() < 2 * enough_for_figures) return;
    figures::thin(record);
    figures::store(record, s);
    ends_between_ = true;
    stride_ *= 2;
  }
  figures::Record record = {};
  std::vector<FrictionEvent> events = {};
  std::size_t samples = 0;

 private:
  static constexpr std::size_t enough_for_figures = 10'000;
  std::size_t stride_ = 1;
  bool ends_between_ = false;  // the last sample is none of the evenly spaced ones: it stays as long as it is the last
};

// What people see of the run goes to the recorder, the progress line, the figures and the result.
RunResult run(const Scenario& scenario, Recorder& recorder, Kept* kept) {
  RunResult result{scenario};
  Progress progress;
  bool is_first = true;
  const auto step = [&](double t) {
    stop_if_interrupted();
    progress.show(t / scenario.setup.duration, [&](double seconds) {
      return fmt::format("{:.3g} of {} s, {:.3g} times real time", t, shown(scenario.setup.duration), t / seconds);
    });
  };
  const auto sample = [&](const Sample& s) {
    recorder.sample(s);
    if (kept != nullptr) kept->sample(s);
    if (std::exchange(is_first, false)) result.first_energy = s.kinetic + s.potential;
    result.q.assign(s.q.begin(), s.q.end());
    result.v.assign(s.v.begin(), s.v.end());
    result.kinetic = s.kinetic;
    result.potential = s.potential;
  };
  const auto event = [&](const FrictionEvent& e) {
    recorder.event(e);
    if (kept != nullptr) kept->events.push_back(e);
    if (result.events.size() < most_events) result.events.push_back(e);
  };
  result.statistics = denoc::simulate(*scenario.model, scenario.setup, {sample, event, step});
  result.seconds = progress.seconds();
  stop_if_interrupted();
  return result;
}

[[noreturn]] void refuse(const Scenario& scenario, const SimulationFailure& failure) {
  throw Failure(
      Status::numbers, fmt::format("{}: {}", scenario.file, failure.what()),
      {fmt::format("The last good state is at t = {}:", failure.t),
       fmt::format("  q: [{}]", fmt::join(failure.q, ", ")), fmt::format("  v: [{}]", fmt::join(failure.v, ", "))});
}

bool has_report(const SimulateOptions& options) { return options.report || options.animate; }

// What add_figures may add.
std::vector<std::string> figure_files(const SimulateOptions& options) {
  std::vector<std::string> files;
  if (options.plot) {
    files = {picture_file};
    for (const char* name : figures::figure_names) files.push_back(file_of(name));
  }
  if (has_report(options)) files.emplace_back(report_file);
  return files;
}

// Of the scenario and of the run, as the page tells them.
std::vector<std::string> warnings_of(const RunResult& result) {
  std::vector<std::string> all = denoc::warnings_of(result.statistics, result.scenario.setup.integrator);
  for (const Fault& warning : result.scenario.warnings) all.push_back(warning.text());
  return all;
}

void add_figures(const SimulateOptions& options, const Scenario& scenario, const RunResult& result, const Kept& kept,
                 Recorder& recorder) {
  const Model& model = *scenario.model;
  if (options.plot) {
    for (const figures::NamedFigure& figure : figures::figures_of(model, kept.record, kept.events)) {
      recorder.page(file_of(figure.name), figure.svg);
    }
    recorder.page(picture_file, figures::picture_of(model, kept.record));
  }
  if (has_report(options)) {
    recorder.page(report_file,
                  figures::report_page({model, kept.record, result.statistics, kept.events,
                                        scenario.title.empty() ? model.robot().name : scenario.title, scenario.text,
                                        std::string(name_of(scenario.setup.integrator.method)), result.seconds,
                                        options.animate, true, kept.samples, warnings_of(result)}));
  }
}

Status simulate(const SimulateOptions& options, Session& session) {
  const Scenario scenario = of_file(options.scenario, [&] { return load_scenario(options.scenario); });
  add_warnings(scenario.warnings, session);
  require_multistep(scenario.setup.integrator);

  catch_interrupts();
  std::vector<std::string> pages = figure_files(options);
  const bool wants_figures = !pages.empty();
  pages.emplace_back(final_file);
  Recorder recorder(options.folder, scenario, pages);
  Kept kept(scenario);
  RunResult result = [&] {
    try {
      return run(scenario, recorder, wants_figures ? &kept : nullptr);
    } catch (const SimulationFailure& failure) {
      refuse(scenario, failure);
    }
  }();
  if (wants_figures) add_figures(options, scenario, result, kept, recorder);
  recorder.page(final_file, json_final(result) + "\n");
  stop_if_interrupted();
  result.files = recorder.commit();
  for (const std::string& warning : denoc::warnings_of(result.statistics, scenario.setup.integrator))
    session.remarks.push_back(fmt::format("warning: {}: {}", scenario.file, warning));
  session.out = options.json ? json_summary(result) : text_summary(result);
  return Status::done;
}

}  // namespace

Command commands::simulate() {
  return command<SimulateOptions>(
      "simulate", "the motion that forces give, over time, to files in a folder", scenario_format,
      {{"denoc simulate run.yaml -o results", "a motion from forces, over time"},
       {"denoc simulate run.yaml -o results --animate", "and a page that tells it, the robot moving"}},
      [](Arguments& arguments, SimulateOptions& options) {
        arguments.place("SCENARIO", options.scenario, "scenario file (YAML)").names_a(Argument::File::read);
        arguments.rule([&] { refuse_robot(options.scenario); });
        folder_argument(arguments, options.folder, "folder of the results, made if it is not there");
        arguments.flag("--plot", options.plot,
                       "also figures (SVG): joints, rates, drives, energies, powers, the robot");
        arguments.flag("--report", options.report, "also report.html, a page that tells the run");
        arguments.flag("--animate", options.animate, "the page with the robot moving (and so --report)");
        arguments.flag("--json", options.json, "the summary as JSON instead of tables");
      },
      app::simulate);
}

}  // namespace denoc::app
