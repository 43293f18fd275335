// denoc id: the joint forces that give the accelerations of a state.
#include "applied.hpp"
#include "batch.hpp"
#include "closed.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "denoc/dynamics/reactions.hpp"
#include "denoc/loops/closure.hpp"
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

struct Result {
  std::vector<double> tau;
  LoopForces in_loops;
  std::vector<BodyWrench<double>> loop_wrenches;
  Reactions reactions;
};

class Inverse {
 public:
  Inverse(const Model& model, const StateOptions& options)
      : model_(model),
        method_(method_named(inverse_formulations<double>, options.method)),
        chain_(closed_chain(model, options.method, options.driven.has_value())),
        driven_(driven_dofs(model, options.driven)),
        dofs_(dofs_of(model)),
        work_(model),
        scratch_(model),
        applied_(model, options.forces) {}

  bool has_loops() const { return !model_.robot().loops.empty(); }
  std::string_view method() const { return method_.name; }
  const std::vector<Dof>& dofs() const { return dofs_; }

  Result at(const State& state, bool with_reactions) {
    Result result;
    place<double>(model_, state.q, work_.at);
    applied_.evaluate(state, work_.at);
    if (chain_) {
      closed(state, result);
    } else {
      open(state, result);
    }
    require_finite(result.tau, dofs_, "tau");
    if (with_reactions) reactions(state, result);
    return result;
  }

 private:
  void open(const State& state, Result& result) {
    result.tau.resize(dofs_.size());
    method_.run(model_, work_, state.v, state.a, result.tau, applied_.wrenches());
    // What the forces of the file take, the drives must give.
    for (std::size_t k = 0; k < result.tau.size(); ++k) result.tau[k] -= applied_.joint_forces()[k];
  }

  void closed(const State& state, Result& result) {
    require_closed(*chain_, state);
    ClosedChain::Inverse inverse =
        chain_->inverse_dynamics(state.q, state.v, state.a, driven_, applied_.wrenches(), applied_.joint_forces());
    result.tau = std::move(inverse.tau);
    result.in_loops = {std::move(inverse.multipliers), inverse.unique};
    result.loop_wrenches = chain_->wrenches(state.q, result.in_loops.multipliers);
  }

  void reactions(const State& state, Result& result) {
    std::vector<BodyWrench<double>> wrenches = applied_.wrenches();
    wrenches.insert(wrenches.end(), result.loop_wrenches.begin(), result.loop_wrenches.end());
    result.reactions.resize(model_.bodies().size());
    joint_reactions<double>(model_, work_.at, state.v, state.a, scratch_, result.reactions, wrenches);
    // What loops do to the ground, the ground does to the robot.
    for (const BodyWrench<double>& w : result.loop_wrenches) {
      if (w.body == 0) result.reactions[0] -= w.wrench;
    }
    require_finite_reactions(model_, result.reactions);
  }

  const Model& model_;
  const InverseFormulation<double>& method_;
  std::optional<ClosedChain> chain_;
  std::vector<int> driven_;
  std::vector<Dof> dofs_;
  Workspace<double> work_;
  ReactionScratch<double> scratch_;
  Applied applied_;
};

std::string json_result(const Model& model, const Result& result) {
  std::vector<json::Member> members = {{"tau", json::numbers(result.tau)}};
  if (!model.robot().loops.empty()) append_loop_forces(result.in_loops, members);
  if (!result.reactions.empty()) {
    members.emplace_back("reactions", json_reactions(model, result.reactions));
    members.emplace_back("base", json_base(result.reactions[0]));
    if (!model.robot().loops.empty()) members.emplace_back("loops", json_loop_wrenches(model, result.loop_wrenches));
  }
  return json::object(members);
}

}  // namespace

Status id(const StateOptions& options, Session& session) {
  if (options.batch) return batch(BatchProblem::inverse, options, session);
  const auto [model, file] = load_problem(options, {.q = true, .v = true, .a = true}, session);
  remark_forces(names_of_forces(model), options, session);
  Inverse inverse(model, options);

  std::vector<Result> results;
  for_each_state(file, [&](const State& state) { results.push_back(inverse.at(state, options.reactions)); });

  if (options.json) {
    session.out =
        json_results(file, json::each(results, [&, &model = model](const Result& r) { return json_result(model, r); }));
    return Status::done;
  }
  std::vector<std::vector<double>> tau;
  std::vector<LoopForces> in_loops;
  for (const Result& r : results) {
    tau.push_back(r.tau);
    if (inverse.has_loops()) in_loops.push_back(r.in_loops);
  }
  session.out =
      fmt::format("{}: joint forces tau for the given accelerations (method {}{}{})\n", printable(model.robot().name),
                  inverse.method(), options.forces ? ", with the forces of the file" : "",
                  inverse.has_loops() ? ", loops closed" : "");
  session.out += state_tables(inverse.dofs(), {"tau", &Dof::force_unit}, tau);
  session.out += multiplier_tables(model.robot(), file, in_loops);
  for (std::size_t i = 0; i < results.size() && options.reactions; ++i) {
    session.out += fmt::format(
        "\n{}: what each body's parent exerts on it, in the body's frame about its origin (base: on the whole robot, "
        "in world axes about the world's origin)\n",
        state_heading(file, i));
    session.out += reaction_table(model, results[i].reactions);
  }
  return Status::done;
}

}  // namespace denoc::app
