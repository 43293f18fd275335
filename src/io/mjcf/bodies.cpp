#include "bodies.hpp"

#include <cmath>

#include "../readers.hpp"
#include "denoc/model/manifold.hpp"
#include "joints.hpp"

namespace denoc::io::mjcf {
namespace {

// A limit, as a few lines of replicas of replicas would fill any memory.
constexpr std::size_t most_elements = 1'000'000;
constexpr double most_replicas = 100'000;

const Words& contents() {
  static const Words words = {"inertial",  "joint",    "freejoint", "geom", "site",  "camera",    "light", "plugin",
                              "composite", "flexcomp", "attach",    "skin", "frame", "replicate", "body"};
  return words;
}

// Numbers that <body> may say and that would change the motion.
void check_body(const Tag& tag) {
  const Element element = tag.element();
  element.only_attributes({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mocap",
                           "gravcomp", "user", "sleep", "fuse", "simple"});
  if (tag.name() == "world") element.refuse("name: 'world' is the ground");
  if (element.number("gravcomp", 0) != 0)
    element.warn("gravcomp: the force that holds the weight of the body is passed over");
  if (element.text("mocap", "false") == "true") element.warn("mocap: the body stands where the file draws it");
}

// Whether MuJoCo would turn a free body that carries no other to its principal axes.
bool is_aligned(const Said& said, const Compiler& compiler) {
  const std::string word = said.word("align", {"true", "false", "auto"}, "auto");
  return word == "true" || (word == "auto" && compiler.aligns_free);
}

// What is meant by the name that an attribute says; null, which is reported, if there is none.
template <class T>
const T* named(const std::unordered_map<std::string, T>& all, const char* kind, const Said& said,
               const char* attribute) {
  const std::string name = said.text(attribute);
  if (const auto found = all.find(name); found != all.end()) return &found->second;
  Words names;
  for (const auto& [known, unused] : all) names.push_back(known);
  std::sort(names.begin(), names.end());
  said.refuse(attribute, unknown(kind, name, names));
  return nullptr;
}

}  // namespace

void Bodies::note_names(const Tag& tag) {
  for (const Tag& child : files_.children(tag)) {
    if (child.kind() == "body") names_of_bodies_.insert(child.name());
    if (child.kind() == "joint" || child.kind() == "freejoint") names_of_joints_.insert(child.name());
    note_names(child);
  }
}

void Bodies::read_world(const Tag& tag) {
  tag.element().only_attributes({"childclass"});
  Parts parts;
  collect(tag, {{}, class_within(tag, ""), ""}, parts);
  for (const Placed& joint : parts.joints) joint.tag.element().refuse("the world has no joints");
  for (const Placed& inertial : parts.inertials) inertial.tag.element().refuse("the world has no inertia");
  for (const Geom& geom : parts.geoms)
    if (Geoms::touches(geom)) passed_over_.note(geom.said.tag(), "contacts", "bodies go through each other");
  for (const Geom& geom : parts.geoms)
    if (!geoms_.shapes({geom}).empty()) passed_over_.note(geom.said.tag(), "geoms of the world", "they are not drawn");
  add_sites(parts, 0);
  for (const Placed& body : parts.bodies) read_body(body, 0);
}

std::string Bodies::class_within(const Tag& tag, const std::string& outer) const {
  const std::string name = tag.element().text("childclass", outer);
  return tag.text("childclass") == nullptr || classes_.require(tag, "childclass", name) ? name : outer;
}

void Bodies::collect(const Tag& tag, const Around& around, Parts& parts) {
  for (const Tag& child : files_.children(tag)) {
    if (++element_count_ > most_elements) {
      if (element_count_ == most_elements + 1)
        child.element().refuse(fmt::format("with all replicas there are more than {} elements", most_elements));
      return;
    }
    const std::string_view kind = child.kind();
    if (!around.suffix.empty() && !child.name().empty()) replicated_.insert(fmt::format("{} {}", kind, child.name()));
    if (kind == "body") {
      parts.bodies.push_back({child, around});
    } else if (kind == "joint" || kind == "freejoint") {
      parts.joints.push_back({child, around});
    } else if (kind == "geom") {
      parts.geoms.push_back({classes_.filled(child, "geom", around.classname), around.frame});
      geoms_.check(parts.geoms.back().said);
    } else if (kind == "site") {
      parts.sites.push_back({child, around});
    } else if (kind == "inertial") {
      parts.inertials.push_back({child, around});
    } else if (kind == "frame") {
      child.element().only_attributes({"name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"});
      Around inside = around;
      Quaternion<double> turn;
      inside.frame = around.frame * read_pose(child, compiler_, &turn);
      inside.turn = around.turn * turn;
      inside.classname = class_within(child, around.classname);
      collect(child, inside, parts);
    } else if (kind == "replicate") {
      collect_replicas(child, around, parts);
    } else if (kind == "camera" || kind == "light" || kind == "plugin") {
      passed_over_.note(child, std::string(kind) + "s",
                        kind == "plugin" ? "what it does to the motion is left out" : "it moves nothing");
    } else if (std::find(contents().begin(), contents().end(), kind) != contents().end()) {
      child.element().refuse(
          fmt::format("<{}> is not read: save the model as MuJoCo compiles it, and give that", kind));
    } else {
      child.element().refuse(unknown("element", kind, contents()));
    }
  }
}

// The first stands where the element does. The angles of the others are multiples of `euler`, and each is moved by
// `offset` in the axes of the one before.
void Bodies::collect_replicas(const Tag& tag, const Around& around, Parts& parts) {
  const Element element = tag.element();
  element.only_attributes({"name", "count", "sep", "offset", "euler", "childclass"});
  const double count = element.required_number("count");
  if (!(count >= 0 && count <= most_replicas) || count != std::floor(count)) {
    element.refuse("count", fmt::format("a whole number from 0 to {}", most_replicas));
    return;
  }
  const Vec3<double> angles = element.vec3("euler", {0, 0, 0}), offset = element.vec3("offset", {0, 0, 0});
  const std::size_t digits = fmt::format("{}", count).size();
  Around one = around;
  one.classname = class_within(tag, around.classname);
  Pose<double> replica;
  for (int i = 0; i < static_cast<int>(count) && element_count_ <= most_elements; ++i) {
    const auto [R, turn] = turn_euler(angles * i, compiler_);
    replica.R = R;
    one.frame = around.frame * replica;
    one.turn = around.turn * turn;
    one.suffix = fmt::format("{}{:0{}}{}", element.text("sep", ""), i, digits, around.suffix);
    collect(tag, one, parts);
    replica.r += replica.R * offset;
  }
}

void Bodies::read_body(const Placed& placed, int parent) {
  const auto& [tag, around] = placed;
  check_body(tag);
  Parts parts;
  collect(tag, {{}, class_within(tag, around.classname), around.suffix}, parts);
  ++body_number_;
  Body body;
  body.name =
      tag.name().empty() ? made_up(fmt::format("body{}", body_number_), names_of_bodies_) : tag.name() + around.suffix;
  body.parent = parent;
  body.source = tag.source();
  for (const Geom& geom : parts.geoms) {
    if (Geoms::touches(geom)) passed_over_.note(geom.said.tag(), "contacts", "bodies go through each other");
  }
  body.shapes = geoms_.shapes(parts.geoms);
  body.inertial = inertial(tag, body, parts);
  if (!parts.inertials.empty()) body.source.note("inertia", parts.inertials.front().tag.line());
  Quaternion<double> turn;
  const Pose<double> frame = around.frame * read_pose(tag, compiler_, &turn);
  add_joints(std::move(body), frame, around.turn * turn, parts);
  const int index = static_cast<int>(robot_.bodies.size()) - 1;
  for (const Geom& geom : parts.geoms)
    if (geom.said.text("type") == "plane" && moves(index)) geom.said.refuse("type", "a plane stands: this body moves");
  bodies_.emplace(robot_.bodies.back().name, index);
  add_sites(parts, index);
  for (const Placed& child : parts.bodies) read_body(child, index);
}

// Geoms that count are what the body is made of, unless its <inertial> says that and <compiler> believes it. What is
// made of nothing has its mass centre at the body's `pos`, in the body: boundmass puts the mass there. Of a body without
// mass nothing is left when it is fused, so that boundinertia has nothing to bound.
Inertial Bodies::inertial(const Tag& tag, const Body& body, const Parts& parts) const {
  for (std::size_t i = 1; i < parts.inertials.size(); ++i)
    parts.inertials[i].tag.element().refuse(fmt::format("{} has an <inertial> already", body.source.element));
  using Inference = Compiler::Inference;
  const bool is_said = !parts.inertials.empty();
  const bool from_geoms =
      compiler_.from_geoms == Inference::always || (compiler_.from_geoms == Inference::where_missing && !is_said);
  Inertial of_geoms = from_geoms ? geoms_.inertia(parts.geoms) : Inertial{};
  if (of_geoms.mass == 0 && compiler_.least_mass > 0) of_geoms.com = read_pose(tag, compiler_).r;
  if (!is_said || of_geoms.mass > 0) {
    const bool is_nothing = of_geoms.mass == 0 && !(compiler_.least_mass > 0);
    return is_nothing && is_fused(tag, body, parts) ? of_geoms : bounded(of_geoms, compiler_);
  }
  const auto& [said, around] = parts.inertials.front();
  if (from_geoms && is_fused(tag, body, parts))
    said.element().warn("it counts: with inertiafromgeom and fusestatic MuJoCo loses it as it fuses the body");
  return bounded(read_inertial(said, around.frame, compiler_), compiler_);
}

bool Bodies::is_fused(const Tag& tag, const Body& body, const Parts& parts) const {
  return compiler_.fuses_static && parts.joints.empty() && moves(body.parent) &&
         tag.element().text("fuse", "") != "false";
}

// Several joints are a chain of bodies without mass, of which the last is the body itself; the first joint is the one
// at the parent. `frame`: the body as drawn, in its parent; `turn`: the same as a quaternion.
void Bodies::add_joints(Body body, const Pose<double>& frame, const Quaternion<double>& turn, const Parts& parts) {
  const Pose<double> drawn = drawn_[static_cast<std::size_t>(body.parent)] * frame;
  body.joint_frame = frame;
  const std::vector<Placed>& joints = parts.joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto& [tag, around] = joints[i];
    const Said said = tag.kind() == "joint" ? classes_.filled(tag, "joint", around.classname) : Said(tag);
    const ReadJoint read = read_joint(said, around.frame, {drawn, turn}, compiler_);
    const bool is_last = i + 1 == joints.size(), stands_alone = read.joint.type == JointType::free;
    if (stands_alone && (joints.size() > 1 || body.parent != 0))
      said.refuse("a free joint is the only joint of a body in the world");
    if (stands_alone && parts.bodies.empty() && is_aligned(said, compiler_))
      said.refuse("align: a body turned to its principal axes is not read: say align=\"false\"");
    Body link = is_last ? body : Body{};
    link.joint = read.joint;
    link.joint.name = tag.name().empty() ? made_up(fmt::format("joint{}", joint_number_), names_of_joints_)
                                         : tag.name() + around.suffix;
    ++joint_number_;
    if (stands_alone && link.joint.armature != 0) return add_floating(body, link.joint, tag, drawn);
    if (!is_last) {
      link.name = made_up(fmt::format("{}:{}", body.name, link.joint.name), names_of_bodies_);
      link.parent = body.parent;
      link.joint_frame = body.joint_frame;
      link.source = tag.source();
      link.source.element = fmt::format("joint {}", in_quotes(link.joint.name));
      body.parent = static_cast<int>(robot_.bodies.size());
      body.joint_frame = {};
    }
    link.joint_frame = stands_alone ? Pose<double>{} : link.joint_frame * read.joint_frame;
    link.own_frame = read.own_frame;
    link.source.note("joint", tag.line());
    joints_.emplace(link.joint.name, static_cast<int>(robot_.bodies.size()));
    add(std::move(link), drawn, stands_alone);
  }
  if (joints.empty()) add(std::move(body), drawn, false);
}

