// A robot as YAML: a tree of bodies, a line each.
#include <algorithm>

#include "loop_values.hpp"
#include "writers.hpp"
#include "yaml_bodies.hpp"

namespace denoc::io {
namespace {

// A word that YAML reads as that word, quoted where it has to be.
std::string word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '/';
  };
  const bool is_letter_first = !text.empty() && text[0] >= 'A' && is_plain(text[0]);
  if (is_letter_first && std::all_of(text.begin(), text.end(), is_plain) && text != "null" && text != "Null" &&
      text != "NULL")
    return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      quoted += fmt::format("\\x{:02x}", static_cast<int>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}
std::string numbers(const std::vector<double>& x) { return fmt::format("[{}]", fmt::join(x, ", ")); }
std::string tensor(const Sym3<double>& i) { return numbers({i.xx, i.yy, i.zz, i.xy, i.yz, i.xz}); }

// {key: value, ..}, in the order of the calls.
class Map {
 public:
  Map& add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, value);
    return *this;
  }
  Map& add(std::string_view key, double value) { return add(key, fmt::format("{}", value)); }
  // Only what says something.
  Map& unless(std::string_view key, double value, double fallback) {
    return value == fallback ? *this : add(key, value);
  }
  bool empty() const { return text_.empty(); }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_ = {};
};

std::string frame(const Pose<double>& pose) {
  Map map;
  if (!is_zero(pose.r)) map.add("xyz", numbers(list(pose.r)));
  if (!is_identity(pose.R)) {
    const auto q = wxyz_of(pose.R);
    map.add("quat", numbers({q.begin(), q.end()}));
  }
  return map.text();
}

class YamlWriter {
 public:
  YamlWriter(const Robot& robot, std::vector<std::string>& unsaid) : robot_(robot), unsaid_(unsaid) {
    for (int b = 0; b < std::ssize(robot.bodies); ++b) names_.push_back(word(name_beside_ground(robot, b)));
  }

