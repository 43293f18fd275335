// What the commands that compute something have in common: a robot, its states, and what to say when it cannot be done.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/options.hpp"
#include "denoc/dynamics/formulation.hpp"
#include "denoc/io/report.hpp"
#include "denoc/io/state.hpp"
#include "denoc/mechanism/mechanism.hpp"
#include "denoc/scenario/motion_file.hpp"
#include "output/dofs.hpp"

namespace denoc::app {

// The robot of the options; its warnings become remarks. A file at fault is a Failure: the first fault, and how many
// more there are.
Robot load_robot(const RobotOptions& options, Session& session);
// What a file is instead of a robot, if it is a motion or a scenario, and the command that takes it.
std::optional<Fault> of_no_robot(const Document& document, const std::string& file);
// The first few become remarks.
void add_warnings(const std::vector<Fault>& warnings, Session& session);
// A file other than a robot's: its first faults are told, all of them but for very many.
[[noreturn]] void refuse_file(const RobotError& error);
// What reads a file other than a robot's, with its name: what is at fault in it and what cannot be had (a line that
// leaves the reach of the robot) are Failures that name the file.
template <class Read> auto of_file(const std::string& file, Read read) {
  try {
    return read();
  } catch (const RobotError& error) {
    refuse_file(error);
  } catch (const Error& error) {
    throw Failure(Status::numbers, fmt::format("{}: {}", file, error.what()));
  }
}
// The motion of a file; its warnings become remarks.
MotionFile load_motion_file(const std::string& file, const std::shared_ptr<const Model>& model, Session& session);
// The posture that --posture names, or the one that the robot's file draws. Throws Failure with the nearest name.
std::vector<double> chosen_posture(const StateOptions& options, const Robot& robot);
// The same as far as it closes the loops: a named posture as it is, the drawn one as `assemble` finds it from there.
std::vector<double> closed_posture(const StateOptions& options, const Model& model);
// States of the file of the options, all its faults told; without a file one at rest. q is `otherwise` where they say
// nothing of it. Wrenches in the world's axes are turned into those of their bodies. Warnings become remarks.
StateFile load_states(const StateOptions& options, const Model& model, Session& session,
                      std::vector<double> (*otherwise)(const StateOptions&, const Model&) = closed_posture);

struct Problem {
  Mechanism mechanism;
  StateFile file;
};
Problem load_problem(const StateOptions& options, Session& session);

// Dynamics of the tree alone would be silently wrong for a robot with loops.
void refuse_loops(const Robot& robot, std::string_view command);

// The method of that name, or the first. Throws Failure with the nearest name.
template <class Problem>
const Formulation<Problem>& method_named(std::span<const Formulation<Problem>> table,
                                         const std::optional<std::string>& name) {
  if (!name) return table.front();
  io::Words names;
  for (const auto& method : table) {
    if (method.name == *name) return method;
    names.push_back(method.name);
  }
  throw Failure(Status::usage, fmt::format("denoc: --method: {}", io::unknown("method", *name, names)),
                {"`denoc methods` lists them with what they cover."});
}

// What is said of a result that is not finite.
std::string not_finite(std::string_view joint, std::string_view what);
// Throws Failure naming the joint whose entry is not finite.
void require_finite(std::span<const double> values, const std::vector<Dof>& dofs, std::string_view what);
void require_finite(double value, std::string_view what);

// f(state), one after the other; what fails says which state it was.
void for_each_state(const StateFile& file, const std::function<void(const State&)>& f);

// The results of the states as the file had them: one object, or an array.
std::string json_results(const StateFile& file, const std::vector<std::string>& objects);

// A quantity of every degree of freedom for every state: a table of joints for one state, a row for each of several.
struct Quantity {
  std::string_view name;
  std::string_view (Dof::*unit)() const;
};
// noise: what rounding explains of each entry, which is printed as 0; empty (of a state, or all): not known.
std::string state_tables(const std::vector<Dof>& dofs, const Quantity& result,
                         const std::vector<std::vector<double>>& results,
                         const std::vector<std::vector<double>>& noise = {});

// "states[3]" and the like, as the messages call them.
std::string state_heading(const StateFile& file, std::size_t index);
// What stands before the tables of a state: "state 3" of several, nothing of one.
std::string state_line(const StateFile& file, std::size_t index);

}  // namespace denoc::app
