// denoc id: the joint forces that give the accelerations of a state.
#include "applied.hpp"
#include "batch.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

using Reactions = std::vector<Wrench<double>>;  // by body; [0] is the base

std::string body_name(const Model& model, std::size_t b) { return model.robot().bodies[b].name; }

void require_finite_reactions(const Model& model, const Reactions& reactions) {
  for (std::size_t b = 0; b < reactions.size(); ++b) {
    const auto& [n, f] = reactions[b];
    for (const double x : {n.x, n.y, n.z, f.x, f.y, f.z}) {
      require_finite(x, fmt::format("the reaction of body '{}'", body_name(model, b)));
    }
  }
}

std::string json_reactions(const Model& model, const Reactions& reactions) {
  std::vector<std::string> all;
  for (std::size_t b = 1; b < reactions.size(); ++b) {
    all.push_back(json::object({{"body", json::text(body_name(model, b))},
                                {"moment", json::numbers(reactions[b].n)},
                                {"force", json::numbers(reactions[b].f)}}));
  }
  return json::array(all);
}
std::string json_base(const Wrench<double>& base) {
  return json::object({{"moment", json::numbers(base.n)}, {"force", json::numbers(base.f)}});
}

std::string reaction_table(const Model& model, const Reactions& reactions) {
  Table table({"body", ">nx", ">ny", ">nz [N m]", ">fx", ">fy", ">fz [N]"});
  double moment = 0, force = 0;
  for (const auto& [n, f] : reactions) {
    moment = std::max(moment, norm(n));
    force = std::max(force, norm(f));
  }
  const auto row = [&](const std::string& name, const Wrench<double>& w) {
    table.row({name, shown(w.n.x, moment), shown(w.n.y, moment), shown(w.n.z, moment), shown(w.f.x, force),
               shown(w.f.y, force), shown(w.f.z, force)});
  };
  for (std::size_t b = 1; b < reactions.size(); ++b) row(body_name(model, b), reactions[b]);
  row("(base)", reactions[0]);
  return table.text();
}

}  // namespace

Status id(const StateOptions& options, Session& session) {
  if (options.batch) return batch(BatchProblem::inverse, options, session);
  const auto& method = method_named(inverse_formulations<double>, options.method);
  const auto [model, file] = load_problem(options, {.q = true, .v = true, .a = true}, session);
  refuse_loops(model.robot(), "id");
  const std::vector<Dof> dofs = dofs_of(model);
  Workspace<double> work(model);
  ReactionScratch<double> scratch(model);
  Applied applied(model, options.forces);

  std::vector<std::vector<double>> results;
  std::vector<Reactions> all_reactions;
  for_each_state(file, [&, &model = model](const State& state) {
    std::vector<double> tau(dofs.size());
    place<double>(model, state.q, work.at);
    applied.evaluate(state, work.at);
    method.run(model, work, state.v, state.a, tau, applied.wrenches());
    // What springs and friction take, the drives must give.
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] -= applied.joint_forces()[k];
    require_finite(tau, dofs, "tau");
    results.push_back(std::move(tau));
    if (!options.reactions) return;
    Reactions reactions(model.bodies().size());
    joint_reactions<double>(model, work.at, state.v, state.a, scratch, reactions, applied.wrenches());
    require_finite_reactions(model, reactions);
    all_reactions.push_back(std::move(reactions));
  });

  if (options.json) {
    std::vector<std::string> objects;
    for (std::size_t i = 0; i < results.size(); ++i) {
      std::vector<json::Member> members = {{"tau", json::numbers(results[i])}};
      if (options.reactions) {
        members.emplace_back("reactions", json_reactions(model, all_reactions[i]));
        members.emplace_back("base", json_base(all_reactions[i][0]));
      }
      objects.push_back(json::object(members));
    }
    session.out = json_results(file, objects);
    return Status::done;
  }
  session.out =
      fmt::format("{}: joint forces tau for the given accelerations (method {}{})\n", printable(model.robot().name),
                  method.name, options.forces ? ", with springs and friction" : "");
  session.out += state_tables(dofs, {"tau", &Dof::force_unit}, results);
  for (std::size_t i = 0; i < all_reactions.size(); ++i) {
    session.out += fmt::format(
        "\n{}: what each body's parent exerts on it, in the body's frame about its origin (base: on the whole robot, "
        "in "
        "world axes about the world's origin)\n",
        state_heading(file, i));
    session.out += reaction_table(model, all_reactions[i]);
  }
  return Status::done;
}

}  // namespace denoc::app
