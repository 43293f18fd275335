// Arguments that several commands take.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command.hpp"
#include "denoc/io/load.hpp"

namespace denoc::app {

// MODEL --base --gravity --strict --repair --json
struct RobotOptions {
  std::string model;  // a file or a shipped name
  LoadOptions load = {};
  bool json = false;
};
void robot_arguments(Arguments& arguments, RobotOptions& options);

// ... --state --posture
struct StateOptions : RobotOptions {
  std::string states = {};                  // a file; empty: none is given
  std::optional<std::string> posture = {};  // of the robot's file: q where the states say nothing of it
  bool has_states() const { return !states.empty() || posture; }
};
Argument& state_arguments(Arguments& arguments, StateOptions& options, std::string what);
// What a state looks like, for the help.
extern const char* const state_format;

// ... --method --forces
struct DynamicsOptions : StateOptions {
  std::optional<std::string> method = {};
  bool forces = false;  // those of the file act, too
};
void dynamics_arguments(Arguments& arguments, DynamicsOptions& options);

// --batch --threads --float --keep-going
struct BatchOptions {
  std::optional<std::string> file = {};  // rows of numbers instead of states
  int threads = 0;                       // 0: as many as the machine has
  bool in_float = false;
  bool keep_going = false;  // past rows that have no result
};
// Of a command that has dynamics_arguments, which a batch does without.
Argument& batch_arguments(Arguments& arguments, BatchOptions& options);
extern const char* const batch_format;

// The words between the commas of an argument.
std::vector<std::string> split(std::string_view text);

// The folder that a command writes files into: -o, --output, --out.
void folder_argument(Arguments& arguments, std::string& folder, std::string what);

}  // namespace denoc::app
