// The equations of a robot on its motion: driven joints where the motion has them, the others where they have come.
#pragma once
#include <span>
#include <vector>

#include "denoc/mechanism/dynamics.hpp"
#include "denoc/motion/forces_along.hpp"
#include "undriven_friction.hpp"

namespace denoc::motion {

class OnMotion {
 public:
  // All of it stays.
  OnMotion(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& options);

  // The degrees of freedom that are solved for.
  const std::vector<int>& undriven() const { return undriven_; }
  const UndrivenFrictions& frictions() const { return frictions_; }

  // What the equations say of one instant. Strains and margins: of each undriven joint with dry friction, what holds it at
  // rest, against its limit, and how far it is from being let go, or from a standstill.
  struct Answer {
    std::vector<double> a, tau, strains, margins;
  };
  // At t: what is led goes where the motion has it, in q and v; the others keep theirs. Good until the next call.
  const Answer& at(double t, std::span<double> q, std::span<double> v);
  // Where the motion has what it leads, alone.
  void lead(double t, std::span<double> q, std::span<double> v);
  // q and v as the motion has them at its start, and which joints rest there.
  void start(std::span<double> q, std::span<double> v);
  // From t on: joints that have stopped and that friction holds rest. The others set off the way they are driven, the most
  // overstrained first.
  void settle(double t, std::span<double> q, std::span<double> v);

  Dynamics::Energy energy(std::span<const double> q, std::span<const double> v) { return dynamics_.energy(q, v); }

 private:
  const Answer& solve(std::span<const double> q, std::span<const double> v);
  bool has_loops() const { return dynamics_.mechanism().has_loops(); }

  const Model& model_;
  const Trajectory& motion_;
  Dynamics dynamics_;
  std::vector<int> undriven_, led_v_, led_q_;
  std::vector<bool> is_undriven_;
  UndrivenFrictions frictions_;
  std::vector<double> given_q_, given_v_;
  Answer answer_;
};

}  // namespace denoc::motion
