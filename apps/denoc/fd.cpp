// denoc fd: the accelerations that joint forces give.
#include "applied.hpp"
#include "batch.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "json.hpp"
#include "problem.hpp"

namespace denoc::app {

Status fd(const StateOptions& options, Session& session) {
  if (options.batch) return batch(BatchProblem::forward, options, session);
  const auto& method = method_named(forward_formulations<double>, options.method);
  const auto [model, file] = load_problem(options, {.q = true, .v = true, .tau = true}, session);
  refuse_loops(model.robot(), "fd");
  const std::vector<Dof> dofs = dofs_of(model);
  Workspace<double> work(model);
  Applied applied(model, options.forces);

  std::vector<std::vector<double>> results;
  for_each_state(file, [&, &model = model](const State& state) {
    std::vector<double> a(dofs.size()), tau = state.tau;
    place<double>(model, state.q, work.at);
    applied.evaluate(state, work.at);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += applied.joint_forces()[k];
    method.run(model, work, state.v, tau, a, applied.wrenches());
    require_finite(a, dofs, "a");
    results.push_back(std::move(a));
  });

  if (options.json) {
    session.out = json_results(file, json::each(results, [](const auto& a) {
                                 return json::object({{"a", json::numbers(a)}});
                               }));
    return Status::done;
  }
  session.out =
      fmt::format("{}: accelerations a for the given joint forces (method {}{})\n", printable(model.robot().name),
                  method.name, options.forces ? ", with springs and friction" : "");
  session.out += state_tables(dofs, {"a", &Dof::acceleration_unit}, results);
  return Status::done;
}

}  // namespace denoc::app
