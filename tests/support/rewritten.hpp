// A robot written otherwise: the world turned, bodies in another order, in other frames and in pieces, joints in other
// frames and the other way round, loops from the other end, another robot beside it. Nothing that it does is otherwise.
#pragma once
#include <algorithm>
#include <numeric>
#include <set>

#include "denoc/mechanism/mechanism.hpp"
#include "support/build.hpp"
#include "support/random_robot.hpp"

namespace denoc::test {

struct Rewritten {
  explicit Rewritten(const Robot& as_it_is)
      : robot(as_it_is), body(robot.bodies.size()), frame(robot.bodies.size()), sense(robot.bodies.size(), 1) {
    std::iota(body.begin(), body.end(), 0);
  }

  Robot robot;
  Mat3<double> tilt = identity3<double>();  // the world's old axes in its new ones
  // Of each body as it was: its number now, its frame now in the one it had, and the sense of its joint.
  std::vector<int> body;
  std::vector<Pose<double>> frame;
  std::vector<double> sense;
};

namespace rewriting {

template <class Do> void each_end(Robot& robot, Do&& with) {
  for (Loop& loop : robot.loops) with(loop.a), with(loop.b);
  for (PointSpring& spring : robot.springs) with(spring.a), with(spring.b);
}

inline void turn_world(Rewritten& w, const Mat3<double>& R) {
  const Pose<double> turned{R, {0, 0, 0}};
  w.tilt = R;
  w.robot.gravity = R * w.robot.gravity;
  for (size_t b = 1; b < w.robot.bodies.size(); ++b)
    if (Body& body = w.robot.bodies[b]; body.parent == 0) body.joint_frame = turned * body.joint_frame;
  each_end(w.robot, [&](Attachment& end) {
    if (end.body == 0) end.frame = turned * end.frame;
  });
}

inline void move_frame(Rewritten& w, int b, const Pose<double>& X) {
  const Pose<double> back = inverse(X);
  Body& body = w.robot.bodies[size_t(b)];
  body.own_frame = body.own_frame * X;
  body.inertial.com = back.r + back.R * body.inertial.com;
  body.inertial.inertia = turn(back.R, body.inertial.inertia);
  body.inertial.hub = turn(back.R, body.inertial.hub);
  for (Body& child : w.robot.bodies)
    if (child.parent == b) child.joint_frame = back * child.joint_frame;
  each_end(w.robot, [&](Attachment& end) {
    if (end.body == b) end.frame = back * end.frame;
  });
  w.frame[size_t(b)] = X;
}

// A joint that turns and slides along one axis, or across none, may stand anywhere on it, and be turned as one likes.
inline void move_joint(Random& random, Body& body) {
  static const std::set<JointType> with_axes = {JointType::revolute,    JointType::continuous, JointType::helical,
                                                JointType::cylindrical, JointType::prismatic,  JointType::universal};
  Joint& joint = body.joint;
  if (!with_axes.contains(joint.type)) return;
  Pose<double> Y{rotation(random.attitude()), {0, 0, 0}};
  if (joint.type == JointType::prismatic)
    Y.r = random.vector(0.5);
  else if (joint.type != JointType::universal)
    Y.r = joint.axis * random.uniform(-0.5, 0.5);
  body.joint_frame = body.joint_frame * Y;
  body.own_frame = inverse(Y) * body.own_frame;
  joint.axis = transposed(Y.R) * joint.axis * random.uniform(0.5, 2);
  joint.axis2 = transposed(Y.R) * joint.axis2 * random.uniform(0.5, 2);
}

// The other way round: its coordinate has the other sign, and all that depends on that.
inline void reverse_joint(Rewritten& w, int b) {
  Joint& joint = w.robot.bodies[size_t(b)].joint;
  if (degrees_of_freedom(joint.type) != 1) return;
  for (const Loop& loop : w.robot.loops)
    if (loop.type == LoopType::eccentric_cam && (loop.a.body == b || loop.b.body == b)) return;
  joint.axis = -joint.axis;
  joint.spring.rest *= -1;
  joint.friction.surface_speed *= -1;
  joint.limits.lower = -std::exchange(joint.limits.upper, -joint.limits.lower);
  for (Loop& loop : w.robot.loops) {
    if (!couples_coordinates(loop.type)) continue;
    if (loop.a.body == b) {  // q_b = f(-q_a)
      loop.ratio *= -1, loop.phase *= -1;
      for (size_t i = 1; i < loop.coefficients.size(); i += 2) loop.coefficients[i] *= -1;
    }
    if (loop.b.body == b) {  // -q_b = f(q_a)
      loop.ratio *= -1, loop.offset *= -1;
      for (double& c : loop.coefficients) c *= -1;
    }
  }
  w.sense[size_t(b)] = -1;
}

// What ties two frames alike ties them from the other end, too.
inline void swap_ends(Loop& loop) {
  static const std::set<LoopType> alike = {LoopType::revolute,  LoopType::prismatic,   LoopType::universal,
                                           LoopType::spherical, LoopType::cylindrical, LoopType::planar,
                                           LoopType::weld,      LoopType::fixed,       LoopType::distance};
  if (!alike.contains(loop.type)) return;
  std::swap(loop.a, loop.b);
  if (loop.type == LoopType::universal) std::swap(loop.axis, loop.axis2);
}

// Half of a body is welded to the other half.
inline void split(Random& random, Robot& robot, int b) {
  Body half;
  half.name = robot.bodies[size_t(b)].name + "_half";
  half.parent = b;
  half.joint_frame = {rotation(random.attitude()), random.vector(0.3)};
  Inertial& whole = robot.bodies[size_t(b)].inertial;
  whole.mass /= 2;
  for (double* entry : {&whole.inertia.xx, &whole.inertia.xy, &whole.inertia.yy, &whole.inertia.xz, &whole.inertia.yz,
                        &whole.inertia.zz})
    *entry /= 2;
  const Pose<double> to_half = inverse(half.joint_frame);
  half.inertial.mass = whole.mass;
  half.inertial.com = to_half.r + to_half.R * whole.com;
  half.inertial.inertia = turn(to_half.R, whole.inertia);
  robot.bodies.push_back(half);
}

// Parents first, otherwise at random.
inline void reorder(Random& random, Rewritten& w) {
  const Robot before = w.robot;
  const size_t n = before.bodies.size();
  std::vector<int> now(n, -1);
  now[0] = 0;
  w.robot.bodies = {before.bodies[0]};
  while (w.robot.bodies.size() < n) {
    const auto b = size_t(random.below(int(n)));
    const int parent = now[size_t(before.bodies[b].parent)];
    if (now[b] >= 0 || parent < 0) continue;
    now[b] = int(w.robot.bodies.size());
    w.robot.bodies.push_back(before.bodies[b]);
    w.robot.bodies.back().parent = parent;
  }
  each_end(w.robot, [&](Attachment& end) { end.body = now[size_t(end.body)]; });
  for (int& b : w.body) b = now[size_t(b)];
}

}  // namespace rewriting

// `tilt`: by how much the world is turned. Joints of one name are the same joint.
inline Rewritten rewritten(Random& random, const Robot& robot, double tilt, bool is_alone) {
  using namespace rewriting;
  const int n = int(robot.bodies.size());
  Rewritten w(robot);
  const Vec3<double> about = random.direction() * std::sin(tilt / 2);
  turn_world(w, rotation(Quaternion<double>{std::cos(tilt / 2), about.x, about.y, about.z}));
  for (int b = 1; b < n; ++b) {
    move_joint(random, w.robot.bodies[size_t(b)]);
    if (random.below(2) == 0) move_frame(w, b, {rotation(random.attitude()), random.vector(0.5)});
    if (random.below(2) == 0) reverse_joint(w, b);
    if (random.below(3) == 0) split(random, w.robot, b);
  }
  for (Loop& loop : w.robot.loops) {
    loop.axis = loop.axis * random.uniform(0.5, 2);
    loop.axis2 = loop.axis2 * random.uniform(0.5, 2);
    if (random.below(2) == 0) swap_ends(loop);
  }
  if (random.below(2) == 0) std::reverse(w.robot.loops.begin(), w.robot.loops.end());
  for (int b = 1; b <= 2 && !is_alone; ++b) {  // and a pendulum beside it
    Body& arm = add(w.robot, joint(JointType::revolute, random.direction()), random.inertial(), random.vector(1));
    arm.name = "beside" + std::to_string(b);
    if (b == 1) arm.parent = 0;
  }
  reorder(random, w);
  return w;
}

// What is said of a robot as it was, for the one that was rewritten, and back.
class Otherwise {
 public:
  using Numbers = std::vector<double>;

