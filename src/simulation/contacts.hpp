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
  // How long after that a contact is deepest that a step by h to q, v enters and leaves again; 0: it does so with none.
  double passed(double h, std::span<const double> q, std::span<const double> v);

 private:
  struct Gap {
    double size, rate;  // below zero in contact
  };
  void measure(std::span<const double> q, std::span<const double> v, std::vector<Gap>& gaps);

  const Model* model_;
  const ActingForces* forces_;
  bool are_on_bodies_ = false;  // some of them: their depths need poses and twists
  Configuration<double> at_;
  Kinematics<double> kin_;
  std::vector<Gap> start_ = {}, end_ = {};
};

}  // namespace denoc::simulation
