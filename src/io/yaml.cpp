// Robots as DH tables or as general trees of bodies, in YAML. The rules of physics are in faults_of.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "denoc/io/fields.hpp"
#include "loop_values.hpp"
#include "model/bent_rod.hpp"
#include "postures.hpp"
#include "readers.hpp"
#include "yaml_bodies.hpp"

namespace denoc::io {
namespace {

class YamlReader {
 public:
  YamlReader(const LoadOptions& options, Report& report) : options_(options), report_(report) {}

  Robot read(const Node& root) {
    const Fields file(root, "", {"name", "gravity", "dh", "bodies", "loops", "springs", "postures"}, report_);
    if (root.kind != Node::Kind::map) return std::move(robot_);
    robot_.name = file.text("name", "");
    if (robot_.name.empty()) robot_.name = std::filesystem::path(report_.file).stem().string();
    robot_.gravity = file.vec3("gravity", robot_.gravity);
    if (options_.base == Base::free) {
      file.refuse("a free base is chosen for URDF only: here the first body's joint says it ({type: free})");
    }
    if (file.has("dh") && file.has("bodies")) file.refuse("bodies", "a robot has either a 'dh' table or 'bodies'");
    if (!file.has("dh") && !file.has("bodies")) file.refuse("a robot has a 'dh' table or 'bodies'");
    if (file.has("dh")) dh_table(file);
    if (!file.has("dh") && file.has("bodies")) {
      for (const Node* body : items(file, "bodies")) tree_body(*body);
    }
    read_list(file, "loops", [&](const Node& item, std::string element) { loop(item, std::move(element)); });
    read_list(file, "springs", [&](const Node& item, std::string element) { spring(item, std::move(element)); });
    postures(file);
    return std::move(robot_);
  }

 private:
  template <class Read> static void read_list(const Fields& fields, std::string_view key, const Read& read) {
    int index = 0;
    for (const Node* item : fields.list(key)) read(*item, fmt::format("{}[{}]", key, index++));
  }

  void dh_table(const Fields& file) {
    const auto table = file.map("dh", {"convention", "degrees", "links"});
    if (!table) return;
    const Words proximal = {"proximal", "modified", "craig"};
    const std::string convention =
        table->word("convention", {"distal", "standard", "classic", "proximal", "modified", "craig"});
    const Table how{std::count(proximal.begin(), proximal.end(), convention) == 0, table->flag("degrees", false)};
    for (const Node* link : items(*table, "links")) dh_link(*link, how);
  }
  // How a table is meant: whose frame a link carries, and what its angles alpha and theta are in.
  struct Table {
    bool is_distal, in_degrees;
  };

  // The bodies of the file, their names remembered for parents that stand too late.
  std::vector<const Node*> items(const Fields& fields, std::string_view key) {
    fields.require(key);
    std::vector<const Node*> nodes = fields.list(key);
    fields.refuse_empty(key, "a robot has at least one body");
    for (std::size_t i = 0; i < nodes.size(); ++i) all_names_.insert(name_of_item(*nodes[i], i));
    return nodes;
  }

  void dh_link(const Node& node, const Table& table) {
    const bool is_distal = table.is_distal;
    const Fields link(node, next_element("link", node),
                      {"name",     "parent", "joint",  "a",        "b",        "d",       "alpha",
                       "theta",    "mass",   "com",    "inertia",  "rod",      "hub",     "payload",
                       "friction", "spring", "limits", "actuator", "armature", "neutral", "shapes"},
                      report_);
    Body body = start(link);
    body.joint = yaml::joint(link, {"revolute", "continuous", "prismatic"}, {"type", "name"}, body.source);
    if (link.has("b") && link.has("d")) link.refuse("d", "another word for b: either of them, not both");
    const double a = table_length(link, "a"), b = table_length(link, link.has("d") ? "d" : "b");
    const double alpha = table_angle(link, "alpha", table), theta = table_angle(link, "theta", table);
    if (is_distal) {
      body.joint_frame = {rounded(turn_z(theta)), {0, 0, 0}};
      body.own_frame = {rounded(turn_x(alpha)), {a, 0, b}};
    } else {
      body.joint_frame = {rounded(turn_x(alpha) * turn_z(theta)), {a, 0, 0}};
      body.own_frame.r = {0, 0, b};
    }
    body.inertial = dh_inertial(link, body, is_distal);
    body.inertial.hub = yaml::hub(link, body);
    finish(std::move(body), link);
  }

