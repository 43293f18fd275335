#include "urdf_loops.hpp"

#include "denoc/model/loop_types.hpp"
#include "loop_values.hpp"

namespace denoc::io {
namespace {

// <loop> as loop_values wants to ask it: axes are elements, all else are attributes.
class LoopElement {
 public:
  explicit LoopElement(const Element& element) : element_(element) {}
  bool has(const char* key) const { return element_.has(key); }
  void require(const char* key) const { element_.require(key); }
  void refuse(const char* key, const std::string& rule) const { element_.refuse(key, rule); }
  double number(const char* key, double fallback) const { return element_.number(key, fallback); }
  std::vector<double> numbers(const char* key, std::size_t size) const { return element_.numbers(key, size); }
  std::vector<double> numbers(const char* key) const { return element_.numbers(key); }
  Vec3<double> vec3(const char* key, const Vec3<double>& fallback) const {
    const auto axis = element_.child(key);
    if (!axis) return fallback;
    axis->only_attributes({"xyz"});
    axis->require("xyz");
    return axis->vec3("xyz", fallback);
  }

 private:
  const Element& element_;
};

Words names_of_joints(const Robot& robot) {
  Words names;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) names.push_back(robot.bodies[b].joint.name);
  return names;
}

// The words of a type, as the attributes and the elements they are.
void expect_words(const Element& element, const std::string& type) {
  Words attributes = {"type", "name"}, children = {"a", "b"};
  for (const std::string_view word : loop_words(type))
    (word.starts_with("axis") ? children : attributes).push_back(word);
  element.only_attributes(attributes);
  element.only_children(children);
}

}  // namespace

Pose<double> read_pose(const Element& element) { return read_frame(element, "quat_xyzw", 3); }

bool read_end(const Element& owner, const char* which, bool is_coupling, const Robot& robot, Attachment& end) {
  const auto element = owner.required_child(which);
  if (!element) return false;
  element->only_attributes(is_coupling ? Words{"joint", "link"} : Words{"link", "xyz", "rpy", "quat_xyzw"});
  const char* const key = is_coupling && element->has("joint") ? "joint" : "link";
  const std::string name = element->required(key);
  if (name.empty()) return false;
  end.frame = read_pose(*element);
  end.body = is_coupling ? joint_named(robot, name) : robot.find(name);
  if (end.body >= 0) return true;
  Words names;
  for (const Body& body : robot.bodies) names.push_back(is_coupling ? body.joint.name : body.name);
  element->refuse(unknown(key, name, names));
  return false;
}

void read_mimic(const Element& mimic, Joint& joint, std::vector<std::pair<std::string, int>>& lines) {
  mimic.expect_attributes({"joint", "multiplier", "offset"});
  lines.emplace_back("mimic", mimic.line());
  const std::string of = mimic.required("joint");
  const double multiplier = mimic.number("multiplier", 1), offset = mimic.number("offset", 0);
  if (!of.empty()) joint.mimic = Mimic{of, multiplier, offset};
}

void couple_mimics(Robot& robot, Report& report) {
  const auto is_simple = [&](std::size_t b) { return coordinates(robot.bodies[b].joint.type) == 1; };
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    Body& body = robot.bodies[b];
    if (!body.joint.mimic) continue;
    const int of = joint_called(robot, body.joint.mimic->joint);
    if (of == static_cast<int>(b)) continue;  // the rules refuse it
    const Source source{body.source.file, body.source.line_of("mimic"),
                        fmt::format("joint {}: mimic", in_quotes(body.joint.name))};
    if (of < 0) {
      report.warn(source.line, source.element,
                  fmt::format("the mimic is passed over: {}",
                              unknown("joint", body.joint.mimic->joint, names_of_joints(robot))));
      body.joint.mimic.reset();
      continue;
    }
    const std::size_t odd = !is_simple(b) ? b : static_cast<std::size_t>(of);
    if (!is_simple(odd)) {
      const Joint& joint = robot.bodies[odd].joint;
      report.warn(source.line, source.element,
                  fmt::format("joint {} is {}, which has {} coordinates, not one: the mimic is passed over",
                              in_quotes(joint.name), name_of(joint.type),
                              coordinates(joint.type) == 0 ? "no" : std::to_string(coordinates(joint.type))));
      body.joint.mimic.reset();
      continue;
    }
    Loop loop;
    loop.type = LoopType::coupler;
    loop.a.body = of;
    loop.b.body = static_cast<int>(b);
    loop.ratio = body.joint.mimic->multiplier;
    loop.offset = body.joint.mimic->offset;
    loop.source = source;
    robot.loops.push_back(std::move(loop));
  }
}

void read_loop(const Element& element, Robot& robot, Report& report) {
  Loop loop;
  const std::string name = element.required("type");
  if (name.empty()) return;
  const std::optional<LoopType> type = loop_type(name);
  if (!type) {
    element.refuse(unknown("type of loop", name, loop_names()));
    return;
  }
  expect_words(element, name);
  loop.type = *type;
  loop.source = {report.file, element.line(), element.label()};
  for (const char* part : {"axis", "axis2"}) {
    if (const auto axis = element.child(part)) loop.source.note(part, axis->line());
  }
  const bool is_complete = loop_values(LoopElement(element), loop);
  const bool is_coupling = couples_coordinates(loop.type);
  const bool has_a = read_end(element, "a", is_coupling, robot, loop.a),
             has_b = read_end(element, "b", is_coupling, robot, loop.b);
  if (has_a && has_b && is_complete) robot.loops.push_back(std::move(loop));
}

}  // namespace denoc::io
