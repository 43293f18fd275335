#include "commands/problem.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/doubts.hpp"
#include "denoc/model/quaternions.hpp"
#include "denoc/scenario/scenario.hpp"
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

// Wrenches in the world's axes into those of their bodies.
void turn_wrenches(const Model& model, State& state) {
  if (std::none_of(state.wrenches.begin(), state.wrenches.end(), [](const auto& w) { return w.in_world_axes; })) return;
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, state.q, at);
  positions<double>(model, at, kin);
  for (StateWrench& w : state.wrenches) {
    if (!w.in_world_axes) continue;
    const Mat3<double> R = pose_in_world<double>(model, kin, w.body).R;
    w.moment = back(R, w.moment);
    w.force = back(R, w.force);
  }
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

std::optional<Fault> of_no_robot(const Document& document, const std::string& file) {
  if (is_motion_text(document.text))
    return Fault{{io::shown_file(file), 0, ""},
                 fmt::format("it is a motion, to be read with its robot: `denoc id MODEL --motion {}`", file)};
  if (is_scenario_text(document.text))
    return Fault{
        {io::shown_file(file), 0, ""},
        fmt::format("it is a scenario, which `denoc simulate {}` runs; the robot is the one that it names", file)};
  return {};
}

Robot load_robot(const RobotOptions& options, Session& session) {
  Document document;
  try {
    document = read_robot(find_robot(options.model), options.load);
  } catch (const RobotError& error) {
    refuse_robot(error.faults, options.model);
  }
  if (options.load.base == Base::free && (document.format == "YAML" || document.format == "MJCF"))
    throw Failure(Status::usage,
                  "denoc: --base: a free base is chosen for URDF only: elsewhere the first body says it, in YAML by "
                  "joint: {type: free}, in MJCF by <freejoint/>");
  if (!document.faults.empty()) {
    const auto other = of_no_robot(document, options.model);
    refuse_robot(other ? std::vector{*other} : document.faults, options.model);
  }
  if (options.load.strict)
    if (const std::vector<Fault> doubts = doubts_of(Model(document.robot)); !doubts.empty())
      refuse_robot(doubts, options.model);
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

std::vector<double> chosen_posture(const StateOptions& options, const Robot& robot) {
  if (!options.posture) return neutral_posture(robot);
  io::Words names;
  for (const Posture& posture : robot.postures) {
    if (posture.name == *options.posture) return posture.q;
    names.push_back(posture.name);
  }
  throw Failure(Status::usage,
                names.empty() ? "denoc: --posture: the robot's file names no postures"
                              : fmt::format("denoc: --posture: {}", io::unknown("posture", *options.posture, names)));
}

std::vector<double> closed_posture(const StateOptions& options, const Model& model) {
  std::vector<double> q = chosen_posture(options, model.robot());
  if (options.posture || model.robot().loops.empty()) return q;
  try {
    return ClosedChain(model).assemble(q);
  } catch (const NotAssembled& error) {
    throw Failure(Status::numbers,
                  fmt::format("denoc: the loops cannot be closed from the posture of the file: {}", error.what()),
                  {"Give q with --state FILE: `denoc assemble MODEL --state FILE` closes them from nearer."});
  }
}

MotionFile load_motion_file(const std::string& file, const std::shared_ptr<const Model>& model, Session& session) {
  MotionFile motion = of_file(file, [&] { return load_motion(file, model); });
  add_warnings(motion.warnings, session);
  return motion;
}

StateFile load_states(const StateOptions& options, const Model& model, Session& session,
                      std::vector<double> (*otherwise)(const StateOptions&, const Model&)) {
  const auto posture = [&] { return otherwise(options, model); };
  StateFile file;
  if (options.states.empty()) {
    const std::vector<double> zero(static_cast<std::size_t>(model.nv()));
    file.states.push_back({posture(), zero, zero, zero});
    return file;
  }
  if (options.posture) chosen_posture(options, model.robot());  // known, or refused before anything else
  try {
    file = read_states(options.states, model.robot(), {posture, options.posture.value_or("")});
  } catch (const RobotError& error) {
    refuse_file(error);
  }
  add_warnings(file.warnings, session);
  for (State& state : file.states) turn_wrenches(model, state);
  return file;
}

Problem load_problem(const StateOptions& options, Session& session) {
  Mechanism mechanism(load_robot(options, session));
  StateFile file = load_states(options, mechanism.tree(), session);
  add_warnings(doubts_of_condition(mechanism.tree()), session);
  return {std::move(mechanism), std::move(file)};
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

std::string state_line(const StateFile& file, std::size_t index) {
  return file.is_array ? fmt::format("\nstate {}\n", index) : "";
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
                         const std::vector<std::vector<double>>& results,
                         const std::vector<std::vector<double>>& noise) {
  const auto cell = [&](std::size_t i, std::size_t k) {
    const bool is_known = !noise.empty() && !noise[i].empty();
    return is_known && std::abs(results[i][k]) <= noise[i][k] ? "0" : shown(results[i][k]);
  };
  if (results.empty()) return "  no states\n";
  const bool several = results.size() > 1;
  if (several && dofs.size() <= widest_table) {
    std::vector<std::string> headings = {">state"};
    for (const Dof& dof : dofs) headings.push_back(fmt::format(">{} [{}]", dof.name(), (dof.*result.unit)()));
    Table table(headings);
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<std::string> row = {std::to_string(i)};
      for (std::size_t k = 0; k < dofs.size(); ++k) row.push_back(cell(i, k));
      table.row(row);
    }
    return table.text();
  }
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (several) text += fmt::format("state {}\n", i);
    Table table({"joint", "", fmt::format(">{}", result.name), "unit"});
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      table.row({dofs[k].joint, dofs[k].component, cell(i, k), std::string((dofs[k].*result.unit)())});
    }
    text += table.empty() ? "  no joint moves\n" : table.text();
  }
  return text;
}

}  // namespace denoc::app
