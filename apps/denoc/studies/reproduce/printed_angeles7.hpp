// Formulas of Angeles7 as printed, and closed forms for its exercises.
#pragma once
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc::app::printed {

// Examples 7.3.1 and 7.6.2, misprints and all.
class PlanarArm {
 public:
  PlanarArm(const Robot& robot, const std::vector<double>& q, const std::vector<double>& v);
  std::vector<double> inertia() const;          // by rows
  std::vector<double> velocity_forces() const;  // nu
  std::vector<double> iota() const;             // I' theta'
  std::vector<double> gamma_of_731() const;     // (d(I theta')/dtheta)^T theta'
  std::vector<double> gravity_of_731() const;   // -dV/dtheta
  std::vector<double> gravity_of_762() const;   // gamma
  double squared_speed_3() const;               // of the third mass centre

 private:
  double m1_, m2_, m3_, a1_, a2_, a3_, I1_, I2_, I3_, g_;
  double d1_, d2_, d3_;
  double c1_, c12_, c123_, c2_, c3_, c23_, s2_, s3_, s23_;
};

// Exercise 7.6 with the inertias of the shipped `wrist` about the common point.
std::vector<double> wrist_inertia(const std::vector<double>& q);
// Exercise 7.11 with the numbers of the shipped `rrp`; q = (theta_1, theta_2, b_3).
std::vector<double> rrp_inertia(const std::vector<double>& q);
std::vector<double> rrp_forces(const std::vector<double>& q, const std::vector<double>& v);

// Not printed: by the recursion.
double squared_speed_of_mass_centre(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                                    int body);

}  // namespace denoc::app::printed
