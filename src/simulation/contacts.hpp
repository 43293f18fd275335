// Forces that act in contact only, as a step may meet them: where nothing acts, steps grow, and one that begins and ends
// outside may have been inside without any stage that felt it.
#pragma once
#include "applied.hpp"

namespace denoc::simulation {

class Contacts {
 public:
  Contacts(const Model& model, const ActingForces& forces);

  // A step begins at q, v.
  void begin(std::span<const double> q, std::span<const double> v);
  // No step from there is longer. What a point does in a turn the ends of a step do not tell: bodies that carry contacts
  // turn by a radian at most, in which the cubic of both ends is right to 1/384 of the way round.
  double longest_step() const { return radian_; }
  // How long a step should be instead of h, at the end of which are q, v: to where a contact is deepest that it enters and
  // leaves again, or a radian where that has become much shorter. 0: it is good.
  double shorter(double h, std::span<const double> q, std::span<const double> v);

 private:
  struct Gap {
    double size, rate;  // below zero in contact
  };
  // Returns how long a radian takes.
  double measure(std::span<const double> q, std::span<const double> v, std::vector<Gap>& gaps);

  const Model* model_;
  const ActingForces* forces_;
  bool are_on_bodies_ = false;  // some of them: their depths need poses and twists
  Configuration<double> at_;
  Kinematics<double> kin_;
  std::vector<Gap> start_ = {}, end_ = {};
  double radian_ = 0;
};

}  // namespace denoc::simulation
