// A robot as MJCF, q as it is. What MJCF has no word for is said by what it has, where that moves the same way; what
// is left out, and what MuJoCo would refuse, is told.
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "../loop_values.hpp"
#include "../markup.hpp"
#include "../readers.hpp"
#include "../writers.hpp"
#include "denoc/error.hpp"
#include "principal.hpp"
#include "simple_joints.hpp"

namespace denoc::io {
namespace {

using namespace mjcf;

// As deep as is read again: <mujoco>, <worldbody> and what stands in the last body are levels, too, and one is spare.
constexpr std::size_t deepest = TINYXML2_MAX_ELEMENT_DEPTH - 4;
// What MuJoCo takes for zero in the mass and the moments of a body that moves.
constexpr double least_inertia = 1e-15;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Markup standing(std::string name, const Pose<double>& frame) {
  Markup tag(std::move(name));
  if (!is_zero(frame.r)) tag.set("pos", list(frame.r));
  if (!is_identity(frame.R)) {
    const auto q = wxyz_of(frame.R);
    tag.set("quat", std::vector<double>(q.begin(), q.end()));
  }
  return tag;
}

// c0 + c1 x + .. with x = u + shift, as a polynomial of u.
std::vector<double> shifted(std::vector<double> c, double shift) {
  for (std::size_t k = 0; k + 1 < c.size() && shift != 0; ++k)
    for (std::size_t i = c.size() - 1; i-- > k;) c[i] += shift * c[i + 1];
  return c;
}

class MjcfWriter {
 public:
  MjcfWriter(const Robot& robot, std::vector<std::string>& unsaid)
      : robot_(with_joints_in_their_frames(robot)),
        unsaid_(unsaid),
        children_(robot_.bodies.size()),
        sites_(robot_.bodies.size()),
        drawn_(robot_.bodies.size()),
        joint_names_(robot_.bodies.size()),
        place_(robot_.bodies.size()) {}

  std::string write() {
    find_children();
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b) name_joints(static_cast<int>(b));
    draw(0, {}, 0);
    for (const Loop& loop : robot_.loops) add_loop(loop);
    for (const PointSpring& spring : robot_.springs) add_spring(spring);
    Markup root("mujoco");
    root.set("model", robot_.name);
    root.add(Markup("compiler").set("angle", "radian").set("inertiafromgeom", "false"));
    root.add(Markup("option").set("gravity", list(robot_.gravity)));
    root.add(bodies(0, Markup("worldbody")));
    for (Markup* section : {&equality_, &tendons_, &actuators_})
      if (section->has_children()) root.add(std::move(*section));
    if (!robot_.postures.empty()) root.add(keyframes());
    if (!is_depth_first(robot_)) unsaid_.push_back("the order of the coordinates, which becomes depth first");
    for (const auto& [what, names] : told_) unsaid_.push_back(fmt::format("{}: {}", fmt::join(names, ", "), what));
    return root.text();
  }

 private:
  const Body& body_at(int b) const { return robot_.bodies[at(b)]; }
  // One line for each thing that is told, with the names of all that it is told of.
  void tell(std::string_view of, const std::string& name, const std::string& what) {
    const auto told = std::find_if(told_.begin(), told_.end(), [&](const Told& t) { return t.what == what; });
    std::vector<std::string>& names = told != told_.end() ? told->names : told_.emplace_back(Told{what}).names;
    std::string named = fmt::format("{} '{}'", of, name);
    if (names.empty() || names.back() != named) names.push_back(std::move(named));  // of each of its meshes, say
  }
  void tell_joint(const Body& body, const std::string& what) { tell("joint", name_of_joint(body), what); }
  void tell_body(const Body& body, const std::string& what) { tell("body", body.name, what); }

  // What hangs on each body, and which bodies may become joints: nothing needs them but the one they carry.
  void find_children() {
    std::set<int> held;
    for (const Loop& loop : robot_.loops)
      if (!couples_coordinates(loop.type)) held.insert({loop.a.body, loop.b.body});
    for (const PointSpring& spring : robot_.springs) held.insert({spring.a.body, spring.b.body});
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b) {
      if (!is_ground(robot_, static_cast<int>(b)))
        children_[at(robot_.bodies[b].parent)].push_back(static_cast<int>(b));
    }
    can_vanish_.resize(robot_.bodies.size());
    for (std::size_t b = 1; b < robot_.bodies.size(); ++b) {
      const Body& body = robot_.bodies[b];
      const bool is_simple = body.joint.type != JointType::fixed && body.joint.type != JointType::free &&
                             body.joint.type != JointType::spherical;
      can_vanish_[b] = is_simple && !has_inertia(body) && body.shapes.empty() && !held.contains(static_cast<int>(b));
    }
  }
  static bool has_inertia(const Body& body) {
    return body.inertial.mass != 0 || !is_zero(body.inertial.inertia) || !is_zero(body.inertial.hub);
  }

