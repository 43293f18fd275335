// A Coriolis matrix C with C v the Coriolis and centrifugal forces and I' - 2 C skew-symmetric: the one of
// Christoffel's symbols. Where [Shah13 (13)] takes M N' it loses the skew symmetry; here each body contributes
// J^T (M J' + B J) with
//   B = [[-([w] J + [h][v]), 0], [-[f], 0]],   f = m v + w x h,
// the split of the gyroscopic wrench t x* M t = B t that keeps it (J = tr(I)/2 - I, h: moments of the body about its
// origin).
#pragma once
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

/// The wrench (G w; w x f) that a turning by w meets; it adds up over a composite body.
template <class T> struct GyroscopicTensor {
  Mat3<T> G;
  Vec3<T> f;
};
template <class T> GyroscopicTensor<T>& operator+=(GyroscopicTensor<T>& a, const GyroscopicTensor<T>& b) {
  a.G += b.G;
  a.f += b.f;
  return a;
}
/// Of a rigid body that moves with the twist t, about its origin in its own axes.
template <class T> GyroscopicTensor<T> gyroscopic_tensor(const RigidInertia<T>& b, const Twist<T>& t) {
  const Mat3<T> J{b.xx, b.xy, b.xy, b.yy, b.xz, b.yz, b.xz, b.yz, b.zz}, none = skew(zero3<T>);
  return {none - (skew(t.w) * J + skew(b.h) * skew(t.v)), t.v * b.m + cross(t.w, b.h)};
}
/// The same about the parent's origin, in its axes.
template <class T> GyroscopicTensor<T> to_parent(const Pose<T>& pose, const GyroscopicTensor<T>& b) {
  const Vec3<T> f = pose.R * b.f;
  return {pose.R * b.G * transposed(pose.R) - skew(pose.r) * skew(f), f};
}

/// The memory of coriolis_matrix. One for each thread.
template <Scalar T> struct CoriolisScratch {
  Kinematics<T> kinematics;
  std::vector<RigidInertia<T>> composite;
  std::vector<GyroscopicTensor<T>> gyroscopic;
  explicit CoriolisScratch(const ModelOf<T>& model)
      : kinematics(model), composite(model.links().size(), zero_inertia<T>), gyroscopic(model.links().size()) {}
};

/// C at the q of `at` and v: n x n by rows.
template <Scalar T>
void coriolis_matrix(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, CoriolisScratch<T>& s,
                     Out<T> coriolis) {
  const int n = model.nv();
  require_size(coriolis, n * n, "coriolis");
  for (T& x : coriolis) x = T(0);
  Kinematics<T>& kin = s.kinematics;
  positions<T>(model, at, kin);
  velocities<T>(model, v, kin);
  const auto links = model.links();
  for (int i = 1; i <= model.link_count(); ++i) {
    s.composite[i] = full<T>(links[i].inertia);
    s.gyroscopic[i] = gyroscopic_tensor<T>(s.composite[i], kin.twist[i]);
  }
  for (int i = model.link_count(); i > 0; --i) {
    if (const int parent = links[i].parent; parent != 0) {
      s.composite[parent] += kin.in_parent[i].to_parent(s.composite[i]);
      s.gyroscopic[parent] += to_parent<T>(kin.in_parent[i], s.gyroscopic[i]);
    }
    const RigidInertia<T>& M = s.composite[i];
    const GyroscopicTensor<T>& B = s.gyroscopic[i];
    model.columns(i, [&](int k, const auto& column) {
      const Twist<T> p = full<T>(column), p_rate = cross(kin.twist[i], p);
      // What motion k does to the whole composite body, and what that motion feels of the others': M p' + B p, M p, B^T
      // p
      Wrench<T> forces = Wrench<T>(M * p_rate) + Wrench<T>{B.G * p.w, cross(p.w, B.f)};
      Wrench<T> inertial = M * p, felt = {transposed(B.G) * p.w + cross(B.f, p.v), zero3<T>};
      model.project(i, forces, [&](int j, const T& x) { coriolis[j * n + k] = x; });
      for (int b = i; links[b].parent != 0;) {
        forces = kin.in_parent[b].to_parent(forces);
        inertial = kin.in_parent[b].to_parent(inertial);
        felt = kin.in_parent[b].to_parent(felt);
        b = links[b].parent;
        model.project(b, forces, [&](int j, const T& x) { coriolis[j * n + k] = x; });
        model.columns(b, [&](int j, const auto& ancestor) {
          const Twist<T> p_j = full<T>(ancestor);
          coriolis[k * n + j] = dot(cross(kin.twist[b], p_j), inertial) + dot(p_j, felt);
        });
      }
    });
  }
}

}  // namespace denoc