  static double table_length(const Fields& link, std::string_view key) {
    const double length = link.number(key, 0);
    if (const std::string doubt = doubt_of_length(length); !doubt.empty()) link.warn(key, doubt);
    return length;
  }
  static double table_angle(const Fields& link, std::string_view key, const Table& table) {
    const double angle = link.number(key, 0);
    if (!table.in_degrees) {
      if (const std::string doubt = doubt_of_angle(angle); !doubt.empty())
        link.warn(key, doubt + " (`degrees: true` in the table says so)");
      return angle;
    }
    const std::string text = link.text(key, "");
    if (text.find("pi") != std::string::npos || text.find("deg") != std::string::npos)
      link.refuse(key, "the table is in degrees: no pi and no deg(...) here");
    return static_cast<double>(angle * (std::numbers::pi_v<long double> / 180));
  }

  void tree_body(const Node& node) {
    const Fields fields(node, next_element("body", node),
                        {"name", "parent", "frame", "own_frame", "joint", "mass", "com", "inertia", "rod", "hub",
                         "payload", "friction", "spring", "limits", "actuator", "armature", "neutral", "shapes"},
                        report_);
    Body body = start(fields);
    body.joint = yaml::joint(fields, yaml::all_joint_types(), {"type", "axis", "axis2", "pitch", "name"}, body.source);
    body.joint_frame = yaml::frame(fields, "frame");
    body.own_frame = yaml::frame(fields, "own_frame");
    for (const std::string_view key : {"rod", "payload"}) {
      if (fields.has(key)) fields.refuse(key, "it belongs to DH tables of the distal convention");
    }
    body.inertial = yaml::inertial(fields);
    body.inertial.hub = yaml::hub(fields, body);
    finish(std::move(body), fields);
  }

  // A word of a map that is not read yet: what it says itself, else the first that it merges.
  static std::optional<std::string> word_of(const Node& item, std::string_view wanted) {
    if (item.kind != Node::Kind::map) return std::nullopt;
    std::vector<const Node*> merged;
    for (std::size_t i = 0; i + 1 < item.children.size(); i += 2) {
      const Node &key = *item.children[i], &value = *item.children[i + 1];
      if (key.text == wanted && value.kind == Node::Kind::scalar) return value.text;
      if (key.text != "<<") continue;
      if (value.kind == Node::Kind::map) merged.push_back(&value);
      if (value.kind == Node::Kind::list) merged.insert(merged.end(), value.children.begin(), value.children.end());
    }
    for (const Node* map : merged)
      if (auto found = word_of(*map, wanted)) return found;
    return std::nullopt;
  }
  static std::string name_of_item(const Node& item, std::size_t index) {
    return word_of(item, "name").value_or(fmt::format("link{}", index + 1));
  }
  std::string next_element(std::string_view kind, const Node& node) const {
    return fmt::format("{} {}", kind, in_quotes(name_of_item(node, robot_.bodies.size() - 1)));
  }

  // What every body has: name, parent and place in the file.
  Body start(const Fields& fields) {
    Body body;
    body.name = fields.text("name", fmt::format("link{}", robot_.bodies.size()));
    if (body.name.empty()) {
      body.name = fmt::format("link{}", robot_.bodies.size());
      fields.warn("name", fmt::format("a body without a name: called '{}' by its number", body.name));
    }
    if (body.name == "world") fields.refuse("name", "'world' is the ground");
    body.parent = static_cast<int>(robot_.bodies.size()) - 1;
    if (fields.has("parent")) body.parent = parent(fields, body);
    body.source = {report_.file, fields.line(), fields.element()};
    for (const std::string_view part : {"joint", "frame", "mass", "com", "inertia", "hub", "friction", "spring",
                                        "limits", "actuator", "armature", "neutral"}) {
      if (fields.has(part)) body.source.note(part, fields.line(part));
    }
    return body;
  }

  int parent(const Fields& fields, const Body& body) {
    const std::string name = fields.text("parent");
    if (name == "world" || (name == "base" && !all_names_.contains(name))) return 0;
    if (const auto found = bodies_.find(name); found != bodies_.end()) return found->second;
    if (name.empty()) return 0;  // reported
    if (name == body.name) {
      fields.refuse("parent", "a body is not its own parent");
    } else if (all_names_.contains(name)) {
      fields.refuse("parent", fmt::format("'{}' stands further down: a parent stands before its children", name));
    } else {
      fields.refuse("parent", unknown("body", name, body_names()));
    }
    return 0;
  }