  // A body without mass that carries one other is written as joints of that one: MuJoCo wants mass of a body that
  // moves, and takes six degrees of freedom of one body.
  std::vector<int> chain_from(int b) const {
    std::vector<int> chain = {b};
    int dofs = freedoms(b);
    while (can_vanish_[at(b)] && children_[at(b)].size() == 1) {
      b = children_[at(b)].front();
      const JointType type = body_at(b).joint.type;
      dofs += freedoms(b);
      if (type == JointType::fixed || type == JointType::free || dofs > 6) break;
      chain.push_back(b);
    }
    return chain;
  }
  // Of all the simple joints that its joint becomes.
  int freedoms(int b) const {
    int sum = 0;
    for (const SimpleJoint& joint : simple_joints(body_at(b))) sum += mjcf::degrees_of_freedom(joint.type);
    return sum;
  }

  void name_joints(int b) {
    for (const SimpleJoint& joint : simple_joints(body_at(b))) {
      const std::string wanted = name_of_joint(body_at(b)) + joint.suffix;
      std::string name = wanted;
      while (!taken_names_.insert(name).second) name += '_';
      if (name != wanted)
        tell_joint(body_at(b), fmt::format("called '{}', as another joint is '{}' in MJCF", name, wanted));
      joint_names_[at(b)].push_back(std::move(name));
    }
  }

  // Where each body of MJCF is drawn in the world, and what moves it.
  void draw(int parent, const Pose<double>& frame, std::size_t depth) {
    if (depth > deepest)
      throw ArgumentError(
          fmt::format("bodies hang on each other {} deep, and MJCF nests them: its readers take {}; "
                      "write YAML or URDF",
                      depth, deepest));
    for (const int child : children_[at(parent)]) {
      MovedBody moved = moved_body(robot_, chain_from(child));
      const int b = moved.chain.back();
      drawn_[at(b)] = frame * moved.drawn;
      place_[at(child)] = moved_.size();
      moved_.push_back(std::move(moved));
      draw(b, drawn_[at(b)], depth + 1);
    }
  }

  Markup bodies(int parent, Markup owner) {
    for (Markup& site : sites_[at(parent)]) owner.add(std::move(site));
    for (const int child : children_[at(parent)]) {
      const MovedBody& moved = moved_[place_[at(child)]];
      owner.add(bodies(moved.chain.back(), body(moved)));
    }
    return owner;
  }

  Markup body(const MovedBody& moved) {
    const Body& own = body_at(moved.chain.back());
    Markup tag = standing("body", moved.drawn);
    tag.set("name", name(moved.chain.back()));
    if (own.name == "world") tell_body(own, "called otherwise, as the ground of MJCF has that name");
    for (std::size_t i = 0; i + 1 < moved.chain.size(); ++i) tell_vanished(body_at(moved.chain[i]), own);
    int last = -1;
    std::size_t nth = 0;
    for (const StandingJoint& standing : moved.joints) {
      nth = standing.body == last ? nth + 1 : 0;
      last = standing.body;
      tag.add(joint(standing, joint_names_[at(standing.body)][nth]));
    }
    for (const int b : moved.chain) tell_of_joint(b);
    if (has_inertia(own)) tag.add(inertial(own));
    if (own.joint.type != JointType::fixed && !is_heavy(moved.chain.back()))
      tell_body(own, "its mass or a moment of its inertia is zero: MuJoCo refuses such bodies, denoc reads them");
    for (const Shape& shape : own.shapes) add_shape(shape, own, tag);
    return tag;
  }

  void tell_vanished(const Body& body, const Body& carried) {
    if (body.name != fmt::format("{}:{}", carried.name, name_of_joint(body)))
      tell_body(body, "it has no mass, and becomes a joint of the body that it carries");
  }

  // Together with what is welded to it.
  bool is_heavy(int b) const {
    const Vec3<double> m = principal(body_at(b).inertial.inertia + body_at(b).inertial.hub).moments;
    if (body_at(b).inertial.mass >= least_inertia && std::min({m.x, m.y, m.z}) >= least_inertia) return true;
    return std::any_of(children_[at(b)].begin(), children_[at(b)].end(),
                       [&](int child) { return body_at(child).joint.type == JointType::fixed && is_heavy(child); });
  }

