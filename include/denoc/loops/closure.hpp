// Joints cut open, as equations: residual phi(q) = 0, its rate J v and its acceleration J a + J'v, made from the two
// frames of each loop. One row for every degree of freedom that the joint takes away.
#pragma once
#include <string_view>

#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

// What one row measures. r, x, y: origin and axes of a loop's frames, in the world; p = r_b - r_a.
struct ClosureRow {
  enum class Kind {
    coincide,  // component of r_a - r_b along a world axis
    along,     // -d . p, d fixed in a
    square,    // x . y, x fixed in a, y fixed in b
    distance,  // |p| - length
    coupled,   // f(q_a) - q_b
  } kind;
  int loop;
  Vec3<double> in_a{0, 0, 0}, in_b{0, 0, 0};  // d or x, and y, in the frames of the ends; the world axis
};

// The words for loops, and how many rows they have.
bool is_loop_type(std::string_view type);
bool couples_coordinates(std::string_view type);
// The rows of all loops of a robot, in the order of the file.
std::vector<ClosureRow> closure_rows(const Robot& robot);

// A row at one state: phi, phi', J'v, and J as what it does to the two ends: phi' = f . v_a + n_a . w_a - f . v_b
// - n_b . w_b, moments about the origins of the frames, in world axes. Of a coupled row: slope = df/dq_a.
template <Scalar T> struct ClosureValue {
  T residual, rate, bias;
  Vec3<T> force, moment_a, moment_b;
  T slope;
};

namespace detail {
// How a loop's frame moves, in world axes. The accelerations are those in `kin`.
template <Scalar T> struct MovingFrame {
  Pose<T> pose;
  Vec3<T> w, v, wd, vd;
  MovingFrame(const ModelOf<T>& model, const Kinematics<T>& kin, const Attachment& end) {
    const Pose<T> body = pose_in_world<T>(model, kin, end.body);
    pose = body * full<T>(end.frame);
    const Twist<T> t = velocity_in_world<T>(model, kin, end.body),
                   rate = acceleration_in_world<T>(model, kin, end.body);
    const Vec3<T> arm = pose.r - body.r;
    w = t.w;
    wd = rate.w;
    v = t.v + cross(w, arm);
    vd = rate.v + cross(wd, arm) + cross(w, cross(w, arm));
  }
  Vec3<T> axis(const Vec3<double>& u) const { return pose.R * full<T>(u); }
  Vec3<T> axis_rate(const Vec3<T>& x) const { return cross(w, x); }
  Vec3<T> axis_acceleration(const Vec3<T>& x) const { return cross(wd, x) + cross(w, cross(w, x)); }
};

template <Scalar T> ClosureValue<T> coupled(const Loop& loop, const T& qa, const T& va, const T& qb, const T& vb) {
  using R = Real<T>;
  // q_b = f(q_a): f' = slope, f'' v_a^2 = bias
  T f = qa * R(loop.ratio), slope(R(loop.ratio)), curvature(0);
  if (loop.eccentricity != 0) {
    T s, c;
    sincos(qa + R(loop.phase), s, c);
    const R e(loop.eccentricity);
    f = c * e;
    slope = -s * e;
    curvature = -c * e;
    if (loop.radius != 0) {  // root = sqrt(radius^2 - e^2 s^2), root' = -e^2 s c/root
      const T root = sqrt(T(R(loop.radius) * R(loop.radius)) - s * s * (e * e)), step = -s * c * (e * e) / root;
      f += root;
      slope += step;
      curvature += ((s * s - c * c) * (e * e) - step * step) / root;
    }
  }
  const Vec3<T> nothing = zero3<T>;
  return {f + R(loop.offset) - qb, slope * va - vb, curvature * va * va, nothing, nothing, nothing, slope};
}
}  // namespace detail

// Where the one coordinate of a body's joint stands.
struct Coordinate {
  int q, v;
};
template <class R> Coordinate coordinate_of(const BasicModel<R>& model, int body) {
  return {model.bodies()[body].q, model.bodies()[body].v};
}

