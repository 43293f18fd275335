// What the world exerts on a robot other than through its joints.
#pragma once
#include "denoc/dynamics/reactions.hpp"

namespace denoc {

// Loops, springs and the like act between bodies: what they do to the world (body 0), the world does to the robot. To
// what joint_reactions found. Wrenches from outside are none of these: one on the world reaches no robot.
template <Scalar T> void add_world_reaction(Wrenches<T> between, std::type_identity_t<std::span<Wrench<T>>> reactions) {
  for (const BodyWrench<T>& w : between)
    if (w.body == 0) reactions[0] -= w.wrench;
}

}  // namespace denoc
