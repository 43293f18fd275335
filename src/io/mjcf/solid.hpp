// What a body is filled with: mass, mass centre, inertia.
#pragma once
#include "denoc/model/robot.hpp"
#include "model/point_inertia.hpp"

namespace denoc::io::mjcf {

// Of density one: its mass is its volume. In the frame of the shape.
using Solid = Inertial;

// Solids together, about their common mass centre.
class Lump {
 public:
  // A solid of that mass whose frame stands there.
  void add(const Solid& solid, double mass, const Pose<double>& frame) {
    if (mass == 0) return;
    parts_.push_back({mass, frame.r + frame.R * solid.com, scaled(turn(frame.R, solid.inertia), mass / solid.mass)});
  }
  Inertial total() const {
    if (parts_.size() == 1) return parts_.front();
    Inertial sum;
    for (const Inertial& part : parts_) sum.mass += part.mass;
    for (const Inertial& part : parts_) sum.com += part.com * (part.mass / sum.mass);
    for (const Inertial& part : parts_) sum.inertia += part.inertia + point_inertia(part.mass, part.com - sum.com);
    return sum;
  }

 private:
  static Sym3<double> scaled(const Sym3<double>& s, double f) {
    return {s.xx * f, s.xy * f, s.yy * f, s.xz * f, s.yz * f, s.zz * f};
  }
  std::vector<Inertial> parts_;
};

}  // namespace denoc::io::mjcf
