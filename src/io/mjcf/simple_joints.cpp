#include "simple_joints.hpp"

#include <algorithm>

#include "../readers.hpp"
#include "../writers.hpp"

namespace denoc::io::mjcf {
namespace {

using Type = SimpleJoint::Type;

SimpleJoint hinge(std::string suffix, const Vec3<double>& axis, double at) {
  return {Type::hinge, std::move(suffix), axis, at, {rounded(turn_about(axis, at)), {0, 0, 0}}};
}
SimpleJoint slide(std::string suffix, const Vec3<double>& axis, double at) {
  return {Type::slide, std::move(suffix), axis, at, {identity3<double>(), unit(axis) * at}};
}
SimpleJoint ball(std::string suffix) { return {Type::ball, std::move(suffix)}; }

// The neutral pose of a free joint, in its frame.
Pose<double> pose_of(const std::vector<double>& q) {
  return {rounded(turn_quaternion({q[3], q[4], q[5], q[6]})), {q[0], q[1], q[2]}};
}

}  // namespace

std::string_view name_of(Type type) {
  static constexpr std::string_view names[] = {"hinge", "slide", "ball", "free"};
  return names[static_cast<std::size_t>(type)];
}
int degrees_of_freedom(Type type) {
  static constexpr int counts[] = {1, 1, 3, 6};
  return counts[static_cast<std::size_t>(type)];
}

std::vector<SimpleJoint> simple_joints(const Body& body) {
  const Joint& j = body.joint;
  const auto size = static_cast<std::size_t>(coordinates(j.type));
  const std::vector<double> at = j.neutral.size() == size ? j.neutral : std::vector<double>(size, 0);
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  switch (j.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      return {hinge("", j.axis, at[0])};
    case JointType::prismatic:
      return {slide("", j.axis, at[0])};
    case JointType::helical:
      return {hinge("", j.axis, at[0]), slide(".slide", j.axis, j.pitch * at[0])};
    case JointType::universal:
      return {hinge(".1", j.axis, at[0]), hinge(".2", j.axis2, at[1])};
    case JointType::cylindrical:
      return {hinge(".angle", j.axis, at[0]), slide(".slide", j.axis, at[1])};
    case JointType::planar:
      return {slide(".x", x, at[0]), slide(".y", y, at[1]), hinge(".angle", z, at[2])};
    case JointType::spherical:
      return {ball("")};
    case JointType::free:
      if (body.parent == 0) return {{Type::free, "", z, 0, j.neutral.size() == size ? pose_of(at) : Pose<double>{}}};
      return {slide(".x", x, at[0]), slide(".y", y, at[1]), slide(".z", z, at[2]), ball(".turn")};
  }
  return {};
}

Robot with_joints_in_their_frames(const Robot& robot) {
  Robot split = robot;
  split.bodies.resize(1);
  std::vector<int> place(robot.bodies.size(), 0);
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    Body body = robot.bodies[b];
    body.parent = is_ground(robot, body.parent) ? 0 : place[static_cast<std::size_t>(body.parent)];
    const bool is_free = body.joint.type == JointType::free, is_ball = body.joint.type == JointType::spherical;
    if (is_free ? !is_identity(body.own_frame) : is_ball && !is_identity(body.own_frame.R)) {
      Body moved;
      moved.name = body.name + ".joint";
      while (robot.find(moved.name) > 0) moved.name += '_';
      moved.parent = body.parent;
      moved.joint_frame = body.joint_frame;
      moved.joint = body.joint;
      moved.joint.name = name_of_joint(body);
      body.parent = static_cast<int>(split.bodies.size());
      body.joint_frame = body.own_frame;
      body.own_frame = {};
      body.joint = {};
      body.joint.name = body.name + ".frame";
      split.bodies.push_back(std::move(moved));
    }
    place[b] = static_cast<int>(split.bodies.size());
    split.bodies.push_back(std::move(body));
  }
  for (Loop& loop : split.loops) {
    // Couplings mean joints, and those have one coordinate: their bodies are whole.
    for (Attachment* end : {&loop.a, &loop.b}) end->body = place[static_cast<std::size_t>(end->body)];
  }
  for (PointSpring& spring : split.springs)
    for (Attachment* end : {&spring.a, &spring.b}) end->body = place[static_cast<std::size_t>(end->body)];
  return split;
}

// From the parent to the body for where it is drawn; back from the body for its joints, so that what is not turned
// keeps every digit. A hinge or slide leaves its own axis where it is.
MovedBody moved_body(const Robot& robot, std::vector<int> chain) {
  MovedBody moved{std::move(chain)};
  const auto body_at = [&](int b) -> const Body& { return robot.bodies[static_cast<std::size_t>(b)]; };
  for (const int b : moved.chain) {
    moved.drawn = moved.drawn * body_at(b).joint_frame;
    for (const SimpleJoint& joint : simple_joints(body_at(b))) moved.drawn = moved.drawn * joint.moved;
    moved.drawn = moved.drawn * body_at(b).own_frame;
  }
  Pose<double> seen;  // the frame reached, in the body's
  for (auto b = moved.chain.rbegin(); b != moved.chain.rend(); ++b) {
    seen = seen * inverse(body_at(*b).own_frame);
    std::vector<SimpleJoint> joints = simple_joints(body_at(*b));
    for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint) {
      moved.joints.push_back({*b, *joint, seen.R * joint->axis, seen.r});
      seen = seen * inverse(joint->moved);
    }
    seen = seen * inverse(body_at(*b).joint_frame);
  }
  std::reverse(moved.joints.begin(), moved.joints.end());
  return moved;
}

}  // namespace denoc::io::mjcf
