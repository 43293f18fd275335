// Inertias as MJCF says them: principal moments, and the axes that they belong to. `fullinertia` would say the tensor as
// it is, but MuJoCo finds its axes to nine digits only.
#pragma once
#include "denoc/model/robot.hpp"

namespace denoc::io::mjcf {

struct Principal {
  Vec3<double> moments;
  Mat3<double> axes = identity3<double>();
};
Principal principal(const Sym3<double>& I);

// A flat body has a moment that is the sum of the others: rounding must not put it beyond, where MuJoCo refuses it.
void settle_flat(Vec3<double>& moments);
bool is_taken_by_mujoco(const Vec3<double>& moments);

}  // namespace denoc::io::mjcf
