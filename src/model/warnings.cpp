#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "body_dofs.hpp"
#include "inspection.hpp"
#include "possible_inertia.hpp"

namespace denoc {
namespace {

using namespace inspection;

// What is legal and looks like a mistake.
class Doubts {
 public:
  explicit Doubts(const Robot& robot) : robot_(robot), welded_(robot.bodies.size()), extent_(robot.bodies.size()) {
    lump_rigid_bodies();
  }

  std::vector<Fault> run() {
    for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
      masses(i);
      units(i);
      joint(robot_.bodies[i]);
      shapes(robot_.bodies[i]);
    }
    names_in_results();
    for (const Rigid& rigid : rigid_bodies(robot_)) inertia_without_mass(rigid);
    // Of a file its reader judges the inertias: it knows the digits that were printed.
    for (const Impossible& found : impossible_inertias(robot_, {}))
      if (robot_.bodies[static_cast<std::size_t>(found.body)].source.file.empty()) add(doubt(robot_, found));
    return std::move(warnings_);
  }

 private:
  // What a body and all that is fixed to it are together.
  struct Welded {
    bool massive = false, carries_joints = false, in_loop = false;
  };
  void add(Source source, std::string rule) { warnings_.push_back({std::move(source), std::move(rule)}); }
  void add(Fault fault) { warnings_.push_back(std::move(fault)); }

  // Tips first, so that what is fixed to a body is complete when the body is reached.
  void lump_rigid_bodies() {
    for (std::size_t i = robot_.bodies.size(); i-- > 1;) {
      const Body& b = robot_.bodies[i];
      welded_[i].massive |= b.inertial.mass != 0 || !is_zero(b.inertial.inertia) || !is_zero(b.inertial.hub);
      extent_[i] = std::max({extent_[i], length(b.inertial.com), length(b.own_frame.r)});
      if (b.parent < 0 || static_cast<std::size_t>(b.parent) >= i) continue;  // faults_of says so
      Welded& parent = welded_[static_cast<std::size_t>(b.parent)];
      if (b.joint.type == JointType::fixed) {
        parent.massive |= welded_[i].massive;
        parent.carries_joints |= welded_[i].carries_joints;
      } else {
        parent.carries_joints = true;
      }
      double& extent = extent_[static_cast<std::size_t>(b.parent)];
      extent = std::max(extent, length(b.joint_frame.r));
    }
    tie_by_loops();
  }
  // A loop ties two bodies; a coupling two joints, and a joint to nothing where the other one moves nothing, too.
  void tie_by_loops() {
    const auto has_place = [&](int b) { return b > 0 && static_cast<std::size_t>(b) < welded_.size(); };
    for (const Loop& loop : robot_.loops) {
      for (const auto& [b, other] : {std::pair(loop.a.body, loop.b.body), std::pair(loop.b.body, loop.a.body)}) {
        if (!has_place(b)) continue;
        const bool resists = has_place(other) && (welded_[static_cast<std::size_t>(other)].massive ||
                                                  welded_[static_cast<std::size_t>(other)].carries_joints);
        welded_[static_cast<std::size_t>(b)].in_loop |= !couples_coordinates(loop.type) || resists;
      }
    }
    // What carries a body of a loop is held by it; where it does so by a joint, it carries a joint anyway.
    for (std::size_t i = robot_.bodies.size(); i-- > 1;) {
      const int parent = robot_.bodies[i].parent;
      if (has_place(parent)) welded_[static_cast<std::size_t>(parent)].in_loop |= welded_[i].in_loop;
    }
  }

  // Between joints a link without mass is how axes that cross are written: it moves what it carries. At the end of a
  // chain nothing is left to resist the joint, unless its rotor does, or a loop ties it to what has mass.
  void masses(std::size_t i) {
    const Body& b = robot_.bodies[i];
    const bool has_rotor = b.joint.armature != 0 || (b.joint.actuator.gear != 0 && b.joint.actuator.rotor_inertia != 0);
    const Welded& welded = welded_[i];
    if (b.joint.type == JointType::fixed || has_rotor || welded.massive || welded.carries_joints || welded.in_loop)
      return;
    add(source_of(b),
        fmt::format("massless last link: forward dynamics has no answer for joint '{}'", name_of_joint(b)));
  }

