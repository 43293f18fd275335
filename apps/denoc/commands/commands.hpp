// The commands, one file each. A command fills the session's output; it throws Failure, RobotError or SingularInertia.
#pragma once
#include <optional>
#include <string>

#include "denoc/io/load.hpp"
#include "session.hpp"

namespace denoc::app {

struct RobotOptions {
  std::string model;  // a file or a shipped name
  LoadOptions load = {};
  bool json = false;
};
struct StateOptions : RobotOptions {
  std::string states;
  std::optional<std::string> method = {};
  bool forces = false;                     // those of the file act, too
  bool reactions = false;                  // id: what the joints and the base carry
  std::optional<std::string> driven = {};  // id: the driven joints, "j1,j2"; all by default
  // id and fd, instead of states: rows of numbers
  std::optional<std::string> batch = {};
  int threads = 0;  // 0: as many as the machine has
  bool in_float = false;
  bool keep_going = false;  // past rows that have no result
};
struct TrialOptions : StateOptions {
  int random = 100;  // states, unless `states` is given
};
enum class Motion { sweep, path };
struct StabilityOptions : TrialOptions {
  std::optional<Motion> along = {};  // instead of single states
  std::string plot = {};             // file of the figure
};
struct SimulateOptions {
  std::string scenario, folder;
  bool plot = false, report = false, animate = false, json = false;
};
struct ReproduceOptions {
  std::string document, folder;
};

Status id(const StateOptions& options, Session& session);
Status fd(const StateOptions& options, Session& session);
Status inertia(const StateOptions& options, Session& session);
Status energy(const StateOptions& options, Session& session);
Status info(const RobotOptions& options, Session& session);
Status assemble(const StateOptions& options, Session& session);
Status check(const RobotOptions& options, Session& session);
Status count(const RobotOptions& options, const std::string& plot, Session& session);  // plot: a file, or empty
Status compare(const TrialOptions& options, Session& session);
Status stability(const StabilityOptions& options, Session& session);
// only: symbols of matrices, separated by commas; all if empty
Status study(const StateOptions& options, const std::string& only, Session& session);
Status simulate(const SimulateOptions& options, Session& session);
Status methods(bool json, Session& session);
Status reproduce(const ReproduceOptions& options, Session& session);

}  // namespace denoc::app