  Words body_names() const {
    Words names = {"world"};
    for (std::size_t i = 1; i < robot_.bodies.size(); ++i) names.push_back(robot_.bodies[i].name);
    return names;
  }

  void finish(Body body, const Fields& fields) {
    yaml::complete(fields, body.joint);
    read_list(fields, "shapes", [&](const Node& item, const std::string& element) {
      const Fields said(item, fmt::format("{}: {}", fields.element(), element), yaml::shape_keys(), report_);
      if (item.kind == Node::Kind::map) body.shapes.push_back(yaml::shape(said, report_.file));
    });
    report_.inertia_rounding.resize(robot_.bodies.size() + 1);
    report_.inertia_rounding.back() = yaml::inertia_rounding(fields);
    bodies_.emplace(body.name, static_cast<int>(robot_.bodies.size()));
    robot_.bodies.push_back(std::move(body));
  }

  // The same with the rod the link may be, and with its payload.
  static Inertial dh_inertial(const Fields& link, const Body& body, bool is_distal) {
    const Inertial said = yaml::inertial(link);
    const double load = payload(link, is_distal);
    const bool is_rod = link.flag("rod", false) && may_be_rod(link, body, said, is_distal);
    if ((!is_rod && load == 0) || said.mass < 0) return said;  // without rounding; the rules refuse a negative mass
    return is_rod ? bent_rod(said.mass, body.own_frame, load) : with_payload(said, load);
  }

  static bool may_be_rod(const Fields& link, const Body& body, const Inertial& said, bool is_distal) {
    if (!is_distal) link.refuse("rod", "a rod needs the distal convention");
    if (body.joint.type == JointType::prismatic) link.refuse("rod", "a rod needs a revolute joint");
    if (!link.has("mass")) link.refuse("rod", "a rod needs a mass (which may be 0)");
    for (const std::string_view key : {"com", "inertia"}) {
      if (link.has(key)) link.refuse(key, "a rod has its own: it is not given together with 'rod'");
    }
    if (!is_distal) return false;
    const bool has_length = body.own_frame.r.x != 0 || body.own_frame.r.z != 0;
    if (said.mass != 0 && !has_length) link.refuse("rod", "a rod without length (a = b = 0) has no mass");
    return has_length;
  }

  // A point mass at the far end of the link, where its own frame is.
  static double payload(const Fields& link, bool is_distal) {
    const double mass = link.number("payload", 0);
    if (link.has("payload") && !is_distal) link.refuse("payload", "a payload needs the distal convention");
    if (mass < 0) link.refuse("payload", fmt::format("a mass is not negative: {}", mass));
    return std::max(mass, 0.0);
  }

  // {home: [all of q], ready: {elbow: 0.5, hip: [1, 0, 0, 0]}}
  void postures(const Fields& file) {
    const Node* const node = file.node("postures");
    if (node == nullptr) return;
    if (node->kind != Node::Kind::map) return file.refuse("postures", "expected a map of names and postures");
    const CoordinatesByName by_name(robot_);
    for (std::size_t i = 0; i + 1 < node->children.size(); i += 2) {
      const Node &key = *node->children[i], &value = *node->children[i + 1];
      const std::string element = fmt::format("posture {}", in_quotes(key.text));
      Posture posture{key.text, neutral_posture(robot_), {report_.file, key.line, element}};
      const std::size_t faults_before = report_.faults.size();
      if (value.kind == Node::Kind::map) {
        posture_by_joint(value, element, by_name, posture.q);
      } else {
        take_numbers(value, element, posture.q);
      }
      if (report_.faults.size() != faults_before) continue;
      for (const std::string& rule : add_posture(std::move(posture), robot_)) report_.fault(key.line, element, rule);
    }
  }
  void posture_by_joint(const Node& map, const std::string& element, const CoordinatesByName& by_name,
                        std::vector<double>& q) {
    std::unordered_map<const Coordinates*, const Node*> said;
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node &key = *map.children[i], &value = *map.children[i + 1];
      const Coordinates* const at = by_name.find(key.text);
      if (at == nullptr || at->size == 0) {
        report_.fault(key.line, element, unknown("joint", key.text, by_name.names()));
      } else if (const auto [first, is_new] = said.emplace(at, &key); !is_new) {
        report_.fault(key.line, fmt::format("{}: {}", element, key.text),
                      fmt::format("the joint is given twice (first on line {}, as {})", first->second->line,
                                  in_quotes(first->second->text)));
      } else {
        take_numbers(value, fmt::format("{}: {}", element, key.text), std::span(q).subspan(at->first, at->size));
      }
    }
  }
  // As many numbers as there are places; one may stand without brackets.
  void take_numbers(const Node& node, const std::string& element, std::span<double> places) {
    std::vector<const Node*> items = node.children;
    if (node.kind == Node::Kind::scalar) items = {&node};
    if (items.size() != places.size()) {
      return report_.fault(node.line, element,
                           fmt::format("expected {} numbers, found {}", places.size(), items.size()));
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Number number = number_of(*items[i]);
      if (number) places[i] = number.value;
      if (!number) report_.fault(items[i]->line, element, number.rule);
    }
  }

