// Springs in the joints: tau = -stiffness (q - rest). Not where q is a quaternion.
#pragma once
#include "denoc/forces/force.hpp"

namespace denoc {

/// The springs in the joints of a robot. They act on joints with plain coordinates.
template <Scalar T> class JointSprings {
  using R = Real<T>;

 public:
  static constexpr std::string_view name = "joint springs";

  explicit JointSprings(const ModelOf<T>& model) {
    for_each_dof(model, [&](int dof, const Joint& joint, int q) {
      const auto& [stiffness, rest] = joint.spring;
      if (stiffness != 0 && q >= 0) all_.push_back({dof, q, R(stiffness), R(rest)});
    });
  }
  bool empty() const { return all_.empty(); }
  int wrenches() const { return 0; }

  void act(const Situation<T>& at, Loads<T>& loads) const {
    for (const auto& [dof, q, stiffness, rest] : all_) {
      const T stretch = at.q[q] - rest, force = stretch * stiffness;
      loads.tau[dof] -= force;
      loads.stored += force * stretch * R(0.5);
    }
  }

 private:
  struct Spring {
    int dof, q;
    R stiffness, rest;
  };
  std::vector<Spring> all_ = {};
};

}  // namespace denoc
