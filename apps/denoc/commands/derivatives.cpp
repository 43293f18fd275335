// denoc derivatives: how joint forces and accelerations change with the state, to first order.
#include "commands/closed.hpp"
#include "commands/differentiated.hpp"
#include "commands/list.hpp"

namespace denoc::app {
namespace {

struct Derivatives {
  std::vector<double> dtau_dq, dtau_dv, dtau_da, da_dq, da_dv, da_dtau;  // by rows
  // Of a robot with loops: what they do, how that changes, and how the posture follows its independent joints.
  LoopMultipliers in_loops = {};
  std::vector<double> df_dq = {}, df_dv = {}, df_dtau = {}, followed = {};
  std::vector<std::string> independent = {};
};
struct Named {
  std::string_view key, title;
  std::vector<double> Derivatives::*matrix;
};
constexpr Named all[] = {{"dtau_dq", "dtau/dq", &Derivatives::dtau_dq}, {"dtau_dv", "dtau/dv", &Derivatives::dtau_dv},
                         {"dtau_da", "dtau/da", &Derivatives::dtau_da}, {"da_dq", "da/dq", &Derivatives::da_dq},
                         {"da_dv", "da/dv", &Derivatives::da_dv},       {"da_dtau", "da/dtau", &Derivatives::da_dtau}};

constexpr Named of_loops[] = {{"dmultipliers_dq", "dmultipliers/dq", &Derivatives::df_dq},
                              {"dmultipliers_dv", "dmultipliers/dv", &Derivatives::df_dv},
                              {"dmultipliers_dtau", "dmultipliers/dtau", &Derivatives::df_dtau}};

std::vector<double> entries(const MatrixView& m) { return {m.entries().begin(), m.entries().end()}; }

// After forward_derivatives at the state.
void add_loops(const Mechanism& robot, const State& state, Dynamics& dynamics, Derivatives& to) {
  to.in_loops = multipliers_of(dynamics);
  const auto [dq, dv, dtau] = dynamics.multiplier_derivatives();
  to.df_dq = entries(dq), to.df_dv = entries(dv), to.df_dtau = entries(dtau);
  try {
    const auto found = dynamics.assembly_derivatives(state.q);
    to.followed = entries(found.first);
    const std::vector<Dof> dofs = dofs_of(robot.tree());
    for (const int k : found.independent) to.independent.push_back(dofs[static_cast<std::size_t>(k)].name());
  } catch (const NotCovered&) {  // a dead point: nothing follows
  }
}

// How the posture follows its independent joints: null where it does not (a dead point, or nothing moves).
void append_followed(const Derivatives& d, int n, std::vector<json::Member>& members) {
  const auto m = static_cast<int>(d.independent.size());
  members.emplace_back("independent", json::array(json::each(d.independent, json::text)));
  members.emplace_back("dq_dindependent", m == 0 ? std::string(json::nothing) : json::matrix(d.followed, n, m));
}

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
    if (robot.has_loops()) add_loops(robot, state, dynamics, results.back());
  });

  if (options.json) {
    const int n = robot.nv();
    session.out = json_results(file, json::each(results, [n, &robot = robot](const Derivatives& d) {
                                 std::vector<json::Member> members;
                                 for (const auto& [key, title, matrix] : all)
                                   members.emplace_back(key, json::matrix(d.*matrix, n, n));
                                 if (robot.has_loops()) {
                                   members.emplace_back("loops", json::text("open"));
                                   append_multipliers(d.in_loops, members);
                                   const auto rows = static_cast<int>(d.in_loops.multipliers.size());
                                   for (const auto& [key, title, matrix] : of_loops)
                                     members.emplace_back(key, json::matrix(d.*matrix, rows, n));
                                   append_followed(d, n, members);
                                 }
                                 return json::object(members);
                               }));
    return Status::done;
  }
  session.out = fmt::format("{}: derivatives of joint forces (at a) and accelerations (at tau){}\n",
                            printable(robot.name()), options.forces ? ", with the forces of the file" : "");
  std::vector<std::string> names;
  for (const Dof& dof : dofs_of(robot.tree())) names.push_back(dof.name());
  for (std::size_t i = 0; i < results.size(); ++i) {
    session.out += state_line(file, i);
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
          "unless it says \"axes\": \"world\". Of a robot with loops --json also has dmultipliers_dq, _dv, _dtau, and\n"
          "dq_dindependent: how all joints follow the `independent` ones (null at a dead point).\n",
          state_format),
      {{"denoc derivatives puma560 --state state.json", "all six matrices"},
       {"denoc derivatives puma560 --state state.json --forces --json", "with springs and friction, for programs"}},
      differentiated_arguments, app::derivatives);
}

}  // namespace denoc::app