  void loop(const Node& node, std::string element) {
    Words known = {"type", "a", "b"};
    for (const std::string_view word : loop_words(word_of(node, "type").value_or(""))) known.push_back(word);
    const Fields fields(node, std::move(element), known, report_);
    if (node.kind != Node::Kind::map) return;
    Loop loop;
    const std::optional<LoopType> type = loop_type(fields.word("type", loop_names()));
    loop.type = type.value_or(loop.type);
    loop.source = {report_.file, fields.line(), fields.element()};
    const bool is_complete = loop_values(fields, loop) && type;
    for (const std::string_view part : known) loop.source.note(part, fields.line(part));
    const bool has_ends = couples_coordinates(loop.type)
                              ? both(coupled_joint(fields, "a", loop.a), coupled_joint(fields, "b", loop.b))
                              : ends(fields, loop.a, loop.b);
    if (has_ends && is_complete) robot_.loops.push_back(std::move(loop));
  }

  void spring(const Node& node, std::string element) {
    const Fields fields(node, std::move(element), {"a", "b", "stiffness", "damping", "rest"}, report_);
    if (node.kind != Node::Kind::map) return;
    PointSpring spring;
    spring.source = {report_.file, fields.line(), fields.element()};
    spring.stiffness = fields.number("stiffness");
    spring.damping = fields.number("damping", 0);
    spring.rest = fields.number("rest", 0);
    for (const std::string_view part : {"damping", "rest"}) spring.source.note(part, fields.line(part));
    if (ends(fields, spring.a, spring.b)) robot_.springs.push_back(std::move(spring));
  }

  // Called with both read, so that the faults of both are told.
  static bool both(bool a, bool b) { return a && b; }
  bool ends(const Fields& fields, Attachment& a, Attachment& b) {
    return both(attachment(fields, "a", a), attachment(fields, "b", b));
  }

  // A joint, by its name or by that of its body.
  bool coupled_joint(const Fields& fields, std::string_view key, Attachment& end) {
    fields.require(key);
    const auto map = fields.map(key, {"body"});
    if (!map) return false;
    const std::string name = map->text("body");
    if (name.empty()) return false;
    end.body = joint_named(robot_, name);
    if (end.body < 0) map->refuse("body", unknown("body or joint", name, body_names()));
    return end.body >= 0;
  }

  // A frame on a body, or just a point of it.
  bool attachment(const Fields& fields, std::string_view key, Attachment& end) {
    fields.require(key);
    const auto map = fields.map(key, {"body", "frame", "point"});
    if (!map) return false;
    if (map->has("frame") && map->has("point")) map->refuse("point", "either a frame or a point, not both");
    end.frame = yaml::frame(*map, "frame");
    if (map->has("point")) end.frame.r = map->vec3("point", end.frame.r);
    const std::string name = map->text("body");
    if (name.empty()) return false;
    end.body = robot_.find(name);
    if (end.body < 0) map->refuse("body", unknown("body", name, body_names()));
    return end.body >= 0;
  }

  const LoadOptions& options_;
  Report& report_;
  Robot robot_;
  std::unordered_map<std::string, int> bodies_;  // by name, those read so far
  std::unordered_set<std::string> all_names_;    // of the whole file
};

}  // namespace

Robot read_yaml(const std::string& text, const LoadOptions& options, Report& report) {
  const Tree tree = parse_yaml(text, report);
  return tree.root != nullptr ? YamlReader(options, report).read(*tree.root) : Robot{};
}

}  // namespace denoc::io
