// Dry friction as a set of modes that a step keeps, and margins that turn negative when one of them has to change.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "denoc/forces/forces.hpp"

namespace denoc::simulation {

// Sticking friction may exceed its limit by this part before it lets go, and a joint let go must exceed half of it:
// rounding alone neither frees nor catches a joint.
constexpr double hysteresis = 2e-12;
// Of the largest rate: a speed that rounding leaves, which says nothing of the way a joint slides.
constexpr double no_speed = 1e-14;

// Dry friction in one degree of freedom. At rest on its surface it is an unknown within +-limit; sliding, it opposes
// the way the joint slides, and goes on doing so smoothly, by no more than four times its limit, when a trial step
// overshoots the standstill. Carried, it is at rest as well, but loops leave it nothing to hold that others at rest do
// not: its force stays what it was.
struct DryFriction {
  enum class Mode { backward = -1, rest = 0, forward = 1, carried = 2 };
  int dof, q;  // q: -1 for a rotation
  const Friction* law;
  double limit;  // break-away
  Mode mode = Mode::rest;
  double force = 0;  // of the last evaluation

  bool is_still() const { return mode == Mode::rest || mode == Mode::carried; }
  bool is_overstrained() const { return std::abs(force) > limit * (1 + hysteresis); }
  double speed(std::span<const double> v) const { return v[dof] - law->surface_speed; }
  double sliding(double u) const;  // the force at the speed u, in this mode
  // What holds it at rest, against its limit.
  double strain() const { return mode == Mode::rest ? force / limit : 0; }
};

// All joints of a robot that have it.
class DryFrictions {
 public:
  explicit DryFrictions(const Model& model);

  std::size_t size() const { return all_.size(); }
  DryFriction& operator[](std::size_t i) { return all_[i]; }
  const DryFriction& operator[](std::size_t i) const { return all_[i]; }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  std::vector<DryFriction*> all();
  // Those in mode `rest`.
  std::vector<DryFriction*> at_rest();
  bool is_any_at_rest() const;
  // Joints that stand still get exactly their surface's speed.
  void rest(std::span<double> v) const;
  // Adds the forces and powers of those that slide or are carried.
  void slide(std::span<const double> v, Loads<double>& loads);
  // One for each: how far it is from having to change its mode, at the forces of the last evaluation.
  void margins(std::span<const double> v, std::span<double> margin) const;
  // How far into a step of h one that slides has come to a standstill, and gone on the same way, by the speeds and
  // accelerations at both ends: where it is slowest, of the first that did. 0: none.
  double standstill(double h, std::span<const double> v0, std::span<const double> a0, std::span<const double> v1,
                    std::span<const double> a1) const;

 private:
  std::vector<DryFriction> all_;
};

}  // namespace denoc::simulation
