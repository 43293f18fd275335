// Mass centre, energies and momenta, with the inertias of the file.
#pragma once
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

/// Total mass and mass centre in the world (the centre is NaN when nothing has mass).
template <Scalar T> struct MassCentre {
  T mass;
  Vec3<T> position;
};
/// Of the whole robot, the ground left out. Needs positions in kin.
template <Scalar T> MassCentre<T> mass_centre(const ModelOf<T>& model, const Kinematics<T>& kin) {
  T mass(0);
  Vec3<T> moment = zero3<T>;
  for (size_t b = 1; b < model.bodies().size(); ++b) {
    const auto& body = model.bodies()[b];
    const Pose<T> pose = pose_in_world<T>(model, kin, int(b));
    mass += T(body.inertia.m);
    moment += pose.R * full<T>(body.inertia.h) + pose.r * T(body.inertia.m);
  }
  return {mass, moment * (T(1) / mass)};
}

/// T = sum t^T M t / 2, and that of the rotors
template <Scalar T> T kinetic_energy(const ModelOf<T>& model, const Kinematics<T>& kin) {
  T twice = kin.rotors;
  for (size_t b = 1; b < model.bodies().size(); ++b) {
    const Twist<T> t = twist_in_body<T>(model, kin, int(b));
    twice += dot(t, full<T>(model.bodies()[b].inertia) * t);
  }
  return twice * T(Real<T>(0.5));
}
/// V = -sum m g . c: zero for masses at the world's origin.
template <Scalar T> T potential_energy(const ModelOf<T>& model, const Kinematics<T>& kin) {
  const Vec3<T> g = full<T>(model.robot().gravity);
  T energy(0);
  for (size_t b = 1; b < model.bodies().size(); ++b) {
    const auto& body = model.bodies()[b];
    const Pose<T> pose = pose_in_world<T>(model, kin, int(b));
    energy -= dot(g, pose.R * full<T>(body.inertia.h) + pose.r * T(body.inertia.m));
  }
  return energy;
}
/// Angular momentum about the world's origin (n) and linear momentum (f), in world axes.
template <Scalar T> Wrench<T> momentum_in_world(const ModelOf<T>& model, const Kinematics<T>& kin) {
  Wrench<T> total = zero_wrench<T>;
  for (size_t b = 1; b < model.bodies().size(); ++b) {
    const Twist<T> t = twist_in_body<T>(model, kin, int(b));
    total += pose_in_world<T>(model, kin, int(b)).to_parent(full<T>(model.bodies()[b].inertia) * t);
  }
  return total;
}

/// 6 x n by rows, angular part first: angular momentum about a point of the world and linear momentum, in world axes,
/// are this times v. composite: scratch, one for each link.
template <Scalar T>
void momentum_matrix(const ModelOf<T>& model, const Kinematics<T>& kin, const Vec3<T>& about,
                     std::type_identity_t<std::span<RigidInertia<T>>> composite, Out<T> matrix) {
  const int n = model.nv();
  require_size(composite, int(model.links().size()), "composite");
  require_size(matrix, 6 * n, "matrix");
  const auto links = model.links();
  for (int i = 1; i <= model.link_count(); ++i) composite[i] = full<T>(links[i].inertia);
  const Pose<T> world = inverse(full<T>(model.bodies()[0].in_link));
  for (int i = model.link_count(); i > 0; --i) {
    if (links[i].parent != 0) composite[links[i].parent] += kin.in_parent[i].to_parent(composite[i]);
    const Pose<T> pose = world * kin.in_ground[i];
    model.columns(i, [&](int k, const auto& p) {
      const Wrench<T> w = pose.to_parent(Wrench<T>(composite[i] * full<T>(p)));
      detail::store_column<T>(matrix, n, k, {w.n - cross(about, w.f), w.f});
    });
  }
}

}  // namespace denoc
