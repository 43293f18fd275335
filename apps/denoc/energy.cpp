// denoc energy: energies and momenta.
#include "denoc/kinematics/energy.hpp"

#include "denoc/forces/forces.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

struct Energy {
  double kinetic, potential;
  Wrench<double> momentum;  // linear: f, angular: n
};

// forces: those of the file, if they are asked for.
Energy evaluate(const Model& model, const State& state, std::optional<ForcesOf<double>>& forces,
                Configuration<double>& at, Kinematics<double>& kin) {
  place<double>(model, state.q, at);
  positions<double>(model, at, kin);
  velocities<double>(model, state.v, kin);
  Energy energy{kinetic_energy<double>(model, kin), potential_energy<double>(model, kin),
                momentum_in_world<double>(model, kin)};
  if (forces) energy.potential += forces->stored(at, state.q);
  const auto& [n, f] = energy.momentum;
  require_finite(energy.kinetic, "the kinetic energy");
  require_finite(energy.potential, "the potential energy");
  for (const double x : {n.x, n.y, n.z, f.x, f.y, f.z}) require_finite(x, "the momentum");
  return energy;
}

std::string json_energy(const Energy& e) {
  return json::object({{"kinetic", json::number(e.kinetic)},
                       {"potential", json::number(e.potential)},
                       {"momentum", json::object({{"linear", json::numbers(e.momentum.f)},
                                                  {"angular", json::numbers(e.momentum.n)}})}});
}

}  // namespace

Status energy(const StateOptions& options, Session& session) {
  if (options.method) throw Failure(Status::usage, "denoc: --method: there is one way to energy, it has no methods");
  const auto [model, file] = load_problem(options, {.q = true, .v = true}, session);
  remark_forces(names_of_forces(model), options, session);
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  std::optional<ForcesOf<double>> forces;
  if (options.forces) forces.emplace(model);
  std::vector<Energy> results;
  for_each_state(
      file, [&, &model = model](const State& state) { results.push_back(evaluate(model, state, forces, at, kin)); });

  if (options.json) {
    session.out = json_results(file, json::each(results, json_energy));
    return Status::done;
  }
  session.out = fmt::format(
      "{}: energies [J], linear momentum p [kg m/s], angular momentum L [kg m^2/s] (world axes, "
      "about the world's origin)\n",
      printable(model.robot().name));
  Table table({">state", ">kinetic", ">potential", ">total", ">px", ">py", ">pz", ">Lx", ">Ly", ">Lz"});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& [kinetic, potential, momentum] = results[i];
    const auto& [n, f] = momentum;
    const double p = norm(f), L = norm(n);
    table.row({file.is_array ? std::to_string(i) : "", shown(kinetic), shown(potential), shown(kinetic + potential),
               shown(f.x, p), shown(f.y, p), shown(f.z, p), shown(n.x, L), shown(n.y, L), shown(n.z, L)});
  }
  session.out += table.empty() ? "  no states\n" : table.text();
  return Status::done;
}

}  // namespace denoc::app
