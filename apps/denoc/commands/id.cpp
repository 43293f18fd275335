// denoc id: the joint forces that give the accelerations of a state.
#include "commands/batch.hpp"
#include "commands/closed.hpp"
#include "commands/id_motion.hpp"
#include "commands/list.hpp"
#include "commands/noise.hpp"
#include "denoc/loops/closure.hpp"
#include "output/table.hpp"

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

// On the two ends of every loop that is no coupling.
std::string json_loop_wrenches(const Model& model, const std::vector<BodyWrench<double>>& wrenches) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const Loop& loop = model.robot().loops[i / 2];
    if (couples_coordinates(loop.type)) continue;
    all.push_back(json::object({{"loop", json::text(loop.source.element)},
                                {"body", json::text(body_name(model, static_cast<std::size_t>(wrenches[i].body)))},
                                {"moment", json::numbers(wrenches[i].wrench.n)},
                                {"force", json::numbers(wrenches[i].wrench.f)}}));
  }
  return json::array(all);
}

struct InverseResult {
  std::vector<double> tau, a;
  LoopMultipliers in_loops;
  std::vector<BodyWrench<double>> loop_wrenches;
  Reactions reactions;
  Noise noise;  // of tau, for people
};

// unknown: accelerations that are solved for.
InverseResult inverse(Dynamics& dynamics, const State& state, const std::vector<int>& unknown, bool with_reactions) {
  const std::vector<BodyWrench<double>> wrenches = wrenches_of(state);
  std::vector<double> a = state.a;
  if (!unknown.empty()) {
    const auto found = dynamics.passive(state.q, state.v, state.a, unknown, wrenches);
    a.assign(found.begin(), found.end());
  }
  const auto tau = dynamics.inverse(state.q, state.v, a, wrenches);
  InverseResult result{{tau.begin(), tau.end()}, std::move(a), multipliers_of(dynamics), {}, {}, {}};
  result.loop_wrenches.assign(dynamics.loop_wrenches().begin(), dynamics.loop_wrenches().end());
  if (!with_reactions) return result;
  const auto reactions = dynamics.reactions(state.q, state.v, result.a, wrenches);
  result.reactions.assign(reactions.begin(), reactions.end());
  require_finite_reactions(dynamics.mechanism().tree(), result.reactions);
  return result;
}

std::string json_result(const Model& model, const InverseResult& result, bool with_a) {
  std::vector<json::Member> members = {{"tau", json::numbers(result.tau)}};
  if (with_a) members.emplace_back("a", json::numbers(result.a));
  if (!model.robot().loops.empty()) append_multipliers(result.in_loops, members);
  if (!result.reactions.empty()) {
    members.emplace_back("reactions", json_reactions(model, result.reactions));
    members.emplace_back("base", json_base(result.reactions[0]));
    if (!model.robot().loops.empty()) members.emplace_back("loops", json_loop_wrenches(model, result.loop_wrenches));
  }
  return json::object(members);
}

// Of these degrees of freedom, those that have no drive.
std::vector<int> undriven(const Dynamics& dynamics, std::vector<int> dofs) {
  const std::span<const int> driven = dynamics.driven();
  std::erase_if(dofs, [&](int k) { return std::binary_search(driven.begin(), driven.end(), k); });
  return dofs;
}

struct IdOptions : DynamicsOptions {
  BatchOptions batch = {};
  AlongMotion along = {};
  bool reactions = false;                  // what the joints and the base carry
  std::optional<std::string> driven = {};  // "j1,j2"
};

Status id(const IdOptions& options, Session& session) {
  if (options.along.file) return id_along(options, options.along, options.driven, session);
  if (options.batch.file) return batch(BatchProblem::inverse, options, options.batch, session);
  const auto& method = method_named(inverse_formulations<double>(), options.method);
  const auto [robot, file] = load_problem(options, session);
  const Model& model = robot.tree();
  Dynamics dynamics = dynamics_of(robot, options, session);
  if (options.driven) dynamics.drive(joints_in(split(*options.driven), model, "--driven"));
  if (!options.driven) remark_followers(robot, "", session);
  choose(robot, [&] { dynamics.use_inverse(method.name); });

  std::vector<InverseResult> results;
  bool with_a = options.driven.has_value();  // a is part of the answer
  for_each_state(file, [&](const State& state) {
    const std::vector<int> unknown = undriven(dynamics, state.unnamed_a);
    with_a = with_a || !unknown.empty();
    results.push_back(of_closed([&] { return inverse(dynamics, state, unknown, options.reactions); }));
    if (!options.json) results.back().noise = inverse_noise(dynamics, state, results.back().a);
  });

  if (options.json) {
    session.out =
        json_results(file, json::each(results, [&](const InverseResult& r) { return json_result(model, r, with_a); }));
    return Status::done;
  }
  std::vector<std::vector<double>> tau, a, noises;
  std::vector<LoopMultipliers> in_loops;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const InverseResult& r = results[i];
    tau.push_back(r.tau);
    noises.push_back(r.noise);
    if (with_a) a.push_back(r.a);
    if (robot.has_loops()) in_loops.push_back(r.in_loops);
  }
  session.out = fmt::format("{}: joint forces tau for the given accelerations (method {}{}{})\n",
                            printable(robot.name()), method.name, options.forces ? ", with the forces of the file" : "",
                            robot.has_loops() ? ", loops closed" : "");
  session.out += state_tables(dofs_of(model), {"tau", &Dof::force_unit}, tau, noises);
  if (with_a) {
    session.out += "\naccelerations a, those that nothing drives solved for\n";
    session.out += state_tables(dofs_of(model), {"a", &Dof::acceleration_unit}, a);
  }
  session.out += multiplier_tables(robot.robot(), file, in_loops);
  for (std::size_t i = 0; i < results.size() && options.reactions; ++i) {
    session.out += fmt::format(
        "\n{}: what each body's parent exerts on it, in the body's frame about its origin (base: on the whole robot, "
        "in world axes about the world's origin)\n",
        state_heading(file, i));
    session.out += reaction_table(model, results[i].reactions);
  }
  return Status::done;
}

}  // namespace

Command commands::id() {
  return command<IdOptions>(
      "id", "joint forces tau that give the accelerations a (inverse dynamics)",
      fmt::format("{}\n{}\n{}", state_format, batch_format, along_format),
      {{"denoc id puma560 --state state.json", "joint forces for q, v, a"},
       {"denoc id puma560 --state state.json --reactions", "and what every joint carries"},
       {"denoc id fourbar --state closed.json --driven crank", "of a closed chain that one joint drives"},
       {"denoc id puma560 --motion motion.yaml -o tau.csv", "along a motion, without simulating it"},
       {"denoc id puma560 --batch states.npy -o tau.npy", "for millions of states"}},
      [](Arguments& arguments, IdOptions& options) {
        dynamics_arguments(arguments, options);
        arguments.flag("--reactions", options.reactions, "also what every joint and the base carry");
        arguments
            .option("--driven", "J1,J2", options.driven,
                    "joints that are driven (with loops, a floating base); all but those that mimic by default")
            .list();
        along_arguments(arguments, options.along).without({"--reactions"});
        batch_arguments(arguments, options.batch).without({"--reactions", "--driven", "--motion"});
      },
      app::id);
}

}  // namespace denoc::app
