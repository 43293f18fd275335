// The rules of robots: see `faults_of` in robot.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "denoc/model/quaternions.hpp"
#include "denoc/model/robot.hpp"
#include "denoc/model/utf8.hpp"
#include "inspection.hpp"

namespace denoc {
namespace {

using namespace inspection;

constexpr double hub_rounding = 1e-9;  // that products of axes leave in a tensor, of its largest moment
constexpr double parallel_sine = 1e-9;
constexpr std::size_t most_loop_rows = 10'000;
constexpr double frame_rounding = 1e-9;  // of axes: decimals and products of rotations leave less

// How far the columns are from three axes of unit length, square to each other and right-handed.
double off_rotation(const Mat3<double>& R) {
  const Vec3<double> x = column_x(R), y = column_y(R), z = column_z(R);
  return std::max({std::abs(length(x) - 1), std::abs(length(y) - 1), std::abs(dot(x, y)), length(cross(x, y) - z)});
}

// Each rule adds what it finds and never stops at the first.
class Inspection {
 public:
  explicit Inspection(const Robot& robot) : robot_(robot) {}

  std::vector<Fault> run() {
    if (robot_.bodies.empty()) add({}, "a robot has a ground, body 0");
    if (!finite(robot_.gravity)) add({{}, 0, "gravity"}, "its numbers are finite");
    names();
    body_names();
    joint_names();
    for (int i = 1; i < count(); ++i) {
      place(i);
      joint(body(i));
      inertial(body(i));
    }
    for (const Loop& l : robot_.loops) loop(l);
    loop_rows();
    for (const PointSpring& s : robot_.springs) spring(s);
    postures();
    return std::move(faults_);
  }

 private:
  int count() const { return static_cast<int>(robot_.bodies.size()); }
  const Body& body(int i) const { return robot_.bodies[static_cast<std::size_t>(i)]; }
  void add(Source source, std::string rule) { faults_.push_back({std::move(source), std::move(rule)}); }

  // What stands in every result: bodies, joints, postures and the robot are called by text.
  void names() {
    const auto name = [&](const std::string& said, const Source& source) {
      if (std::string rule = fault_of_name(said); !rule.empty()) add(source, std::move(rule));
    };
    name(robot_.name, {{}, 0, "robot"});
    for (int i = 1; i < count(); ++i) {
      name(body(i).name, source_of(body(i)));
      name(body(i).joint.name, source_of_joint(body(i)));
    }
    for (const Posture& posture : robot_.postures) name(posture.name, posture.source);
  }

  void body_names() {
    std::unordered_map<std::string_view, int> seen;
    for (int i = 1; i < count(); ++i) {
      if (body(i).name.empty()) {
        add(source_of(body(i)), "a body has a name");
        continue;
      }
      const auto [other, is_new] = seen.emplace(body(i).name, i);
      if (!is_new) taken(source_of(body(i)), source_of(body(other->second)), body(i).name, "body");
    }
  }

  // Two joints without names of their own, on bodies of one name, are the bodies' fault.
  void joint_names() {
    for (int i = 1; i < count(); ++i) {
      const auto [other, is_new] = joints_.emplace(name_of_joint(body(i)), i);
      if (is_new || (body(i).joint.name.empty() && body(other->second).joint.name.empty())) continue;
      taken(source_of_joint(body(i)), source_of_joint(body(other->second)), name_of_joint(body(i)), "joint");
    }
  }

  // Bodies are ordered by the tree, the reader's eye by lines: the later line is the second.
  void taken(Source source, Source other, std::string_view name, std::string_view kind) {
    if (other.line > source.line) std::swap(source, other);
    const std::string where = other.line > 0 ? fmt::format(" (line {})", other.line) : "";
    add(source, fmt::format("duplicate name: '{}' is already the name of another {}{}", name, kind, where));
  }

  void place(int i) {
    const int parent = body(i).parent;
    if (parent < 0 || parent >= count()) {
      add(source_of(body(i)), fmt::format("its parent is body {}, of bodies 0 to {}", parent, count() - 1));
    } else if (parent == i) {
      add(source_of(body(i)), "it is its own parent");
    } else if (parent > i) {
      add(source_of(body(i)), fmt::format("its parent '{}' stands after it", body(parent).name));
    }
    for (const Pose<double>* pose : {&body(i).joint_frame, &body(i).own_frame})
      frame(*pose, part_of(source_of(body(i)), "frame"), "its numbers are finite");
  }

