// Springs and dampers between two points of the robot, or of the robot and the ground:
//   f = stiffness (L - rest) + damping L'  along the line, pulling the ends together when positive.
#pragma once
#include "denoc/forces/force.hpp"

namespace denoc {

/// The springs and dampers between points of a robot: a force along the line between them.
template <Scalar T> class PointSprings {
  using R = Real<T>;

 public:
  static constexpr std::string_view name = "point springs";

  explicit PointSprings(const ModelOf<T>& model) {
    for (const PointSpring& spring : model.robot().springs) {
      if (spring.stiffness != 0 || spring.damping != 0) all_.push_back(spring);
    }
  }
  bool empty() const { return all_.empty(); }
  int wrenches() const { return 2 * int(all_.size()); }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    for (const PointSpring& spring : all_) {
      const auto [a, b] = ends(at, spring);
      const Vec3<T> d = b.position - a.position;
      const R stiffness(spring.stiffness), damping(spring.damping), rest(spring.rest);
      // f / L = stiffness - stiffness rest / L + damping d . d' / L^2
      const T dd = dot(d, d);
      T pull(stiffness), stored = dd * stiffness;
      if (needs_direction(spring)) {
        const T length = sqrt(dd), along = dot(d, b.velocity - a.velocity), stretch = length - rest;
        pull += (along * damping / length - stiffness * rest) / length;
        stored = stretch * stretch * stiffness;
        loads.dissipated += along * along / dd * damping;
      }
      const Vec3<T> force = d * pull;
      loads.wrenches.push_back(a.wrench(force));
      loads.wrenches.push_back(b.wrench(-force));
      loads.stored += stored * R(0.5);
    }
  }

  void require_defined(const Situation<T>& at) const {
    for (const PointSpring& spring : all_) {
      const auto [a, b] = ends(at, spring);
      if (needs_direction(spring) && !(0 < value(norm(b.position - a.position))))
        throw NoForce(spring.source.element + ": its two ends coincide, its force has no direction");
    }
  }

 private:
  static std::pair<BodyPoint<T>, BodyPoint<T>> ends(const Situation<T>& at, const PointSpring& spring) {
    return {BodyPoint<T>(at, spring.a.body, spring.a.frame.r), BodyPoint<T>(at, spring.b.body, spring.b.frame.r)};
  }
  // A spring of no length at rest and without damping pulls by stiffness d, whatever the direction.
  static bool needs_direction(const PointSpring& spring) { return spring.rest != 0 || spring.damping != 0; }

  std::vector<PointSpring> all_ = {};
};

}  // namespace denoc
