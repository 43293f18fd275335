// q: where the joints stand. `place` evaluates it once for all algorithms; integrate, difference and normalise move on
// the manifold q lives on (unit quaternions for spherical and free joints).
#pragma once
#include "denoc/model/arguments.hpp"
#include "denoc/scalar/lanes.hpp"

namespace denoc {

/// The joints' screws and poses at one q. What does not move is written once.
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

namespace detail {
// theta = theta0 + q for the joints that turn. A single state takes its sines four joints at a time, a pack of states
// two joints at a time, and looks once for angles that are too far.
template <Scalar T> DENOC_INLINE void turn_joints(const ModelOf<T>& model, In<T> q, Configuration<T>& at) {
  const auto angle = [&](const Turning<Real<T>>& joint) { return q[joint.q] + joint.theta; };
  const std::span<const Turning<Real<T>>> turning = model.turning();
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    constexpr int width = 4;
    for (size_t k = 0; k < turning.size(); k += width) {
      const Turning<T>* joint = &turning[k];
      Lanes<double, width> s, c;
      sincos<double, width>(Lanes<double, width>{angle(joint[0]), angle(joint[1]), angle(joint[2]), angle(joint[3])}, s,
                            c);
      for (int l = 0; l < width; ++l) at.z[joint[l].link].theta = {T(c[l]), T(s[l])};
    }
  } else {
    const auto joints = turning.first(model.turning_count());
    if constexpr (requires(T x, T(&two)[2]) { sincos_in_range(x, x, two, two); }) {
      typename T::Mask far{};
      for (size_t k = 0; k < joints.size(); k += 2) {
        const auto &one = turning[k], &next = turning[k + 1];
        T s[2], c[2];
        far |= sincos_in_range(angle(one), angle(next), s, c);
        at.z[one.link].theta = {c[0], s[0]};
        at.z[next.link].theta = {c[1], s[1]};
      }
      if (__builtin_expect(!T::any(far), 1)) return;
    }
    for (const auto& joint : joints) sincos(angle(joint), at.z[joint.link].theta.s, at.z[joint.link].theta.c);
  }
}
}  // namespace detail

/// Evaluates q. Quaternions in it must be of unit length.
template <Scalar T, class Isa = AnyIsa> void place(const ModelOf<T>& model, In<T> q, Configuration<T>& at) {
  require_size(q, model.nq(), "q");
  detail::turn_joints<T>(model, q, at);
  const auto links = model.links();
  for (const int i : model.sliding_links()) {  // d = d0 + q, or of a joint that turns as well d0 + pitch q
    const auto& link = links[i];
    at.z[i].d = (link.turn != 0 ? q[link.q] * link.slide : q[link.q]) + link.d;
  }
  for (const int i : model.posed_links()) {
    const auto& link = links[i];
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

#define DENOC_EXTERN(T) extern template struct Configuration<T>;
DENOC_FOR_SCALARS(DENOC_EXTERN)
#undef DENOC_EXTERN
#define DENOC_PLACE(TEMPLATE, T) TEMPLATE void place<T>(const ModelOf<T>&, In<T>, Configuration<T>&);
DENOC_COMPILED(DENOC_PLACE)

/// A link's frame in its parent's.
template <Scalar T> Pose<T> link_pose(const ModelOf<T>& model, const Configuration<T>& at, int i) {
  const auto& link = model.links()[i];
  if (link.pose >= 0) return at.poses[link.pose];
  const auto& [theta, d] = at.z[i];
  const auto& [ca, sa] = link.base.alpha;
  // Rz(gamma) Rx(alpha) Rz(theta), column by column; most links have no gamma
  Vec3<T> x{theta.c, theta.s * ca, theta.s * sa}, y{-theta.s, theta.c * ca, theta.c * sa}, z{T(0), T(-sa), T(ca)};
  if (const auto& gamma = link.base.gamma; gamma.s != 0 || gamma.c != 1) {
    x = turn_z(gamma, x);
    y = turn_z(gamma, y);
    z = turn_z(gamma, z);
  }
  return {from_columns(x, y, z), full<T>(link.base.r) + z * d};
}

}  // namespace denoc