// The two frames of a loop, moving. Needs positions, velocities and accelerations(v, 0) in `kin`.
template <Scalar T> struct LoopFrames {
  detail::MovingFrame<T> a, b;
  LoopFrames(const ModelOf<T>& model, const Kinematics<T>& kin, const Loop& loop)
      : a(model, kin, loop.a), b(model, kin, loop.b) {}
};

template <Scalar T>
ClosureValue<T> closure_value(const ModelOf<T>& model, const LoopFrames<T>& frames, In<T> q, In<T> v,
                              const ClosureRow& row) {
  using R = Real<T>;
  const Loop& loop = model.robot().loops[row.loop];
  if (row.kind == ClosureRow::Kind::coupled) {
    const Coordinate a = coordinate_of(model, loop.a.body), b = coordinate_of(model, loop.b.body);
    return detail::coupled<T>(loop, q[a.q], v[a.v], q[b.q], v[b.v]);
  }
  const auto& [a, b] = frames;
  const Vec3<T> p = b.pose.r - a.pose.r, pd = b.v - a.v, pdd = b.vd - a.vd, nothing = zero3<T>;
  switch (row.kind) {
    case ClosureRow::Kind::coincide: {
      const Vec3<T> e = full<T>(row.in_a);
      return {-dot(e, p), -dot(e, pd), -dot(e, pdd), e, nothing, nothing, T(0)};
    }
    case ClosureRow::Kind::along: {
      const Vec3<T> d = a.axis(row.in_a), dd = a.axis_rate(d);
      const T bias = -(dot(a.axis_acceleration(d), p) + dot(dd, pd) * R(2) + dot(d, pdd));
      return {-dot(d, p), -dot(dd, p) - dot(d, pd), bias, d, cross(p, d), nothing, T(0)};
    }
    case ClosureRow::Kind::square: {
      const Vec3<T> x = a.axis(row.in_a), y = b.axis(row.in_b), xd = a.axis_rate(x), yd = b.axis_rate(y);
      const T bias = dot(a.axis_acceleration(x), y) + dot(xd, yd) * R(2) + dot(x, b.axis_acceleration(y));
      return {dot(x, y), dot(xd, y) + dot(x, yd), bias, nothing, cross(x, y), cross(x, y), T(0)};
    }
    default: {
      const T length = norm(p);
      const Vec3<T> u = p * (T(1) / length);
      const T along = dot(u, pd), bias = dot(u, pdd) + (dot(pd, pd) - along * along) / length;
      return {length - R(loop.length), along, bias, -u, nothing, nothing, T(0)};
    }
  }
}

// J of one row: the generalised forces of its wrenches, f and n_a on a, -f and -n_b on b; zero elsewhere.
template <Scalar T>
void closure_gradient(const ModelOf<T>& model, const Kinematics<T>& kin, const ClosureRow& row,
                      const ClosureValue<T>& value, Out<T> gradient) {
  require_size(gradient, model.nv(), "gradient");
  const Loop& loop = model.robot().loops[row.loop];
  for (T& x : gradient) x = T(0);
  if (row.kind == ClosureRow::Kind::coupled) {
    gradient[coordinate_of(model, loop.a.body).v] += value.slope;
    gradient[coordinate_of(model, loop.b.body).v] -= T(1);
    return;
  }
  const auto act = [&](const Attachment& end, const Vec3<T>& moment, const Vec3<T>& force) {
    const Pose<T> frame = pose_in_world<T>(model, kin, end.body) * full<T>(end.frame);
    // in the axes of the ground link, about its origin
    const Pose<T> ground = full<T>(model.bodies()[0].in_link);
    const Wrench<T> at_ground = ground.to_parent(Wrench<T>{moment + cross(frame.r, force), force});
    for (int i = model.bodies()[end.body].link; i > 0; i = model.links()[i].parent) {
      const Wrench<T> in_link = kin.in_ground[i].to_child(at_ground);
      model.project(i, in_link, [&](int k, const T& component) { gradient[k] += component; });
    }
  };
  act(loop.a, value.moment_a, value.force);
  act(loop.b, -value.moment_b, -value.force);
}

}  // namespace denoc
