// denoc energy: energies and momenta.
#include "commands/kinematics.hpp"
#include "commands/list.hpp"

#include "output/table.hpp"

namespace denoc::app {
namespace {

struct Energy {
  double kinetic, potential;
  Dynamics::Momentum momentum;
};

Energy evaluate(Dynamics& dynamics, const State& state) {
  const auto [kinetic, potential] = dynamics.energy(state.q, state.v);
  const Energy energy{kinetic, potential, dynamics.momentum(state.q, state.v)};
  const auto& [p, L] = energy.momentum;
  require_finite(energy.kinetic, "the kinetic energy");
  require_finite(energy.potential, "the potential energy");
  for (const double x : {p.x, p.y, p.z, L.x, L.y, L.z}) require_finite(x, "the momentum");
  return energy;
}

std::string json_energy(const Energy& e) {
  return json::object({{"kinetic", json::number(e.kinetic)},
                       {"potential", json::number(e.potential)},
                       {"momentum", json::object({{"linear", json::numbers(e.momentum.linear)},
                                                  {"angular", json::numbers(e.momentum.angular)}})}});
}

Status energy(const DynamicsOptions& options, Session& session) {
  if (options.method) throw Failure(Status::usage, "denoc: --method: there is one way to energy, it has no methods");
  const auto [robot, file] = load_problem(options, session);
  Dynamics dynamics = dynamics_of(robot, options, session);
  std::vector<Energy> results;
  for_each_state(file, [&, &robot = robot](const State& state) {
    remark_open_loops(robot, state.q, session);
    results.push_back(evaluate(dynamics, state));
  });

  if (options.json) {
    session.out = json_results(file, json::each(results, json_energy));
    return Status::done;
  }
  session.out = fmt::format(
      "{}: energies [J], linear momentum p [kg m/s], angular momentum L [kg m^2/s] (world axes, "
      "about the world's origin)\n",
      printable(robot.name()));
  Table table({">state", ">kinetic", ">potential", ">total", ">px", ">py", ">pz", ">Lx", ">Ly", ">Lz"});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& [kinetic, potential, momentum] = results[i];
    const auto& [f, n] = momentum;
    const double p = norm(f), L = norm(n);
    table.row({file.is_array ? std::to_string(i) : "", shown(kinetic), shown(potential), shown(kinetic + potential),
               shown(f.x, p), shown(f.y, p), shown(f.z, p), shown(n.x, L), shown(n.y, L), shown(n.z, L)});
  }
  session.out += table.empty() ? "  no states\n" : table.text();
  return Status::done;
}

}  // namespace

Command commands::energy() {
  return command<DynamicsOptions>("energy", "kinetic and potential energy, momentum", state_format,
                                  {{"denoc energy puma560 --state state.json", "energies and momenta at q, v"}},
                                  dynamics_arguments, app::energy);
}

}  // namespace denoc::app
