// denoc check: every fault of a robot file at once, and what looks like a mistake.
#include <fmt/format.h>

#include "commands/list.hpp"
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

std::string summary(const Document& document, const std::string& file) {
  const std::string found = fmt::format("{}, {}", number_of(document.faults.size(), "fault", "faults"),
                                        number_of(document.warnings.size(), "warning", "warnings"));
  if (!document.faults.empty()) return fmt::format("{}: {}\n", file, found);
  std::size_t v = 0;
  for (const Body& body : document.robot.bodies) v += static_cast<std::size_t>(degrees_of_freedom(body.joint.type));
  return fmt::format("{}: fine: {}; robot '{}' has {} and {}\n", file, found, printable(document.robot.name),
                     number_of(document.robot.bodies.size() - 1, "body", "bodies"),
                     number_of(v, "degree of freedom", "degrees of freedom"));
}

Status check(const RobotOptions& options, Session& session) {
  Document document;
  try {
    document = read_robot(find_robot(options.model), options.load);
  } catch (const RobotError& error) {
    document.faults = error.faults;
  }
  const bool is_fine = document.faults.empty();
  if (is_fine) {
    const std::vector<Fault> open = loop_warnings(Model(document.robot));
    document.warnings.insert(document.warnings.end(), open.begin(), open.end());
  }
  if (options.json) {
    session.out = json::object({{"file", json::text(options.model)},
                                {"faults", json::lines(json::each(document.faults, json_fault))},
                                {"warnings", json::lines(json::each(document.warnings, json_fault))}}) +
                  "\n";
    if (!is_fine) session.remarks.push_back(document.faults.front().text());
  } else {
    for (const Fault& fault : document.faults) session.remarks.push_back(fault.text());
    for (const Fault& warning : document.warnings)
      session.remarks.push_back(fmt::format("warning: {}", warning.text()));
    session.out = summary(document, printable(options.model));
  }
  return is_fine ? Status::done : Status::file;
}

}  // namespace

Command commands::check() {
  return command<RobotOptions>("check", "every fault of a robot file at once, and warnings", "",
                               {{"denoc check robot.urdf", "every fault of a file at once"},
                                {"denoc check robot.yaml --json", "the same for programs"}},
                               robot_arguments, app::check);
}

}  // namespace denoc::app
