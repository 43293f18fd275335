// MJCF, strictly: what it says of bodies, joints, inertias and equalities is taken into account or refused; what no
// equation of motion takes is passed over, and that is said.
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <tuple>
#include <unordered_set>

#include "../postures.hpp"
#include "../readers.hpp"
#include "actuators.hpp"
#include "equality.hpp"

namespace denoc::io {
namespace {

using namespace mjcf;

// Sections that say nothing of bodies and forces.
struct Section {
  std::string_view name;
  const char* remark;  // null: not worth a word
};
constexpr Section other_sections[] = {{"size", nullptr},
                                      {"statistic", nullptr},
                                      {"visual", "it moves nothing"},
                                      {"custom", "it moves nothing"},
                                      {"sensor", "they move nothing"},
                                      {"extension", "what its plugins do to the motion is left out"},
                                      {"contact", "bodies go through each other"},
                                      {"deformable", "soft bodies are left out"}};

class MjcfReader {
 public:
  MjcfReader(const std::filesystem::path& file, Report& report) : files_(file, report) {}

  Robot read(const std::string& text) {
    root_ = files_.parse(text);
    if (root_.xml == nullptr) return std::move(robot_);
    if (root_.kind() != "mujoco") {
      root_.element().refuse(fmt::format("the root element is <{}>, expected <mujoco>", root_.kind()));
      return std::move(robot_);
    }
    root_.element().only_attributes({"model"});
    robot_.name = root_.element().text("model", "");
    if (robot_.name.empty()) robot_.name = "mujoco";
    sections_ = files_.children(root_);
    check_sections();
    const Compiler compiler = Compiler::read(sections("compiler"));
    Classes classes;
    for (const Tag& tag : sections("default")) classes.read(tag, files_);
    Meshes meshes(compiler, files_);
    for (const Tag& tag : sections("asset")) read_assets(tag, classes, meshes);
    Bodies bodies(compiler, classes, meshes, files_, passed_over_, robot_);
    for (const Tag& tag : sections("worldbody")) bodies.note_names(tag);
    for (const Tag& tag : sections("worldbody")) bodies.read_world(tag);
    bodies.finish();
    if (robot_.bodies.size() == 1 && root_.report->faults.empty())
      root_.element().refuse("a robot has at least one body: this has none in its <worldbody>");
    for (const Tag& tag : sections("equality")) read_equality(tag, bodies, classes, files_, passed_over_, robot_);
    for (const Tag& tag : sections("tendon")) read_tendons(tag, bodies, classes, files_, passed_over_, robot_);
    for (const Tag& tag : sections("actuator")) read_actuators(tag, bodies, classes, files_, passed_over_, robot_);
    for (const char* passed : {"contact", "sensor"})
      for (const Tag& tag : sections(passed))
        for (const Tag& child : files_.children(tag)) bodies.check_names(child);
    read_options();
    read_keyframes();
    passed_over_.say();
    return std::move(robot_);
  }
  std::string whole() { return files_.whole(); }

 private:
  std::vector<Tag> sections(std::string_view name) const {
    std::vector<Tag> some = sections_;
    std::erase_if(some, [&](const Tag& tag) { return tag.kind() != name; });
    return some;
  }

  void check_sections() {
    Words known = {"compiler", "option", "default", "asset", "worldbody", "equality", "tendon", "actuator", "keyframe"};
    for (const Section& section : other_sections) known.push_back(section.name);
    for (const Tag& tag : sections_) {
      if (std::find(known.begin(), known.end(), tag.kind()) == known.end())
        tag.element().refuse(unknown("element", tag.kind(), known));
      for (const Section& section : other_sections) {
        if (section.name != tag.kind() || section.remark == nullptr) continue;
        const std::string kind(section.name == "contact" ? "contacts" : section.name);
        for (const Tag& child : files_.children(tag)) passed_over_.note(child, kind, section.remark);
      }
    }
  }

  void read_assets(const Tag& tag, const Classes& classes, Meshes& meshes) {
    static const Words known = {"mesh", "texture", "material", "hfield", "skin", "model", "include"};
    for (const Tag& child : files_.children(tag)) {
      if (child.kind() == "mesh") meshes.add(classes.filled(child, "mesh", ""));
      if (std::find(known.begin(), known.end(), child.kind()) == known.end())
        child.element().refuse(unknown("element", child.kind(), known));
    }
  }

  // Of the options the physics, not how MuJoCo integrates it.
  void read_options() {
    const std::vector<Tag> options = sections("option");
    if (options.empty()) return;
    const Said said = Said::together(options);
    said.only_attributes(
        {"timestep",       "impratio",       "tolerance",       "ls_tolerance",   "noslip_tolerance",
         "ccd_tolerance",  "mpr_tolerance",  "sleep_tolerance", "gravity",        "wind",
         "magnetic",       "density",        "viscosity",       "o_margin",       "o_solref",
         "o_solimp",       "o_friction",     "integrator",      "collision",      "cone",
         "jacobian",       "solver",         "iterations",      "ls_iterations",  "noslip_iterations",
         "ccd_iterations", "mpr_iterations", "sdf_iterations",  "sdf_initpoints", "actuatorgroupdisable",
         "apirate"});
    robot_.gravity = said.vec3("gravity", robot_.gravity);
    for (const char* medium : {"density", "viscosity"}) {
      if (said.number(medium, 0) != 0)
        said.at(medium).warn(
            fmt::format("{}: the forces of the air or water around the bodies are passed over", medium));
    }
    std::vector<Tag> flags;
    for (const Tag& option : options) {
      for (const Tag& child : files_.children(option)) {
        if (child.kind() == "flag") {
          flags.push_back(child);
        } else {
          child.element().refuse(unknown("element", child.kind(), {"flag"}));
        }
      }
    }
    if (!flags.empty()) read_flags(Said::together(flags));
  }

