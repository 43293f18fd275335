// A robot as a person describes it: bodies with names, frames, joints and inertias, in the frames of its file. Plain
// data; `Model` (model.hpp) is made from it. Loaders fill it (io/load.hpp), programs may too.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "denoc/error.hpp"
#include "denoc/model/loop_types.hpp"
#include "denoc/spatial/pose.hpp"

namespace denoc {

/// The joints a robot may have. docs/robot-files.md says what their q and v are.
enum class JointType {
  fixed,
  revolute,
  continuous,
  prismatic,
  helical,
  universal,
  cylindrical,
  planar,
  spherical,
  free
};
/// Entries in q.
int coordinates(JointType type);
/// Entries in v.
int degrees_of_freedom(JointType type);
/// Whether each coordinate has its own rate: none is of a quaternion.
inline bool has_plain_coordinates(JointType type) { return coordinates(type) == degrees_of_freedom(type); }
/// How many axes are said of it: none, `axis`, or `axis2` as well. (URDF's planar joints have one, ours move in xy.)
int axes_of(JointType type);
/// The word for it in files and messages.
std::string_view name_of(JointType type);
/// The joint type of that name, if there is one.
std::optional<JointType> joint_type(std::string_view name);

/// tau = -(viscous u + (coulomb + epsilon exp(-gamma |u|)) sgn(u)),  u = v - surface_speed           [Angeles7 (7.136)]
struct Friction {
  double viscous = 0, coulomb = 0, stribeck_epsilon = 0, stribeck_gamma = 0, surface_speed = 0;
};
/// tau = -stiffness (q - rest)
struct JointSpring {
  double stiffness = 0, rest = 0;
};
/// lower and upper are end stops where stiffness is not zero. At the depth x beyond them they push back by
/// stiffness x (1 + damping x'), but never pull.                                             [Hunt & Crossley 1975]
struct Limits {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity(), effort = std::numeric_limits<double>::infinity();
  double stiffness = 0, damping = 0;

  /// Whether there is a number from lower to upper: none is between 1 and -1, and none between inf and inf.
  bool leave_room() const {
    constexpr double most = std::numeric_limits<double>::max();
    return lower <= upper && lower <= most && upper >= -most;
  }
};
/// The drive of a joint behind a gear: the motor turns `gear` times as fast as the joint. Its rotor (kg m^2) is felt in
/// the joint as gear^2 rotor_inertia; it gives at most max_torque, on its own side of the gear.
struct Actuator {
  double gear = 1, rotor_inertia = 0, max_torque = std::numeric_limits<double>::infinity();
};
/// q = multiplier * q(joint) + offset, as the file says it; the robot has a loop of type coupler for it
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};

/// A joint between a body and its parent, and all that acts in it. Units: m, rad, kg, s, N and N m.
struct Joint {
  std::string name;  // empty: that of the body
  JointType type = JointType::fixed;
  Vec3<double> axis{0, 0, 1}, axis2{0, 1, 0};  // in the joint frame; of any length but zero. axis2: universal only
  double pitch = 0;                            // m/rad, helical only
  Friction friction;
  JointSpring spring;
  Limits limits;
  Actuator actuator;
  double armature = 0;  // kg m^2 or kg: added to the inertia of each of its degrees of freedom, as MJCF calls it
  std::optional<Mimic> mimic;
  std::vector<double> neutral = {};  // q of the posture that the file draws; empty: zero, or the unit quaternion
};

/// What a body looks like: a simple shape, or a mesh. size: box its edges, sphere its radius (x), cylinder and capsule
/// radius (x) and length along z (y; of a capsule without its caps), ellipsoid its half axes, mesh its scale.
struct Shape {
  enum class Kind { box, sphere, cylinder, capsule, ellipsoid, mesh };
  Kind kind = Kind::box;
  Vec3<double> size{0, 0, 0};
  Pose<double> frame = {};  // in the body's own frame
  std::string mesh = {};    // the file, as far as it could be found
};

/// Mass, mass centre and inertia about it, in the body's own frame. Point masses and slender rods are legal.
struct Inertial {
  double mass = 0;
  Vec3<double> com{0, 0, 0};
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};
  // Further inertia about the mass centre that a rotor or hub turning with the body brings; of any rank, positive
  // semidefinite.
  Sym3<double> hub{0, 0, 0, 0, 0, 0};
};

