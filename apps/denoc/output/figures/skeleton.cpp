#include "output/figures/skeleton.hpp"

#include <algorithm>
#include <cmath>

#include "denoc/kinematics/kinematics.hpp"
#include "denoc/loops/closure.hpp"

namespace denoc::figures {
namespace {

constexpr std::size_t most_axes = 16;  // of more joints the strokes would hide the robot

bool slides(JointType type) {
  return type == JointType::prismatic || type == JointType::helical || type == JointType::cylindrical ||
         type == JointType::planar;
}
bool has_axis(JointType type) {
  return type != JointType::fixed && type != JointType::spherical && type != JointType::free &&
         type != JointType::planar;
}

// Of the uniform rod through the mass centre, away from the joint at `from`, with the body's second moment along it:
// int s^2 ds over the half length h is m h^2/3 = tr(I)/2 - u.I u. With the mass centre in the joint, of a crank across
// the axis as long as the radius of gyration about it, along which the mass is spread most.
Point far_end(const Inertial& inertial, const Point& from, const Point& axis) {
  if (inertial.mass <= 0) return from;
  const Sym3<double>& I = inertial.inertia;
  const Point offset = inertial.com - from;
  if (norm(offset) < negligible) {
    const Point e = unit(cross(axis, std::abs(axis.x) < 0.9 ? Point{1, 0, 0} : Point{0, 1, 0})), f = cross(e, axis);
    // u.I u is least for u = e sin(angle) + f cos(angle)
    const double angle = std::atan2(-2 * dot(e, I * f), dot(e, I * e) - dot(f, I * f)) / 2;
    const Point u = e * std::sin(angle) + f * std::cos(angle);
    return from + u * std::sqrt(std::max(0.0, dot(axis, I * axis)) / inertial.mass);
  }
  const Point u = unit(offset);
  const double moment = (I.xx + I.yy + I.zz) / 2 - dot(u, I * u);
  return inertial.com + u * std::sqrt(3 * std::max(0.0, moment) / inertial.mass);
}

class Drawing {
 public:
  explicit Drawing(const Model& model)
      : bodies_(model.robot().bodies),
        loops_(model.robot().loops),
        springs_(model.robot().springs),
        pins_(bodies_.size()) {
    for (const Loop& loop : loops_) {
      if (couples_coordinates(loop.type)) continue;  // of joints, not of places
      for (const Attachment& end : {loop.a, loop.b}) pins_[end.body].push_back(end.frame.r);
    }
  }

  Skeleton skeleton() {
    for (const Point& pin : pins_[0]) result_.ground.push_back(point(0, pin));
    for (int b = 1; b < count(); ++b) place_joint(b);
    for (int b = 1; b < count(); ++b) draw_body(b);
    if (longest_ == 0) longest_ = 1;  // nothing but joints
    for (int b = 1; b < count(); ++b) draw_joint(b);
    for (const Loop& loop : loops_) draw_closure(loop);
    for (const PointSpring& spring : springs_) {
      const int from = point(spring.a.body, spring.a.frame.r);
      result_.springs.push_back({from, point(spring.b.body, spring.b.frame.r)});
    }
    return std::move(result_);
  }

 private:
  const std::vector<Body>& bodies_;
  const std::vector<Loop>& loops_;
  const std::vector<PointSpring>& springs_;
  std::vector<std::vector<Point>> pins_;           // of each body, where loops close
  std::vector<int> joint_ = {-1}, moving_ = {-1};  // points: the joint of body b on its parent, and on b
  double longest_ = 0;                             // stick
  Skeleton result_;

  int count() const { return static_cast<int>(bodies_.size()); }
  int point(int body, const Point& at) {
    result_.points.push_back({body, at});
    return static_cast<int>(result_.points.size()) - 1;
  }
  void stick(int body, int from, int to, double length) {
    result_.sticks.push_back({from, to, body});
    longest_ = std::max(longest_, length);
  }
  // The joint's moving frame in the body's own.
  Pose<double> joint_in_body(int b) const { return inverse(bodies_[b].own_frame); }

  void place_joint(int b) {
    const Body& body = bodies_[b];
    const bool floats = body.joint.type == JointType::free, moves_off = floats || slides(body.joint.type);
    joint_.push_back(point(body.parent, body.joint_frame.r));
    moving_.push_back(moves_off ? point(b, joint_in_body(b).r) : joint_[b]);
    if (floats) return;
    if (moves_off) stick(-1, joint_[b], moving_[b], 0);
    if (body.parent == 0) result_.ground.push_back(joint_[b]);
  }