  // After all that they switch off is read.
  void read_flags(const Said& said) {
    said.only_attributes({"constraint",  "equality",    "frictionloss", "limit",     "contact",   "passive",
                          "spring",      "damper",      "gravity",      "clampctrl", "warmstart", "filterparent",
                          "actuation",   "refsafe",     "sensor",       "midphase",  "eulerdamp", "autoreset",
                          "nativeccd",   "island",      "multiccd",     "override",  "energy",    "fwdinv",
                          "sensornoise", "invdiscrete", "sleep",        "diagexact", "ipc",       "speculative"});
    const auto is_off = [&](const char* flag) { return said.word(flag, {"enable", "disable"}, "enable") == "disable"; };
    if (is_off("gravity")) robot_.gravity = {0, 0, 0};
    for (const char* off : {"equality", "constraint"}) {
      if (is_off(off) && !sections("equality").empty())
        said.at(off).warn(fmt::format("{}=\"disable\": equalities are loops all the same", off));
    }
    if (is_off("spring") || is_off("passive")) {
      for (Body& body : robot_.bodies) body.joint.spring.stiffness = 0;
      for (PointSpring& spring : robot_.springs) spring.stiffness = 0;
    }
    if (is_off("damper") || is_off("passive")) {
      for (Body& body : robot_.bodies) body.joint.friction.viscous = 0;
      for (PointSpring& spring : robot_.springs) spring.damping = 0;
    }
    if (is_off("frictionloss") || is_off("constraint"))
      for (Body& body : robot_.bodies) body.joint.friction.coulomb = 0;
    std::erase_if(robot_.springs, [](const PointSpring& s) { return s.stiffness == 0 && s.damping == 0; });
  }

  void read_keyframes() {
    std::vector<Tag> keys;
    for (const Tag& tag : sections("keyframe"))
      for (const Tag& key : files_.children(tag)) keys.push_back(key);
    std::unordered_set<std::string> names;
    for (const Tag& key : keys) names.insert(key.name());
    for (const Tag& key : keys) {
      const Element element = key.element();
      if (key.kind() != "key") {
        element.refuse(unknown("element", key.kind(), {"key"}));
        continue;
      }
      element.only_attributes({"name", "time", "qpos", "qvel", "act", "mpos", "mquat", "ctrl", "plastic"});
      const std::vector<double> rates = element.numbers("qvel", 0, std::numeric_limits<std::size_t>::max());
      if (std::any_of(rates.begin(), rates.end(), [](double x) { return x != 0; }))
        passed_over_.note(key, "qvel of keyframes", "a posture is q alone");
      Posture posture;
      posture.name = key.name().empty() ? made_up(fmt::format("key{}", robot_.postures.size()), names) : key.name();
      posture.q = neutral_posture(robot_);
      posture.source = key.source();
      // What it leaves out is as in qpos0.
      const std::vector<double> said = element.numbers("qpos", 0, posture.q.size());
      std::copy(said.begin(), said.end(), posture.q.begin());
      if (posture.q.empty() || !scale_quaternions(posture.q, element)) continue;
      for (const std::string& rule : add_posture(std::move(posture), robot_)) element.refuse(rule);
    }
  }

  // MuJoCo's quaternions may have any length but zero. False: at fault.
  bool scale_quaternions(std::vector<double>& q, const Element& element) const {
    for (const QuaternionPlace& place : quaternions_of(robot_)) {
      const auto first = q.begin() + place.first;
      const double length = std::hypot(std::hypot(first[0], first[1]), std::hypot(first[2], first[3]));
      if (length == 0) {
        element.refuse("qpos", fmt::format("the quaternion of joint '{}' is zero", place.joint));
        return false;
      }
      std::for_each(first, first + 4, [&](double& x) { x /= length; });
    }
    return true;
  }

  Files files_;
  Tag root_;
  std::vector<Tag> sections_;
  PassedOver passed_over_;
  Robot robot_;
};

// A fault of a default, or of a geom that is asked twice, is one fault.
void drop_repeated(std::vector<Fault>& faults) {
  std::set<std::tuple<std::string, int, std::string, std::string>> seen;
  std::erase_if(faults, [&](const Fault& fault) {
    return !seen.emplace(fault.source.file, fault.source.line, fault.source.element, fault.rule).second;
  });
}

}  // namespace

Robot read_mjcf(const std::string& text, const std::filesystem::path& file, Report& report) {
  Robot robot;
  {
    MjcfReader reader(file, report);
    robot = reader.read(text);
    report.whole = reader.whole();
  }
  drop_repeated(report.faults);
  drop_repeated(report.warnings);
  return robot;
}

}  // namespace denoc::io
