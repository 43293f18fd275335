// Postures within the limits of a robot's joints.
#pragma once
#include <cstdint>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc {

/// Numbers from 0 to 1, the same ones for the same seed with every standard library.
class Chance {
 public:
  Chance() = default;
  explicit Chance(std::uint64_t seed);
  double operator()();
  double between(double low, double high) { return low + (high - low) * (*this)(); }

 private:
  std::uint64_t state_ = 20071997;
};

/// Joints anywhere within their limits (angles without limits anywhere, displacements within the length of the robot),
/// attitudes drawn evenly. Loops are left to themselves.
std::vector<double> drawn_posture(const Robot& robot, Chance& chance);

/// Whether every joint is within its limits, to rounding.
bool is_within_limits(const Robot& robot, const std::vector<double>& q);

/// The same posture with angles turned by whole turns: as near to `start` as the limits of their joints allow.
std::vector<double> turned_near(const Robot& robot, std::vector<double> q, const std::vector<double>& start);

}  // namespace denoc
