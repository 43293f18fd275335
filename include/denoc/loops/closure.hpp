// Joints cut open, as equations: residual phi(q) = 0, its rate J v and its acceleration J a + J'v, made from the two
// frames of each loop. One row for every degree of freedom that the joint takes away.
#pragma once
#include <array>
#include <string_view>

#include "denoc/model/configuration.hpp"

namespace denoc {

/// What one row measures. r, x, y: origin and axes of a loop's frames, in the world; p = r_b - r_a.
struct ClosureRow {
  enum class Kind {
    coincide,  // component of r_a - r_b along a world axis
    along,     // -d . p, d fixed in a
    square,    // x . y, x fixed in a, y fixed in b
    distance,  // |p| - length
    coupled,   // f(q_a) - q_b
    alike,     // component of x - y along a world axis, x fixed in a, y the same direction fixed in b
  } kind;
  int loop;
  // d or x, and y, in the frames of the ends; the world axis of coincide (in_a) and of alike (in_b)
  Vec3<double> in_a{0, 0, 0}, in_b{0, 0, 0};
};

/// The rows of all loops of a robot, in the order of the file.
std::vector<ClosureRow> closure_rows(const Robot& robot);
/// Directions, the same in the frames of both ends, that a loop keeps together: the axis of a hinge, all of them where
/// nothing turns. The rows above are zero for opposite directions, too: a loop with such is not closed.
std::vector<Vec3<double>> shared_directions(const Loop& loop);
/// Rows to find a closed posture by, from however far: shared directions are compared as they are, which is zero for
/// equal ones alone and grows all the way to opposite ones. There are more of them than freedoms that a loop takes.
std::vector<ClosureRow> assembly_rows(const Robot& robot);

/// A row at one state: phi, phi', J'v, and J as what it does to the two ends: phi' = f . v_a + n_a . w_a - f . v_b
/// - n_b . w_b, moments about the origins of the frames, in world axes. Of a coupled row: slope = df/dq_a.
template <Scalar T> struct ClosureValue {
  T residual, rate, bias;
  Vec3<T> force, moment_a, moment_b;
  T slope;
};

/// A link that carries the end of a loop: the axes of the world as the link sees them, where it is in the world, its
/// twist and the rate of that for q'' = 0.
template <class V, class T> struct CarrierOf {
  V x, y, z, r;
  T twist, rate;
  template <class Placement> DENOC_INLINE auto seen_through(const Placement& p) const {
    auto ex = p.to_child(x), ey = p.to_child(y), ez = p.to_child(z);
    auto t = p.to_child(twist), td = p.to_child(rate);
    auto at = r + Vec3{p.reach(x, ex), p.reach(y, ey), p.reach(z, ez)};
    return CarrierOf<decltype(at), decltype(t)>{ex, ey, ez, at, t, td};
  }
};
template <Scalar T> using Carrier = CarrierOf<Vec3<T>, Twist<T>>;

/// The frame at the end of a loop, moving, in world axes.
template <Scalar T> struct MovingFrame {
  Mat3<T> to_link;  // from world axes to those of the link that carries it
  Pose<T> in_link;
  Vec3<T> r, w, v, wd, vd;
  MovingFrame(const Carrier<T>& link, const Pose<T>& frame)
      : to_link(from_columns(link.x, link.y, link.z)), in_link(frame) {
    const auto& [tw, tv] = link.twist;
    r = link.r + in_world(frame.r);
    w = in_world(tw);
    v = in_world(tv + cross(tw, frame.r));
    wd = in_world(link.rate.w);
    vd = in_world(link.rate.v + cross(link.rate.w, frame.r) + cross(tw, tv + cross(tw, frame.r)));
  }
  Vec3<T> in_world(const Vec3<T>& u) const { return back(to_link, u); }
  /// A direction fixed in the frame.
  Vec3<T> axis(const Vec3<double>& u) const { return in_world(in_link.R * full<T>(u)); }
  Vec3<T> axis_rate(const Vec3<T>& x) const { return cross(w, x); }
  Vec3<T> axis_acceleration(const Vec3<T>& x) const { return cross(wd, x) + cross(w, cross(w, x)); }
  /// A wrench about the frame's origin in world axes, as the link takes it.
  Wrench<T> on_link(const Vec3<T>& moment, const Vec3<T>& force) const {
    const Vec3<T> f = to_link * force;
    return {to_link * moment + cross(in_link.r, f), f};
  }
};
/// The two ends of a loop.
template <Scalar T> struct LoopFrames {
  MovingFrame<T> a, b;
  LoopFrames(const Carrier<T>& link_a, const Pose<T>& in_a, const Carrier<T>& link_b, const Pose<T>& in_b)
      : a(link_a, in_a), b(link_b, in_b) {}
};

/// The frames of loops, in one pass over the tree. Scratch included: one for each thread.
template <Scalar T> class LoopKinematics {
 public:
  explicit LoopKinematics(const ModelOf<T>& model)
      : at_branches_(model.links().size()), place_(model.links().size(), -1) {
    const auto carrier = [&](const Attachment& end) {
      const auto& body = model.bodies()[end.body];
      if (int& place = place_[body.link]; place < 0) {
        place = int(carriers_.size());
        carriers_.push_back(ground(model, zero_twist<T>));
      }
      return End{place_[body.link], full<T>(body.in_link) * full<T>(end.frame)};
    };
    for (const Loop& loop : model.robot().loops) ends_.push_back({carrier(loop.a), carrier(loop.b)});
  }
  /// t = A t_parent + p v,  t' = A t'_parent + t x p v
  void move(const ModelOf<T>& model, const Configuration<T>& at, In<T> v) {
    require_size(v, model.nv(), "v");
    const TwistOf<Vec3<Zero>, Vec3<Zero>> rest{};
    model.moving().outward(at, ground(model, rest), at_branches_, [&](auto link, const auto& carried) DENOC_INLINED {
      const auto relative =
          link.columns().outward(rest, [&](auto p, const auto& t) DENOC_INLINED { return t + p * v[link.dof(p)]; });
      const Twist<T> twist = full<T>(carried.twist + relative), rate = full<T>(carried.rate + cross(twist, relative));
      const Carrier<T> moved{carried.x, carried.y, carried.z, carried.r, twist, rate};
      if (const int place = place_[link.i]; place >= 0) carriers_[place] = moved;
      return moved;
    });
    frames_.clear();
    for (const auto& [a, b] : ends_) frames_.emplace_back(carriers_[a.carrier], a.frame, carriers_[b.carrier], b.frame);
  }
  /// Where move() was last, until the next.
  const LoopFrames<T>& frames(int loop) const { return frames_[loop]; }

 private:
  struct End {
    int carrier;
    Pose<T> frame;  // in its link
  };
  struct Ends {
    End a, b;
  };
  template <class Rest> static CarrierOf<Vec3<T>, Rest> ground(const ModelOf<T>& model, const Rest& rest) {
    const Pose<T> world = full<T>(model.bodies()[0].in_link);
    return {column_x(world.R), column_y(world.R), column_z(world.R), -back(world.R, world.r), rest, rest};
  }
  std::vector<Carrier<T>> at_branches_, carriers_;
  std::vector<int> place_;  // of a link among the carriers, or -1
  std::vector<Ends> ends_;
  std::vector<LoopFrames<T>> frames_ = {};  // by loop
};
extern template class LoopKinematics<long double>;
extern template class LoopKinematics<Dual<double>>;

namespace detail {
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
  if (!loop.coefficients.empty()) {  // Horner's rule: f, f' and f''/2 of the polynomial so far, times x, plus the next
    const T x = qa + R(loop.phase);
    f = slope = curvature = T(0);
    for (auto c = loop.coefficients.rbegin(); c != loop.coefficients.rend(); ++c) {
      curvature = curvature * x + slope;
      slope = slope * x + f;
      f = f * x + R(*c);
    }
    curvature = curvature * R(2);
  }
  const Vec3<T> nothing = zero3<T>;
  return {f + R(loop.offset) - qb, slope * va - vb, curvature * va * va, nothing, nothing, nothing, slope};
}
}  // namespace detail