  void frame(const Pose<double>& pose, const Source& source, std::string_view not_finite) {
    if (!finite(pose)) {
      add(source, std::string(not_finite));
    } else if (const double off = off_rotation(pose.R); off > frame_rounding) {
      add(source,
          fmt::format("the axes of a frame are of unit length, square and right-handed; they are off by {:.3g}", off));
    }
  }

  void joint(const Body& b) {
    const Source source = source_of_joint(b);
    axes(b.joint, source);
    if (!finite(b.joint.pitch)) add(part_of(source, "pitch"), "it is finite");
    friction(b.joint.friction, part_of(source, "friction"));
    spring(b.joint, part_of(source, "spring"));
    limits(b.joint.limits, part_of(source, "limits"));
    stops(b.joint, part_of(source, "limits"));
    actuator(b.joint, part_of(source, "actuator"));
    armature(b.joint, part_of(source, "armature"));
    if (b.joint.mimic) mimic(b, part_of(source, "mimic"));
    if (!b.joint.neutral.empty()) neutral(b, part_of(source, "neutral"));
  }

  void neutral(const Body& b, const Source& source) {
    std::vector<double> q = b.joint.neutral;
    const int size = coordinates(b.joint.type);
    if (std::ssize(q) != size) {
      add(source, fmt::format("it has {} numbers for {} coordinates", q.size(), size));
    } else if (!std::all_of(q.begin(), q.end(), [](double x) { return finite(x); })) {
      add(source, "its numbers are finite");
    } else if (!has_plain_coordinates(b.joint.type)) {
      std::string rule = normalise({size - 4, name_of_joint(b)}, q);
      if (!rule.empty()) add(source, std::move(rule));
    }
  }

  void axes(const Joint& j, const Source& source) {
    const bool sound = direction(j.axis, part_of(source, "axis"));
    if (axes_of(j.type) != 2 || !direction(j.axis2, part_of(source, "axis2")) || !sound) return;
    const double sine = length(cross(j.axis * (1 / length(j.axis)), j.axis2 * (1 / length(j.axis2))));
    if (sine <= parallel_sine) {
      add(part_of(source, "axis2"), "the two axes of a universal joint are not parallel");
    }
  }

  bool direction(const Vec3<double>& axis, Source source) {
    if (!finite(axis)) {
      add(std::move(source), "its numbers are finite");
    } else if (length(axis) == 0) {
      add(std::move(source), "a zero vector is no axis");
    } else {
      return true;
    }
    return false;
  }

  void friction(const Friction& f, const Source& source) {
    if (!finite(f.viscous, f.coulomb, f.stribeck_epsilon, f.stribeck_gamma, f.surface_speed)) {
      add(source, "its numbers are finite");
    }
    not_negative(f.coulomb, source, "Coulomb friction");
    not_negative(f.stribeck_gamma, source, "gamma of the Stribeck friction");
    if (f.stribeck_epsilon < 0 && f.coulomb + f.stribeck_epsilon <= 0)
      add(source, fmt::format("dry friction holds at rest: coulomb + epsilon is positive, not {}",
                              f.coulomb + f.stribeck_epsilon));
  }

  void not_negative(double x, const Source& source, std::string_view what) {
    if (x < 0) add(source, fmt::format("{} is not negative: {}", what, x));
  }

  void limits(const Limits& l, const Source& source) {
    if (std::isnan(l.lower) || std::isnan(l.upper) || std::isnan(l.velocity) || std::isnan(l.effort)) {
      add(source, "a limit is a number, or infinite");
    } else if (!l.leave_room()) {
      add(source, fmt::format("no number lies between the lower limit {} and the upper {}", l.lower, l.upper));
    }
    not_negative(l.velocity, source, "a limit of velocity");
    not_negative(l.effort, source, "a limit of effort");
  }

  void spring(const Joint& j, const Source& source) {
    if (!finite(j.spring.stiffness, j.spring.rest)) add(source, "its numbers are finite");
    if (j.spring.stiffness != 0 && !has_plain_coordinates(j.type))
      add(source, fmt::format("a joint of type {} has no spring: its q is a quaternion", name_of(j.type)));
  }

