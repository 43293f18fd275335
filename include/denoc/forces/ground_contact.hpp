// A plane that named points of the robot may touch but not pull at.
#pragma once
#include <optional>

#include "denoc/forces/force.hpp"
#include "denoc/forces/push.hpp"

namespace denoc {

/// A plane that yields along its normal, with damping, and rubs along it by Coulomb's law, made smooth below slip_speed
/// (m/s, above 0). Units: N/m, s/m.
struct GroundContact {
  Vec3<double> point{0, 0, 0}, normal{0, 0, 1};  // unit length; in the world
  double stiffness = 0, damping = 0, friction = 0, slip_speed = 1e-3;
  struct Touch {
    int body;
    Vec3<double> point;  // in the body's own frame
  };
  std::vector<Touch> points = {};
};

/// n: the plane's normal. A point p at the depth x = -n . (p - plane) slides with u along the plane:
///   f = F n - friction F u / sqrt(|u|^2 + slip_speed^2),  F = stiffness x (1 + damping x') >= 0
template <Scalar T> class GroundReaction {
  using R = Real<T>;

 public:
  static constexpr std::string_view name = "ground contact";

  explicit GroundReaction(const std::optional<GroundContact>& ground) {
    if (ground) ground_ = *ground;
  }
  bool empty() const { return ground_.points.empty(); }
  int wrenches() const { return int(ground_.points.size()); }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    const Vec3<T> n = full<T>(ground_.normal);
    const R slip_speed(ground_.slip_speed);
    for (const GroundContact::Touch& touch : ground_.points) {
      const BodyPoint<T> p(at, touch.body, touch.point);
      const T rate = -dot(n, p.velocity);
      const Push<T> push(R(ground_.stiffness), R(ground_.damping), depth(p), rate);
      const Vec3<T> u = p.velocity + n * rate;
      const T uu = dot(u, u), drag = push.force * R(ground_.friction) / sqrt(uu + slip_speed * slip_speed);
      loads.wrenches.push_back(p.wrench(n * push.force - u * drag));
      loads.stored += push.stored;
      loads.dissipated += push.dissipated + drag * uu;
    }
  }
  template <class F> void for_each_depth(const Situation<T>& at, F&& f) const {
    for (const GroundContact::Touch& touch : ground_.points) {
      const BodyPoint<T> p(at, touch.body, touch.point);
      f(depth(p), -dot(full<T>(ground_.normal), p.velocity), at.turning(touch.body));
    }
  }

 private:
  T depth(const BodyPoint<T>& p) const { return -dot(full<T>(ground_.normal), p.position - full<T>(ground_.point)); }

  GroundContact ground_ = {};
};

}  // namespace denoc
