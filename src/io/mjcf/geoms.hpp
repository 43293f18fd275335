// Geoms: what they look like, and the inertia of a body that is made of them.
#pragma once
#include "meshes.hpp"
#include "passed_over.hpp"

namespace denoc::io::mjcf {

struct Geom {
  Said said;
  Pose<double> frame;  // of <frame> around it, in the body
};

class Geoms {
 public:
  Geoms(const Compiler& compiler, Meshes& meshes, PassedOver& passed_over)
      : compiler_(compiler), meshes_(meshes), passed_over_(passed_over) {}
  // Refuses attributes that no geom has, and meshes that nobody knows.
  void check(const Said& said) const;
  // The geoms that count, each of its mass, or of its density and volume.
  Inertial inertia(const std::vector<Geom>& geoms) const;
  // Those that MuJoCo draws unless told otherwise: groups 0 to 2.
  std::vector<Shape> shapes(const std::vector<Geom>& geoms) const;
  // Bodies can touch each other with it.
  static bool touches(const Geom& geom);

 private:
  const Compiler& compiler_;
  Meshes& meshes_;
  PassedOver& passed_over_;
};

// Where a site stands: its middle, if fromto says its ends.
Pose<double> site_pose(const Said& said, const Compiler& compiler);
// Refuses attributes that no site has.
void check_site(const Said& said);

// <inertial>: mass, mass centre, principal moments and their axes or the whole tensor. `around`: the frame of <frame>
// around it, in the body.
Inertial read_inertial(const Tag& tag, const Pose<double>& around, const Compiler& compiler);
// What <compiler> makes of a body's inertia: no less than its bounds, and balanced.
Inertial bounded(const Inertial& inertial, const Compiler& compiler);

}  // namespace denoc::io::mjcf
