// Joints from the pose of a body.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "denoc/model/model.hpp"

namespace denoc {

// No posture was found: out of reach, or the search did not settle. what() says which, and by how much it misses.
class Unreachable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One posture of an arm with a spherical wrist; `branch` names it: "left|right above|below noflip|flip".
struct Posture {
  std::string branch;
  std::vector<double> q;
};
// All postures of a 6R arm whose last three axes meet in a point (up to eight, each refined to rounding; angles in
// (-pi, pi]) that bring the body's frame to `pose` in the world. Empty: out of reach. Throws std::invalid_argument for
// an arm that is not of this kind.
std::vector<Posture> wrist_partitioned_postures(const Model& model, int body, const Pose<double>& pose);
bool is_wrist_partitioned(const Model& model, int body);

// The posture near `seed` that brings the body's frame to `pose`, by damped least squares, for any robot: the nearest
// when there are many. Throws Unreachable.
std::vector<double> posture_near(const Model& model, int body, const Pose<double>& pose,
                                 const std::vector<double>& seed);

}  // namespace denoc
