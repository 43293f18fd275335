// What the drives must give for a motion: inverse dynamics, and the rotors that turn behind their gears.
#pragma once
#include <vector>

#include "denoc/dynamics/inverse/denoc.hpp"

namespace denoc::motion {

// gear^2 rotor_inertia for each degree of freedom: what a unit of acceleration asks of the drive for its rotor.
inline std::vector<double> rotor_inertias(const Model& model) {
  std::vector<double> inertias;
  for (int k = 0; k < model.nv(); ++k) {
    const Actuator& drive = model.robot().bodies[size_t(model.body_of_dof(k))].joint.actuator;
    inertias.push_back(drive.gear * drive.gear * drive.rotor_inertia);
  }
  return inertias;
}

class DriveForces {
 public:
  explicit DriveForces(const Model& model)
      : model_(model), at_(model), scratch_(model), rotors_(rotor_inertias(model)) {}

  // tau that gives the accelerations a at q, v
  void moving(In<double> q, In<double> v, In<double> a, Out<double> tau) {
    place<double>(model_, q, at_);
    inverse_dynamics<double>(model_, at_, v, a, scratch_, tau);
    for (size_t k = 0; k < rotors_.size(); ++k) tau[k] += rotors_[k] * a[k];
  }
  // ... that holds the robot at rest
  void holding(In<double> q, Out<double> tau) {
    place<double>(model_, q, at_);
    gravity_forces<double>(model_, at_, scratch_, tau);
  }

 private:
  const Model& model_;
  Configuration<double> at_;
  InverseScratch<double> scratch_;
  std::vector<double> rotors_;
};

}  // namespace denoc::motion
