// denoc check: every fault of a robot file or a scenario at once, and what looks like a mistake.
#include <fmt/format.h>

#include "commands/list.hpp"
#include "denoc/scenario/scenario.hpp"
#include "output/table.hpp"
#include "studies/survey.hpp"

namespace denoc::app {
namespace {

std::string json_fault(const Fault& fault) {
  return json::object({{"file", json::text(fault.source.file)},
                       {"line", json::number(fault.source.line)},
                       {"element", json::text(fault.source.element)},
                       {"rule", json::text(fault.rule)}});
}

std::string number_of(std::size_t n, std::string_view one, std::string_view many) {
  return n == 0 ? fmt::format("no {}", many) : fmt::format("{} {}", n, n == 1 ? one : many);
}

// What was found in a file, and what it is if nothing is wrong.
struct Found {
  std::vector<Fault> faults, warnings;
  std::string what;
};

std::string summary(const Found& found, const std::string& file) {
  const std::string counted = fmt::format("{}, {}", number_of(found.faults.size(), "fault", "faults"),
                                          number_of(found.warnings.size(), "warning", "warnings"));
  return found.faults.empty() ? fmt::format("{}: fine: {}; {}\n", file, counted, found.what)
                              : fmt::format("{}: {}\n", file, counted);
}

Found in_robot(const RobotOptions& options) {
  Document document;
  try {
    document = read_robot(find_robot(options.model), options.load);
  } catch (const RobotError& error) {
    return {error.faults, {}, ""};
  }
  if (!document.faults.empty()) return {document.faults, document.warnings, ""};
  const std::vector<Fault> open = loop_warnings(Model(document.robot));
  document.warnings.insert(document.warnings.end(), open.begin(), open.end());
  std::size_t v = 0;
  for (const Body& body : document.robot.bodies) v += static_cast<std::size_t>(degrees_of_freedom(body.joint.type));
  return {{},
          document.warnings,
          fmt::format("robot '{}' has {} and {}", printable(document.robot.name),
                      number_of(document.robot.bodies.size() - 1, "body", "bodies"),
                      number_of(v, "degree of freedom", "degrees of freedom"))};
}

// As `simulate` reads it: its robot is found, its motion and its control law are made.
Found in_scenario(const RobotOptions& options) {
  try {
    const Scenario scenario = load_scenario(options.model);
    return {{},
            scenario.warnings,
            fmt::format("{} s of robot '{}', control {}", shown(scenario.setup.duration),
                        printable(scenario.model->robot().name), scenario.control)};
  } catch (const RobotError& error) {
    return {error.faults, {}, ""};
  }
}

Status check(const RobotOptions& options, Session& session) {
  const Found found = is_scenario(options.model) ? in_scenario(options) : in_robot(options);
  const bool is_fine = found.faults.empty();
  if (options.json) {
    session.out = json::object({{"file", json::text(options.model)},
                                {"faults", json::lines(json::each(found.faults, json_fault))},
                                {"warnings", json::lines(json::each(found.warnings, json_fault))}}) +
                  "\n";
    if (!is_fine) session.remarks.push_back(found.faults.front().text());
  } else {
    for (const Fault& fault : found.faults) session.remarks.push_back(fault.text());
    for (const Fault& warning : found.warnings) session.remarks.push_back(fmt::format("warning: {}", warning.text()));
    session.out = summary(found, printable(options.model));
  }
  return is_fine ? Status::done : Status::file;
}

}  // namespace

Command commands::check() {
  return command<RobotOptions>("check", "every fault of a robot file or a scenario at once, and warnings", "",
                               {{"denoc check robot.urdf", "every fault of a file at once"},
                                {"denoc check scenario.yaml", "of a scenario, without running it"},
                                {"denoc check robot.yaml --json", "the same for programs"}},
                               robot_arguments, app::check);
}

}  // namespace denoc::app