  Markup inertial(const Body& body) {
    auto [moments, axes] = principal(body.inertial.inertia + body.inertial.hub);
    settle_flat(moments);
    if (!is_taken_by_mujoco(moments)) tell_body(body, "no body has its inertia, and MuJoCo refuses it; denoc reads it");
    Markup tag = standing("inertial", {axes, body.inertial.com});
    if (is_zero(body.inertial.com)) tag.set("pos", list(body.inertial.com));  // which MJCF wants
    return tag.set("mass", body.inertial.mass).set("diaginertia", list(moments));
  }

  Markup joint(const StandingJoint& standing, const std::string& name) {
    const auto& [b, simple, axis, pos] = standing;
    const Joint& j = body_at(b).joint;
    const bool has_one = degrees_of_freedom(simple.type) == 1;
    Markup tag("joint");
    tag.set("name", name).set("type", mjcf::name_of(simple.type));
    if (has_one) tag.set("axis", list(axis));
    if (simple.type != SimpleJoint::Type::slide && simple.type != SimpleJoint::Type::free && !is_zero(pos))
      tag.set("pos", list(pos));
    tag.unless("ref", simple.ref, 0);
    // The slide of a screw only follows its hinge, which has the rest.
    if (j.type == JointType::helical && simple.type == SimpleJoint::Type::slide) return tag;
    if (has_one) add_limits(j, tag);
    tag.unless("armature", j.armature + j.actuator.gear * j.actuator.gear * j.actuator.rotor_inertia, 0);
    tag.unless("damping", j.friction.viscous, 0);
    if (j.type != JointType::free) tag.unless("frictionloss", j.friction.coulomb, 0);
    if (has_one && j.spring.stiffness != 0)
      tag.set("stiffness", j.spring.stiffness).unless("springref", j.spring.rest, 0);
    return tag;
  }

  static void add_limits(const Joint& j, Markup& tag) {
    if (std::isfinite(j.limits.lower) || std::isfinite(j.limits.upper)) {
      const auto bound = [](double x) { return std::clamp(x, -no_limit, no_limit); };
      tag.set("limited", "true").set("range", {bound(j.limits.lower), bound(j.limits.upper)});
    }
    if (says_effort(j))
      tag.set("actuatorfrclimited", "true").set("actuatorfrcrange", {-j.limits.effort, j.limits.effort});
  }
  // A range of MJCF is not empty, and neither a ball nor a free joint has one.
  static bool says_effort(const Joint& j) {
    return std::isfinite(j.limits.effort) && j.limits.effort > 0 && has_plain_coordinates(j.type);
  }

  void tell_of_joint(int b) {
    const Body& body = body_at(b);
    const Joint& j = body.joint;
    const bool is_free = j.type == JointType::free;
    if (j.type == JointType::fixed) return;  // no joint is written
    if (j.type == JointType::helical) tie_screw(b);
    if (is_free && body.parent != 0)
      tell_joint(body,
                 "free within another body: three slides and a ball; v is the velocity of the origin in the "
                 "joint's frame, then the angular velocity");
    if (is_free && body.parent == 0 && !is_identity(body.joint_frame))
      tell_joint(body, "q becomes the pose in the world, as MuJoCo has it");
    if ((j.type == JointType::spherical || (is_free && body.parent != 0)) && !j.neutral.empty())
      tell_joint(body, "a ball of MJCF is drawn without a turn: its neutral posture is left out");
    if (j.friction.stribeck_epsilon != 0) tell_joint(body, "Stribeck's part of its friction is left out");
    if (j.friction.surface_speed != 0) tell_joint(body, "the speed of the surface that rubs on it is left out");
    if (is_free && j.friction.coulomb != 0) tell_joint(body, "the dry friction of a free joint is left out");
    if (j.limits.stiffness != 0) tell_joint(body, "the stiffness of its end stops is left out: they are limits");
    if (std::isfinite(j.limits.velocity)) tell_joint(body, "the limit of its velocity is left out");
    if (says_effort(j)) tell_joint(body, "the limit of its effort is an actuatorfrcrange, which MuJoCo 3 knows");
    if (std::isfinite(j.limits.effort) && !says_effort(j))
      tell_joint(body, "the limit of its effort is left out: hinges and slides have one that is not 0");
    if (j.limits.lower == j.limits.upper)
      tell_joint(body, "its lower and upper limit are the same: MuJoCo refuses that, denoc reads it");
    add_motor(b);
  }

  // A slide that follows the hinge: displacement = pitch x angle.
  void tie_screw(int b) {
    const std::vector<std::string>& names = joint_names_[at(b)];
    equality_.add(Markup("joint")
                      .set("joint1", names[1])
                      .set("joint2", names[0])
                      .set("polycoef", {0, body_at(b).joint.pitch, 0, 0, 0}));
    tell_joint(body_at(b), "a screw: a hinge and a slide that an equality ties; q has both");
  }

