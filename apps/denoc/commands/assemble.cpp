// denoc assemble: a posture that closes the loops, and the other ways to close them.
#include "commands/closed.hpp"
#include "commands/list.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct Assembly {
  std::vector<double> q, v;  // v: where the state has rates, the nearest that keep the loops closed
  double gap;
  std::vector<std::vector<double>> ways;
};

StateFile states_of(const StateOptions& options, const Robot& robot) {
  if (!options.states.empty()) return load_states(options, robot, {.q = true});
  StateFile file;
  file.states.emplace_back().q = neutral_posture(robot);
  return file;
}

Assembly assembled(ClosedChain& chain, const State& state) {
  Assembly result;
  result.q = chain.assemble(state.q);
  if (!state.v.empty()) result.v = chain.closed_rates(result.q, state.v);
  result.gap = chain.gap(result.q).size;
  result.ways = chain.assemblies(result.q);
  return result;
}

std::string json_assembly(const Assembly& a) {
  std::vector<json::Member> members = {{"q", json::numbers(a.q)}};
  if (!a.v.empty()) members.emplace_back("v", json::numbers(a.v));
  members.emplace_back("gap", json::number(a.gap));
  members.emplace_back("branches", json::array(json::each(a.ways, [](const auto& q) { return json::numbers(q); })));
  return json::object(members);
}

// A column for each way, the nearest first.
std::string way_table(const Model& model, const Assembly& a) {
  std::vector<std::string> headings = {"coordinate", ">q"};
  for (std::size_t i = 1; i < a.ways.size(); ++i) headings.push_back(fmt::format(">another way {}", i));
  Table table(headings);
  const std::vector<Coordinate> coordinates = coordinates_of(model);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    std::vector<std::string> row = {coordinates[k].name, shown(a.q[k])};
    for (std::size_t i = 1; i < a.ways.size(); ++i) row.push_back(shown(a.ways[i][k]));
    table.row(row);
  }
  return table.text();
}

Status assemble(const StateOptions& options, Session& session) {
  const Model model(load_robot(options, session));
  const StateFile file = states_of(options, model.robot());
  ClosedChain chain(model);
  std::vector<Assembly> results;
  for_each_state(file, [&](const State& state) { results.push_back(assembled(chain, state)); });
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
  return command<StateOptions>(
      "assemble", "a posture that closes the loops of a robot, and other ways to close them", state_format,
      {{"denoc assemble fourbar", "the closed posture nearest to q = 0"},
       {"denoc assemble fourbar --state near.json --json", "nearest to another one, for programs"}},
      [](Arguments& arguments, StateOptions& options) {
        state_arguments(arguments, options, "postures to start from; q = 0 by default");
      },
      app::assemble);
}

}  // namespace denoc::app