  Otherwise(const Mechanism& original, const Rewritten& w) : original_(original), w_(w), mechanism_(w.robot) {
    std::vector<int> first_q{0};
    for (const Body& body : w.robot.bodies) first_q.push_back(first_q.back() + coordinates(body.joint.type));
    for (int b = 1; b < bodies(); ++b) {
      const JointType type = original.robot().bodies[size_t(b)].joint.type;
      const double sense = w.sense[size_t(b)];
      for (int k = 0; k < coordinates(type); ++k) q_.push_back({first_q[size_t(body(b))] + k, sense});
      for (int k = 0; k < degrees_of_freedom(type); ++k) v_.push_back({mechanism_.freedoms(body(b)).first + k, sense});
    }
  }

  const Mechanism& original() const { return original_; }
  const Mechanism& mechanism() const { return mechanism_; }
  int bodies() const { return int(original_.robot().bodies.size()); }
  int body(int b) const { return w_.body[size_t(b)]; }
  int dof(int k) const { return v_[size_t(k)].first; }
  double sense(int k) const { return v_[size_t(k)].second; }
  std::vector<int> dofs(const std::vector<int>& of) const {
    std::vector<int> now;
    for (const int k : of) now.push_back(dof(k));
    return now;
  }
  Numbers q(const Numbers& q) const { return written(q_, q, mechanism_.neutral()); }
  Numbers v(const Numbers& v) const { return written(v_, v, Numbers(size_t(mechanism_.nv()))); }
  Vec3<double> point(int b, const Vec3<double>& p) const {
    const Pose<double> to = inverse(w_.frame[size_t(b)]);
    return to.r + to.R * p;
  }
  Wrench<double> on(int b, const Wrench<double>& x) const {
    const auto& [R, r] = w_.frame[size_t(b)];
    return {back(R, x.n - cross(r, x.f)), back(R, x.f)};
  }

