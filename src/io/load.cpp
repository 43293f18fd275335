#include "denoc/io/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "formats.hpp"
#include "model/possible_inertia.hpp"
#include "readers.hpp"

#ifndef DENOC_INSTALLED_MODELS
#define DENOC_INSTALLED_MODELS ""
#endif
#ifndef DENOC_SOURCE_MODELS
#define DENOC_SOURCE_MODELS ""
#endif

namespace denoc {
namespace {

namespace fs = std::filesystem;

void append(std::vector<Fault>& all, std::vector<Fault> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

void sort_by_line(std::vector<Fault>& faults) {
  std::stable_sort(faults.begin(), faults.end(),
                   [](const Fault& a, const Fault& b) { return a.source.line < b.source.line; });
}

// Doubts inertias that no body has, or repairs them: what was repaired is returned.
std::vector<Fault> judge_inertias(Robot& robot, const LoadOptions& options, const std::vector<double>& rounding) {
  std::vector<Fault> repairs;
  for (const inspection::Impossible& found : inspection::impossible_inertias(robot, rounding)) {
    if (options.repair) {
      repairs.push_back(inspection::repair(robot, found));
    } else {
      robot.doubts.push_back(inspection::doubt(robot, found));
    }
  }
  return repairs;
}

// Where the program has brought them, if it has.
fs::path& models_brought_along() {
  static fs::path folder;
  return folder;
}

fs::path models_directory() {
  if (const char* chosen = std::getenv("DENOC_MODELS"); chosen != nullptr && *chosen != '\0') return chosen;
  if (!models_brought_along().empty()) return models_brought_along();
  std::error_code error;
  const fs::path installed = DENOC_INSTALLED_MODELS;
  return fs::is_directory(installed, error) ? installed : fs::path(DENOC_SOURCE_MODELS);
}

// The file of that name in the folder, whatever it ends in, but for the one that asks; empty: there is none.
fs::path robot_in(const fs::path& folder, const std::string& name, const fs::path& but = {}) {
  for (const io::Format& format : io::formats()) {
    for (const std::string_view extension : format.extensions) {
      fs::path file = folder / (name + std::string(extension));
      std::error_code error;
      if (file != but && fs::is_regular_file(file, error)) return file;
    }
  }
  return {};
}

std::string no_such_robot(const std::string& name, const fs::path& said_in) {
  const std::vector<std::string> shipped = shipped_robots();
  std::string rule = "neither a file nor a shipped robot";
  if (const fs::path file = robot_in(said_in.parent_path(), name, said_in); !file.empty()) {
    rule += fmt::format("; did you mean '{}'?", file.filename().string());
  } else if (const auto meant = io::nearest(name, {shipped.begin(), shipped.end()})) {
    rule += fmt::format("; did you mean '{}'?", *meant);
  } else if (!shipped.empty()) {
    rule += fmt::format("; shipped are {}", fmt::join(shipped, ", "));
  }
  return rule;
}

}  // namespace

Document read_robot(const std::string& file, const LoadOptions& options) {
  const std::string name = io::shown_file(file);
  io::Report report{name};
  if (auto text = io::read_text(file, report)) return read_robot_text(*std::move(text), name, options);
  return {.robot = {}, .faults = std::move(report.faults), .warnings = {}};
}

Document read_robot_text(std::string text, const std::string& name, const LoadOptions& options) {
  io::Report report{name};
  Document document;
  Robot& robot = document.robot;
  document.text = std::move(text);
  try {
    const io::Format& format = io::format_of(name, document.text);
    document.format = format.name;
    robot = format.read(document.text, options, report);
    document.whole = std::move(report.whole);
    if (options.gravity) robot.gravity = *options.gravity;
    std::vector<Fault> broken = faults_of(robot);
    for (Fault& fault : broken)
      if (fault.source.file.empty()) fault.source.file = name;
    append(report.faults, std::move(broken));
    robot.doubts = std::move(report.warnings);
    std::vector<Fault> repairs = judge_inertias(robot, options, report.inertia_rounding);
    document.warnings = robot.doubts;
    append(document.warnings, warnings_of(robot));
    if (options.strict) append(report.faults, std::move(document.warnings));
    append(robot.doubts, repairs);
    append(robot.doubts, report.notes);
    append(document.warnings, std::move(repairs));
    // The root of a URDF that stands on the ground: checked like any other, then without inertia.
    const bool is_ground = format.root_is_ground && options.base == Base::fixed;
    if (is_ground && robot.bodies.size() > 1) robot.root_inertial = std::exchange(robot.bodies[1].inertial, {});
  } catch (const io::TooManyFaults&) {  // the report says so
    document.warnings = std::move(report.warnings);
  }
  document.faults = std::move(report.faults);
  document.notes = std::move(report.notes);
  for (std::vector<Fault>* found : {&document.faults, &document.warnings, &document.notes, &robot.doubts})
    sort_by_line(*found);
  return document;
}

Robot load(const std::string& file_or_shipped_name, const LoadOptions& options) {
  Document document = read_robot(find_robot(file_or_shipped_name), options);
  if (!document.faults.empty()) throw RobotError(std::move(document.faults));
  return std::move(document.robot);
}

std::string io::find_robot(const std::string& file_or_shipped_name, const fs::path& said_in) {
  const fs::path path = file_or_shipped_name;
  if (file_or_shipped_name == "-" || path.has_parent_path() || path.has_extension()) return path;
  if (fs::path shipped = robot_in(models_directory(), file_or_shipped_name); !shipped.empty()) return shipped;
  std::error_code error;
  if (fs::exists(path, error)) return path;
  throw RobotError({{{shown_file(path), 0, ""}, no_such_robot(file_or_shipped_name, said_in)}});
}
std::string find_robot(const std::string& file_or_shipped_name) { return io::find_robot(file_or_shipped_name, {}); }

std::vector<std::string> shipped_robots() {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(models_directory(), error)) {
    if (io::format_of(entry.path()) != nullptr) names.insert(entry.path().stem().string());
  }
  return {names.begin(), names.end()};
}

void use_models(const std::string& folder) { models_brought_along() = folder; }

}  // namespace denoc
