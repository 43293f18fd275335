// The wrench that every joint transmits, with the inertias of the file: Newton and Euler's equations body by body,
// fixed joints included. [Angeles7 7.4]
#pragma once
#include "denoc/kinematics/kinematics.hpp"

namespace denoc {

/// The memory of joint_reactions. One for each thread.
template <Scalar T> struct ReactionScratch {
  Kinematics<T> kinematics;
  explicit ReactionScratch(const ModelOf<T>& model) : kinematics(model) {}
};

/// reactions[b]: what the parent exerts on body b through its joint (drive and constraint together), in b's own frame,
/// about its origin. reactions[0]: what the world exerts on the whole robot, in world axes about the world's origin.
template <Scalar T>
void joint_reactions(const ModelOf<T>& model, const Configuration<T>& at, In<T> v, In<T> a, ReactionScratch<T>& s,
                     std::type_identity_t<std::span<Wrench<T>>> reactions, Wrenches<T> wrenches = {}) {
  const auto bodies = model.bodies();
  require_size(reactions, int(bodies.size()), "reactions");
  require_bodies<T>(model, wrenches);
  Kinematics<T>& kin = s.kinematics;
  positions<T>(model, at, kin);
  velocities<T>(model, v, kin);
  accelerations<T>(model, v, a, kin);
  const Vec3<T> g = full<T>(model.robot().gravity);
  // w = M t' + t x* M t - (weight), less what acts from outside
  reactions[0] = zero_wrench<T>;
  for (size_t b = 1; b < bodies.size(); ++b) {
    const RigidInertia<T> M = full<T>(bodies[b].inertia);
    const Twist<T> t = twist_in_body<T>(model, kin, int(b)), rate = twist_rate_in_body<T>(model, kin, int(b));
    const Vec3<T> down = back(pose_in_world<T>(model, kin, int(b)).R, g);
    reactions[b] = Wrench<T>(M * Twist<T>{rate.w, rate.v - down}) + Wrench<T>(cross(t, Wrench<T>(M * t)));
  }
  for (const BodyWrench<T>& e : wrenches)
    if (e.body != 0) reactions[e.body] -= e.wrench;
  for (size_t b = bodies.size(); --b > 0;) {
    const Pose<T> body = pose_in_world<T>(model, kin, int(b)), parent = pose_in_world<T>(model, kin, bodies[b].parent);
    reactions[bodies[b].parent] += (inverse(parent) * body).to_parent(reactions[b]);
  }
}

}  // namespace denoc
