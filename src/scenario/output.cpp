#include <fmt/format.h>

#include <algorithm>

#include "denoc/model/utf8.hpp"
#include "motion/checks.hpp"
#include "parts.hpp"

namespace denoc::io {
namespace {

// {tip: {body, point}, ...}
std::vector<TracedPoint> points(const Fields& output, const Robot& robot, Report& report) {
  const Node* node = output.node("points");
  if (node == nullptr) return {};
  if (node->kind != Node::Kind::map) {
    output.refuse("points", fmt::format("expected names of points, each with a body and a point of it, found {}",
                                        description(*node)));
    return {};
  }
  std::vector<TracedPoint> all;
  for (std::size_t i = 0; i + 1 < node->children.size(); i += 2) {
    const std::string& name = node->children[i]->text;
    std::string no_name = fault_of_name(name);
    const Fields fields(*node->children[i + 1],
                        fmt::format("output: points: {}", no_name.empty() ? name : in_quotes(name)), {"body", "point"},
                        report);
    if (!no_name.empty()) fields.refuse(std::move(no_name));
    if (std::any_of(all.begin(), all.end(), [&](const TracedPoint& p) { return p.name == name; }))
      fields.refuse("a point of that name is there already");
    if (node->children[i + 1]->kind != Node::Kind::map) continue;
    all.push_back({name, read_body(fields, robot), fields.vec3("point", {0, 0, 0})});
  }
  return all;
}

}  // namespace

void read_output(const Fields& file, Scenario& scenario, Report& report) {
  SimulationSetup& setup = scenario.setup;
  if (const auto fields = file.map("output", {"every", "reactions", "npz", "points", "contacts"})) {
    setup.every = positive(*fields, "every", setup.every);
    if (fields->has("every") && setup.duration > 0 && setup.every > setup.duration)
      fields->warn("every", "it is longer than the run: no sample lies between start and end");
    setup.with_reactions = fields->flag("reactions", false);
    scenario.npz = fields->flag("npz", false);
    scenario.contacts = fields->flag("contacts", false);
    if (scenario.contacts && !file.has("ground"))
      fields->refuse("contacts", "nothing is touched: there is no `ground`");
    if (scenario.model != nullptr) scenario.points = points(*fields, scenario.model->robot(), report);
  }
  if (const std::string words = motion::too_many_samples(setup.every, setup.duration); !words.empty())
    file.refuse("duration", words);
}

}  // namespace denoc::io
