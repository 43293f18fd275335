// What acts on a robot besides its drives, gravity and inertia. A force is a small type, made once from a model or from
// what surrounds it, that keeps only what matters there:
//
//   static constexpr std::string_view name;      for messages
//   bool empty() const;                          it does nothing on this robot
//   int wrenches() const;                        how many it adds; above 0 it needs poses and twists of the bodies
//   void act(const Situation<T>&, Loads<T>&) const;
//
// and, if its force may have no value, `void require_defined(const Situation<T>&) const`, which throws NoForce; if it acts
// in contact only, `void for_each_depth(const Situation<T>&, f) const` with f(depth, its rate, turning): the depth is below
// 0 where it is open, and goes round with a body that turns so fast (rad/s, 0 if with none).
// forces.hpp has the list of them.
#pragma once
#include <algorithm>
#include <concepts>
#include <string_view>

#include "denoc/error.hpp"
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

/// A force has no value where the robot is; what() says which, and why.
class NoForce : public Error {
 public:
  using Error::Error;
};

/// Where the robot is and how it moves. `kin` has positions and velocities; it may be null where no force needs them.
template <Scalar T> struct Situation {
  const ModelOf<T>& model;
  Real<T> t;
  std::span<const T> q, v;
  const Kinematics<T>* kin;

  Pose<T> pose(int body) const { return pose_in_world<T>(model, *kin, body); }
  Twist<T> twist(int body) const { return twist_in_body<T>(model, *kin, body); }
  /// How fast the body or one of those that carry it turns at most: its points go round with each of them.
  T turning(int body) const {
    T most(0);
    for (int b = body; b > 0; b = model.bodies()[b].parent) most = std::max(most, norm(twist(b).w));
    return most;
  }
};

/// What forces add up to: in the joints, on the bodies, and the energy they account for. For each of them
///   d(stored)/dt = -(power of its tau and wrenches) - dissipated + input.
template <Scalar T> struct Loads {
  std::vector<T> tau;
  std::vector<BodyWrench<T>> wrenches = {};
  T stored = T(0);      // potential energy
  T dissipated = T(0);  // power turned into heat, not negative
  T input = T(0);       // power from outside: moving surfaces, external wrenches

  Loads(int nv, int most_wrenches) : tau(size_t(nv), T(0)) { wrenches.reserve(size_t(most_wrenches)); }
  void clear() {
    for (T& x : tau) x = T(0);
    wrenches.clear();
    stored = dissipated = input = T(0);
  }
};

template <class F, class T>
concept Force = requires(const F force, const Situation<T>& at, Loads<T>& loads) {
  { F::name } -> std::convertible_to<std::string_view>;
  { force.empty() } -> std::same_as<bool>;
  { force.wrenches() } -> std::same_as<int>;
  { force.act(at, loads) } -> std::same_as<void>;
};

/// f(degree of freedom, its joint, where its coordinate stands in q), the last -1 where q is a quaternion: forces of
/// joints act on each of their degrees of freedom.
template <class R, class F> void for_each_dof(const BasicModel<R>& model, F&& f) {
  for (int k = 0; k < model.nv(); ++k) {
    const int b = model.body_of_dof(k);
    const Joint& joint = model.robot().bodies[size_t(b)].joint;
    const bool is_plain = has_plain_coordinates(joint.type);
    f(k, joint, is_plain ? model.bodies()[b].q + k - model.bodies()[b].v : -1);
  }
}

/// A point fixed in a body: where it is and how fast, in world axes.
template <Scalar T> struct BodyPoint {
  int body;
  Vec3<T> arm;  // in the body's own frame
  Mat3<T> R;    // the body's axes
  Vec3<T> position, velocity;

  BodyPoint(const Situation<T>& at, int on, const Vec3<double>& in_body) : body(on), arm(full<T>(in_body)) {
    const Pose<T> pose = at.pose(body);
    const Twist<T> t = at.twist(body);
    R = pose.R;
    position = pose.r + R * arm;
    velocity = R * (t.v + cross(t.w, arm));
  }
  /// A force in world axes at the point, as a wrench on the body.
  BodyWrench<T> wrench(const Vec3<T>& force_in_world) const {
    const Vec3<T> force = back(R, force_in_world);
    return {body, {cross(arm, force), force}};
  }
};

}  // namespace denoc