/// Where the one coordinate of a body's joint stands.
struct JointCoordinate {
  int q, v;
};
/// Where the coordinate of a body's joint stands. Throws ArgumentError if there is no such body.
template <class R> JointCoordinate coordinate_of(const BasicModel<R>& model, int body) {
  return {model.body(body).q, model.body(body).v};
}

/// One row at q, v, from the frames of its loop.
template <Scalar T>
ClosureValue<T> closure_value(const ModelOf<T>& model, const LoopFrames<T>& frames, In<T> q, In<T> v,
                              const ClosureRow& row) {
  using R = Real<T>;
  const Loop& loop = model.robot().loops[row.loop];
  if (row.kind == ClosureRow::Kind::coupled) {
    const JointCoordinate a = coordinate_of(model, loop.a.body), b = coordinate_of(model, loop.b.body);
    return detail::coupled<T>(loop, q[a.q], v[a.v], q[b.q], v[b.v]);
  }
  const auto& [a, b] = frames;
  const Vec3<T> p = b.r - a.r, pd = b.v - a.v, pdd = b.vd - a.vd, nothing = zero3<T>;
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
    case ClosureRow::Kind::alike: {
      const Vec3<T> e = full<T>(row.in_b), x = a.axis(row.in_a), y = b.axis(row.in_a);
      const T bias = dot(e, a.axis_acceleration(x) - b.axis_acceleration(y));
      return {dot(e, x - y), dot(e, a.axis_rate(x) - b.axis_rate(y)), bias, nothing, cross(x, e), cross(y, e), T(0)};
    }
    default: {
      const T length = norm(p);
      const Vec3<T> u = p * (T(1) / length);
      const T along = dot(u, pd), bias = dot(u, pdd) + (dot(pd, pd) - along * along) / length;
      return {length - R(loop.length), along, bias, -u, nothing, nothing, T(0)};
    }
  }
}

