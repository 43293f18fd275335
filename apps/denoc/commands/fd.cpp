// denoc fd: the accelerations that joint forces give.
#include "commands/batch.hpp"
#include "commands/closed.hpp"
#include "commands/list.hpp"
#include "commands/noise.hpp"

namespace denoc::app {

namespace {

struct FdOptions : DynamicsOptions {
  BatchOptions batch = {};
};

Status fd(const FdOptions& options, Session& session) {
  if (options.batch.file) return batch(BatchProblem::forward, options, options.batch, session);
  const auto& method = method_named(forward_formulations<double>(), options.method);
  const auto [robot, file] = load_problem(options, session);
  Dynamics dynamics = dynamics_of(robot, options, session);
  choose(robot, [&] { dynamics.use_forward(method.name); });

  std::vector<std::vector<double>> results;
  std::vector<Noise> noises;              // for people
  std::vector<LoopMultipliers> in_loops;  // of a robot with loops
  for_each_state(file, [&, &robot = robot](const State& state) {
    const auto a = of_closed([&] { return dynamics.forward(state.q, state.v, state.tau, wrenches_of(state)); });
    results.emplace_back(a.begin(), a.end());
    if (!options.json) noises.push_back(forward_noise(dynamics, state, results.back()));
    if (robot.has_loops()) in_loops.push_back(multipliers_of(dynamics));
    remark_dead_point(robot, dynamics, state.q, session);
  });

  if (options.json) {
    std::vector<std::string> objects;
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<json::Member> members = {{"a", json::numbers(results[i])}};
      if (robot.has_loops()) append_multipliers(in_loops[i], members);
      objects.push_back(json::object(members));
    }
    session.out = json_results(file, objects);
    return Status::done;
  }
  session.out = fmt::format("{}: accelerations a for the given joint forces (method {}{}{})\n", printable(robot.name()),
                            method.name, options.forces ? ", with the forces of the file" : "",
                            robot.has_loops() ? ", loops closed" : "");
  session.out += state_tables(dofs_of(robot.tree()), {"a", &Dof::acceleration_unit}, results, noises);
  session.out += multiplier_tables(robot.robot(), file, in_loops);
  return Status::done;
}

}  // namespace

Command commands::fd() {
  return command<FdOptions>(
      "fd", "accelerations a that the joint forces tau give (forward dynamics)",
      fmt::format("{}\n{}", state_format, batch_format),
      {{"denoc fd puma560 --state state.json", "accelerations for q, v, tau"},
       {"denoc fd robot.urdf --state states.json --base free --json", "of a floating robot, for programs"},
       {"denoc fd puma560 --batch states.npy -o a.npy", "for millions of states"}},
      [](Arguments& arguments, FdOptions& options) {
        dynamics_arguments(arguments, options);
        batch_arguments(arguments, options.batch);
      },
      app::fd);
}

}  // namespace denoc::app
