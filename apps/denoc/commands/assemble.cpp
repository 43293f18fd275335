// denoc assemble: a posture that closes the loops, and the other ways to close them.
#include "commands/closed.hpp"
#include "commands/list.hpp"
#include "denoc/io/number.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct AssembleOptions : StateOptions {
  std::string hold = {};  // "crank=0.3,slide=1"
};

// Joints that keep their place, and where that is.
struct Held {
  std::vector<int> dofs = {};
  std::vector<std::pair<std::size_t, double>> q = {};  // index and value
};
Held held_joints(const std::string& text, const Mechanism& robot) {
  const auto refuse = [&](const std::string& rule) {
    throw Failure(Status::usage, fmt::format("denoc assemble: --hold {}: {}", text, rule));
  };
  std::vector<std::string> joints;
  std::vector<double> places;
  for (const std::string& item : text.empty() ? std::vector<std::string>{} : split(text)) {
    const std::size_t sign = item.rfind('=');
    if (sign == std::string::npos) refuse("joints and where they stay, such as crank=0.3");
    const io::Number number = io::expression(item.substr(sign + 1));
    if (!number) refuse(number.rule);
    joints.push_back(item.substr(0, sign));
    places.push_back(number.value);
  }
  Held held;
  for (const std::string& joint : joints_in(joints, robot.tree(), "--hold")) {
    const auto b = static_cast<std::size_t>(robot.joint(joint));
    if (coordinates(robot.robot().bodies[b].joint.type) != 1)
      refuse(fmt::format("joint '{}' has several coordinates: give them with --state", joint));
    held.q.emplace_back(robot.tree().bodies()[b].q, places[held.dofs.size()]);
    held.dofs.push_back(robot.tree().bodies()[b].v);
  }
  return held;
}

struct Assembly {
  std::vector<double> q, v;  // v: the nearest rates that keep the loops closed
  double gap;
  std::vector<std::vector<double>> ways;
};

Assembly assembled(ClosedChain& chain, const State& state, const Held& held) {
  Assembly result;
  std::vector<double> start = state.q;
  for (const auto& [i, value] : held.q) start[i] = value;
  result.q = chain.assemble(start, held.dofs);
  result.v = chain.closed_rates(result.q, state.v);
  result.gap = chain.gap(result.q).size;
  result.ways = chain.assemblies(result.q, 8, held.dofs);
  return result;
}

std::string json_assembly(const Assembly& a) {
  return json::object({{"q", json::numbers(a.q)},
                       {"v", json::numbers(a.v)},
                       {"gap", json::number(a.gap)},
                       {"branches", json::array(json::each(a.ways, [](const auto& q) { return json::numbers(q); }))}});
}

// A column for each way, the nearest first.
std::string way_table(const Model& model, const Assembly& a) {
  std::vector<std::string> headings = {"coordinate", ">q"};
  for (std::size_t i = 1; i < a.ways.size(); ++i) headings.push_back(fmt::format(">another way {}", i));
  Table table(headings);
  const std::vector<Coordinate> coordinates = coordinates_of(model);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    std::vector<std::string> row = {coordinates[k].name, shown(a.q[k], 1, model.nv())};
    for (std::size_t i = 1; i < a.ways.size(); ++i) row.push_back(shown(a.ways[i][k], 1, model.nv()));
    table.row(row);
  }
  return table.text();
}

// Where the search begins: the loops may be open there.
std::vector<double> start(const StateOptions& options, const Model& model) {
  return chosen_posture(options, model.robot());
}

Status assemble(const AssembleOptions& options, Session& session) {
  const Mechanism robot(load_robot(options, session));
  const Model& model = robot.tree();
  const Held held = held_joints(options.hold, robot);
  const StateFile file = load_states(options, model, session, start);
  ClosedChain chain(model);
  std::vector<Assembly> results;
  for_each_state(file, [&](const State& state) { results.push_back(assembled(chain, state, held)); });
  if (options.json) {
    session.out = json_results(file, json::each(results, json_assembly));
    return Status::done;
  }
  session.out = fmt::format("{}: postures that close its loops\n", printable(model.robot().name));
  for (std::size_t i = 0; i < results.size(); ++i) {
    session.out += fmt::format("{}: closed to {:.3g} m (or rad)\n{}", state_heading(file, i), results[i].gap,
                               way_table(model, results[i]));
  }
  return Status::done;
}

}  // namespace

Command commands::assemble() {
  return command<AssembleOptions>(
      "assemble", "a posture that closes the loops of a robot, and other ways to close them", state_format,
      {{"denoc assemble fourbar", "a closed posture near that of its file"},
       {"denoc assemble fourbar --hold crank=0.3", "with the crank at 0.3 rad"},
       {"denoc assemble fourbar --state near.json --json", "near another one, for programs"}},
      [](Arguments& arguments, AssembleOptions& options) {
        state_arguments(arguments, options, "postures to start from; that of the file by default");
        arguments.option("--hold", "JOINT=Q,..", options.hold, "joints that stay there, whatever the others do").list();
      },
      app::assemble);
}

}  // namespace denoc::app
