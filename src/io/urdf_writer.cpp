// A robot as URDF. What URDF lacks stands in the elements of urdf_extensions.hpp, which other programs pass over; what
// other programs cannot read is told.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "loop_values.hpp"
#include "markup.hpp"
#include "readers.hpp"
#include "urdf_loops.hpp"
#include "writers.hpp"

namespace denoc::io {
namespace {

Markup place(std::string name, const Pose<double>& frame) {
  Markup tag(std::move(name));
  if (!is_zero(frame.r)) tag.set("xyz", list(frame.r));
  if (!is_identity(frame.R)) tag.set("rpy", list(rpy_of(frame.R)));
  return tag;
}
Markup tensor(std::string name, const Sym3<double>& i) {
  return Markup(std::move(name))
      .set("ixx", i.xx)
      .set("ixy", i.xy)
      .set("ixz", i.xz)
      .set("iyy", i.yy)
      .set("iyz", i.yz)
      .set("izz", i.zz);
}

class UrdfWriter {
 public:
  UrdfWriter(const Robot& robot, std::vector<std::string>& unsaid)
      : robot_(robot), unsaid_(unsaid), root_("robot"), has_root_(has_root()), world_link_(world_link()) {
    for (int b = 0; b < std::ssize(robot.bodies); ++b) {
      names_.push_back(is_root(b) ? body_at(b).name : name_beside_ground(robot, b));
      taken_.insert({name(b), name_of_joint(body_at(b))});
    }
  }

  std::string write() {
    root_.set("name", robot_.name);
    const Vec3<double> usual = Robot{}.gravity;
    if (!is_zero(robot_.gravity - usual)) {
      root_.add(Markup("gravity").set("xyz", list(robot_.gravity)));
      ours("gravity");
    }
    if (!has_root_ && world_link_ == 0) add_link(Markup("link").set("name", "world"), "world");
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b) body(static_cast<int>(b));
    if (!is_depth_first(robot_)) add_order();
    for (const Loop& loop : robot_.loops)
      if (!is_mimic(loop)) add_loop(loop);
    for (const PointSpring& spring : robot_.springs) add_spring(spring);
    for (const Posture& posture : robot_.postures)
      root_.add(Markup("posture").set("name", posture.name).set("q", posture.q));
    return "<?xml version=\"1.0\"?>\n" + root_.text();
  }

 private:
  const Body& body_at(int b) const { return robot_.bodies[static_cast<std::size_t>(b)]; }
  const std::string& name(int b) const { return names_[static_cast<std::size_t>(b)]; }

