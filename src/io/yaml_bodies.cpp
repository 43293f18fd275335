#include "yaml_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "printed_digits.hpp"
#include "readers.hpp"
#include "urdf_shapes.hpp"

namespace denoc::io::yaml {
namespace {

Sym3<double> about_axis(double moment, const Vec3<double>& n) {
  return {moment * n.x * n.x, moment * n.x * n.y, moment * n.y * n.y,
          moment * n.x * n.z, moment * n.y * n.z, moment * n.z * n.z};
}

void set_type(Joint& joint, std::string_view word) {
  joint.type = joint_type(word).value_or(JointType::revolute);  // an unknown one is reported
}
bool means(JointType type, std::string_view key) {
  if (key == "pitch") return type == JointType::helical;
  if (key == "axis") return axes_of(type) > 0;
  if (key == "axis2") return axes_of(type) > 1;
  return type != JointType::fixed;  // what acts along its coordinates
}
// Doubts those that a joint of this type has no use for.
void expect_meaning(const Fields& fields, JointType type, const Words& keys) {
  for (const std::string_view key : keys)
    if (fields.has(key) && !means(type, key))
      fields.warn(key, fmt::format("it means nothing to a joint of type {}", name_of(type)));
}

// xx, yy, zz, xy, yz, zx; zero if the key is not there.
Sym3<double> tensor(const Fields& fields, std::string_view key) {
  const std::vector<double> i = fields.numbers(key, 6);
  return i.empty() ? Sym3<double>{0, 0, 0, 0, 0, 0} : Sym3<double>{i[0], i[3], i[1], i[5], i[4], i[2]};
}

void friction(const Fields& fields, Friction& friction) {
  const auto map = fields.map("friction", {"viscous", "coulomb", "stribeck", "surface_speed"});
  if (!map) return;
  friction.viscous = map->number("viscous", 0);
  friction.coulomb = map->number("coulomb", 0);
  friction.surface_speed = map->number("surface_speed", 0);
  if (const std::vector<double> s = map->numbers("stribeck", 2); !s.empty()) {
    friction.stribeck_epsilon = s[0];
    friction.stribeck_gamma = s[1];
  }
}

void joint_spring(const Fields& fields, JointSpring& spring) {
  const auto map = fields.map("spring", {"stiffness", "rest"});
  if (map) spring = {map->number("stiffness"), map->number("rest", 0)};
}

void limits(const Fields& fields, JointType type, Limits& limits) {
  const auto map = fields.map("limits", {"lower", "upper", "velocity", "effort", "stiffness", "damping"});
  if (!map) return;
  limits = {map->number("lower", limits.lower),
            map->number("upper", limits.upper),
            map->number("velocity", limits.velocity),
            map->number("effort", limits.effort),
            map->number("stiffness", 0),
            map->number("damping", 0)};
  if (type == JointType::revolute) doubt_limits(*map, limits);
  if (limits.leave_room()) return;
  map->warn("lower", fmt::format("no number lies between the lower limit {} and the upper {}: taken as unlimited",
                                 limits.lower, limits.upper));
  limits.lower = Limits{}.lower;
  limits.upper = Limits{}.upper;
}

void actuator(const Fields& fields, Actuator& actuator) {
  const auto map = fields.map("actuator", {"gear", "rotor_inertia", "max_torque"});
  if (!map) return;
  actuator = {map->number("gear", actuator.gear), map->number("rotor_inertia", 0),
              map->number("max_torque", actuator.max_torque)};
}

}  // namespace

Words all_joint_types() {
  Words words;
  for (int type = 0; type <= static_cast<int>(JointType::free); ++type)
    words.push_back(name_of(static_cast<JointType>(type)));
  return words;
}

Joint joint(const Fields& fields, const Words& types, const Words& keys, Source& source) {
  Joint joint;
  const Node* node = fields.node("joint");
  if (node == nullptr || node->kind == Node::Kind::scalar) {
    set_type(joint, fields.word("joint", types));
  } else if (const auto map =
                 fields.map("joint", keys, "; beside joint: friction, spring, limits, actuator, armature")) {
    set_type(joint, map->word("type", types));
    joint.name = map->text("name", "");
    joint.axis = unit(map->vec3("axis", joint.axis));
    joint.axis2 = unit(map->vec3("axis2", joint.axis2));
    joint.pitch = map->number("pitch", 0);
    for (const std::string_view part : {"axis", "axis2", "pitch"})
      if (map->has(part)) source.note(part, map->line(part));
    expect_meaning(*map, joint.type, {"axis", "axis2", "pitch"});
  }
  return joint;
}

void complete(const Fields& body, Joint& joint) {
  friction(body, joint.friction);
  joint_spring(body, joint.spring);
  limits(body, joint.type, joint.limits);
  actuator(body, joint.actuator);
  joint.armature = body.number("armature", 0);
  expect_meaning(body, joint.type, {"friction", "spring", "limits"});
  if (body.has("neutral")) joint.neutral = body.numbers("neutral", static_cast<std::size_t>(coordinates(joint.type)));
}

Pose<double> frame(const Fields& fields, std::string_view key) {
  const auto map = fields.map(key, {"xyz", "rpy", "quat"});
  return map ? read_frame(*map, "quat", 0) : Pose<double>{};
}

Inertial inertial(const Fields& fields) {
  Inertial said;
  said.mass = fields.number("mass", 0);
  said.com = fields.vec3("com", said.com);
  said.inertia = tensor(fields, "inertia");
  return said;
}

double inertia_rounding(const Fields& fields) {
  const Node* const inertia = fields.node("inertia");
  if (inertia == nullptr || inertia->children.size() != 6) return 0;
  std::array<std::string_view, 6> entries;
  for (std::size_t i = 0; i < 6; ++i) entries[i] = inertia->children[i]->text;
  return printed_rounding(entries);
}

Sym3<double> hub(const Fields& fields, const Body& body) {
  const Node* const said = fields.node("hub");
  if (said != nullptr && said->kind == Node::Kind::list) return tensor(fields, "hub");
  const double moment = fields.number("hub", 0);
  if (said != nullptr && axes_of(body.joint.type) != 1) {
    fields.refuse("hub", fmt::format("a hub turns about the axis of its joint; a joint of type {} has none: give its "
                                     "tensor, [xx, yy, zz, xy, yz, zx]",
                                     name_of(body.joint.type)));
    return {0, 0, 0, 0, 0, 0};
  }
  return about_axis(moment, back(body.own_frame.R, body.joint.axis));
}

Words shape_keys() { return {"type", "size", "frame", "file"}; }

Shape shape(const Fields& fields, const std::string& robot_file) {
  const Words types(std::begin(shape_words), std::end(shape_words));
  const auto type = std::find(types.begin(), types.end(), fields.word("type", types));
  Shape shape;
  if (type != types.end()) shape.kind = static_cast<Shape::Kind>(type - types.begin());
  const bool is_mesh = shape.kind == Shape::Kind::mesh;
  if (is_mesh) shape.mesh = find_mesh(fields.text("file"), robot_file);
  shape.size = fields.vec3("size", is_mesh ? Vec3<double>{1, 1, 1} : Vec3<double>{0, 0, 0});
  if (!is_mesh) fields.require("size");
  shape.frame = frame(fields, "frame");
  return shape;
}

}  // namespace denoc::io::yaml
