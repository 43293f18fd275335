#include "urdf_extensions.hpp"

#include "digits.hpp"
#include "loop_values.hpp"
#include "postures.hpp"
#include "urdf_loops.hpp"

namespace denoc::io {
namespace {

void read_spring(const Element& element, Robot& robot, Report& report) {
  element.only_attributes({"name", "stiffness", "damping", "rest"});
  element.only_children({"a", "b"});
  PointSpring spring;
  spring.source = {report.file, element.line(), element.label()};
  spring.stiffness = element.required_number("stiffness");
  spring.damping = element.number("damping", 0);
  spring.rest = element.number("rest", 0);
  const bool has_a = read_end(element, "a", false, robot, spring.a),
             has_b = read_end(element, "b", false, robot, spring.b);
  if (has_a && has_b) robot.springs.push_back(std::move(spring));
}

// All of it; of a robot that --base carries by a free joint its base, which the file does not know, may be left out.
void read_q(const Element& element, const Robot& robot, std::vector<double>& q) {
  const bool is_carried = robot.bodies.size() > 1 && robot.bodies[1].joint.type == JointType::free;
  const std::size_t all = q.size(), own = all - (is_carried ? 7 : 0);
  const std::vector<double> said = element.numbers("q", own, all);
  if (said.empty() || said.size() == own || said.size() == all) {
    std::copy(said.begin(), said.end(), q.end() - std::ssize(said));
  } else {
    element.refuse(
        "q", fmt::format("expected {} numbers, or {} without those of the free base, found {}", all, own, said.size()));
  }
}

}  // namespace

void read_joint_extensions(const Element& element, Joint& joint, std::vector<std::pair<std::string, int>>& lines) {
  const auto part = [&](const char* name, const Words& attributes) {
    auto found = element.child(name);
    if (!found) return found;
    found->only_attributes(attributes);
    lines.emplace_back(name, found->line());
    return found;
  };
  if (const auto axis = part("axis2", {"xyz"})) {
    axis->require("xyz");
    joint.axis2 = unit(axis->vec3("xyz", joint.axis2));
  }
  if (const auto pitch = part("pitch", {"value"})) joint.pitch = pitch->required_number("value");
  if (const auto spring = part("spring", {"stiffness", "rest"}))
    joint.spring = {spring->required_number("stiffness"), spring->number("rest", 0)};
  if (const auto drive = part("actuator", {"gear", "rotor_inertia", "max_torque", "armature"})) {
    joint.actuator = {drive->number("gear", joint.actuator.gear), drive->number("rotor_inertia", 0),
                      drive->number("max_torque", joint.actuator.max_torque)};
    joint.armature = drive->number("armature", 0);
    if (drive->has("gear")) lines.emplace_back("gear", drive->line());
  }
  if (const auto neutral = part("neutral", {"q"})) {
    neutral->require("q");
    joint.neutral = neutral->numbers("q", static_cast<std::size_t>(coordinates(joint.type)));
  }
}

void read_extensions(const Element& file, Robot& robot, Report& report) {
  if (const auto gravity = file.child("gravity")) {
    gravity->only_attributes({"xyz"});
    gravity->require("xyz");
    robot.gravity = gravity->vec3("xyz", robot.gravity);
  }
  file.each("spring", [&](const Element& element) { read_spring(element, robot, report); });
  file.each("posture", [&](const Element& element) {
    element.only_attributes({"name", "q"});
    element.require("q");
    Posture posture{element.required("name"), neutral_posture(robot), {report.file, element.line(), element.label()}};
    read_q(element, robot, posture.q);
    for (const std::string& rule : add_posture(std::move(posture), robot)) element.refuse(rule);
  });
}

void doubt_forces_of_others(const Element& file) {
  static const Words drake = {"drake:joint",
                              "drake:mimic",
                              "drake:gear_ratio",
                              "drake:rotor_inertia",
                              "drake:linear_spring_damper",
                              "drake:linear_bushing_rpy",
                              "drake:ball_constraint",
                              "drake:weld_constraint",
                              "drake:tendon_constraint"};
  static const Words gazebo = {"springStiffness", "spring_stiffness", "dampingFactor", "turnGravityOff",
                               "kinematic",       "static",           "mass"};
  static const char* const of_mujoco[] = {"gravity",      "balanceinertia", "boundmass", "boundinertia",
                                          "settotalmass", "inertiafromgeom"};  // of its options and its compiler
  const auto contains = [](const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const auto says_nothing = [](const Element& element) {
    const std::string said(trimmed(element.content()));
    const Number number = plain_number(said);
    return said.empty() || said == "false" || (number && number.value == 0);
  };
  const auto doubt = [](const Element& element) {
    element.warn(fmt::format("<{}> is passed over: it would move the robot otherwise", element.kind()));
  };
  file.within([&](const Element& element) {
    if (contains(drake, element.kind())) doubt(element);
  });
  file.each("gazebo", [&](const Element& extension) {
    extension.within([&](const Element& element) {
      const bool lifts_weight = element.kind() == "gravity" && says_nothing(element);
      if (lifts_weight || (contains(gazebo, element.kind()) && !says_nothing(element))) doubt(element);
    });
  });
  file.each("mujoco", [&](const Element& extension) {
    extension.within([&](const Element& element) {
      for (const char* attribute : of_mujoco)
        if (element.has(attribute)) element.warn(attribute, "passed over: it would move the robot otherwise");
    });
  });
}

std::vector<int> geared_bodies(const Robot& robot) {
  std::vector<int> geared;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const auto& parts = robot.bodies[b].source.parts;
    const auto says_gear = [](const std::pair<std::string, int>& part) { return part.first == "gear"; };
    if (std::any_of(parts.begin(), parts.end(), says_gear)) geared.push_back(static_cast<int>(b));
  }
  return geared;
}

void read_transmission(const Element& transmission, Robot& robot, std::vector<int>& geared) {
  std::vector<std::string> joints, reductions;
  const auto reduction = [&](const Element& owner) {
    owner.each("mechanicalReduction", [&](const Element& element) { reductions.push_back(element.content()); });
  };
  reduction(transmission);
  transmission.each("actuator", reduction);
  transmission.each("joint", [&](const Element& element) {
    joints.push_back(element.text("name", ""));
    reduction(element);
  });
  if (reductions.empty()) return;
  const auto pass_over = [&](const std::string& why) {
    transmission.warn(fmt::format("its mechanicalReduction is passed over: {}", why));
  };
  const Number gear = plain_number(reductions.front());
  if (!gear) return pass_over(gear.rule);
  if (gear.value == 0) return pass_over("a gear is not 0");
  if (reductions.size() > 1 || joints.size() != 1) {
    const bool is_plain = std::all_of(reductions.begin(), reductions.end(),
                                      [](const std::string& text) { return plain_number(text).value == 1; });
    return is_plain ? void() : pass_over("one drive and one joint have a gear");
  }
  const int body = joint_called(robot, joints.front());
  if (body < 0) return pass_over(fmt::format("there is no joint {}", in_quotes(joints.front())));
  Joint& joint = robot.bodies[static_cast<std::size_t>(body)].joint;
  if (degrees_of_freedom(joint.type) != 1)
    return pass_over(fmt::format("joint {} is {}", in_quotes(joint.name), name_of(joint.type)));
  const bool has_one = std::find(geared.begin(), geared.end(), body) != geared.end();
  if (has_one && joint.actuator.gear != gear.value)
    return pass_over(fmt::format("joint {} has a gear of {} already", in_quotes(joint.name), joint.actuator.gear));
  joint.actuator.gear = gear.value;
  geared.push_back(body);
}

}  // namespace denoc::io