  // One body that stands on the ground as the root of a URDF does, without inertia: all others hang on it.
  bool has_root() const {
    int on_ground = 0;
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b) on_ground += robot_.bodies[b].parent == 0 ? 1 : 0;
    if (on_ground != 1) return false;
    const Body& first = body_at(1);
    return first.parent == 0 && first.joint.type == JointType::fixed && is_identity(first.joint_frame) &&
           is_identity(first.own_frame) && is_empty(first.inertial);
  }
  bool is_root(int b) const { return (b == 1 && has_root_) || (b == world_link_ && b > 0); }
  // The link that is the ground already, if the robot has one.
  int world_link() const {
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b)
      if (is_ground(robot_, static_cast<int>(b))) return static_cast<int>(b);
    return 0;
  }

  void add_link(const Markup& link, const std::string& name) {
    order_.push_back(name);
    root_.add(link);
  }

  void body(int b) {
    const Body& body = body_at(b);
    const std::string own = name(b);
    if (own != body.name)
      unsaid_.push_back(fmt::format("link '{}': called '{}', as the ground has that name", body.name, own));
    Markup link = Markup("link").set("name", own);
    inertial(is_root(b) ? robot_.root_inertial : body.inertial, body, link);
    for (const Shape& shape : body.shapes) add_shape(shape, body, link);
    if (is_root(b)) return add_link(link, own);
    // A link of URDF lies where its joint is: one that does not is welded to a link that does.
    const bool lies_there = is_identity(body.own_frame);
    const std::string moved = lies_there ? own : unused(own + ".joint");
    if (!lies_there) {
      add_link(Markup("link").set("name", moved), moved);
      joint(body, moved);
    }
    add_link(link, own);
    if (lies_there) return joint(body, moved);
    root_.add(Markup("joint")
                  .set("name", unused(own + ".frame"))
                  .set("type", "fixed")
                  .add(place("origin", body.own_frame))
                  .add(Markup("parent").set("link", moved))
                  .add(Markup("child").set("link", own)));
  }

  std::string unused(std::string name) {
    while (!taken_.insert(name).second) name += '_';
    return name;
  }

  void inertial(const Inertial& own, const Body& body, Markup& link) {
    const auto& [mass, com, inertia, hub] = own;
    // A link that moves says that it has no mass: nobody forgot it.
    if (is_empty(own) && body.joint.type == JointType::fixed) return;
    Markup tag("inertial");
    if (!is_zero(com)) tag.add(Markup("origin").set("xyz", list(com)));
    tag.add(Markup("mass").set("value", mass)).add(tensor("inertia", inertia));
    if (!is_zero(hub)) {
      tag.add(tensor("hub", hub));
      ours(fmt::format("link '{}': the inertia of its hub", body.name));
    }
    link.add(tag);
  }

  void add_shape(const Shape& shape, const Body& body, Markup& link) {
    Markup geometry("geometry");
    switch (shape.kind) {
      case Shape::Kind::box:
        geometry.add(Markup("box").set("size", list(shape.size)));
        break;
      case Shape::Kind::sphere:
        geometry.add(Markup("sphere").set("radius", shape.size.x));
        break;
      case Shape::Kind::cylinder:
      case Shape::Kind::capsule:
        geometry.add(Markup(shape.kind == Shape::Kind::capsule ? "capsule" : "cylinder")
                         .set("radius", shape.size.x)
                         .set("length", shape.size.y));
        break;
      case Shape::Kind::mesh:
        geometry.add(Markup("mesh").set("filename", shape.mesh).set("scale", list(shape.size)));
        break;
      case Shape::Kind::ellipsoid:
        return unsaid_.push_back(fmt::format("link '{}': URDF has no ellipsoids to look like", body.name));
    }
    Markup visual("visual");
    if (!is_identity(shape.frame)) visual.add(place("origin", shape.frame));
    link.add(visual.add(geometry));
  }

  void joint(const Body& body, const std::string& child) {
    const Joint& j = body.joint;
    Markup tag("joint");
    tag.set("name", name_of_joint(body)).set("type", type_of(body));
    if (!is_identity(body.joint_frame)) tag.add(place("origin", body.joint_frame));
    tag.add(Markup("parent").set("link", name(body.parent))).add(Markup("child").set("link", child));
    axes(j, tag);
    limits(j, tag);
    const Friction& f = j.friction;
    Markup dynamics("dynamics");
    dynamics.unless("damping", f.viscous, 0).unless("friction", f.coulomb, 0);
    if (f.stribeck_epsilon != 0 || f.stribeck_gamma != 0)
      dynamics.set("stribeck", std::vector<double>{f.stribeck_epsilon, f.stribeck_gamma});
    dynamics.unless("surface_speed", f.surface_speed, 0);
    if (!dynamics.says_nothing()) tag.add(dynamics);
    if (j.mimic)
      tag.add(Markup("mimic")
                  .set("joint", j.mimic->joint)
                  .set("multiplier", j.mimic->multiplier)
                  .set("offset", j.mimic->offset));
    if (j.spring.stiffness != 0)
      tag.add(Markup("spring").set("stiffness", j.spring.stiffness).set("rest", j.spring.rest));
    const Actuator plain;
    Markup actuator("actuator");
    actuator.unless("gear", j.actuator.gear, plain.gear).unless("rotor_inertia", j.actuator.rotor_inertia, 0);
    actuator.unless("max_torque", j.actuator.max_torque, plain.max_torque).unless("armature", j.armature, 0);
    if (!actuator.says_nothing()) tag.add(actuator);
    if (!j.neutral.empty()) tag.add(Markup("neutral").set("q", j.neutral));
    root_.add(tag);
    const std::pair<bool, const char*> own[] = {
        {j.actuator.rotor_inertia != 0 || j.armature != 0, "the inertia of its rotor"},
        {j.actuator.gear != plain.gear || j.actuator.max_torque != plain.max_torque, "its drive"},
        {j.spring.stiffness != 0, "its spring"},
        {j.limits.stiffness != 0, "its end stops"},
        {f.stribeck_epsilon != 0 || f.surface_speed != 0, "what its friction is besides damping and Coulomb's"},
        {!j.neutral.empty(), "its neutral q"}};
    Words said;
    for (const auto& [is_there, words] : own)
      if (is_there) said.push_back(words);
    if (!said.empty()) ours(fmt::format("joint '{}': {}", name_of_joint(body), fmt::join(said, ", ")));
  }

  std::string type_of(const Body& body) {
    switch (body.joint.type) {
      case JointType::free:
        return "floating";
      case JointType::continuous:
        if (!std::isfinite(body.joint.limits.lower) && !std::isfinite(body.joint.limits.upper)) break;
        unsaid_.push_back(
            fmt::format("joint '{}' is continuous and has limits: revolute in URDF", name_of_joint(body)));
        return "revolute";
      case JointType::helical:
      case JointType::universal:
      case JointType::cylindrical:
      case JointType::spherical:
        ours(fmt::format("joint '{}' is {}", name_of_joint(body), denoc::name_of(body.joint.type)));
        break;
      default:
        break;
    }
    return std::string(denoc::name_of(body.joint.type));
  }
  // What denoc reads back, and other readers of URDF do not know.
  void ours(const std::string& what) {
    unsaid_.push_back(what + ": in an element of ours that other programs pass over");
  }

  static void axes(const Joint& j, Markup& tag) {
    if (axes_of(j.type) == 0 && j.type != JointType::planar) return;
    const Vec3<double> normal{0, 0, 1};
    tag.add(Markup("axis").set("xyz", list(j.type == JointType::planar ? normal : j.axis)));
    if (axes_of(j.type) > 1) tag.add(Markup("axis2").set("xyz", list(j.axis2)));
    if (j.type == JointType::helical) tag.add(Markup("pitch").set("value", j.pitch));
  }

  // URDF wants all four numbers: what has no limit has one beyond all reason.
  static void limits(const Joint& j, Markup& tag) {
    const Limits& l = j.limits;
    const bool is_wanted = j.type == JointType::revolute || j.type == JointType::prismatic;
    const bool has_any = std::isfinite(l.lower) || std::isfinite(l.upper) || std::isfinite(l.velocity) ||
                         std::isfinite(l.effort) || l.stiffness != 0;
    if (!is_wanted && !has_any) return;
    const auto number = [](double x) { return std::clamp(x, -no_limit, no_limit); };
    Markup limit("limit");
    limit.set("lower", number(l.lower)).set("upper", number(l.upper));
    limit.set("effort", number(l.effort)).set("velocity", number(l.velocity));
    tag.add(limit.unless("stiffness", l.stiffness, 0).unless("damping", l.damping, 0));
  }

  void add_order() {
    const auto has_space = [](const std::string& name) { return name.find_first_of(" \t\r\n") != std::string::npos; };
    Markup order("order");
    if (std::any_of(order_.begin(), order_.end(), has_space)) {
      for (const std::string& name : order_) order.add(Markup("link").set("name", name));
    } else {
      order.set("links", fmt::format("{}", fmt::join(order_, " ")));
    }
    root_.add(order);
    ours("the order of the coordinates");
  }

  // A coupler that <mimic> says already, by the same numbers.
  bool is_mimic(const Loop& loop) const {
    const std::optional<Mimic>& mimic = body_at(loop.b.body).joint.mimic;
    return loop.type == LoopType::coupler && mimic && mimic->joint == name_of_joint(body_at(loop.a.body)) &&
           mimic->multiplier == loop.ratio && mimic->offset == loop.offset;
  }

  void add_loop(const Loop& loop) {
    Markup tag("loop");
    tag.set("type", name_of(loop.type));
    const bool is_coupling = couples_coordinates(loop.type);
    for (const auto& [key, end] : {std::pair{"a", &loop.a}, std::pair{"b", &loop.b}}) {
      if (is_coupling) {
        tag.add(Markup(key).set("joint", name_of_joint(body_at(end->body))));
      } else {
        tag.add(place(key, end->frame).set("link", name(end->body)));
      }
    }
    for (const auto& [key, numbers] : words_of(loop)) {
      if (key.starts_with("axis")) {
        tag.add(Markup(std::string(key)).set("xyz", numbers));
      } else {
        tag.set(key, numbers);
      }
    }
    root_.add(tag);
    ours(fmt::format("{}", loop.source.element.empty() ? "a loop" : loop.source.element));
  }

  void add_spring(const PointSpring& spring) {
    Markup tag("spring");
    tag.set("stiffness", spring.stiffness).unless("damping", spring.damping, 0).unless("rest", spring.rest, 0);
    tag.add(place("a", spring.a.frame).set("link", name(spring.a.body)));
    tag.add(place("b", spring.b.frame).set("link", name(spring.b.body)));
    root_.add(tag);
    ours(fmt::format("{}", spring.source.element.empty() ? "a spring" : spring.source.element));
  }

  const Robot& robot_;
  std::vector<std::string>& unsaid_;
  Markup root_;
  bool has_root_;
  int world_link_;
  std::vector<std::string> names_ = {};         // of the bodies, as links
  std::unordered_set<std::string> taken_ = {};  // by links and joints
  std::vector<std::string> order_ = {};         // of the links
};

}  // namespace

std::string write_urdf(const Robot& robot, std::vector<std::string>& unsaid) {
  return UrdfWriter(robot, unsaid).write();
}

}  // namespace denoc::io
