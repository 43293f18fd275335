// Springs and dampers between two points of the robot, or of the robot and the ground, as wrenches on the bodies.
#pragma once
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

// The two ends of a spring coincide: its force has no direction.
class CoincidentEnds : public std::runtime_error {
 public:
  explicit CoincidentEnds(const PointSpring& spring)
      : std::runtime_error(spring.source.element + ": its two ends coincide, its force has no direction") {}
};

namespace detail {
// From end a to end b, and its rate, in world axes.
template <Scalar T> struct Span { Vec3<T> d, rate; };
template <Scalar T>
Span<T> span_between(const ModelOf<T>& model, const Kinematics<T>& kin, const Attachment& a, const Attachment& b) {
  const auto point = [&](const Attachment& end) {
    const Pose<T> pose = pose_in_world<T>(model, kin, end.body);
    const Twist<T> t = twist_in_body<T>(model, kin, end.body);
    const Vec3<T> at = full<T>(end.frame.r);
    return Span<T>{pose.r + pose.R * at, pose.R * (t.v + cross(t.w, at))};
  };
  const Span<T> from = point(a), to = point(b);
  return {to.d - from.d, to.rate - from.rate};
}
// A spring of no length at rest and without damping pulls by stiffness d, whatever the direction.
inline bool needs_direction(const PointSpring& spring) { return spring.rest != 0 || spring.damping != 0; }
}  // namespace detail

// Two wrenches for every spring of the robot, on its ends a and b, from the positions and velocities in `kin`:
//   f = stiffness (L - rest) + damping L'  along the line, pulling the ends together when positive.
// Throws CoincidentEnds, and std::invalid_argument when a size is wrong.
template <Scalar T>
void spring_wrenches(const ModelOf<T>& model, const Kinematics<T>& kin,
                     std::type_identity_t<std::span<BodyWrench<T>>> wrenches) {
  using R = Real<T>;
  const auto& springs = model.robot().springs;
  require_size(wrenches, 2 * int(springs.size()), "wrenches");
  for (size_t i = 0; i < springs.size(); ++i) {
    const PointSpring& spring = springs[i];
    const auto [d, rate] = detail::span_between<T>(model, kin, spring.a, spring.b);
    // f / L = stiffness - stiffness rest / L + damping d . d' / L^2
    T pull(R(spring.stiffness));
    if (detail::needs_direction(spring)) {
      const T length = norm(d);
      if (!(0 < value(length))) throw CoincidentEnds(spring);
      pull += (dot(d, rate) * R(spring.damping) / length - R(spring.stiffness) * R(spring.rest)) / length;
    }
    const auto wrench = [&](const Attachment& end, const Vec3<T>& force_in_world) {
      const Vec3<T> force = back(pose_in_world<T>(model, kin, end.body).R, force_in_world);
      return BodyWrench<T>{end.body, {cross(full<T>(end.frame.r), force), force}};
    };
    const Vec3<T> force = d * pull;
    wrenches[2 * i] = wrench(spring.a, force);
    wrenches[2 * i + 1] = wrench(spring.b, -force);
  }
}

// The power their dampers turn into heat: sum damping L'^2.
template <Scalar T> T point_damper_power(const ModelOf<T>& model, const Kinematics<T>& kin) {
  using R = Real<T>;
  T power(0);
  for (const PointSpring& spring : model.robot().springs) {
    if (spring.damping == 0) continue;
    const auto [d, rate] = detail::span_between<T>(model, kin, spring.a, spring.b);
    const T along = dot(d, rate);
    power += along * along / dot(d, d) * R(spring.damping);
  }
  return power;
}

// What these springs have stored: sum stiffness (L - rest)^2 / 2.
template <Scalar T> T point_spring_energy(const ModelOf<T>& model, const Kinematics<T>& kin) {
  using R = Real<T>;
  T twice(0);
  for (const PointSpring& spring : model.robot().springs) {
    const T stretch = norm(detail::span_between<T>(model, kin, spring.a, spring.b).d) - R(spring.rest);
    twice += stretch * stretch * R(spring.stiffness);
  }
  return twice * R(0.5);
}

}  // namespace denoc