/// The links a loop's forces pass on their way to the ground: from each end to where the ways meet, and from there on.
struct LoopPath {
  std::vector<int> from_a, from_b, common;
  std::array<const std::vector<int>*, 3> parts() const { return {&from_a, &from_b, &common}; }
};
/// The way of a loop through the tree.
template <class R> LoopPath path_of(const BasicModel<R>& model, const Loop& loop) {
  LoopPath path;
  int a = model.body(loop.a.body).link, b = model.body(loop.b.body).link;
  while (a != b) {  // a link stands after its parent
    if (a > b) {
      path.from_a.push_back(a);
      a = model.links()[a].parent;
    } else {
      path.from_b.push_back(b);
      b = model.links()[b].parent;
    }
  }
  for (; a > 0; a = model.links()[a].parent) path.common.push_back(a);
  return path;
}
/// Along some of its links: pass(link, w) takes from a wrench what the joint takes, then the parent has it. E: of the
/// wrench, T or a pack of them.
template <class E, Scalar T, class Pass>
DENOC_INLINE void climb(const ModelOf<T>& model, const Configuration<T>& at, const std::vector<int>& links,
                        Wrench<E>& w, Pass&& pass) {
  for (const int i : links) {
    pass(i, w);
    model.placed(i, at, [&](const auto& placement) DENOC_INLINED { w = full<E>(placement.to_parent(w)); });
  }
}
template <class E, Scalar T, class Pass>
DENOC_INLINE void climb(const ModelOf<T>& model, const Configuration<T>& at, const LoopPath& path, Wrench<E> on_a,
                        Wrench<E> on_b, Pass&& pass) {
  climb<E, T>(model, at, path.from_a, on_a, pass);
  climb<E, T>(model, at, path.from_b, on_b, pass);
  on_a += on_b;
  climb<E, T>(model, at, path.common, on_a, pass);
}

/// J of one row: the generalised forces of its wrenches, f and n_a on a, -f and -n_b on b; zero elsewhere.
template <Scalar T>
void closure_gradient(const ModelOf<T>& model, const Configuration<T>& at, const LoopFrames<T>& frames,
                      const LoopPath& path, const ClosureRow& row, const ClosureValue<T>& value, Out<T> gradient) {
  require_size(gradient, model.nv(), "gradient");
  for (T& x : gradient) x = T(0);
  if (row.kind == ClosureRow::Kind::coupled) {
    const Loop& loop = model.robot().loops[row.loop];
    gradient[coordinate_of(model, loop.a.body).v] += value.slope;
    gradient[coordinate_of(model, loop.b.body).v] -= T(1);
    return;
  }
  climb<T, T>(model, at, path, frames.a.on_link(value.moment_a, value.force),
              frames.b.on_link(-value.moment_b, -value.force), [&](int i, const Wrench<T>& w) {
                model.project(i, w, [&](int k, const T& component) { gradient[k] += component; });
              });
}

/// Adds what a multiplier of one row does to the bodies a and b at the ends of its loop, each in its own frame about its
/// origin; nothing for couplings, which act in the joints.
template <Scalar T>
void add_loop_wrench(const ModelOf<T>& model, const LoopFrames<T>& frames, const ClosureRow& row,
                     const ClosureValue<T>& value, const T& multiplier, BodyWrench<T>& on_a, BodyWrench<T>& on_b) {
  if (row.kind == ClosureRow::Kind::coupled) return;
  const auto act = [&](BodyWrench<T>& on, const MovingFrame<T>& end, const Vec3<T>& moment, const T& f) {
    on.wrench += full<T>(model.bodies()[on.body].in_link).to_child(end.on_link(moment * f, value.force * f));
  };
  act(on_a, frames.a, value.moment_a, multiplier);
  act(on_b, frames.b, value.moment_b, -multiplier);
}

}  // namespace denoc