  // From the joint along its axis to the foot of the perpendicular, then across.
  void bent_rod(int b, const Point& target, int end) {
    const Pose<double> joint = joint_in_body(b);
    int from = moving_[b];
    Point start = joint.r;
    if (has_axis(bodies_[b].joint.type)) {
      const Point u = joint.R * unit(bodies_[b].joint.axis), corner = start + u * dot(target - start, u);
      if (norm(corner - start) > negligible && norm(target - corner) > negligible) {
        const int bend = point(b, corner);
        stick(b, from, bend, norm(corner - start));
        from = bend;
        start = corner;
      }
    }
    stick(b, from, end, norm(target - start));
  }

  // From the joint to where loops close, and from each such place to the next: a plate is seen as one.
  void draw_pins(int b) {
    const Point start = joint_in_body(b).r;
    int last = -1;
    for (const Point& pin : pins_[b]) {
      const int end = point(b, pin);
      if (norm(pin - start) > negligible) bent_rod(b, pin, end);
      if (last >= 0) stick(b, last, end, norm(pin - result_.points[last].at));
      last = end;
    }
  }

  void draw_body(int b) {
    const Point start = joint_in_body(b).r;
    draw_pins(b);
    bool carries = !pins_[b].empty();
    for (int child = b + 1; child < count(); ++child) {
      if (bodies_[child].parent != b) continue;
      carries = true;
      const Point target = bodies_[child].joint_frame.r;
      if (norm(target - start) > negligible) bent_rod(b, target, joint_[child]);
    }
    if (carries) return;
    if (norm(start) > negligible) {
      result_.tips.push_back(point(b, {0, 0, 0}));
      return bent_rod(b, {0, 0, 0}, result_.tips.back());
    }
    const Point end = far_end(bodies_[b].inertial, start, joint_in_body(b).R * unit(bodies_[b].joint.axis));
    if (norm(end - start) <= negligible) return result_.tips.push_back(moving_[b]);
    result_.tips.push_back(point(b, end));
    stick(b, moving_[b], result_.tips.back(), norm(end - start));
  }

  bool shows_axes() const { return bodies_.size() <= most_axes + 1; }
  void stroke(Skeleton::Symbol symbol, int at, int body, const Pose<double>& frame, const Point& axis) {
    const Point half = frame.R * unit(axis) * (0.12 * longest_);
    const int from = point(body, frame.r - half);
    result_.joints.push_back({symbol, at, from, point(body, frame.r + half)});
  }

  void draw_joint(int b) {
    const denoc::Joint& joint = bodies_[b].joint;
    if (joint.type == JointType::fixed) return;
    if (!has_axis(joint.type) || !shows_axes())
      return result_.joints.push_back({Skeleton::Symbol::ball, moving_[b], moving_[b], moving_[b]});
    const auto symbol = joint.type == JointType::prismatic ? Skeleton::Symbol::sliding : Skeleton::Symbol::turning;
    // The first axis of a universal joint stays with the parent, the second with the body; others are in both.
    if (joint.type != JointType::universal) return stroke(symbol, moving_[b], b, joint_in_body(b), joint.axis);
    stroke(symbol, moving_[b], bodies_[b].parent, bodies_[b].joint_frame, joint.axis);
    stroke(symbol, moving_[b], b, joint_in_body(b), joint.axis2);
  }

  // Hinges that close a loop look like the others, and what keeps a distance is a rod.
  void draw_closure(const Loop& loop) {
    const bool is_hinge = loop.type == LoopType::revolute && shows_axes(), is_rod = loop.type == LoopType::distance;
    if (!is_hinge && !is_rod) return;
    const int at = point(loop.a.body, loop.a.frame.r);
    if (is_hinge) return stroke(Skeleton::Symbol::turning, at, loop.a.body, loop.a.frame, loop.axis);
    result_.sticks.push_back({at, point(loop.b.body, loop.b.frame.r)});
  }
};

}  // namespace

Skeleton skeleton_of(const Model& model) { return Drawing(model).skeleton(); }

std::vector<std::vector<Pose<double>>> poses(const Model& model, std::span<const std::vector<double>> configurations) {
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  std::vector<std::vector<Pose<double>>> all;
  all.reserve(configurations.size());
  for (const std::vector<double>& q : configurations) {
    place<double>(model, q, at);
    positions<double>(model, at, kin);
    auto& frame = all.emplace_back();
    for (int b = 0; b < static_cast<int>(model.bodies().size()); ++b)
      frame.push_back(pose_in_world<double>(model, kin, b));
  }
  return all;
}

std::vector<std::vector<Point>> places(const Skeleton& skeleton, const std::vector<std::vector<Pose<double>>>& poses) {
  std::vector<std::vector<Point>> all;
  all.reserve(poses.size());
  for (const auto& frame : poses) {
    auto& points = all.emplace_back();
    for (const auto& [body, local] : skeleton.points) points.push_back(frame[body].r + frame[body].R * local);
  }
  return all;
}
std::vector<std::vector<Point>> places(const Model& model, const Skeleton& skeleton,
                                       std::span<const std::vector<double>> configurations) {
  return places(skeleton, poses(model, configurations));
}

}  // namespace denoc::figures
