#include "denoc/scenario/scenario.hpp"
#include "denoc/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "denoc/control/lqr.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "io/readers.hpp"
#include "parts.hpp"

namespace denoc {
namespace {

namespace fs = std::filesystem;
using io::Fields;

class ScenarioReader {
 public:
  ScenarioReader(const fs::path& file, Scenario& scenario, io::Report& report)
      : file_(file), folder_(file.parent_path()), scenario_(scenario), report_(report) {}

  void read(const io::Node& root) {
    const Fields file(root, "",
                      {"title", "robot", "base", "gravity", "start", "duration", "integrator", "output", "method",
                       "motion", "control", "wrenches", "ground", "stabilisation"},
                      report_);
    if (root.kind != io::Node::Kind::map) return;
    scenario_.title = file.text("title", "");
    io::read_run(file, scenario_);
    if (scenario_.model == nullptr) {
      read_robot_of(file);
    } else {
      refuse_robot_of(file);
    }
    io::read_output(file, scenario_, report_);
    if (scenario_.model != nullptr) read_of_robot(file);
  }

 private:
  // Shipped, or a file beside the scenario.
  void read_robot_of(const Fields& file) {
    const std::string name = file.text("robot");
    LoadOptions options;
    if (file.word("base", {"fixed", "free"}, "fixed") == "free") options.base = Base::free;
    if (file.has("gravity")) options.gravity = file.vec3("gravity", {0, 0, 0});
    if (name.empty()) return;  // reported
    Document document;
    try {
      const fs::path path = name;
      const bool is_file = path.has_parent_path() || path.has_extension();
      scenario_.robot = is_file ? (folder_ / path).string() : io::find_robot(name, file_);
      document = read_robot(scenario_.robot, options);
    } catch (const RobotError& error) {
      document.faults = error.faults;
    }
    for (const Fault& fault : document.faults) {
      if (fault.source.line > 0) {
        report_.faults.push_back(fault);  // of the robot's own file
      } else {
        file.refuse("robot", fmt::format("{}: {}", io::in_quotes(fault.source.file), fault.rule));
      }
    }
    append(scenario_.warnings, std::move(document.warnings));
    append(scenario_.warnings, std::move(document.notes));
    if (document.faults.empty()) scenario_.model = std::make_shared<const Model>(std::move(document.robot));
  }

  // The robot is given: the file must not name one.
  static void refuse_robot_of(const Fields& file) {
    for (const char* key : {"robot", "base", "gravity"})
      if (file.has(key)) file.refuse(key, "the robot is given: leave it out");
  }

  void read_of_robot(const Fields& file) {
    const io::Vectors vectors(*scenario_.model, report_);
    SimulationSetup& setup = scenario_.setup;
    setup.q = vectors.neutral();
    setup.v.assign(static_cast<std::size_t>(scenario_.model->nv()), 0);
    const auto start = file.map("start", {"q", "v"});
    if (start) {
      setup.q = vectors.posture(*start, "q");
      setup.v = vectors.rates(*start, "v");
    }
    const io::MakeMotion make_motion =
        io::read_motion(file, {scenario_.model, vectors, folder_, setup.duration, start && start->has("q"), report_});
    const io::ControlReader control = io::read_control(file, scenario_.model, vectors, setup, report_);
    scenario_.control = control.word;
    setup.wrenches = io::read_wrenches(file, scenario_.model->robot(), vectors, report_);
    setup.ground = io::read_ground(file, scenario_.model->robot(), report_);
    setup.stabilisation = file.number("stabilisation", setup.stabilisation);
    if (setup.stabilisation < 0) file.refuse("stabilisation", "it is not negative");
    if (file.has("stabilisation")) doubt_stabilisation(file);
    if (file.has("motion") && !control.follows_motion)
      file.warn("motion", fmt::format("no drive follows it: control is {}", control.word));
    if (!report_.faults.empty()) return;
    if (start) io::close_start(*start, vectors, *scenario_.model, setup);
    if (make_motion) make(file, make_motion);
    if (scenario_.motion && control.follows_motion)
      io::doubt_end(file, *scenario_.motion, *scenario_.model, setup.duration);
    if (control.make && report_.faults.empty()) make(file, control);
    if (control.follows_motion && !file.has("start") && report_.faults.empty()) start_of_motion();
  }

  void doubt_stabilisation(const Fields& file) const {
    const Integrator& method = integrator(scenario_.setup.integrator.method);
    if (scenario_.model->robot().loops.empty()) {
      file.warn("stabilisation", "it does nothing: the robot has no loops");
    } else if (method.library == Integrator::Library::none) {
      file.warn("stabilisation", fmt::format("it does nothing: {} closes loops after its steps", method.name));
    }
  }

  void make(const Fields& file, const io::MakeMotion& make_motion) {
    try {
      scenario_.motion = make_motion(scenario_.setup.q);
      io::require_finite_start(file, *scenario_.motion, *scenario_.model);
    } catch (const ArgumentError& error) {
      file.refuse("motion", error.what());
    }
  }

  void make(const Fields& file, const io::ControlReader& control) {
    try {
      if (control.follows_motion) scenario_.motion = control.led(scenario_.motion);
      scenario_.setup.control = control.make(scenario_.motion);
    } catch (const NotDriveable& error) {
      file.refuse("control", error.what());
    } catch (const ArgumentError& error) {
      file.refuse("control", error.what());
    } catch (const NotStabilisable& error) {
      file.refuse("control", error.what());
    } catch (const NotCovered& error) {
      file.refuse("control", error.what());
    }
  }

  void start_of_motion() {
    std::vector<double> a(scenario_.setup.v.size());
    scenario_.motion->at(0, scenario_.setup.q, scenario_.setup.v, a);
  }

  static void append(std::vector<Fault>& all, std::vector<Fault> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }

  fs::path file_, folder_;
  Scenario& scenario_;
  io::Report& report_;
};

// Those of the robot's file first, then the scenario's from its first line to its last.
std::vector<Fault> in_order(std::vector<Fault> faults, const std::string& file) {
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) {
    return std::pair(a.source.file == file, a.source.line) < std::pair(b.source.file == file, b.source.line);
  });
  return faults;
}

// Reads the text of the file into the scenario.
void read(const fs::path& file, Scenario& scenario, io::Report& report) {
  scenario.file = report.file;
  io::parse_yaml(scenario.text, report,
                 [&](const io::Node& root) { ScenarioReader(file, scenario, report).read(root); });
  if (!report.faults.empty()) throw RobotError(in_order(std::move(report.faults), report.file));
  std::move(report.warnings.begin(), report.warnings.end(), std::back_inserter(scenario.warnings));
  scenario.also_read = std::move(report.also_read);
}

}  // namespace

Scenario load_scenario(const fs::path& file) {
  io::Report report{io::shown_file(file)};
  const auto text = io::read_text(file, report);
  if (!text) throw RobotError(std::move(report.faults));
  Scenario scenario;
  scenario.text = *text;
  read(file, scenario, report);
  return scenario;
}

Scenario read_scenario(const std::string& text, const std::string& name, std::shared_ptr<const Model> model) {
  io::Report report{name};
  Scenario scenario;
  scenario.text = text;
  scenario.model = std::move(model);
  read(name, scenario, report);
  return scenario;
}

}  // namespace denoc