  void inertia_without_mass(const Rigid& rigid) {
    const Moments moments = moments_of(rigid.inertial.inertia);
    if (rigid.inertial.mass != 0 || moments.large == 0) return;
    for (const int b : rigid.links) {
      const Body& link = robot_.bodies[static_cast<std::size_t>(b)];
      if (is_zero(link.inertial.inertia)) continue;
      return add(part_of(source_of(link), "mass"),
                 fmt::format("it has inertia (principal moments {}) and no mass: no body has", moments.text()));
    }
  }

  void units(std::size_t i) {
    const Inertial& body = robot_.bodies[i].inertial;
    const Source source = source_of(robot_.bodies[i]);
    if (body.mass > 5000) add(part_of(source, "mass"), fmt::format("{} kg: is it in grams?", body.mass));
    if (length(body.com) > 100) {
      add(part_of(source, "com"), fmt::format("the mass centre is {} m away: is it in millimetres?", length(body.com)));
    }
    if (!finite(body.inertia) || is_zero(body.inertia)) return;
    const double moment = principal_moments(body.inertia)[2];
    if (moment < 1e-12) add(part_of(source, "inertia"), fmt::format("tiny: its largest moment is {} kg m^2", moment));
    if (moment > 1e6) add(part_of(source, "inertia"), fmt::format("huge: its largest moment is {} kg m^2", moment));
    if (body.mass > 0) gyration(std::sqrt(moment / body.mass), extent_[i], part_of(source, "inertia"));
  }

  void gyration(double radius, double extent, const Source& source) {
    const bool too_far = radius > 10, beyond_the_body = extent > 0 && radius > 100 * extent && radius > 1;
    if (!too_far && !beyond_the_body) return;
    add(source, fmt::format("its radius of gyration is {} m: is it in g mm^2 or kg mm^2?", radius));
  }

  void joint(const Body& b) {
    if (b.joint.type == JointType::helical && b.joint.pitch == 0) {
      add(part_of(source_of_joint(b), "pitch"), "a helical joint of pitch 0 is a revolute one");
    }
    const Limits& limits = b.joint.limits;
    if (!has_plain_coordinates(b.joint.type) && (std::isfinite(limits.lower) || std::isfinite(limits.upper))) {
      add(part_of(source_of_joint(b), "limits"),
          fmt::format("lower and upper limit nothing: q of a joint of type {} is a quaternion", name_of(b.joint.type)));
    }
    if (b.joint.friction.viscous < 0) {
      add(part_of(source_of_joint(b), "friction"),
          fmt::format("viscous friction (damping) is negative: {}: it drives the joint", b.joint.friction.viscous));
    }
  }

  // A mesh may be mirrored.
  void shapes(const Body& b) {
    for (const Shape& shape : b.shapes)
      if (const auto& [x, y, z] = shape.size; shape.kind != Shape::Kind::mesh && std::min({x, y, z}) < 0)
        add(source_of(b), fmt::format("a shape that it looks like has a negative size: {}, {}, {}", x, y, z));
  }

  // The joints 'a', with coordinates 'a.1' and 'a.2', and 'a.1': who looks for a column by its name finds two.
  void names_in_results() {
    std::unordered_map<std::string, std::size_t> coordinates, freedoms;
    for (std::size_t i = 1; i < robot_.bodies.size(); ++i) {
      const Body& b = robot_.bodies[i];
      std::optional<std::pair<std::string, std::size_t>> met;
      const auto meet = [&](auto& seen, std::string name) {
        const auto [other, is_new] = seen.emplace(std::move(name), i);
        const bool is_of_another = !is_new && name_of_joint(robot_.bodies[other->second]) != name_of_joint(b);
        if (is_of_another && !met) met = *other;
      };
      for (NamedCoordinate& c : coordinates_of(b)) meet(coordinates, std::move(c.name));
      for (const Dof& dof : dofs_of(b)) meet(freedoms, dof.name());
      if (met)
        add(source_of_joint(b), fmt::format("results call a coordinate of it '{}', and one of joint '{}' as well: no "
                                            "file that names coordinates can tell them apart",
                                            met->first, name_of_joint(robot_.bodies[met->second])));
    }
  }

  const Robot& robot_;
  std::vector<Welded> welded_;
  std::vector<double> extent_;  // how far the body is known to reach from its origin
  std::vector<Fault> warnings_;
};

}  // namespace

std::vector<Fault> warnings_of(const Robot& robot) { return Doubts(robot).run(); }

}  // namespace denoc
