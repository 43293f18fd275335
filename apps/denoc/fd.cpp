// denoc fd: the accelerations that joint forces give.
#include "applied.hpp"
#include "batch.hpp"
#include "closed.hpp"
#include "denoc/dynamics/formulations.hpp"

namespace denoc::app {

Status fd(const StateOptions& options, Session& session) {
  if (options.batch) return batch(BatchProblem::forward, options, session);
  const auto& method = method_named(forward_formulations<double>, options.method);
  const auto [model, file] = load_problem(options, {.q = true, .v = true, .tau = true}, session);
  remark_forces(names_of_forces(model), options, session);
  std::optional<ClosedChain> chain = closed_chain(model, options.method);
  const std::vector<Dof> dofs = dofs_of(model);
  Workspace<double> work(model);
  Applied applied(model, options.forces);

  std::vector<std::vector<double>> results;
  std::vector<LoopForces> in_loops;  // of a robot with loops
  for_each_state(file, [&, &model = model](const State& state) {
    std::vector<double> a(dofs.size()), tau = state.tau;
    place<double>(model, state.q, work.at);
    applied.evaluate(state, work.at);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += applied.joint_forces()[k];
    if (chain) {
      require_closed(*chain, state);
      ClosedChain::Forward closed = chain->forward_dynamics(state.q, state.v, tau, applied.wrenches());
      a = std::move(closed.a);
      in_loops.push_back({std::move(closed.multipliers), closed.unique});
    } else {
      method.run(model, work, state.v, tau, a, applied.wrenches());
    }
    require_finite(a, dofs, "a");
    results.push_back(std::move(a));
  });

  if (options.json) {
    std::vector<std::string> objects;
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<json::Member> members = {{"a", json::numbers(results[i])}};
      if (chain) append_loop_forces(in_loops[i], members);
      objects.push_back(json::object(members));
    }
    session.out = json_results(file, objects);
    return Status::done;
  }
  session.out =
      fmt::format("{}: accelerations a for the given joint forces (method {}{}{})\n", printable(model.robot().name),
                  method.name, options.forces ? ", with the forces of the file" : "", chain ? ", loops closed" : "");
  session.out += state_tables(dofs, {"a", &Dof::acceleration_unit}, results);
  session.out += multiplier_tables(model.robot(), file, in_loops);
  return Status::done;
}

}  // namespace denoc::app
