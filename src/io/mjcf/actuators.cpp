#include "actuators.hpp"

namespace denoc::io::mjcf {
namespace {

const Words& actuator_kinds() {
  static const Words words = {"general", "motor",    "position", "velocity", "intvelocity", "orientation", "pid",
                              "damper",  "cylinder", "muscle",   "adhesion", "dcmotor",     "plugin"};
  return words;
}

bool is_nonzero(const Said& said, const char* attribute) {
  const std::vector<double> numbers = said.numbers(attribute, 1, 3);
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0; });
}

}  // namespace

void read_tendons(const Tag& tag, const Classes& classes, Files& files, PassedOver& passed_over) {
  for (const Tag& child : files.children(tag)) {
    if (child.kind() != "spatial" && child.kind() != "fixed") {
      child.element().refuse(unknown("element", child.kind(), {"spatial", "fixed"}));
      continue;
    }
    const Said said = classes.filled(child, "tendon", "");
    passed_over.note(child, "tendons", "they hold and pull nothing");
    for (const char* force : {"stiffness", "damping", "frictionloss"}) {
      if (is_nonzero(said, force)) said.warn(fmt::format("{}: the force of a tendon is passed over", force));
    }
    if (is_nonzero(said, "armature"))
      said.refuse("armature", "the inertia of a tendon is not computed: say it as armature of the joints");
  }
}

void read_actuators(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                    Robot& robot) {
  for (const Tag& child : files.children(tag)) {
    const std::string kind(child.kind());
    if (std::find(actuator_kinds().begin(), actuator_kinds().end(), kind) == actuator_kinds().end()) {
      child.element().refuse(unknown("element", kind, actuator_kinds()));
      continue;
    }
    passed_over.note(child, "actuators", "forces are given at the joints, as tau");
    const Said said = classes.filled(child, kind.c_str(), "");
    if (is_nonzero(said, "armature")) said.refuse("armature", "say it as armature of the joint: gear^2 times this");
    if (is_nonzero(said, "damping")) said.warn("damping: the damping of an actuator is passed over");
    const int b = said.has("joint") ? bodies.find_joint(said.text("joint")) : -1;
    const std::vector<double> gear = said.numbers("gear", 1, 6);
    if (b < 0 || gear.empty() || gear[0] == 0) continue;
    Joint& joint = robot.bodies[static_cast<std::size_t>(b)].joint;
    if (degrees_of_freedom(joint.type) == 1 && joint.actuator.gear == 1) joint.actuator.gear = gear[0];
  }
}

}  // namespace denoc::io::mjcf