// The armature of a free joint resists the acceleration of the origin along the axes of the world: three slides and a
// ball feel it so. Their q and v are those of MuJoCo's free joint.
void Bodies::add_floating(const Body& body, const Joint& joint, const Tag& tag, const Pose<double>& drawn) {
  tag.report->note(tag.line(), tag.label(),
                   "armature of a free joint: read as three slides and a ball: v is the velocity of the origin in the "
                   "world, then the angular velocity, as qvel is");
  const std::pair<std::string_view, Vec3<double>> slides[] = {{"x", {1, 0, 0}}, {"y", {0, 1, 0}}, {"z", {0, 0, 1}}};
  int parent = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& [letter, axis] = slides[i];
    Body link;
    link.name = made_up(fmt::format("{}:{}.{}", body.name, joint.name, letter), names_of_bodies_);
    link.parent = parent;
    link.joint = joint;
    link.joint.name = made_up(fmt::format("{}.{}", joint.name, letter), names_of_joints_);
    link.joint.type = JointType::prismatic;
    link.joint.axis = axis;
    link.joint.neutral = {joint.neutral[i]};
    link.source = tag.source();
    parent = static_cast<int>(robot_.bodies.size());
    add(std::move(link), drawn, true);
  }
  Body last = body;
  last.parent = parent;
  last.joint_frame = {};
  last.joint = joint;
  last.joint.type = JointType::spherical;
  last.joint.neutral = {joint.neutral.begin() + 3, joint.neutral.end()};
  joints_.emplace(joint.name, parent + 1);
  add(std::move(last), drawn, true);
}