  std::string write() {
    line("name: {}", word(robot_.name));
    line("gravity: {}", numbers(list(robot_.gravity)));
    line("bodies:");
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b)
      if (!is_ground(robot_, static_cast<int>(b))) line("  - {}", body(robot_.bodies[b]));
    if (!robot_.loops.empty()) line("loops:");
    for (const Loop& loop : robot_.loops) line("  - {}", text_of(loop));
    if (!robot_.springs.empty()) line("springs:");
    for (const PointSpring& spring : robot_.springs) line("  - {}", text_of(spring));
    if (!robot_.postures.empty()) line("postures:");
    for (const Posture& posture : robot_.postures) line("  {}: {}", word(posture.name), numbers(posture.q));
    return std::move(text_);
  }

 private:
  template <class... Parts> void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }

  const std::string& name(int b) const { return names_[static_cast<std::size_t>(b)]; }

  std::string body(const Body& b) {
    const std::string own = name(static_cast<int>(&b - robot_.bodies.data()));
    if (b.name == "world") unsaid_.push_back(fmt::format("no body of YAML is called 'world': it is called '{}'", own));
    Map map;
    map.add("name", own).add("parent", name(b.parent));
    if (!is_identity(b.joint_frame)) map.add("frame", frame(b.joint_frame));
    if (!is_identity(b.own_frame)) map.add("own_frame", frame(b.own_frame));
    map.add("joint", joint(b));
    inertial(b, map);
    forces(b.joint, map);
    if (!b.joint.neutral.empty()) map.add("neutral", numbers(b.joint.neutral));
    if (!b.shapes.empty()) map.add("shapes", shapes(b));
    return map.text();
  }

  static std::string joint(const Body& b) {
    const Joint& j = b.joint;
    Map map;
    map.add("type", std::string(denoc::name_of(j.type)));
    if (!j.name.empty() && j.name != b.name) map.add("name", word(j.name));
    if (axes_of(j.type) > 0) map.add("axis", numbers(list(j.axis)));
    if (axes_of(j.type) > 1) map.add("axis2", numbers(list(j.axis2)));
    if (j.type == JointType::helical) map.add("pitch", j.pitch);
    return map.text();
  }

  static void inertial(const Body& b, Map& map) {
    const auto& [mass, com, inertia, hub] = b.inertial;
    map.unless("mass", mass, 0);
    if (!is_zero(com)) map.add("com", numbers(list(com)));
    if (!is_zero(inertia)) map.add("inertia", tensor(inertia));
    if (!is_zero(hub)) map.add("hub", tensor(hub));  // a body welded to the one that turns may carry it
  }

  // Files of CAD programs have limits and friction for joints that do not move, too: they mean nothing.
  static void forces(const Joint& j, Map& map) {
    if (j.type == JointType::fixed) return;
    const Friction& f = j.friction;
    Map friction, limits, actuator;
    friction.unless("viscous", f.viscous, 0).unless("coulomb", f.coulomb, 0);
    if (f.stribeck_epsilon != 0 || f.stribeck_gamma != 0)
      friction.add("stribeck", numbers({f.stribeck_epsilon, f.stribeck_gamma}));
    friction.unless("surface_speed", f.surface_speed, 0);
    const Limits none, &l = j.limits;
    limits.unless("lower", l.lower, none.lower).unless("upper", l.upper, none.upper);
    limits.unless("velocity", l.velocity, none.velocity).unless("effort", l.effort, none.effort);
    limits.unless("stiffness", l.stiffness, 0).unless("damping", l.damping, 0);
    const Actuator plain, &a = j.actuator;
    actuator.unless("gear", a.gear, plain.gear).unless("rotor_inertia", a.rotor_inertia, 0);
    actuator.unless("max_torque", a.max_torque, plain.max_torque);
    if (!friction.empty()) map.add("friction", friction.text());
    if (j.spring.stiffness != 0)
      map.add("spring", Map().add("stiffness", j.spring.stiffness).add("rest", j.spring.rest).text());
    if (!limits.empty()) map.add("limits", limits.text());
    if (!actuator.empty()) map.add("actuator", actuator.text());
    map.unless("armature", j.armature, 0);
  }

  static std::string shapes(const Body& b) {
    std::vector<std::string> all;
    for (const Shape& shape : b.shapes) {
      Map map;
      map.add("type", std::string(yaml::shape_words[static_cast<std::size_t>(shape.kind)]));
      if (!shape.mesh.empty()) map.add("file", word(shape.mesh));
      map.add("size", numbers(list(shape.size)));
      if (!is_identity(shape.frame)) map.add("frame", frame(shape.frame));
      all.push_back(map.text());
    }
    return fmt::format("[{}]", fmt::join(all, ", "));
  }

  std::string end(const Attachment& end, const char* place) const {
    Map map;
    map.add("body", name(end.body));
    if (!is_identity(end.frame)) map.add(place, place[0] == 'p' ? numbers(list(end.frame.r)) : frame(end.frame));
    return map.text();
  }

  std::string text_of(const Loop& loop) const {
    Map map;
    map.add("type", std::string(name_of(loop.type)));
    for (const auto& [key, at] : {std::pair{"a", &loop.a}, std::pair{"b", &loop.b}}) {
      const bool is_joint = couples_coordinates(loop.type);
      const std::string& joint = name_of_joint(robot_.bodies[static_cast<std::size_t>(at->body)]);
      map.add(key, is_joint ? Map().add("body", word(joint)).text() : end(*at, "frame"));
    }
    for (const auto& [key, said] : words_of(loop)) {
      const bool is_list = said.size() > 1 || key == "coefficients";
      map.add(key, is_list ? numbers(said) : fmt::format("{}", said.front()));
    }
    return map.text();
  }

  std::string text_of(const PointSpring& spring) const {
    return Map()
        .add("a", end(spring.a, "point"))
        .add("b", end(spring.b, "point"))
        .add("stiffness", spring.stiffness)
        .unless("damping", spring.damping, 0)
        .unless("rest", spring.rest, 0)
        .text();
  }

  const Robot& robot_;
  std::vector<std::string>& unsaid_;
  std::vector<std::string> names_ = {};  // of the bodies, as words
  std::string text_ = {};
};

}  // namespace

std::string write_yaml(const Robot& robot, std::vector<std::string>& unsaid) {
  return YamlWriter(robot, unsaid).write();
}

}  // namespace denoc::io