  void stops(const Joint& j, const Source& source) {
    const Limits& l = j.limits;
    if (!finite(l.stiffness, l.damping)) add(source, "stiffness and damping of end stops are finite");
    not_negative(l.stiffness, source, "the stiffness of end stops");
    not_negative(l.damping, source, "the damping of end stops");
    if (l.stiffness == 0 && l.damping == 0) return;
    if (l.stiffness == 0) add(source, "end stops with damping have a stiffness");
    if (!finite(l.lower) && !finite(l.upper)) add(source, "end stops stand at a lower or an upper limit");
    if (!has_plain_coordinates(j.type))
      add(source, fmt::format("a joint of type {} has no end stops: its q is a quaternion", name_of(j.type)));
  }

  void actuator(const Joint& j, const Source& source) {
    const Actuator& a = j.actuator;
    if (!finite(a.gear, a.rotor_inertia) || std::isnan(a.max_torque)) add(source, "its numbers are finite");
    if (a.gear == 0) add(source, "a gear is not 0");
    not_negative(a.rotor_inertia, source, "a rotor's inertia");
    not_negative(a.max_torque, source, "a largest torque");
    const bool is_default = a.gear == 1 && a.rotor_inertia == 0 && std::isinf(a.max_torque);
    if (!is_default && degrees_of_freedom(j.type) != 1)
      add(source, fmt::format("a joint of type {} has no geared drive: one degree of freedom has", name_of(j.type)));
  }

  void armature(const Joint& j, const Source& source) {
    if (!finite(j.armature)) add(source, "it is finite");
    not_negative(j.armature, source, "an armature");
    if (j.armature != 0 && (j.type == JointType::fixed || j.type == JointType::free))
      add(source, fmt::format("a joint of type {} has no armature", name_of(j.type)));
  }

  void mimic(const Body& b, const Source& source) {
    const Mimic& m = *b.joint.mimic;
    if (!finite(m.multiplier, m.offset)) add(source, "its numbers are finite");
    if (m.joint == name_of_joint(b)) {
      add(source, "a joint does not mimic itself");
    } else if (!joints_.contains(m.joint)) {
      add(source, fmt::format("there is no joint '{}' to mimic", m.joint));
    }
  }

  void inertial(const Body& b) {
    const Source source = source_of(b);
    if (!finite(b.inertial.mass)) add(part_of(source, "mass"), "it is finite");
    if (!finite(b.inertial.com)) add(part_of(source, "com"), "its numbers are finite");
    not_negative(b.inertial.mass, part_of(source, "mass"), "a mass");
    if (!finite(b.inertial.inertia)) add(part_of(source, "inertia"), "its numbers are finite");
    hub(b.inertial.hub, part_of(source, "hub"));
  }

  // A hub may have any rank, but no negative moment. Inertias that no body has are doubted (warnings_of), not refused.
  void hub(const Sym3<double>& inertia, const Source& source) {
    if (!finite(inertia)) {
      add(source, "its numbers are finite");
    } else if (const auto [small, middle, large] = principal_moments(inertia); small < -hub_rounding * large) {
      add(source, fmt::format("an inertia is positive semidefinite; its principal moments are {}, {}, {}", small,
                              middle, large));
    }
  }

  // Whether they are two bodies of the robot.
  bool ends(const Attachment& a, const Attachment& b, const Source& source) {
    bool known = true;
    for (const Attachment* end : {&a, &b}) {
      if (end->body < 0 || end->body >= count()) {
        add(source, fmt::format("it is attached to body {}, of bodies 0 to {}", end->body, count() - 1));
        known = false;
      }
      frame(end->frame, source, "the numbers of its frames are finite");
    }
    if (known && a.body == b.body) add(source, fmt::format("both its ends are on '{}'", body(a.body).name));
    return known && a.body != b.body;
  }

  void loop(const Loop& l) {
    direction(l.axis, part_of(l.source, "axis"));
    if (shape_of(l.type).has("axis2")) direction(l.axis2, part_of(l.source, "axis2"));
    if (!finite(l.length, l.ratio, l.offset, l.eccentricity, l.radius, l.phase))
      add(l.source, "its numbers are finite");
    for (const double c : l.coefficients)
      if (!finite(c)) add(part_of(l.source, "coefficients"), "its numbers are finite");
    if (l.type == LoopType::distance && !(l.length > 0))
      add(part_of(l.source, "length"), fmt::format("a distance is positive: {} (a spherical loop has none)", l.length));
    if (l.type == LoopType::polynomial && l.coefficients.empty())
      add(part_of(l.source, "coefficients"), "a polynomial has one at least");
    if (stands(l)) {
      coupled(l, l.b.body, Moves::any);
      return;
    }
    if (!ends(l.a, l.b, l.source)) return;
    if (couples_coordinates(l.type)) {
      coupling(l);
    } else if (carrier(l.a.body) == carrier(l.b.body)) {
      add(l.source, fmt::format("both its ends are on one rigid body: '{}' and '{}' do not move against each other",
                                body(l.a.body).name, body(l.b.body).name));
    }
  }

