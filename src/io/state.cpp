#include "denoc/io/state.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "denoc/io/fields.hpp"
#include "denoc/model/quaternions.hpp"
#include "readers.hpp"

namespace denoc {
namespace {

using io::Fields;
using io::Node;

class StateReader {
 public:
  StateReader(const Robot& robot, const Needs& needs, io::Report& report)
      : robot_(robot), needs_(needs), report_(report), quaternions_(quaternions_of(robot)) {
    body_of_ = {{"world", 0}, {"base", 0}};
    for (std::size_t i = 1; i < robot.bodies.size(); ++i) add_body(static_cast<int>(i), robot.bodies[i]);
  }

  StateFile read(const Node& root) {
    StateFile file;
    file.is_array = root.kind == Node::Kind::list;
    if (!file.is_array) {
      file.states.push_back(state(root, "state"));
      return file;
    }
    file.states.reserve(root.children.size());
    for (const Node* item : root.children)
      file.states.push_back(state(*item, fmt::format("states[{}]", file.states.size())));
    return file;
  }

 private:
  void add_body(int i, const Body& body) {
    body_of_.insert_or_assign(body.name, i);
    nq_ += static_cast<std::size_t>(coordinates(body.joint.type));
    nv_ += static_cast<std::size_t>(degrees_of_freedom(body.joint.type));
  }

  State state(const Node& node, std::string element) {
    const Fields fields(node, std::move(element), {"q", "v", "a", "tau", "wrenches"}, report_);
    State state;
    state.q = vector(fields, "q", nq_, needs_.q);
    state.v = vector(fields, "v", nv_, needs_.v);
    state.a = vector(fields, "a", nv_, needs_.a);
    state.tau = vector(fields, "tau", nv_, needs_.tau);
    if (state.q.size() == nq_) normalise(fields, state.q);
    for (const Node* item : fields.list("wrenches")) {
      wrench(*item, fmt::format("{}: wrenches[{}]", fields.element(), state.wrenches.size()), state.wrenches);
    }
    return state;
  }

  static std::vector<double> vector(const Fields& fields, std::string_view key, std::size_t size, bool is_needed) {
    if (is_needed) fields.require(key);
    return fields.numbers(key, size);
  }

  void normalise(const Fields& fields, std::vector<double>& q) const {
    for (const QuaternionPlace& place : quaternions_) {
      if (std::string rule = denoc::normalise(place, q); !rule.empty()) fields.refuse("q", std::move(rule));
    }
  }

  void wrench(const Node& node, std::string element, std::vector<StateWrench>& wrenches) {
    const Fields fields(node, std::move(element), {"body", "moment", "force"}, report_);
    StateWrench& wrench = wrenches.emplace_back();
    wrench.moment = fields.vec3("moment", {0, 0, 0});
    wrench.force = fields.vec3("force", {0, 0, 0});
    if (node.kind == Node::Kind::map && !fields.has("moment") && !fields.has("force"))
      fields.refuse("a wrench has a moment or a force");
    const std::string name = fields.text("body");
    const auto found = body_of_.find(name);
    if (found != body_of_.end()) {
      wrench.body = found->second;
    } else if (!name.empty()) {
      fields.refuse("body", io::unknown("body", name, body_names()));
    }
  }

  io::Words body_names() const {
    io::Words names = {"world"};
    for (std::size_t i = 1; i < robot_.bodies.size(); ++i) names.push_back(robot_.bodies[i].name);
    return names;
  }

  const Robot& robot_;
  const Needs& needs_;
  io::Report& report_;
  std::size_t nq_ = 0, nv_ = 0;
  std::vector<QuaternionPlace> quaternions_;
  std::unordered_map<std::string, int> body_of_;
};

}  // namespace

StateFile read_states(const std::filesystem::path& file, const Robot& robot, const Needs& needs) {
  io::Report report{file == "-" ? "standard input" : file.string()};
  StateFile states;
  try {
    if (const auto text = io::read_text(file, report)) {
      const io::Tree tree = io::parse_yaml(*text, report);
      if (tree.root != nullptr) states = StateReader(robot, needs, report).read(*tree.root);
    }
  } catch (const io::TooManyFaults&) {  // the report says so
  }
  if (!report.faults.empty()) throw RobotError(std::move(report.faults));
  return states;
}

}  // namespace denoc