Pose<double> Bodies::relaxed_pose(const Body& body) const {
  Pose<double> moved;
  const Joint& joint = body.joint;
  if (joint.type == JointType::revolute && dot(joint.axis, joint.axis) > 0)
    moved.R = rounded(turn_about(joint.axis, joint.spring.rest));
  if (joint.type == JointType::prismatic) moved.r = joint.axis * joint.spring.rest;
  return relaxed(body.parent) * body.joint_frame * moved * body.own_frame;
}

void Bodies::add(Body body, const Pose<double>& drawn, bool is_free) {
  drawn_.push_back(drawn);
  relaxed_.push_back(is_free ? drawn : relaxed_pose(body));
  robot_.bodies.push_back(std::move(body));
}

void Bodies::add_sites(const Parts& parts, int body) {
  for (const auto& [tag, around] : parts.sites) {
    Site site{classes_.filled(tag, "site", around.classname), around.frame, body};
    check_site(site.said);
    const std::string name = tag.name() + around.suffix;
    if (!tag.name().empty() && !sites_.emplace(name, std::move(site)).second)
      tag.element().refuse(fmt::format("name: another site is called {}", in_quotes(name)));
  }
}

bool Bodies::moves(int body) const {
  for (int b = body; b > 0; b = robot_.bodies[static_cast<std::size_t>(b)].parent)
    if (robot_.bodies[static_cast<std::size_t>(b)].joint.type != JointType::fixed) return true;
  return false;
}

