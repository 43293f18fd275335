#include "denoc/io/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "denoc/io/fields.hpp"
#include "denoc/io/joint_vectors.hpp"
#include "denoc/model/quaternions.hpp"
#include "readers.hpp"

namespace denoc {
namespace {

using io::Fields;
using io::Node;

// What results of denoc have beside q, v, a and tau: passed over.
constexpr std::string_view of_results[] = {"t",      "gap",         "branches", "within_limits",
                                           "branch", "multipliers", "unique",   "loops"};
// Where results of denoc have their states: an array of them, or one.
constexpr std::string_view holders[] = {"solutions", "final"};

// The value of a key of a map, or null.
const Node* value_of(const Node& map, std::string_view key) {
  for (std::size_t i = 0; map.kind == Node::Kind::map && i + 1 < map.children.size(); i += 2)
    if (map.children[i]->text == key) return map.children[i + 1];
  return nullptr;
}

class StateReader {
 public:
  StateReader(const Robot& robot, const DefaultPosture& otherwise, io::Report& report)
      : robot_(robot),
        otherwise_(otherwise),
        report_(report),
        q_(io::Layout::of_coordinates(robot)),
        v_(io::Layout::of_rates(robot)),
        quaternions_(quaternions_of(robot)),
        known_{"q", "v", "a", "tau", "wrenches"} {
    known_.insert(known_.end(), std::begin(of_results), std::end(of_results));
    body_of_ = {{"world", 0}, {"base", 0}};
    for (std::size_t i = 1; i < robot.bodies.size(); ++i)
      body_of_.insert_or_assign(robot.bodies[i].name, static_cast<int>(i));
  }

  StateFile read(const Node& root) {
    for (const std::string_view holder : holders)
      if (const Node* held = value_of(root, holder)) return read_all(*held, std::string(holder));
    return read_all(root, "");
  }

 private:
  StateFile read_all(const Node& root, const std::string& holder) {
    StateFile file;
    file.is_array = root.kind == Node::Kind::list;
    if (!file.is_array) {
      file.states.push_back(state(root, holder.empty() ? "state" : holder));
      return file;
    }
    file.states.reserve(root.children.size());
    for (const Node* item : root.children)
      file.states.push_back(
          state(*item, fmt::format("{}[{}]", holder.empty() ? "states" : holder, file.states.size())));
    return file;
  }

  State state(const Node& node, std::string element) {
    const Fields fields(node, std::move(element), known_, report_);
    State state;
    const io::Entries a = io::entries(fields, "a", v_, report_);
    state.q = posture(fields);
    state.v = rates(fields, "v", io::entries(fields, "v", v_, report_));
    state.a = rates(fields, "a", a);
    state.tau = rates(fields, "tau", io::entries(fields, "tau", v_, report_));
    if (is_map(fields, "a")) state.unnamed_a = unnamed(a);
    for (const Node* item : fields.list("wrenches")) {
      wrench(*item, fmt::format("{}: wrenches[{}]", fields.element(), state.wrenches.size()), state.wrenches);
    }
    return state;
  }

  static bool is_map(const Fields& fields, std::string_view key) {
    return fields.has(key) && fields.node(key)->kind == Node::Kind::map;
  }
  static std::vector<int> unnamed(const io::Entries& entries) {
    std::vector<int> dofs;
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (entries[k] == nullptr) dofs.push_back(static_cast<int>(k));
    return dofs;
  }

  std::vector<double> rates(const Fields& fields, std::string_view key, const io::Entries& given) const {
    return io::numbers(given, fields.path(key), std::vector<double>(static_cast<std::size_t>(v_.size())), report_);
  }
  std::vector<double> posture(const Fields& fields) const {
    const io::Entries given = io::entries(fields, "q", q_, report_);
    const bool is_whole = fields.has("q") && !is_map(fields, "q");
    if (is_whole && !otherwise_.name.empty())
      fields.refuse("q", fmt::format("it is given by the posture {} already; a map by joint changes some of it",
                                     io::in_quotes(otherwise_.name)));
    std::vector<double> q =
        io::numbers(given, fields.path("q"),
                    is_whole ? std::vector<double>(static_cast<std::size_t>(q_.size())) : otherwise_.q(), report_);
    io::doubt_degrees(given, fields.path("q"), q_, report_);
    for (const QuaternionPlace& place : quaternions_)
      if (std::string rule = denoc::normalise(place, q);
          !rule.empty() && given[static_cast<std::size_t>(place.first)] != nullptr)
        fields.refuse("q", std::move(rule));
    return q;
  }

  void wrench(const Node& node, std::string element, std::vector<StateWrench>& wrenches) {
    const Fields fields(node, std::move(element), {"body", "moment", "force", "axes"}, report_);
    StateWrench& wrench = wrenches.emplace_back();
    wrench.moment = fields.vec3("moment", {0, 0, 0});
    wrench.force = fields.vec3("force", {0, 0, 0});
    wrench.in_world_axes = fields.word("axes", {"body", "world"}, "body") == "world";
    if (node.kind == Node::Kind::map && !fields.has("moment") && !fields.has("force"))
      fields.refuse("a wrench has a moment or a force");
    const std::string name = fields.text("body");
    const auto found = body_of_.find(name);
    wrench.body = found == body_of_.end() ? 0 : found->second;
    if (wrench.body > 0 || name.empty()) return;
    fields.refuse("body",
                  found == body_of_.end() ? io::unknown("body", name, body_names()) : "the ground does not move");
  }

  io::Words body_names() const {
    io::Words names;
    for (std::size_t i = 1; i < robot_.bodies.size(); ++i) names.push_back(robot_.bodies[i].name);
    return names;
  }

  const Robot& robot_;
  const DefaultPosture& otherwise_;
  io::Report& report_;
  io::Layout q_, v_;
  std::vector<QuaternionPlace> quaternions_;
  io::Words known_;
  std::unordered_map<std::string, int> body_of_;
};

}  // namespace

StateFile read_states(const std::filesystem::path& file, const Robot& robot, const DefaultPosture& otherwise) {
  io::Report report{io::shown_file(file)};
  StateFile states;
  if (const auto text = io::read_text(file, report))
    io::parse_yaml(*text, report,
                   [&](const io::Node& root) { states = StateReader(robot, otherwise, report).read(root); });
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  states.warnings = std::move(report.warnings);
  return states;
}
StateFile read_states(const std::filesystem::path& file, const Robot& robot) {
  return read_states(file, robot, {.q = [&] { return neutral_posture(robot); }});
}

}  // namespace denoc