  Numbers q_of(std::span<const double> q) const { return read(q_, q); }
  Numbers v_of(std::span<const double> v) const { return read(v_, v); }
  template <class Entry> Numbers of_matrix(Entry&& entry) const {
    Numbers all;
    for (const auto& [i, s] : v_)
      for (const auto& [k, t] : v_) all.push_back(s * t * entry(i, k));
    return all;
  }
  Vec3<double> world(const Vec3<double>& x) const { return back(w_.tilt, x); }
  Pose<double> pose(int b, const Pose<double>& at) const {
    const Pose<double> was = at * inverse(w_.frame[size_t(b)]);
    return {transposed(w_.tilt) * was.R, world(was.r)};
  }
  Wrench<double> on_was(int b, const Wrench<double>& x) const {
    const auto& [R, r] = w_.frame[size_t(b)];
    return {R * x.n + cross(r, R * x.f), R * x.f};
  }

 private:
  using Map = std::vector<std::pair<int, double>>;
  static Numbers written(const Map& map, const Numbers& x, Numbers otherwise) {
    for (size_t k = 0; k < map.size(); ++k) otherwise[size_t(map[k].first)] = map[k].second * x[k];
    return otherwise;
  }
  static Numbers read(const Map& map, std::span<const double> x) {
    Numbers all;
    for (const auto& [k, sense] : map) all.push_back(sense * x[size_t(k)]);
    return all;
  }

  const Mechanism& original_;
  const Rewritten& w_;
  Mechanism mechanism_;
  Map q_, v_;
};

}  // namespace denoc::test
