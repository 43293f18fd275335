#include "commands/problem.hpp"

#include <cmath>
#include <unordered_map>

#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/condition.hpp"
#include "output/json.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

constexpr std::size_t most_remarks = 10, most_faults = 20, widest_table = 8;

std::vector<std::string> texts(const std::vector<Fault>& faults, std::size_t from, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t i = from; i < faults.size() && i < most; ++i) lines.push_back(faults[i].text());
  if (faults.size() > most) lines.push_back(fmt::format("and {} more", faults.size() - most));
  return lines;
}

// What of a rule is the same for all that break it: neither names in quotes nor numbers.
std::string kind_of(std::string_view rule) {
  std::string kind;
  bool is_quoted = false;
  for (const char c : rule) {
    if (c == '\'') is_quoted = !is_quoted;
    const bool is_digit = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    if (!is_quoted && !is_digit && c != 'e') kind += c;
  }
  return kind;
}
// The first of each kind, and how many there are.
std::vector<std::pair<Fault, int>> kinds_of(const std::vector<Fault>& warnings) {
  std::vector<std::pair<Fault, int>> kinds;
  std::unordered_map<std::string, std::size_t> place;
  for (const Fault& warning : warnings) {
    const auto [found, is_new] = place.emplace(kind_of(warning.rule), kinds.size());
    if (is_new) kinds.emplace_back(warning, 0);
    ++kinds[found->second].second;
  }
  return kinds;
}

[[noreturn]] void refuse_robot(const std::vector<Fault>& faults, const std::string& model) {
  std::vector<std::string> more;
  if (faults.size() > 1) {
    more.push_back(fmt::format("and {} more (`denoc check {}` lists them)", faults.size() - 1, model));
  }
  throw Failure(Status::file, faults.front().text(), more);
}

}  // namespace

Robot load_robot(const RobotOptions& options, Session& session) {
  Document document;
  try {
    document = read_robot(find_robot(options.model), options.load);
  } catch (const RobotError& error) {
    refuse_robot(error.faults, options.model);
  }
  if (!document.faults.empty()) refuse_robot(document.faults, options.model);
  add_warnings(document.warnings, session);
  for (const Fault& note : document.notes) session.remarks.push_back(note.text());
  return std::move(document.robot);
}

void add_warnings(const std::vector<Fault>& warnings, Session& session) {
  std::vector<Fault> firsts;
  for (const auto& [first, count] : kinds_of(warnings)) {
    firsts.push_back(first);
    if (count > 1) firsts.back().rule += fmt::format(" (and {} more of the kind)", count - 1);
  }
  for (const std::string& line : texts(firsts, 0, most_remarks))
    session.remarks.push_back(fmt::format("warning: {}", line));
}

void refuse_file(const RobotError& error) {
  throw Failure(Status::file, error.faults.front().text(), texts(error.faults, 1, most_faults));
}

StateFile load_states(const StateOptions& options, const Robot& robot, const Needs& needs) {
  try {
    return read_states(options.states, robot, needs);
  } catch (const RobotError& error) {
    refuse_file(error);
  }
}

Problem load_problem(const StateOptions& options, const Needs& needs, Session& session) {
  Robot robot = load_robot(options, session);
  StateFile file = load_states(options, robot, needs);
  Problem problem{Mechanism(std::move(robot)), std::move(file)};
  add_warnings(doubts_of_condition(problem.mechanism.tree()), session);
  return problem;
}

void remark_forces(const std::string& names, std::string_view remedy, Session& session) {
  if (!names.empty()) session.remarks.push_back(fmt::format("denoc: left out: {} ({})", names, remedy));
}

void refuse_loops(const Robot& robot, std::string_view command) {
  if (robot.loops.empty()) return;
  const Fault fault{
      robot.loops.front().source,
      fmt::format("`denoc {}` does not close loops, and the tree without them is another robot", command)};
  throw Failure(Status::numbers, fault.text(), {"`denoc id` and `fd` close them, state by state (--state)."});
}

std::string not_finite(std::string_view joint, std::string_view what) {
  return fmt::format("joint '{}': {} is not a finite number: the state or the robot's numbers are too large", joint,
                     what);
}
void require_finite(std::span<const double> values, const std::vector<Dof>& dofs, std::string_view what) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    throw Failure(Status::numbers, not_finite(dofs[k].joint, what));
  }
}
void require_finite(double value, std::string_view what) {
  if (std::isfinite(value)) return;
  throw Failure(Status::numbers,
                fmt::format("{} is not a finite number: the state or the robot's numbers are too large", what));
}

std::string state_heading(const StateFile& file, std::size_t index) {
  return file.is_array ? fmt::format("states[{}]", index) : "state";
}

void for_each_state(const StateFile& file, const std::function<void(const State&)>& f) {
  for (std::size_t i = 0; i < file.states.size(); ++i) {
    const auto refuse = [&](const char* why, std::vector<std::string> more) {
      throw Failure(Status::numbers, fmt::format("denoc: {}: {}", state_heading(file, i), why), std::move(more));
    };
    try {
      f(file.states[i]);
    } catch (const Failure& failure) {
      if (failure.status != Status::numbers) throw;
      refuse(failure.what(), failure.more);
    } catch (const Error& error) {
      refuse(error.what(), {});
    }
  }
}

std::string json_results(const StateFile& file, const std::vector<std::string>& objects) {
  return (file.is_array ? json::lines(objects) : objects.front()) + "\n";
}

std::string state_tables(const std::vector<Dof>& dofs, const Quantity& result,
                         const std::vector<std::vector<double>>& results) {
  const bool several = results.size() != 1;
  if (several && dofs.size() <= widest_table) {
    std::vector<std::string> headings = {">state"};
    for (const Dof& dof : dofs) headings.push_back(fmt::format(">{} [{}]", dof.name(), (dof.*result.unit)()));
    Table table(headings);
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<std::string> row = {std::to_string(i)};
      for (const double x : results[i]) row.push_back(shown(x));
      table.row(row);
    }
    return table.empty() ? "  no states\n" : table.text();
  }
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (several) text += fmt::format("state {}\n", i);
    Table table({"joint", "", fmt::format(">{}", result.name), "unit"});
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      table.row({dofs[k].joint, dofs[k].component, shown(results[i][k]), std::string((dofs[k].*result.unit)())});
    }
    text += table.empty() ? "  no joint moves\n" : table.text();
  }
  return text;
}

}  // namespace denoc::app
