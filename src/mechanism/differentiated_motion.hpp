// Where derivatives of a mechanism's equations of motion are taken.
#pragma once
#include "denoc/model/configuration.hpp"

namespace denoc {

// A state, all that acts on the bodies there, and of it what is given from outside: wrenches that are constant in the
// axes of their body, and in those of the world (their numbers in body axes, too). The rest are forces of the file.
struct DifferentiatedMotion {
  const Configuration<double>& at;
  std::span<const double> q, v, a;
  std::span<const BodyWrench<double>> acting, fixed_in_body, fixed_in_world;
};

}  // namespace denoc
