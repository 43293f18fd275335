#include "studies/survey.hpp"

#include <algorithm>

#include "denoc/loops/closed_chain.hpp"
#include "denoc/loops/closure.hpp"
#include "output/number_of.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

// How many each loop has.
std::vector<int> row_counts(const Robot& robot) {
  std::vector<int> counts(robot.loops.size());
  for (const ClosureRow& row : closure_rows(robot)) ++counts[static_cast<std::size_t>(row.loop)];
  return counts;
}

// Where the survey begins: where the file draws the robot.
std::string start_of(const Robot& robot) {
  const bool is_drawn_elsewhere = std::any_of(robot.bodies.begin(), robot.bodies.end(),
                                              [](const Body& body) { return !body.joint.neutral.empty(); });
  return is_drawn_elsewhere ? "the neutral posture" : "q = 0";
}

std::string ways_text(const Survey& s) {
  return fmt::format(
      "{} found{}{}",
      s.ways.size() == 1 ? "one way to close it was" : fmt::format("{} ways to close it were", s.ways.size()),
      s.held.empty() ? "" : " with these joints held: ", fmt::join(s.held, ", "));
}

}  // namespace

bool Survey::is_closed() const { return !gap.is_open(); }

Survey survey(const Model& model) {
  ClosedChain chain(model);
  const std::vector<double> zero = neutral_posture(model.robot());
  Survey s{chain.gap(zero)};
  s.ways = chain.assemblies(zero);
  if (s.ways.empty()) return s;
  s.mobility = chain.mobility(s.ways.front());
  const std::vector<Dof> dofs = dofs_of(model);
  for (const int k : chain.independent(s.ways.front())) s.held.push_back(dofs[static_cast<std::size_t>(k)].name());
  return s;
}

std::vector<Fault> loop_warnings(const Model& model, const Survey& s) {
  if (s.is_closed()) return {};
  const auto& loops = model.robot().loops;
  const auto loop =
      std::find_if(loops.begin(), loops.end(), [&](const Loop& l) { return l.source.element == s.gap.loop; });
  const std::string found = s.ways.empty() ? "no way to close it was found: check the lengths" : ways_text(s);
  return {{loop == loops.end() ? Source{} : loop->source,
           fmt::format("it is open by {:.3g} m (or rad) at {}; {}", s.gap.size, start_of(model.robot()), found)}};
}

std::string json_loops(const Model& model) {
  const Robot& robot = model.robot();
  const std::vector<int> rows = row_counts(robot);
  std::vector<std::string> all;
  for (std::size_t l = 0; l < robot.loops.size(); ++l) {
    const Loop& loop = robot.loops[l];
    const auto body = [&](const Attachment& end) {
      return json::text(robot.bodies[static_cast<std::size_t>(end.body)].name);
    };
    all.push_back(json::object({{"loop", json::text(loop.source.element)},
                                {"type", json::text(name_of(loop.type))},
                                {"a", body(loop.a)},
                                {"b", body(loop.b)},
                                {"rows", json::number(rows[l])}}));
  }
  return json::lines(all);
}

std::string json_mobility(const Survey& s) {
  if (!s.mobility) return std::string(json::nothing);
  const Mobility& m = *s.mobility;
  return json::object({{"tree", json::number(m.tree)},
                       {"rows", json::number(m.rows)},
                       {"rank", json::number(m.rank)},
                       {"freedom", json::number(m.freedom())},
                       {"gruebler", json::number(m.gruebler())},
                       {"dead_point", json::boolean(m.is_dead_point())},
                       {"q", json::numbers(s.ways.front())}});
}

std::string loop_text(const Model& model, const Survey& s) {
  const Robot& robot = model.robot();
  const std::vector<int> rows = row_counts(robot);
  Table table({"loop", "type", "a to b", ">rows"});
  for (std::size_t l = 0; l < robot.loops.size(); ++l) {
    const Loop& loop = robot.loops[l];
    table.row({loop.source.element, std::string(name_of(loop.type)), ends_of(robot, loop), std::to_string(rows[l])});
  }
  std::string text = "\nLoops (joints cut open; a row for each freedom they take)\n" + table.text();
  if (!s.mobility) {
    return text + fmt::format("  from {} they cannot be closed: {} stays open by {:.3g} m (or rad)\n", start_of(robot),
                              s.gap.loop, s.gap.size);
  }
  if (const std::vector<int> leading = leading_freedoms(model); static_cast<int>(leading.size()) < model.nv()) {
    const std::vector<Dof> dofs = dofs_of(model);
    std::vector<std::string> names;
    for (const int k : leading) names.push_back(dofs[static_cast<std::size_t>(k)].name());
    text +=
        fmt::format("  independent coordinates: {}; the others follow, and `denoc id` drives them only with --driven\n",
                    fmt::join(names, ", "));
  }
  const Mobility& m = *s.mobility;
  text += fmt::format("  at {}{} the mechanism has {}: {} of the tree less {} of {}\n", start_of(robot),
                      s.is_closed() ? "" : ", closed,", number_of(m.freedom(), "degree") + " of freedom", m.tree,
                      number_of(m.rank, "independent row"), m.rows);
  if (m.gruebler() != m.freedom()) {
    text += fmt::format("  Gruebler's count is {}: {} of the rows say what others say already\n", m.gruebler(),
                        m.rows - m.rank);
  }
  if (m.is_dead_point()) {
    text += fmt::format("  a dead point: near by it has {} of freedom\n", number_of(m.tree - m.anywhere, "degree"));
  }
  if (!s.is_closed())
    text += fmt::format("  {} is open by {:.3g} m (or rad) at {}; {}\n", s.gap.loop, s.gap.size, start_of(robot),
                        ways_text(s));
  return text;
}

}  // namespace denoc::app
