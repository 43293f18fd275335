// denoc subsystems: in what order inverse dynamics of a robot with loops is solved.                [Shah13 section 2.2]
#include "studies/subsystems.hpp"
#include "commands/closed.hpp"
#include "commands/list.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct SubsystemsOptions : StateOptions {
  std::optional<std::string> driven = {};  // "j1,j2"
};

std::string json_texts(const std::vector<std::string>& words) {
  return json::array(json::each(words, [](const std::string& word) { return json::text(word); }));
}
std::string json_subsystems(const std::vector<SolvedSubsystem>& all) {
  return json::object({{"subsystems", json::lines(json::each(all, [](const SolvedSubsystem& s) {
                          return json::object({{"order", json::number(s.order)},
                                               {"determinate", s.is_determinate ? "true" : "false"},
                                               {"joints", json_texts(s.joints)},
                                               {"driven", json_texts(s.driven)},
                                               {"loops", json_texts(s.loops)}});
                        }))}});
}
std::string subsystem_table(const std::vector<SolvedSubsystem>& all) {
  Table table({">order", "joints", "driven", "loops whose forces it gives", ""});
  for (const SolvedSubsystem& s : all)
    table.row({std::to_string(s.order), fmt::format("{}", fmt::join(s.joints, ", ")),
               fmt::format("{}", fmt::join(s.driven, ", ")), fmt::format("{}", fmt::join(s.loops, "; ")),
               s.is_determinate ? "determinate" : "indeterminate"});
  return table.text();
}

Status subsystems(const SubsystemsOptions& options, Session& session) {
  const auto [robot, file] = load_problem(options, session);
  if (!robot.has_loops())
    throw Failure(Status::numbers, fmt::format("denoc subsystems: {} has no loops to cut", printable(robot.name())));
  std::vector<std::vector<SolvedSubsystem>> results;
  for_each_state(file, [&, &robot = robot](const State& state) {
    of_closed([&] { Dynamics(robot).bias(state.q, state.v, Loops::open); });
    const std::vector<int> driven =
        options.driven ? driven_freedoms_of(options.driven, robot) : independent_freedoms(robot, state.q);
    results.push_back(solved_subsystems(robot, state.q, driven));
  });
  if (options.json) {
    session.out = json_results(file, json::each(results, json_subsystems));
    return Status::done;
  }
  session.out = fmt::format("{}: what its loops leave when they are cut, in the order of inverse dynamics\n",
                            printable(robot.name()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (file.is_array) session.out += fmt::format("\n{}\n", state_heading(file, i));
    session.out += subsystem_table(results[i]);
  }
  session.out +=
      "Determinate: its own equations give the forces of its drives and loops, known loads for those after it.\n"
      "Indeterminate ones are solved together.\n";
  return Status::done;
}

}  // namespace

Command commands::subsystems() {
  return command<SubsystemsOptions>(
      "subsystems", "the trees that loops leave when cut, and in what order their forces are found", state_format,
      {{"denoc subsystems three_rrr", "which of them are determinate"},
       {"denoc subsystems fourbar --driven crank --json", "with other drives, for programs"}},
      [](Arguments& arguments, SubsystemsOptions& options) {
        state_arguments(arguments, options, "states, closed; by default the posture that `assemble` finds");
        arguments
            .option("--driven", "J1,J2", options.driven,
                    "joints with a drive; by default the first that lead all others")
            .list();
      },
      app::subsystems);
}

}  // namespace denoc::app
