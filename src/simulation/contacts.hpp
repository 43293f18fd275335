// End stops and the ground, as a step may meet them: where nothing acts, steps grow, and one that begins and ends outside
// may have been inside without any stage that felt it.
#pragma once
#include "denoc/forces/forces.hpp"
#include "denoc/simulation/simulation.hpp"

namespace denoc::simulation {

class Contacts {
 public:
  Contacts(const Model& model, const SimulationSetup& setup);

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
  EndStops<double> stops_;
  GroundReaction<double> ground_;
  Configuration<double> at_;
  Kinematics<double> kin_;
  std::vector<Gap> start_ = {}, end_ = {};
};

}  // namespace denoc::simulation
