#include "commands/closed.hpp"

#include <algorithm>

#include "denoc/loops/closure.hpp"
#include "denoc/model/dofs.hpp"
#include "denoc/model/quaternions.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

constexpr double open = 1e-6;  // m or rad; of rates, in parts of theirs

// What the multiplier of a row is.
struct Meaning {
  std::string_view what, unit;
};
Meaning meaning(const Robot& robot, const ClosureRow& row) {
  using Kind = ClosureRow::Kind;
  switch (row.kind) {
    case Kind::coincide:
      return {row.in_a.x != 0   ? "force along world x"
              : row.in_a.y != 0 ? "force along world y"
                                : "force along world z",
              "N"};
    case Kind::along:
      return {"force square to the motion left", "N"};
    case Kind::square:
      return {"moment", "N m"};
    case Kind::distance:
      return {"thrust", "N"};
    case Kind::coupled:
    case Kind::alike:  // for assembly alone
      break;
  }
  const Loop& loop = robot.loops[static_cast<std::size_t>(row.loop)];
  const bool slides = robot.bodies[static_cast<std::size_t>(loop.b.body)].joint.type == JointType::prismatic;
  return {"drag on the joint of b", slides ? "N" : "N m"};
}

std::string multiplier_table(const Robot& robot, std::span<const double> multipliers) {
  Table table({"loop", "type", "a to b", "row", ">multiplier", "unit"});
  const std::vector<ClosureRow> rows = closure_rows(robot);
  const double size = largest(multipliers);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Loop& loop = robot.loops[static_cast<std::size_t>(rows[i].loop)];
    const bool is_first = i == 0 || rows[i - 1].loop != rows[i].loop;
    const auto [what, unit] = meaning(robot, rows[i]);
    table.row({is_first ? loop.source.element : "", is_first ? std::string(name_of(loop.type)) : "",
               is_first ? ends_of(robot, loop) : "", std::string(what), shown(multipliers[i], size),
               std::string(unit)});
  }
  return table.text();
}

}  // namespace

std::vector<BodyWrench<double>> wrenches_of(const State& state) {
  std::vector<BodyWrench<double>> wrenches;
  for (const StateWrench& w : state.wrenches) wrenches.push_back({w.body, {w.moment, w.force}});
  return wrenches;
}

Forces forces_of(const DynamicsOptions& options) { return options.forces ? Forces::all : Forces::none; }
void remark_left_out(const Mechanism& robot, const DynamicsOptions& options, Session& session) {
  const std::string names = names_of_forces(robot.tree());
  if (!options.forces && !names.empty())
    session.remarks.push_back(fmt::format("denoc: left out: {} (--forces adds them)", names));
}
void remark_followers(const Mechanism& robot, std::string_view where, Session& session) {
  if (static_cast<int>(robot.leading().size()) < robot.nv())
    session.remarks.push_back(fmt::format(
        "denoc: tau is that of the independent coordinates: joints that follow others have no drive unless --driven "
        "names them{}",
        where));
}
Dynamics dynamics_of(const Mechanism& robot, const DynamicsOptions& options, Session& session) {
  remark_left_out(robot, options, session);
  return Dynamics(robot, forces_of(options));
}

void remark_dead_point(const Mechanism& robot, const Dynamics& last, const std::vector<double>& q, Session& session) {
  static constexpr std::string_view words =
      "warning: q is a dead point, where motions of the loops meet: a is that of all of them together; a posture "
      "beside it has that of the one it is on";
  const bool is_said = std::find(session.remarks.begin(), session.remarks.end(), words) != session.remarks.end();
  if (is_said || !robot.has_loops() || last.is_unique()) return;
  if (ClosedChain(robot.tree()).mobility(q).is_dead_point()) session.remarks.emplace_back(words);
}

LoopMultipliers multipliers_of(const Dynamics& dynamics) {
  return {{dynamics.multipliers().begin(), dynamics.multipliers().end()}, dynamics.is_unique()};
}

void choose(const Mechanism& robot, const std::function<void()>& method) {
  try {
    method();
  } catch (const NotCovered& error) {
    const auto& loops = robot.robot().loops;
    throw Failure(Status::numbers, Fault{loops.empty() ? Source{} : loops.front().source, error.what()}.text());
  }
}

std::vector<std::string> joints_in(std::vector<std::string> joints, const Model& model, std::string_view option) {
  const std::vector<std::string> known = joint_names(model);
  const auto refuse = [&](const std::string& rule) {
    throw Failure(Status::usage, fmt::format("denoc: {}: {}", option, rule));
  };
  for (auto name = joints.begin(); name != joints.end(); ++name) {
    if (std::find(known.begin(), known.end(), *name) == known.end())
      refuse(io::unknown("joint", *name, io::Words(known.begin(), known.end())));
    if (std::find(joints.begin(), name, *name) != name)
      refuse(fmt::format("joint {} is named twice", io::in_quotes(*name)));
  }
  return joints;
}

std::vector<int> driven_freedoms_of(const std::optional<std::string>& names, const Mechanism& robot,
                                    std::string_view option) {
  return names ? robot.freedoms(joints_in(split(*names), robot.tree(), option)) : robot.driven();
}

std::string ends_of(const Robot& robot, const Loop& loop) {
  const auto name = [&](const Attachment& end) { return robot.bodies[static_cast<std::size_t>(end.body)].name; };
  return fmt::format("{} to {}", name(loop.a), name(loop.b));
}

std::string multiplier_tables(const Robot& robot, const StateFile& file, const std::vector<LoopMultipliers>& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size(); ++i) {
    text += fmt::format("\n{}: multipliers of the loops (what acts on the end a; the opposite acts on b)\n{}",
                        state_heading(file, i), multiplier_table(robot, states[i].multipliers));
  }
  if (!std::all_of(states.begin(), states.end(), [](const LoopMultipliers& s) { return s.unique; })) {
    text +=
        "Some loops say the same twice: their forces are not unique (how the bodies bend would decide); these are the\n"
        "shortest. The motion is unique.\n";
  }
  return text;
}

void append_multipliers(const LoopMultipliers& forces, std::vector<json::Member>& members) {
  members.emplace_back("multipliers", json::numbers(forces.multipliers));
  members.emplace_back("unique", json::boolean(forces.unique));
}

}  // namespace denoc::app