  // The equations of all loops are solved together, in full matrices.
  void loop_rows() {
    std::size_t rows = 0;
    for (const Loop& l : robot_.loops) {
      const LoopShape& shape = shape_of(l.type);
      rows += static_cast<std::size_t>(std::max(1, shape.across + shape.square));
    }
    if (rows > most_loop_rows)
      add({{}, 0, "loops"},
          fmt::format("they have {} rows in all; at most {} are solved together", rows, most_loop_rows));
  }

  // A joint coupled with itself by a polynomial of degree 0: it stands at that coordinate.
  bool stands(const Loop& l) const {
    return l.type == LoopType::polynomial && l.coefficients.size() == 1 && l.a.body == l.b.body && l.b.body >= 0 &&
           l.b.body < count();
  }

  // The body with a joint that moves that it is fixed to, or the ground.
  int carrier(int i) const {
    while (i > 0 && body(i).joint.type == JointType::fixed && body(i).parent < i) i = std::max(body(i).parent, 0);
    return i;
  }

  void coupling(const Loop& l) {
    const Coupled joints = shape_of(l.type).coupled;
    coupled(l, l.a.body, joints == Coupled::any ? Moves::any : Moves::turning);
    coupled(l, l.b.body,
            joints == Coupled::any       ? Moves::any
            : joints == Coupled::turning ? Moves::turning
                                         : Moves::sliding);
    if (l.type == LoopType::rolling && l.ratio == 0)
      add(part_of(l.source, "radius"), "a wheel of radius 0 rolls nowhere");
    if (l.type != LoopType::eccentric_cam) return;
    if (l.eccentricity == 0) add(part_of(l.source, "eccentricity"), "a cam without eccentricity moves nothing");
    not_negative(l.radius, part_of(l.source, "radius"), "the radius of a cam and its roller");
    if (l.radius > 0 && std::abs(l.eccentricity) >= l.radius)
      add(part_of(l.source, "eccentricity"),
          fmt::format("the roller leaves the cam: the eccentricity {} is not below the radius {}", l.eccentricity,
                      l.radius));
  }

  // A joint with one coordinate that moves as the coupling wants it.
  enum class Moves { any, turning, sliding };
  void coupled(const Loop& l, int i, Moves wanted) {
    const JointType type = body(i).joint.type;
    if (i == 0 || coordinates(type) != 1) {
      add(l.source, fmt::format("joint '{}' has {} coordinates: a coupling wants joints with one",
                                i == 0 ? "world" : name_of_joint(body(i)), i == 0 ? 0 : coordinates(type)));
    } else if (wanted != Moves::any && (wanted == Moves::sliding) != (type == JointType::prismatic)) {
      add(l.source, fmt::format("joint '{}' is {}: a loop of type {} wants one that {} there", name_of_joint(body(i)),
                                name_of(type), name_of(l.type), wanted == Moves::sliding ? "slides" : "turns"));
    }
  }

  void spring(const PointSpring& s) {
    ends(s.a, s.b, s.source);
    if (!finite(s.stiffness, s.damping, s.rest)) add(s.source, "its numbers are finite");
    not_negative(s.damping, part_of(s.source, "damping"), "damping");
    not_negative(s.rest, part_of(s.source, "rest"), "a length at rest");
  }

  void postures() {
    int size = 0;
    for (int i = 1; i < count(); ++i) size += coordinates(body(i).joint.type);
    for (const Posture& posture : robot_.postures)
      if (std::ssize(posture.q) != size)
        add(posture.source,
            fmt::format("posture '{}' has {} numbers, the robot {} coordinates", posture.name, posture.q.size(), size));
  }

  const Robot& robot_;
  std::unordered_map<std::string_view, int> joints_;  // by name, the first of each
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> faults_of(const Robot& robot) { return Inspection(robot).run(); }

}  // namespace denoc
