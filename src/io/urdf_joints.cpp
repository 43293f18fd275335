#include "urdf_joints.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "digits.hpp"
#include "readers.hpp"
#include "urdf_extensions.hpp"
#include "urdf_loops.hpp"

namespace denoc::io {
namespace {

JointType type_of(const Element& element) {
  static const std::pair<std::string_view, JointType> types[] = {
      {"revolute", JointType::revolute},
      {"continuous", JointType::continuous},
      {"prismatic", JointType::prismatic},
      {"fixed", JointType::fixed},
      {"floating", JointType::free},
      {"planar", JointType::planar},
      {"spherical", JointType::spherical},
      {"ball", JointType::spherical},
      // Ours, as their words in YAML: see urdf_extensions.hpp.
      {"helical", JointType::helical},
      {"universal", JointType::universal},
      {"cylindrical", JointType::cylindrical}};
  const std::string word = element.required("type");
  Words words;
  for (const auto& [name, type] : types) {
    if (name == word) return type;
    words.push_back(name);
  }
  if (!word.empty()) element.refuse(unknown("joint type", word, words));
  return JointType::fixed;
}

// URDF's default is x. Fixed and floating joints have none, whatever stands there: exporters write zeros.
void read_axis(const Element& element, JointRecord& record) {
  Vec3<double> axis{1, 0, 0};
  if (const auto said = element.child("axis")) {
    said->expect_attributes({"xyz"});
    said->expect("xyz", "1 0 0");
    axis = unit(said->vec3("xyz", axis));
    record.parts.emplace_back("axis", said->line());
  }
  const JointType type = record.joint.type;
  if (axes_of(type) == 0 && type != JointType::planar) return;
  record.joint.axis = axis;
  // The axis is the normal of URDF's plane, z that of ours: the joint's frame is turned by the smallest turn that
  // takes z to the axis, and the link's own frame back, so that the link lies as the file says at q = 0.
  if (type == JointType::planar && dot(axis, axis) > 0) {
    const Mat3<double> turn = rounded(turn_z_to(axis));
    record.frame.R = record.frame.R * turn;
    record.own_frame.R = transposed(turn);
    record.joint.axis = {0, 0, 1};
  }
}

// A limit may be infinite.
double bound(const Element& limit, const char* name, double fallback) {
  const double infinite = number_or_not_finite(limit.text(name, "")).value;
  const double said = std::isinf(infinite) ? infinite : limit.number(name, fallback);
  return std::abs(said) >= no_limit ? std::copysign(std::numeric_limits<double>::infinity(), said) : said;
}

// URDF wants lower and upper of revolute and prismatic joints, and takes 0 where one is left out. Planar joints and those
// of ours have what is said. Continuous joints and those of quaternions have none, whatever exporters write.
void read_limits(const Element& element, JointRecord& record) {
  const JointType type = record.joint.type;
  const bool is_bounded = type == JointType::revolute || type == JointType::prismatic;
  const bool may_be_bounded = type == JointType::planar || type == JointType::helical || type == JointType::universal ||
                              type == JointType::cylindrical;
  const auto limit = element.child("limit");
  if (!limit) {
    if (is_bounded) element.warn(fmt::format("URDF wants a <limit> for a {} joint: taken as unlimited", name_of(type)));
    return;
  }
  limit->expect_attributes({"lower", "upper", "velocity", "effort", "stiffness", "damping"},
                           {"acceleration", "deceleration", "jerk"});  // of planners, since URDF 1.2
  record.parts.emplace_back("limits", limit->line());
  Limits& limits = record.joint.limits;
  const Limits missing = may_be_bounded ? Limits{} : Limits{.lower = 0, .upper = 0};
  const Limits said = {.lower = bound(*limit, "lower", missing.lower), .upper = bound(*limit, "upper", missing.upper)};
  if (!said.leave_room()) {
    limit->warn(fmt::format("no number lies between the lower limit {} and the upper {}: taken as unlimited",
                            said.lower, said.upper));
  } else if (is_bounded || may_be_bounded || limit->has("stiffness")) {
    limits = said;
    if (type == JointType::revolute) doubt_limits(*limit, said);
  }
  for (const auto& [name, value] : {std::pair{"velocity", &limits.velocity}, std::pair{"effort", &limits.effort}}) {
    if (!limit->has(name)) limit->warn(fmt::format("URDF wants the attribute '{}': taken as unlimited", name));
    const double said = bound(*limit, name, *value);
    if (said < 0) limit->warn(fmt::format("{}: {} is negative: taken as unlimited", name, said));
    if (said >= 0) *value = said;
  }
  limits.stiffness = limit->number("stiffness", 0);
  limits.damping = limit->number("damping", 0);
}

void read_dynamics(const Element& element, JointRecord& record) {
  const auto dynamics = element.child("dynamics");
  if (!dynamics) return;
  dynamics->expect_attributes({"damping", "friction", "stribeck", "surface_speed"});
  record.parts.emplace_back("friction", dynamics->line());
  Friction& friction = record.joint.friction;
  friction.viscous = dynamics->number("damping", 0);
  friction.coulomb = dynamics->number("friction", 0);
  friction.surface_speed = dynamics->number("surface_speed", 0);
  if (const std::vector<double> s = dynamics->numbers("stribeck", 2); !s.empty()) {
    friction.stribeck_epsilon = s[0];
    friction.stribeck_gamma = s[1];
  }
}

}  // namespace

Pose<double> read_origin(const Element& owner) {
  const auto element = owner.child("origin");
  if (!element) return {};
  element->expect_attributes({"xyz", "rpy", "quat_xyzw"});
  return read_pose(*element);
}

JointRecord read_urdf_joint(const Element& element) {
  element.expect_attributes({"name", "type"});
  element.expect_children({"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "axis2", "pitch",
                           "spring", "actuator", "neutral"},
                          {"calibration", "safety_controller"});
  JointRecord record;
  record.line = element.line();
  record.joint.name = element.text("name", "");
  if (record.joint.name.empty()) element.warn("a joint without a name: called as its child");
  record.joint.type = type_of(element);
  record.frame = read_origin(element);
  read_axis(element, record);
  read_limits(element, record);
  read_dynamics(element, record);
  read_joint_extensions(element, record.joint, record.parts);
  if (const auto mimic = element.child("mimic")) read_mimic(*mimic, record.joint, record.parts);
  return record;
}

}  // namespace denoc::io