/// Where something was said, for messages: file, line (0: unknown) and element, such as "link 'arm'".
struct Source {
  std::string file;
  int line = 0;
  std::string element;
  // Lines of the element's parts ("mass", "axis", ...) where they differ from its own.
  std::vector<std::pair<std::string, int>> parts = {};

  /// Remembers the line of a part, if it is another.
  void note(std::string_view part, int part_line);
  /// The line of a part, or of the element itself.
  int line_of(std::string_view part) const;
};

/// A rigid body, the joint that carries it and its place in the tree.
struct Body {
  std::string name;
  int parent = 0;            // index into Robot::bodies; 0 is the ground, and a parent stands before its children
  Pose<double> joint_frame;  // in the parent's own frame, at q = 0
  Joint joint;
  Pose<double> own_frame;  // in the joint's moving frame (the identity but for DH tables)
  Inertial inertial;
  Source source;
  std::vector<Shape> shapes = {};
};

/// What the joint of a body is called: by the body where it has no name of its own.
inline const std::string& name_of_joint(const Body& body) {
  return body.joint.name.empty() ? body.name : body.joint.name;
}

/// One end of a loop joint or a spring: a frame on a body.
struct Attachment {
  int body = 0;
  Pose<double> frame;  // in the body's own frame
};
/// A joint cut open, or two joints coupled. axis is fixed in the frames of both ends; of a universal joint axis in a's
/// and axis2 in b's. loops/closure.hpp makes equations of it.
struct Loop {
  LoopType type = LoopType::revolute;
  Attachment a, b;
  Vec3<double> axis{0, 0, 1}, axis2{0, 1, 0};
  double length = 0;  // distance
  // Between the coordinates of the joints of the bodies at a and b: q_b = ratio q_a + offset (coupler, gear, belt,
  // bevel-gear, rolling); of an eccentric cam q_b = e cos x + sqrt(radius^2 - e^2 sin^2 x) + offset, x = q_a + phase,
  // and without radius (a flat follower) q_b = e cos x + offset.
  double ratio = 1, offset = 0, eccentricity = 0, radius = 0, phase = 0;
  std::vector<double> coefficients = {};  // of a polynomial: q_b = offset + c0 + c1 x + c2 x^2 + ..., x = q_a + phase
  Source source;
};
/// A spring and damper between two points.
struct PointSpring {
  Attachment a, b;
  double stiffness = 0, damping = 0, rest = 0;
  Source source;
};

/// A posture with a name of its own: all of q.
struct Posture {
  std::string name;
  std::vector<double> q;
  Source source;
};

/// One broken rule, or one thing that looks wrong.
struct Fault {
  Source source;
  std::string rule;
  /// "file:line: element: rule"
  std::string text() const;
};

/// The whole robot: bodies with their joints, loops, springs, gravity (m/s^2, in the world).
struct Robot {
  std::string name;
  Vec3<double> gravity{0, 0, -9.81};
  std::vector<Body> bodies = {ground()};  // [0] is the ground
  std::vector<Loop> loops;
  std::vector<PointSpring> springs;
  std::vector<Posture> postures = {};
  Inertial root_inertial = {};     // of a URDF's root that stands on the ground: only a free base would feel it
  std::vector<Fault> doubts = {};  // what its reader passed over or found strange, in the order of the file

  /// Index of the body of that name, or -1. "world" and "base" are the ground unless a link of a URDF is called so.
  int find(std::string_view body) const;
  static Body ground();
};

/// A robot that breaks rules: what() is the first fault, `faults` are all.
class RobotError : public Error {
 public:
  explicit RobotError(std::vector<Fault> all);
  std::vector<Fault> faults;
};

/// Every rule of physics and of trees the robot breaks: names, parents, axes, masses, inertias, frames, finite numbers.
std::vector<Fault> faults_of(const Robot& robot);
/// What is legal but looks like a mistake: suspicious units, tiny or huge inertias, massless links.
std::vector<Fault> warnings_of(const Robot& robot);

}  // namespace denoc