  void add_motor(int b) {
    const Actuator& drive = body_at(b).joint.actuator;
    if (drive.gear == 1 && std::isinf(drive.max_torque)) return;
    const std::string& name = joint_names_[at(b)].front();
    Markup motor("motor");
    motor.set("name", name).set("joint", name).set("gear", drive.gear);
    if (std::isfinite(drive.max_torque)) {
      motor.set("ctrllimited", "true").set("ctrlrange", {-drive.max_torque, drive.max_torque});
      tell_joint(body_at(b), "what its motor can give is in the ctrlrange of a motor, which denoc passes over");
    }
    actuators_.add(motor);
  }

  void add_shape(const Shape& shape, const Body& body, Markup& owner) {
    const auto& [x, y, z] = shape.size;
    Markup geom = standing("geom", shape.frame);
    std::vector<double> size;
    switch (shape.kind) {
      case Shape::Kind::box:
        geom.set("type", "box");
        size = {x / 2, y / 2, z / 2};
        break;
      case Shape::Kind::sphere:
        geom.set("type", "sphere");
        size = {x};
        break;
      case Shape::Kind::cylinder:
      case Shape::Kind::capsule:
        geom.set("type", shape.kind == Shape::Kind::capsule ? "capsule" : "cylinder");
        size = {x, y / 2};
        break;
      case Shape::Kind::ellipsoid:
        geom.set("type", "ellipsoid");
        size = {x, y, z};
        break;
      case Shape::Kind::mesh:
        return tell_body(body, "meshes, which it looks like, are left out");
    }
    if (std::any_of(size.begin(), size.end(), [](double s) { return !(s > 0); }))
      return tell_body(body, "a shape that it looks like has a size that is not above 0, and is left out");
    owner.add(geom.set("size", size).set("contype", 0).set("conaffinity", 0).set("group", 1).set("mass", 0));
  }

  // Its coordinates one after the other; the first of each body's joint.
  Markup keyframes() const {
    std::vector<std::size_t> first(robot_.bodies.size(), 0);
    for (std::size_t b = 1; b + 1 < robot_.bodies.size(); ++b)
      first[b + 1] = first[b] + at(coordinates(robot_.bodies[b].joint.type));
    Markup all("keyframe");
    for (const Posture& posture : robot_.postures) {
      std::vector<double> qpos;
      for (const MovedBody& moved : moved_) {
        for (const int b : moved.chain) {
          const auto begin = posture.q.begin() + static_cast<std::ptrdiff_t>(first[at(b)]);
          std::vector<double> q(begin, begin + coordinates(body_at(b).joint.type));
          if (body_at(b).joint.type == JointType::free && body_at(b).parent == 0) q = in_world(body_at(b), q);
          if (body_at(b).joint.type == JointType::helical) q.push_back(body_at(b).joint.pitch * q[0]);
          qpos.insert(qpos.end(), q.begin(), q.end());
        }
      }
      all.add(Markup("key").set("name", posture.name).set("qpos", qpos));
    }
    return all;
  }
  static std::vector<double> in_world(const Body& body, const std::vector<double>& q) {
    if (is_identity(body.joint_frame)) return q;
    const Pose<double> pose =
        body.joint_frame * Pose<double>{rounded(turn_quaternion({q[3], q[4], q[5], q[6]})), {q[0], q[1], q[2]}};
    const auto turn = wxyz_of(pose.R);
    return {pose.r.x, pose.r.y, pose.r.z, turn[0], turn[1], turn[2], turn[3]};
  }

  std::string name(int b) const { return name_beside_ground(robot_, b); }

  void add_loop(const Loop& loop) {
    const std::string said = loop.source.element.empty() ? "a loop" : loop.source.element;
    if (couples_coordinates(loop.type)) {
      add_coupling(loop, said);
    } else if (loop.type == LoopType::spherical) {
      add_connect(loop, {0, 0, 0});
    } else if (loop.type == LoopType::revolute) {  // two points of its axis
      add_connect(loop, {0, 0, 0});
      add_connect(loop, loop.axis);
      unsaid_.push_back(said + ": a hinge is two points kept together: one row too many, multipliers are not unique");
    } else if (loop.type == LoopType::weld || loop.type == LoopType::fixed) {
      add_weld(loop);
    } else {
      unsaid_.push_back(fmt::format("{}: MJCF has no equality of type {}: left out, the robot moves as if it were open",
                                    said, name_of(loop.type)));
    }
  }

