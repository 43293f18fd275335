// denoc derivatives: how joint forces and accelerations change with the state, to first order.
#include "commands/closed.hpp"
#include "commands/differentiated.hpp"
#include "commands/list.hpp"

namespace denoc::app {
namespace {

struct Derivatives {
  std::vector<double> dtau_dq, dtau_dv, dtau_da, da_dq, da_dv, da_dtau;  // by rows
  LoopMultipliers in_loops = {};                                         // of a robot with loops
};
struct Named {
  std::string_view key, title;
  std::vector<double> Derivatives::*matrix;
};
constexpr Named all[] = {{"dtau_dq", "dtau/dq", &Derivatives::dtau_dq}, {"dtau_dv", "dtau/dv", &Derivatives::dtau_dv},
                         {"dtau_da", "dtau/da", &Derivatives::dtau_da}, {"da_dq", "da/dq", &Derivatives::da_dq},
                         {"da_dv", "da/dv", &Derivatives::da_dv},       {"da_dtau", "da/dtau", &Derivatives::da_dtau}};

std::vector<double> entries(const MatrixView& m) { return {m.entries().begin(), m.entries().end()}; }

Status derivatives(const DifferentiatedOptions& options, Session& session) {
  const auto [robot, file] = load_problem(options, session);
  Dynamics dynamics = dynamics_of(robot, options, session);
  if (robot.has_loops())
    session.remarks.push_back(
        "denoc: dtau is that of the tree: the loops are cut open (\"loops\": \"open\"); da has them closed");

  std::vector<Derivatives> results;
  for_each_state(file, [&, &robot = robot](const State& state) {
    const std::vector<BodyWrench<double>> wrenches = wrenches_of(state);
    const std::vector<Axes> axes = axes_of(state);
    const auto tau = dynamics.inverse_derivatives(state.q, state.v, state.a, Loops::open, wrenches, axes);
    const auto a = of_closed([&] { return dynamics.forward_derivatives(state.q, state.v, state.tau, wrenches, axes); });
    results.push_back(
        {entries(tau.dq), entries(tau.dv), entries(tau.da), entries(a.dq), entries(a.dv), entries(a.dtau)});
    if (robot.has_loops()) results.back().in_loops = multipliers_of(dynamics);
  });

  const std::vector<Dof> dofs = dofs_of(robot.tree());
  if (options.json) {
    session.out = json_results(file, json::each(results, [&, &robot = robot](const Derivatives& d) {
                                 std::vector<json::Member> members;
                                 for (const auto& [key, title, matrix] : all)
                                   members.emplace_back(key, json::matrix(d.*matrix, static_cast<int>(dofs.size())));
                                 if (robot.has_loops()) {
                                   members.emplace_back("loops", json::text("open"));
                                   append_multipliers(d.in_loops, members);
                                 }
                                 return json::object(members);
                               }));
    return Status::done;
  }
  session.out = fmt::format("{}: derivatives of joint forces (at a) and accelerations (at tau){}\n",
                            printable(robot.name()), options.forces ? ", with the forces of the file" : "");
  std::vector<std::string> names;
  for (const Dof& dof : dofs) names.push_back(dof.name());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (file.is_array) session.out += fmt::format("\nstate {}\n", i);
    for (const auto& [key, title, matrix] : all)
      session.out += fmt::format("{}\n{}", title, matrix_table(results[i].*matrix, names, names));
  }
  return Status::done;
}

}  // namespace

Command commands::derivatives() {
  return command<DifferentiatedOptions>(
      "derivatives", "first derivatives of joint forces and accelerations by q, v, and each other",
      fmt::format(
          "{}\nBy q: on its tangent space, q + d is integrate(q, d): of a quaternion a rotation vector in body\n"
          "axes, of a free joint a body twist. dtau is taken at a, da at tau. A wrench is constant in body axes\n"
          "unless it says \"axes\": \"world\".\n",
          state_format),
      {{"denoc derivatives puma560 --state state.json", "all six matrices"},
       {"denoc derivatives puma560 --state state.json --forces --json", "with springs and friction, for programs"}},
      differentiated_arguments, app::derivatives);
}

}  // namespace denoc::app
