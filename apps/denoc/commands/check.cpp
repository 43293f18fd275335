// denoc check: everything that is refused in a robot file or a scenario, and everything that is doubted.
#include <fmt/format.h>

#include "commands/list.hpp"
#include "commands/problem.hpp"
#include "denoc/mechanism/doubts.hpp"
#include "denoc/scenario/scenario.hpp"
#include "output/freedom.hpp"
#include "output/number_of.hpp"
#include "output/recorder.hpp"
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

std::string some(std::size_t n, std::string_view one) {
  return n == 0 ? fmt::format("no {}s", one) : number_of(n, one);
}

// What was found in a file (refused, doubted, and good to know of), and what it is if nothing is wrong.
struct Found {
  std::vector<Fault> faults, doubts, remarks;
  std::string what;

  bool is_fine() const { return faults.empty() && doubts.empty(); }
};

std::string summary(const Found& found, const std::string& file) {
  const std::string counted =
      fmt::format("{}, {}", some(found.faults.size(), "fault"), some(found.doubts.size(), "doubt"));
  return found.is_fine() ? fmt::format("{}: fine: {}; {}\n", file, counted, found.what)
                         : fmt::format("{}: {}\n", file, counted);
}

Found in_robot(const Document& document) {
  Found found{document.faults, document.warnings, document.notes, ""};
  if (!document.faults.empty()) return found;
  const Model model(document.robot);
  for (Fault& doubt : doubts_of(model)) found.doubts.push_back(std::move(doubt));
  const std::optional<Survey> loops = model.robot().loops.empty() ? std::nullopt : std::optional(survey(model));
  // Loops that are open where the file draws them: no mistake.
  if (loops)
    for (Fault& open : loop_warnings(model, *loops)) found.remarks.push_back(std::move(open));
  found.what = fmt::format("robot '{}' has {} and {}", printable(document.robot.name),
                           number_of(document.robot.bodies.size() - 1, "body", "bodies"),
                           freedom_text(model, loops ? loops->mobility : std::nullopt));
  return found;
}

// As `simulate` reads it: its robot is found, its motion and its control law are made.
Found in_scenario(const RobotOptions& options, const std::string& text) {
  const auto& [base, gravity, strict, repair, to_urdf] = options.load;
  for (const auto& [name, is_given] : {std::pair{"--base", base == Base::free},
                                       {"--gravity", gravity.has_value()},
                                       {"--strict", strict},
                                       {"--repair", repair}})
    if (is_given)
      throw Failure(Status::usage, fmt::format("denoc: {}: it is for robot files, and {} is a scenario", name,
                                               printable(options.model)));
  const Scenario scenario = read_scenario(text, io::shown_file(options.model));
  std::vector<Fault> faults;
  for (const std::string& rule : Recorder::faults_of(scenario)) faults.push_back({{scenario.file, 0, "output"}, rule});
  return {std::move(faults),
          scenario.warnings,
          {},
          fmt::format("{} s of robot '{}', control {}", shown(scenario.setup.duration),
                      printable(scenario.model->robot().name), scenario.control)};
}

// Whatever it is, it is read once: a pipe has nothing to say a second time.
Found in_file(const RobotOptions& options) {
  try {
    const Document document = read_robot(find_robot(options.model), options.load);
    if (is_scenario_text(document.text)) return in_scenario(options, document.text);
    if (const auto other = of_no_robot(document, options.model)) return {{*other}, {}, {}, ""};
    return in_robot(document);
  } catch (const RobotError& error) {
    return {error.faults, {}, {}, ""};
  } catch (const Failure&) {
    throw;
  } catch (const Error& error) {  // what a scenario asks for and cannot be had
    return {{Fault{{options.model, 0, ""}, error.what()}}, {}, {}, ""};
  }
}

Status check(const RobotOptions& options, Session& session) {
  const Found found = in_file(options);
  if (options.json) {
    session.out = json::object({{"file", json::text(options.model)},
                                {"faults", json::lines(json::each(found.faults, json_fault))},
                                {"warnings", json::lines(json::each(found.doubts, json_fault))},
                                {"remarks", json::lines(json::each(found.remarks, json_fault))}}) +
                  "\n";
    if (!found.is_fine())
      session.remarks.push_back(found.faults.empty() ? fmt::format("warning: {}", found.doubts.front().text())
                                                     : found.faults.front().text());
  } else {
    for (const Fault& fault : found.faults) session.remarks.push_back(fault.text());
    for (const Fault& doubt : found.doubts) session.remarks.push_back(fmt::format("warning: {}", doubt.text()));
    for (const Fault& remark : found.remarks) session.remarks.push_back(remark.text());
    session.out = summary(found, printable(options.model));
  }
  return found.is_fine() ? Status::done : Status::file;
}

}  // namespace

Command commands::check() {
  return command<RobotOptions>("check", "all that is refused in a robot file or a scenario, and all that is doubted",
                               "Status 3 where anything is refused or doubted; other commands compute with what is\n"
                               "doubted, unless --strict refuses it or --repair changes it.",
                               {{"denoc check robot.urdf", "everything wrong or odd in a file at once"},
                                {"denoc check scenario.yaml", "of a scenario, without running it"},
                                {"denoc check robot.yaml --json", "the same for programs"}},
                               robot_arguments, app::check);
}

}  // namespace denoc::app