void Bodies::finish() {
  double total = 0;
  for (std::size_t b = 1; b < robot_.bodies.size(); ++b)
    if (!compiler_.fuses_static || moves(static_cast<int>(b))) total += robot_.bodies[b].inertial.mass;
  const double scale = compiler_.total_mass > 0 && total > 0 ? compiler_.total_mass / total : 1;
  std::unordered_set<std::string> taken, moving;  // what joints are called, and those that move
  for (const Body& body : robot_.bodies) {
    taken.insert(name_of_joint(body));
    if (body.joint.type != JointType::fixed) moving.insert(body.joint.name);
  }
  for (Body& body : robot_.bodies) {
    Sym3<double>& I = body.inertial.inertia;
    if (scale != 1) {
      body.inertial.mass *= scale;
      I = {I.xx * scale, I.xy * scale, I.yy * scale, I.xz * scale, I.yz * scale, I.zz * scale};
    }
    // Joints and bodies may share names in MJCF; a joint that nobody named is called as its body.
    if (body.joint.type == JointType::fixed && moving.contains(body.name))
      body.joint.name = made_up(body.name + ":fixed", taken);
  }
}

int Bodies::body(const Said& said, const char* attribute) const {
  if (said.text(attribute, "world") == "world") return 0;
  const int* const found = named(bodies_, "body", said, attribute);
  return found != nullptr ? *found : -1;
}
int Bodies::joint(const Said& said, const char* attribute) const {
  const int* const found = named(joints_, "joint", said, attribute);
  return found != nullptr ? *found : -1;
}
const Site* Bodies::site(const Said& said, const char* attribute) const {
  return named(sites_, "site", said, attribute);
}
void Bodies::check_names(const Tag& tag) const {
  const Said said(tag);
  // What names something replicated is replicated with it.
  const auto is_said = [&](const char* kind, const char* attribute) {
    return said.has(attribute) && !is_replicated(kind, said.text(attribute));
  };
  for (const char* attribute : {"body", "body1", "body2"})
    if (is_said("body", attribute)) body(said, attribute);
  for (const char* attribute : {"joint", "joint1", "joint2", "jointinparent"})
    if (is_said("joint", attribute)) joint(said, attribute);
  for (const char* attribute : {"site", "site1", "site2", "refsite", "slidersite", "cranksite", "sidesite"})
    if (is_said("site", attribute)) site(said, attribute);
}
bool Bodies::is_replicated(const char* kind, const std::string& name) const {
  return replicated_.contains(fmt::format("{} {}", kind, name));
}

}  // namespace denoc::io::mjcf
