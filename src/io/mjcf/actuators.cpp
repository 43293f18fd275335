#include "actuators.hpp"

#include <optional>

namespace denoc::io::mjcf {
namespace {

bool is_nonzero(const Said& said, const char* attribute) {
  const std::vector<double> numbers = said.numbers(attribute, 1, 3);
  return std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != 0; });
}

// Those of all kinds together: what an actuator does is passed over, but not a slip of the pen.
const Words& actuator_attributes() {
  static const Words words = {
      "name",        "class",      "group",        "joint",       "jointinparent", "tendon",    "site",
      "refsite",     "slidersite", "cranksite",    "cranklength", "body",          "gear",      "lengthrange",
      "ctrllimited", "ctrlrange",  "forcelimited", "forcerange",  "actlimited",    "actrange",  "armature",
      "damping",     "delay",      "interp",       "nsample",     "user",          "input",     "inheritrange",
      "dyntype",     "dynprm",     "gaintype",     "gainprm",     "biastype",      "biasprm",   "actdim",
      "actearly",    "kp",         "kv",           "ki",          "imax",          "dampratio", "timeconst",
      "area",        "diameter",   "bias",         "gain",        "force",         "scale",     "range",
      "lmin",        "lmax",       "vmax",         "fpmax",       "fvmax",         "tausmooth", "posrange",
      "velrange",    "ffrange",    "slewmax",      "motorconst",  "resistance",    "nominal",   "saturation",
      "inductance",  "cogging",    "controller",   "lugre",       "thermal",       "plugin",    "instance"};
  return words;
}

// Those of a fixed tendon and of one that is drawn.
const Words& tendon_attributes() {
  static const Words words = {"name",
                              "class",
                              "group",
                              "limited",
                              "range",
                              "solreflimit",
                              "solimplimit",
                              "solreffriction",
                              "solimpfriction",
                              "actuatorfrclimited",
                              "actuatorfrcrange",
                              "frictionloss",
                              "springlength",
                              "springyield",
                              "width",
                              "material",
                              "margin",
                              "stiffness",
                              "damping",
                              "armature",
                              "rgba",
                              "user"};
  return words;
}

// What a tendon goes along.
void check_path(const Tag& tendon, const Bodies& bodies, Files& files) {
  const bool is_fixed = tendon.kind() == "fixed";
  for (const Tag& child : files.children(tendon)) {
    const std::string_view kind = child.kind();
    if (is_fixed ? kind != "joint" : kind != "site" && kind != "geom" && kind != "pulley") {
      child.element().refuse(unknown("element", kind, is_fixed ? Words{"joint"} : Words{"site", "geom", "pulley"}));
      continue;
    }
    bodies.check_names(child);
    if (kind == "joint") {
      child.element().only_attributes({"joint", "coef"});
    } else if (kind == "site") {
      child.element().only_attributes({"site"});
    } else if (kind == "geom") {
      child.element().only_attributes({"geom", "sidesite"});
    } else {
      child.element().only_attributes({"divisor"});
    }
  }
}

// stiffness (L - springlength) + damping L' along the line from site to site: ours. Nothing, if it is of another kind.
// It rests at springlength, or where all joints are at springref.
std::optional<PointSpring> point_spring(const Tag& tag, const Said& said, const Bodies& bodies, Files& files) {
  const auto along = files.children(tag);
  const auto is_site = [](const Tag& child) { return child.kind() == "site"; };
  if (tag.kind() != "spatial" || along.size() != 2 || !std::all_of(along.begin(), along.end(), is_site)) return {};
  const std::vector<double> stiffness = said.numbers("stiffness", 1, 3), damping = said.numbers("damping", 1, 3);
  const auto is_linear = [](const std::vector<double>& c) {
    return std::all_of(c.begin() + (c.empty() ? 0 : 1), c.end(), [](double x) { return x == 0; });
  };
  // One number stands for both, whatever a default says.
  const std::vector<double> length = said.at("springlength").numbers("springlength", 1, 2);
  if (!is_linear(stiffness) || !is_linear(damping) || (length.size() == 2 && length[0] != length[1])) return {};
  PointSpring spring;
  spring.stiffness = stiffness.empty() ? 0 : stiffness[0];
  spring.damping = damping.empty() ? 0 : damping[0];
  spring.source = tag.source();
  if (spring.stiffness == 0 && spring.damping == 0) return {};
  Vec3<double> relaxed[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const Site* const site = bodies.site(Said(along[i]), "site");
    if (site == nullptr) return spring;  // at fault
    Attachment& end = i == 0 ? spring.a : spring.b;
    end = {site->body, bodies.pose(*site)};
    end.frame.R = identity3<double>();
    relaxed[i] = (bodies.relaxed(end.body) * end.frame).r;
  }
  const bool says_length = !length.empty() && length[0] >= 0;
  spring.rest = says_length ? length[0] : norm(relaxed[1] - relaxed[0]);
  return spring;
}

}  // namespace

void read_tendons(const Tag& tag, const Bodies& bodies, const Classes& classes, Files& files, PassedOver& passed_over,
                  Robot& robot) {
  for (const Tag& child : files.children(tag)) {
    if (child.kind() != "spatial" && child.kind() != "fixed") {
      child.element().refuse(unknown("element", child.kind(), {"spatial", "fixed"}));
      continue;
    }
    const Said said = classes.filled(child, "tendon", "");
    said.only_attributes(tendon_attributes());
    check_path(child, bodies, files);
    const std::optional<PointSpring> spring = point_spring(child, said, bodies, files);
    if (spring && spring->a.body == spring->b.body) {  // its length is what it is
      passed_over.note(child, "tendons", "they hold and pull nothing");
      continue;
    }
    if (spring) robot.springs.push_back(*spring);
    bool is_doubted = false;
    for (const char* force : {"stiffness", "damping", "frictionloss"}) {
      const bool is_taken = spring && std::string_view(force) != "frictionloss";
      if (is_taken || !is_nonzero(said, force)) continue;
      said.warn(fmt::format("{}: the force of a tendon is passed over", force));
      is_doubted = true;
    }
    if (spring && is_nonzero(said, "springyield"))
      said.warn("springyield: the spring is taken as elastic: it never yields");
    if (!spring && !is_doubted) passed_over.note(child, "tendons", "they hold and pull nothing");
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
    said.only_attributes(actuator_attributes());
    bodies.check_names(child);
    if (is_nonzero(said, "armature")) said.refuse("armature", "say it as armature of the joint: gear^2 times this");
    if (is_nonzero(said, "damping")) said.warn("damping: the damping of an actuator is passed over");
    const std::vector<double> gear = said.numbers("gear", 1, 6);
    if (said.has("joint") && bodies.is_replicated("joint", said.text("joint"))) {
      if (!gear.empty()) said.warn("gear: passed over, as the joint is replicated");
      continue;
    }
    const int b = said.has("joint") ? bodies.joint(said, "joint") : -1;
    if (b < 0 || gear.empty() || gear[0] == 0) continue;
    Joint& joint = robot.bodies[static_cast<std::size_t>(b)].joint;
    if (degrees_of_freedom(joint.type) == 1 && joint.actuator.gear == 1) joint.actuator.gear = gear[0];
  }
}

}  // namespace denoc::io::mjcf
