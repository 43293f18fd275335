// Which inertias a body can have, and the nearest of them to one that no body has.
//
// About the mass centre, S = tr(I)/2 E - I is the integral of x x^T dm: a body has it positive semidefinite, which says
// the triangle inequality of the principal moments, and that none is negative. The 4 x 4 pseudo-inertia at the mass
// centre is S beside the mass.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc::inspection {

// About the mass centre, sorted.
struct Moments {
  double small = 0, middle = 0, large = 0;
  // By how much the largest exceeds the sum of the others; not positive: a body can have them.
  double excess() const { return large - middle - small; }
  std::string text() const;  // to all digits
};
Moments moments_of(const Sym3<double>& inertia);

// Links that are welded together, told by the one that has the joint.
struct Rigid {
  int carrier = 0;
  std::vector<int> links = {};
  Inertial inertial = {};  // of all of them, in the carrier's frame; without hubs
};
// Those that move; what is welded to the ground nobody feels.
std::vector<Rigid> rigid_bodies(const Robot& robot);

// Links whose inertia no body can have, among those whose rigid body cannot have its inertia either. `rounding`: by
// body, how far the printed digits of its file may have moved the excess; missing: not at all.
struct Impossible {
  int body;
  Moments own;
  Moments rigid;  // of the whole rigid body
  bool is_welded;
};
std::vector<Impossible> impossible_inertias(const Robot& robot, std::span<const double> rounding);
Fault doubt(const Robot& robot, const Impossible& found);

// The nearest in the Frobenius norm of the pseudo-inertia at the mass centre: the negative eigenvalues of S become
// zero; mass and mass centre stay.
Sym3<double> nearest_possible(const Sym3<double>& inertia);
// Replaces what is impossible in place and says what became of it, by how much in that norm.
Fault repair(Robot& robot, const Impossible& found);

}  // namespace denoc::inspection