  // Points of two bodies that the file draws together; where it does not, or by rounding only, sites say where they are.
  void add_connect(const Loop& loop, const Vec3<double>& along) {
    const Vec3<double> a = loop.a.frame.r + loop.a.frame.R * along, b = loop.b.frame.r + loop.b.frame.R * along;
    const Vec3<double> on_a = drawn_[at(loop.a.body)].r + drawn_[at(loop.a.body)].R * a,
                       on_b = drawn_[at(loop.b.body)].r + drawn_[at(loop.b.body)].R * b, gap = on_a - on_b;
    const double size = std::max({1.0, norm(on_a), norm(on_b)});
    Markup tag("connect");
    if (norm(gap) <= 16 * epsilon * size) {
      tag.set("body1", name(loop.a.body)).set("body2", name(loop.b.body)).set("anchor", list(a));
    } else {
      tag.set("site1", site(loop.a.body, a)).set("site2", site(loop.b.body, b));
      if (!has_sites_) unsaid_.push_back("loops that are not closed as drawn are said by sites: MuJoCo 3.2 and later");
      has_sites_ = true;
    }
    equality_.add(tag);
  }

  // The frame b of body2 at the frame a of body1: where its origin is, and how body2 is turned.
  void add_weld(const Loop& loop) {
    Markup tag("weld");
    tag.set("body1", name(loop.a.body)).set("body2", name(loop.b.body));
    if (!is_zero(loop.b.frame.r)) tag.set("anchor", list(loop.b.frame.r));
    const auto turn = wxyz_of(loop.a.frame.R * transposed(loop.b.frame.R));
    std::vector<double> pose = list(loop.a.frame.r);
    pose.insert(pose.end(), turn.begin(), turn.end());
    equality_.add(tag.set("relpose", pose));
  }

  // q_b - ref_b as a polynomial of q_a - ref_a.
  void add_coupling(const Loop& loop, const std::string& said) {
    std::vector<double> c = loop.type == LoopType::polynomial ? loop.coefficients : std::vector<double>{0, loop.ratio};
    const double phase = loop.type == LoopType::polynomial ? loop.phase : 0;
    if (loop.type == LoopType::eccentric_cam || c.empty() || c.size() > 5)
      return unsaid_.push_back(fmt::format(
          "{}: an equality of MJCF is a polynomial of the 4th degree: left out, the joints move freely", said));
    const auto ref = [&](const Attachment& end) { return simple_joints(body_at(end.body)).front().ref; };
    c = shifted(std::move(c), ref(loop.a) + phase);
    c[0] += loop.offset - ref(loop.b);
    Markup tag("joint");
    tag.set("joint1", joint_names_[at(loop.b.body)].front());
    if (c.size() > 1) tag.set("joint2", joint_names_[at(loop.a.body)].front());
    c.resize(5, 0);
    equality_.add(tag.set("polycoef", c));
  }

  void add_spring(const PointSpring& spring) {
    Markup tendon("spatial");
    tendon.set("stiffness", spring.stiffness).unless("damping", spring.damping, 0).set("springlength", spring.rest);
    for (const Attachment* end : {&spring.a, &spring.b})
      tendon.add(Markup("site").set("site", site(end->body, end->frame.r)));
    tendons_.add(tendon);
  }

  // The name of a new one.
  std::string site(int b, const Vec3<double>& point) {
    std::string name = fmt::format("site{}", ++site_count_);
    sites_[is_ground(robot_, b) ? 0 : at(b)].push_back(
        standing("site", {identity3<double>(), point}).set("name", name));
    return name;
  }

  struct Told {
    std::string what;
    std::vector<std::string> names = {};
  };
  Robot robot_;
  std::vector<std::string>& unsaid_;
  std::vector<Told> told_ = {};
  std::vector<std::vector<int>> children_;  // by body
  std::vector<bool> can_vanish_ = {};
  std::vector<std::vector<Markup>> sites_;  // by body, until they are written
  std::vector<Pose<double>> drawn_;         // by body, in the world
  std::vector<std::vector<std::string>> joint_names_;
  std::set<std::string> taken_names_ = {};
  std::vector<MovedBody> moved_ = {};  // the bodies of MJCF, depth first
  std::vector<std::size_t> place_;     // in moved_, by the first body of its chain
  Markup equality_{"equality"}, tendons_{"tendon"}, actuators_{"actuator"};
  int site_count_ = 0;
  bool has_sites_ = false;
};

}  // namespace

std::string write_mjcf(const Robot& robot, std::vector<std::string>& unsaid) {
  return MjcfWriter(robot, unsaid).write();
}

}  // namespace denoc::io
