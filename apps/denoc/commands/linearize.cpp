// denoc linearize: the robot near a state as a linear system.
#include "denoc/mechanism/linearize.hpp"

#include "commands/closed.hpp"
#include "commands/differentiated.hpp"
#include "commands/list.hpp"

namespace denoc::app {
namespace {

struct LinearizeOptions : DifferentiatedOptions {
  bool equilibrium = false;
  std::optional<std::string> driven = {};  // "j1,j2"
};
struct LinearResult {
  std::vector<double> q, v, tau;
  LinearModel linear;
};

Status linearize(const LinearizeOptions& options, Session& session) {
  const auto [robot, file] = load_problem(options, session);
  Dynamics dynamics = dynamics_of(robot, options, session);
  const std::vector<int> inputs = driven_freedoms_of(options.driven, robot);
  if (robot.has_loops())
    session.remarks.push_back("denoc: loops are closed: A and B hold for changes of q and v that keep them so");

  std::vector<LinearResult> results;
  for_each_state(file, [&](const State& state) {
    std::vector<BodyWrench<double>> wrenches = wrenches_of(state);
    const std::vector<Axes> axes = axes_of(state);
    LinearResult result{state.q, state.v, state.tau, {}};
    if (options.equilibrium) {
      result.q = of_closed([&] { return equilibrium(dynamics, state.q, state.tau, wrenches, axes); });
      result.v.assign(state.v.size(), 0.0);
      for (std::size_t i = 0; i < wrenches.size(); ++i) {  // into the axes of bodies that have turned
        if (axes[i] != Axes::world) continue;
        const int body = wrenches[i].body;
        const Mat3<double> before = dynamics.pose(state.q, body).R, after = dynamics.pose(result.q, body).R;
        const auto turned = [&](const Vec3<double>& x) { return back(after, before * x); };
        wrenches[i].wrench = {turned(wrenches[i].wrench.n), turned(wrenches[i].wrench.f)};
      }
    }
    result.linear =
        of_closed([&] { return denoc::linearize(dynamics, result.q, result.v, result.tau, inputs, wrenches, axes); });
    results.push_back(std::move(result));
  });

  const std::vector<Dof> dofs = dofs_of(robot.tree());
  std::vector<std::string> states, controls;
  for (const char* of : {"d", "v"})
    for (const Dof& dof : dofs) states.push_back(fmt::format("{}.{}", of, dof.name()));
  for (const int k : inputs) controls.push_back(fmt::format("tau.{}", dofs[static_cast<std::size_t>(k)].name()));
  const auto rows = static_cast<int>(states.size()), columns = static_cast<int>(controls.size());
  if (options.json) {
    session.out = json_results(file, json::each(results, [&](const LinearResult& r) {
                                 return json::object({{"A", json::matrix(r.linear.A, rows, rows)},
                                                      {"B", json::matrix(r.linear.B, rows, columns)},
                                                      {"states", json::array(json::each(states, json::text))},
                                                      {"inputs", json::array(json::each(controls, json::text))},
                                                      {"q", json::numbers(r.q)},
                                                      {"v", json::numbers(r.v)},
                                                      {"tau", json::numbers(r.tau)}});
                               }));
    return Status::done;
  }
  session.out = fmt::format("{}: x' = A x + B u near {}, x = (d, v), q = integrate(q0, d){}\n", printable(robot.name()),
                            options.equilibrium ? "its equilibrium" : "the state",
                            options.forces ? ", with the forces of the file" : "");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const LinearResult& r = results[i];
    session.out += state_line(file, i);
    session.out += fmt::format("A\n{}", matrix_table(r.linear.A, states, states));
    session.out += controls.empty() ? "B has no columns: no joint is driven\n"
                                    : fmt::format("B\n{}", matrix_table(r.linear.B, states, controls));
  }
  return Status::done;
}

}  // namespace

Command commands::linearize() {
  return command<LinearizeOptions>(
      "linearize", "the robot near a state as a linear system, x' = A x + B u",
      fmt::format(
          "{}\nx = (d, v): q is integrate(q0, d) and d' = v - ad(v0) d; u are the forces of the driven joints.\n",
          state_format),
      {{"denoc linearize puma560 --state state.json --json", "A and B at q, v, tau"},
       {"denoc linearize pendulum --state state.json --equilibrium", "at the posture near q where tau holds it"},
       {"denoc linearize humanoid --state state.json --driven knee_l,knee_r", "with two inputs"}},
      [](Arguments& arguments, LinearizeOptions& options) {
        differentiated_arguments(arguments, options);
        arguments.flag("--equilibrium", options.equilibrium,
                       "find the posture near q where tau holds the robot at rest, first");
        arguments
            .option("--driven", "J1,J2", options.driven,
                    "joints with inputs; by default all but free ones and those that mimic")
            .list();
      },
      app::linearize);
}

}  // namespace denoc::app
