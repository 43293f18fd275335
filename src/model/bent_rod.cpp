#include "bent_rod.hpp"

#include <cmath>
#include <vector>

#include "point_inertia.hpp"

namespace denoc {
namespace {

using Real3 = Vec3<long double>;
using RealSym3 = Sym3<long double>;

// A piece of a body: mass, mass centre and inertia about it.
struct Piece {
  long double mass;
  Real3 com;
  RealSym3 inertia;
};

// The inertia of a slender rod about its middle; `square` is mass times length squared over 12.
RealSym3 rod_along_x(long double square) { return {0, 0, square, 0, 0, square}; }
RealSym3 rod_along_z(long double square) { return {square, 0, square, 0, 0, 0}; }

// All pieces as one body, about its mass centre.
Inertial together(const std::vector<Piece>& pieces) {
  Piece sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (const Piece& p : pieces) {
    sum.mass += p.mass;
    sum.com += p.com * p.mass;
  }
  if (sum.mass > 0) sum.com = sum.com * (1 / sum.mass);
  for (const Piece& p : pieces) sum.inertia += p.inertia + point_inertia(p.mass, p.com - sum.com);
  return {static_cast<double>(sum.mass), full<double>(sum.com), full<double>(sum.inertia)};
}

Piece payload(double mass) { return {mass, {0, 0, 0}, {0, 0, 0, 0, 0, 0}}; }

}  // namespace

Inertial bent_rod(double mass, const Pose<double>& far_end, double load) {
  const long double a = far_end.r.x, b = far_end.r.z;
  const long double mass_b = mass * std::abs(b) / (std::abs(a) + std::abs(b)), mass_a = mass - mass_b;
  const auto to_own = transposed(full<long double>(far_end.R));
  return together({{mass_b, to_own * Real3{-a, 0, -b / 2}, turn(to_own, rod_along_z(mass_b * b * b / 12))},
                   {mass_a, to_own * Real3{-a / 2, 0, 0}, turn(to_own, rod_along_x(mass_a * a * a / 12))},
                   payload(load)});
}

Inertial with_payload(const Inertial& said, double load) {
  return together({{said.mass, full<long double>(said.com), full<long double>(said.inertia)}, payload(load)});
}

}  // namespace denoc
