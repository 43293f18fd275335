// Dry friction of joints without a drive, along a motion: which of them rest, which slide.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "denoc/forces/dry_friction.hpp"

namespace denoc::motion {

// Of a degree of freedom. At rest on its surface it is whatever keeps the joint there, as a drive would, up to its limit.
// Sliding it opposes the way the joint slides, and goes on doing so smoothly when a trial step overshoots the standstill.
struct UndrivenFriction {
  int dof;
  const Friction* law;
  double limit;
  double unit;       // of its speed: 1 rad, or the length of the robot, in a second
  int way = 0;       // that it slides: 1 or -1; 0: at rest
  double force = 0;  // at rest, of the last solution

  bool is_at_rest() const { return way == 0; }
  double speed(std::span<const double> v) const { return v[size_t(dof)] - law->surface_speed; }
  // Sliding, at the speed u.
  double at_speed(double u) const;
  // What forces of the file take it for: sgn(0) = 0.
  double by_sign(double u) const;
  bool holds() const { return std::abs(force) <= limit; }
  // What holds it at rest, against its limit.
  double strain() const { return is_at_rest() ? force / limit : 0; }
  // How far it is from being let go, or from a standstill; below 0 it is beyond.
  double margin(std::span<const double> v) const {
    return is_at_rest() ? 1 - std::abs(strain()) : way * speed(v) / unit;
  }
};

// All of them.
class UndrivenFrictions {
 public:
  UndrivenFrictions(const Model& model, const std::vector<int>& undriven);

  bool empty() const { return all_.empty(); }
  size_t size() const { return all_.size(); }

  // At the start of a motion: which of them slide, by their speeds.
  void start(std::span<const double> v);
  // Those that have come to a standstill, or gone beyond it, rest from here on, and get their surface's speed.
  void stop(std::span<double> v);
  // Lets the most overstrained go, the way it is driven. Returns whether there was one.
  bool let_go_one();

  // Of these degrees of freedom those that friction does not hold at rest.
  std::vector<int> moving_among(std::vector<int> dofs) const;
  // tau has the forces of the file: of those that slide, what they do by sgn gives way to what they do here.
  void slide(std::span<const double> v, std::span<double> tau) const;
  // What drives would give to keep those at rest where they are is theirs, and leaves tau.
  void hold(std::span<double> tau);

  std::vector<double> strains() const;
  std::vector<double> margins(std::span<const double> v) const;
  // The degree of freedom that stops soonest, for messages; none: -1.
  int slowest(std::span<const double> v) const;

 private:
  std::vector<UndrivenFriction> all_ = {};
};

}  // namespace denoc::motion
