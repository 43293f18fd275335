// What a body is filled with: mass, mass centre, inertia.
#pragma once
#include "denoc/model/robot.hpp"

namespace denoc::io::mjcf {

// Of density one: its mass is its volume. In the frame of the shape.
using Solid = Inertial;

// Sum of masses about their common centre.
class Lump {
 public:
  // A solid of that mass whose frame stands there.
  void add(const Solid& solid, double mass, const Pose<double>& frame) {
    if (mass == 0) return;
    const double density = mass / solid.mass;
    const Vec3<double> centre = frame.r + frame.R * solid.com;
    const Sym3<double> own = turn(frame.R, solid.inertia);
    mass_ += mass;
    moment_ += centre * mass;
    about_origin_ += Sym3<double>{own.xx * density, own.xy * density, own.yy * density,
                                  own.xz * density, own.yz * density, own.zz * density} +
                     point(mass, centre);
  }
  Inertial total() const {
    if (mass_ == 0) return {};
    const Vec3<double> centre = moment_ * (1 / mass_);
    return {mass_, centre, about_origin_ + point(-mass_, centre)};
  }

 private:
  // m (c^2 E - c c^T)
  static Sym3<double> point(double m, const Vec3<double>& c) {
    return {m * (c.y * c.y + c.z * c.z), -m * c.x * c.y, m * (c.x * c.x + c.z * c.z), -m * c.x * c.z, -m * c.y * c.z,
            m * (c.x * c.x + c.y * c.y)};
  }
  double mass_ = 0;
  Vec3<double> moment_{0, 0, 0};
  Sym3<double> about_origin_{0, 0, 0, 0, 0, 0};
};

}  // namespace denoc::io::mjcf
