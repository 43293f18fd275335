// q: where the joints stand. `place` evaluates it once for all algorithms; integrate, difference and normalise move on
// the manifold q lives on (unit quaternions for spherical and free joints).
#pragma once
#include "denoc/model/arguments.hpp"

namespace denoc {

// The joints' screws and poses at one q. What does not move is written once.
template <denoc::Scalar T> struct Configuration {
  using Scalar = T;
  std::vector<JointScrew<T>> z;
  std::vector<Pose<T>> poses;

  explicit Configuration(const ModelOf<T>& model) : poses(model.pose_frames().size()) {
    for (const auto& link : model.links()) {
      T s, c;
      sincos(T(link.theta), s, c);
      z.push_back({{c, s}, T(link.d)});
    }
  }
};

// Quaternions in q must be of unit length.
template <Scalar T> void place(const ModelOf<T>& model, In<T> q, Configuration<T>& at) {
  require_size(q, model.nq(), "q");
  int i = 0;
  for (const auto& link : model.links().subspan(1)) {
    JointScrew<T>& z = at.z[++i];
    switch (link.joint) {
      case Elementary::revolute:
        sincos(q[link.q] + link.theta, z.theta.s, z.theta.c);
        break;
      case Elementary::prismatic:
        z.d = q[link.q] + link.d;
        break;
      case Elementary::helical:
        sincos(q[link.q] + link.theta, z.theta.s, z.theta.c);
        z.d = q[link.q] * link.pitch + link.d;
        break;
      case Elementary::spherical:
      case Elementary::free: {
        const auto& frame = model.pose_frames()[link.pose];
        Pose<T>& pose = at.poses[link.pose];
        const T* x = &q[link.q];
        pose.r = full<T>(frame.r);
        if (link.joint == Elementary::free) {
          pose.r += frame.R * Vec3<T>{x[0], x[1], x[2]};
          x += 3;
        }
        pose.R = frame.R * rotation(Quaternion<T>{x[0], x[1], x[2], x[3]});
      }
    }
  }
}

// A link's frame in its parent's.
template <Scalar T> Pose<T> link_pose(const ModelOf<T>& model, const Configuration<T>& at, int i) {
  const auto& link = model.links()[i];
  if (link.joint == Elementary::spherical || link.joint == Elementary::free) return at.poses[link.pose];
  const JointScrew<T>& screw = at.z[i];
  const auto column = [&](T x, T y, T z) { return full<T>(link.base.turn(turn_z(screw.theta, Vec3<T>{x, y, z}))); };
  const Vec3<T> axis = column(T(0), T(0), T(1));
  return {from_columns(column(T(1), T(0), T(0)), column(T(0), T(1), T(0)), axis),
          full<T>(link.base.r) + axis * screw.d};
}

}  // namespace denoc
