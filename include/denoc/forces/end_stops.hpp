// End stops: beyond a limit that has a stiffness the joint is pushed back, and never pulled.
#pragma once
#include "denoc/forces/force.hpp"
#include "denoc/forces/push.hpp"

namespace denoc {

/// The end stops of a robot: limits with a stiffness. They act on joints with plain coordinates.
template <Scalar T> class EndStops {
  using R = Real<T>;

 public:
  static constexpr std::string_view name = "end stops";

  explicit EndStops(const ModelOf<T>& model) {
    for_each_dof(model, [&](int dof, const Joint& joint, int q) {
      const Limits& limits = joint.limits;
      if (limits.stiffness == 0 || q < 0) return;
      const auto add = [&](double limit, R way) {
        if (std::isfinite(limit)) all_.push_back({dof, q, R(limit), way, R(limits.stiffness), R(limits.damping)});
      };
      add(limits.upper, R(1));
      add(limits.lower, R(-1));
    });
  }
  bool empty() const { return all_.empty(); }
  int wrenches() const { return 0; }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    for (const Stop& stop : all_) {
      const Push<T> push(stop.stiffness, stop.damping, stop.depth(at), stop.rate(at));
      loads.tau[stop.dof] -= push.force * stop.way;
      loads.stored += push.stored;
      loads.dissipated += push.dissipated;
    }
  }
  template <class F> void for_each_depth(const Situation<T>& at, F&& f) const {
    for (const Stop& stop : all_) f(stop.depth(at), stop.rate(at), T(0));
  }

 private:
  struct Stop {
    int dof, q;
    R limit, way;  // beyond it lies way (q - limit) > 0
    R stiffness, damping;
    T depth(const Situation<T>& at) const { return (at.q[q] - limit) * way; }
    T rate(const Situation<T>& at) const { return at.v[dof] * way; }
  };
  std::vector<Stop> all_ = {};
};

}  // namespace denoc
