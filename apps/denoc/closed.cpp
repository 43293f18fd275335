#include "closed.hpp"

#include <algorithm>

#include "denoc/model/quaternions.hpp"
#include "denoc/loops/closure.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

constexpr double open = 1e-6;  // m or rad; of rates, in parts of theirs
constexpr std::string_view closing_method = "denoc";

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
    table.row({is_first ? loop.source.element : "", is_first ? loop.type : "", is_first ? ends_of(robot, loop) : "",
               std::string(what), shown(multipliers[i], size), std::string(unit)});
  }
  return table.text();
}

// The names between the commas.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> names;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return names;
}

}  // namespace

std::optional<ClosedChain> closed_chain(const Model& model, const std::optional<std::string>& method,
                                        bool drives_some) {
  const bool has_loops = !model.robot().loops.empty();
  if (!has_loops && !drives_some) return std::nullopt;
  if (method && *method != closing_method) {
    const Fault fault{has_loops ? model.robot().loops.front().source : Source{"", 0, "--driven"},
                      fmt::format("method '{}' does not {}; '{}' does", *method,
                                  has_loops ? "close loops" : "know joints without a drive", closing_method)};
    throw Failure(Status::numbers, fault.text());
  }
  return ClosedChain(model);
}

void require_closed(ClosedChain& chain, const State& state) {
  if (const ClosedChain::Gap gap = chain.gap(state.q); !(gap.size <= open)) {
    throw Failure(Status::numbers, fmt::format("{}: q leaves it open by {:.3g} m (or rad)", gap.loop, gap.size),
                  {"`denoc assemble MODEL --state FILE` closes it."});
  }
  double speed = 1;
  for (const double v : state.v) speed = std::max(speed, std::abs(v));
  if (const ClosedChain::Gap opening = chain.opening(state.q, state.v); !(opening.size <= open * speed)) {
    throw Failure(Status::numbers, fmt::format("{}: v opens it by {:.3g} m/s (or rad/s)", opening.loop, opening.size),
                  {"`denoc assemble MODEL --state FILE` gives the nearest rates that keep it closed."});
  }
}

std::vector<int> driven_dofs(const Model& model, const std::optional<std::string>& joints) {
  std::vector<int> dofs;
  if (!joints) {
    for (int k = 0; k < model.nv(); ++k) dofs.push_back(k);
    return dofs;
  }
  std::vector<std::string> known;
  known.reserve(static_cast<std::size_t>(model.nv()));
  for (int k = 0; k < model.nv(); ++k) known.push_back(model.joint_name(model.body_of_dof(k)));
  for (const std::string& name : split(*joints)) {
    const std::size_t before = dofs.size();
    for (int k = 0; k < model.nv(); ++k) {
      if (known[static_cast<std::size_t>(k)] == name) dofs.push_back(k);
    }
    if (dofs.size() == before) {
      throw Failure(Status::usage, fmt::format("denoc: --driven: {}",
                                               io::unknown("joint", name, io::Words(known.begin(), known.end()))));
    }
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

std::string ends_of(const Robot& robot, const Loop& loop) {
  const auto name = [&](const Attachment& end) { return robot.bodies[static_cast<std::size_t>(end.body)].name; };
  return fmt::format("{} to {}", name(loop.a), name(loop.b));
}

std::string multiplier_tables(const Robot& robot, const StateFile& file, const std::vector<LoopForces>& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size(); ++i) {
    text += fmt::format("\n{}: multipliers of the loops (what acts on the end a; the opposite acts on b)\n{}",
                        state_heading(file, i), multiplier_table(robot, states[i].multipliers));
  }
  if (!std::all_of(states.begin(), states.end(), [](const LoopForces& s) { return s.unique; })) {
    text +=
        "Some loops say the same twice: their forces are not unique (how the bodies bend would decide); these are the\n"
        "shortest. The motion is unique.\n";
  }
  return text;
}

void append_loop_forces(const LoopForces& forces, std::vector<json::Member>& members) {
  members.emplace_back("multipliers", json::numbers(forces.multipliers));
  members.emplace_back("unique", json::boolean(forces.unique));
}

}  // namespace denoc::app
