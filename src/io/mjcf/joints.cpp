#include "joints.hpp"

#include <cmath>

#include "../readers.hpp"

namespace denoc::io::mjcf {
namespace {

const Words& attributes() {
  static const Words words = {"name",
                              "class",
                              "type",
                              "group",
                              "pos",
                              "axis",
                              "springdamper",
                              "limited",
                              "solreflimit",
                              "solimplimit",
                              "solreffriction",
                              "solimpfriction",
                              "stiffness",
                              "range",
                              "margin",
                              "ref",
                              "springref",
                              "springyield",
                              "armature",
                              "damping",
                              "frictionloss",
                              "user",
                              "actuatorfrclimited",
                              "actuatorfrcrange",
                              "actuatorgravcomp"};
  return words;
}

JointType joint_type(const Said& said) {
  if (said.tag().kind() == "freejoint") return JointType::free;
  static const std::pair<std::string_view, JointType> types[] = {{"hinge", JointType::revolute},
                                                                 {"slide", JointType::prismatic},
                                                                 {"ball", JointType::spherical},
                                                                 {"free", JointType::free}};
  const std::string word = said.word("type", {"hinge", "slide", "ball", "free"}, "hinge");
  return std::find_if(std::begin(types), std::end(types), [&](const auto& row) { return row.first == word; })->second;
}

bool has_one_coordinate(JointType type) { return coordinates(type) == 1; }

// The range that one attribute says and another switches on or off. Left alone it is a limit if it has room between its
// ends: "0 0" takes back what a default says. Empty: no limit.
std::vector<double> range_of(const Said& said, const char* attribute, const char* is_limited, const Compiler& compiler,
                             const Joint& joint) {
  const std::string limited = said.word(is_limited, {"true", "false", "auto"}, "auto");
  if (limited == "true" && has_one_coordinate(joint.type) && !said.has(attribute))
    said.refuse(is_limited, fmt::format("there is no {}", attribute));
  const std::vector<double> range = said.numbers(attribute, 2);
  const bool is_unclear = limited == "auto" && !compiler.infers_limits && joint.type != JointType::free;
  if (is_unclear && !range.empty() && range != std::vector<double>{0, 0})
    said.refuse(attribute, fmt::format("without autolimits it needs {}=\"true\" or \"false\"", is_limited));
  if (range.empty() || limited == "false" || (limited == "auto" && !compiler.infers_limits)) return {};
  if (range[0] > range[1]) said.refuse(attribute, "its first number is not above its second");
  return range[0] < range[1] || (limited == "true" && range[0] == range[1]) ? range : std::vector<double>{};
}

void read_limits(const Said& said, const Compiler& compiler, Joint& joint) {
  const std::vector<double> range = range_of(said, "range", "limited", compiler, joint);
  if (range.empty()) return;
  if (!has_one_coordinate(joint.type)) {
    if (joint.type == JointType::spherical) said.warn("range: the limit of a ball's angle is passed over");
    return;
  }
  const bool turns = joint.type == JointType::revolute;
  const auto bound = [&](double number) {
    if (std::abs(number) >= no_limit) return std::copysign(std::numeric_limits<double>::infinity(), number);
    return turns ? compiler.radians(number) : number;
  };
  joint.limits.lower = bound(range[0]);
  joint.limits.upper = bound(range[1]);
}

// What all actuators together may give a hinge or slide. Ours is one number for both ways.
void read_effort(const Said& said, const Compiler& compiler, Joint& joint) {
  const std::vector<double> range = range_of(said, "actuatorfrcrange", "actuatorfrclimited", compiler, joint);
  if (range.empty() || !has_one_coordinate(joint.type)) return;
  const double most = std::max(std::abs(range[0]), std::abs(range[1]));
  if (range[0] != -range[1])
    said.warn(fmt::format("actuatorfrcrange: the limit of effort is one for both ways, and taken as {}", most));
  joint.limits.effort = most;
}

// a x + b x^2 + c x^3: the linear part is ours.
double linear_part(const Said& said, const char* attribute) {
  const std::vector<double> said_of_it = said.numbers(attribute, 1, 3);
  if (std::any_of(said_of_it.begin() + (said_of_it.empty() ? 0 : 1), said_of_it.end(), [](double x) { return x != 0; }))
    said.warn(fmt::format("{}: what is not linear in it is passed over (its 2nd and 3rd number)", attribute));
  return said_of_it.empty() ? 0 : said_of_it.front();
}

void read_forces(const Said& said, const Compiler& compiler, Joint& joint) {
  joint.armature = said.number("armature", 0);
  joint.friction.viscous = linear_part(said, "damping");
  joint.friction.coulomb = said.number("frictionloss", 0);
  if (joint.type == JointType::free && joint.friction.coulomb != 0) {
    said.warn("frictionloss: the dry friction of a free joint is passed over");
    joint.friction.coulomb = 0;
  }
  const double stiffness = linear_part(said, "stiffness"), rest = said.number("springref", 0);
  if (stiffness != 0 && said.number("springyield", 0) != 0)
    said.warn("springyield: the spring is taken as elastic: it never yields");
  if (has_one_coordinate(joint.type))
    joint.spring = {stiffness, joint.type == JointType::revolute ? compiler.radians(rest) : rest};
  if (const auto s = said.numbers("springdamper", 2); !s.empty() && (s[0] != 0 || s[1] != 0)) {
    if (s[0] <= 0 || s[1] <= 0) said.refuse("springdamper", "its numbers are positive, or both are 0");
    said.warn("springdamper is passed over, and with it the spring and the damping: say stiffness and damping");
    joint.friction.viscous = joint.spring.stiffness = 0;
  } else if (stiffness != 0 && !has_one_coordinate(joint.type)) {
    said.warn(
        fmt::format("stiffness: the spring of a {} joint is passed over", said.word("type", {"ball", "free"}, "")));
  }
}

}  // namespace

ReadJoint read_joint(const Said& said, const Pose<double>& around, const Drawn& drawn, const Compiler& compiler) {
  ReadJoint read;
  Joint& joint = read.joint;
  joint.type = joint_type(said);
  if (said.tag().kind() == "freejoint") {
    said.tag().element().only_attributes({"name", "group", "align"});
  } else {
    said.only_attributes(attributes());
    read_limits(said, compiler, joint);
    read_effort(said, compiler, joint);
    read_forces(said, compiler, joint);
  }
  if (joint.type == JointType::free) {  // q is the pose in the world
    const auto& [R, r] = drawn.pose;
    read.joint_frame = inverse(drawn.pose);
    joint.neutral = {r.x, r.y, r.z};
    const std::vector<double> turn = unit_quaternion(R, drawn.turn);
    joint.neutral.insert(joint.neutral.end(), turn.begin(), turn.end());
    return read;
  }
  const Vec3<double> anchor = around.r + around.R * said.vec3("pos", {0, 0, 0});
  read.joint_frame.r = anchor;
  read.own_frame.r = -anchor;
  if (joint.type == JointType::spherical) return read;
  joint.axis = around.R * unit(said.vec3("axis", {0, 0, 1}));
  const double ref = said.number("ref", 0), at = joint.type == JointType::revolute ? compiler.radians(ref) : ref;
  if (at == 0) return read;
  joint.neutral = {at};
  if (joint.type == JointType::revolute) {
    if (dot(joint.axis, joint.axis) > 0) read.joint_frame.R = rounded(turn_about(joint.axis, -at));
  } else {
    read.joint_frame.r = anchor - joint.axis * at;
  }
  return read;
}

}  // namespace denoc::io::mjcf
