#include "denoc/model/postures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace denoc {
namespace {

constexpr double pi = std::numbers::pi;
// Of a posture of n coordinates that was solved for. Each comes from sums over as many joints, which err by c n eps of a
// turn, or of a metre, c as in dynamics/rounding.hpp; limits that were degrees err by less.      [Higham, 4.2]
bool keeps(const Limits& limits, double q, std::size_t n) {
  constexpr double c = 8, turn = 2 * pi;
  const auto rounding = [&](double limit) {
    return c * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * std::max(turn, std::abs(limit));
  };
  return q >= limits.lower - rounding(limits.lower) && q <= limits.upper + rounding(limits.upper);
}
// Joints with limits of their own: those with one coordinate.
bool has_limits(const Joint& joint) { return coordinates(joint.type) == 1; }
bool is_hinge(JointType type) { return type == JointType::revolute || type == JointType::continuous; }

// f(joint, where its coordinates begin)
template <class F> void for_joints(const Robot& robot, F&& f) {
  std::size_t first = 0;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Joint& joint = robot.bodies[b].joint;
    f(joint, first);
    first += static_cast<std::size_t>(coordinates(joint.type));
  }
}

// How far a coordinate that is no quaternion goes without limits.
double reach(JointType type, int coordinate) {
  const bool is_angle = is_hinge(type) || type == JointType::helical || type == JointType::universal ||
                        (type == JointType::cylindrical && coordinate == 0) ||
                        (type == JointType::planar && coordinate == 2);
  return is_angle ? pi : 1;
}

// Between the limits; of one limit only, as far from it as a coordinate without limits may go.
double draw_within(const Limits& limits, double reach, Chance& chance) {
  const bool from_below = std::isfinite(limits.lower), from_above = std::isfinite(limits.upper);
  const double low = from_below ? limits.lower : from_above ? std::min(-reach, limits.upper - 2 * reach) : -reach;
  const double high = from_above ? limits.upper : from_below ? std::max(reach, limits.lower + 2 * reach) : reach;
  return chance.between(low, high);
}

// A direction from the unit ball: none is preferred.
void draw_quaternion(Chance& chance, std::vector<double>& q) {
  double x[4], squared = 0;
  do {
    squared = 0;
    for (double& e : x) {
      e = chance.between(-1, 1);
      squared += e * e;
    }
  } while (squared > 1 || squared < 1e-4);
  for (const double e : x) q.push_back(e / std::sqrt(squared));
}

}  // namespace

// Neighbouring seeds begin far from each other.                                                  [Steele et al. 2014]
Chance::Chance(std::uint64_t seed) : state_(seed + 0x9e3779b97f4a7c15u) {
  state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9u;
  state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebu;
  state_ ^= state_ >> 31;
}
double Chance::operator()() {
  // Knuth's linear congruence; the upper bits are the good ones.
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<double>(state_ >> 11) / static_cast<double>(1ULL << 53);
}

std::vector<double> drawn_posture(const Robot& robot, Chance& chance) {
  std::vector<double> q;
  for_joints(robot, [&](const Joint& joint, std::size_t) {
    const bool turns_freely = joint.type == JointType::spherical || joint.type == JointType::free;
    const int plain = coordinates(joint.type) - (turns_freely ? 4 : 0);
    for (int i = 0; i < plain; ++i)
      q.push_back(draw_within(has_limits(joint) ? joint.limits : Limits{}, reach(joint.type, i), chance));
    if (turns_freely) draw_quaternion(chance, q);
  });
  return q;
}

bool is_within_limits(const Robot& robot, const std::vector<double>& q) {
  bool all = true;
  for_joints(robot, [&](const Joint& joint, std::size_t first) {
    if (has_limits(joint) && !keeps(joint.limits, q[first], q.size())) all = false;
  });
  return all;
}

std::vector<double> turned_near(const Robot& robot, std::vector<double> q, const std::vector<double>& start) {
  for_joints(robot, [&](const Joint& joint, std::size_t first) {
    if (!is_hinge(joint.type)) return;
    const double nearest = q[first] + 2 * pi * std::round((start[first] - q[first]) / (2 * pi));
    q[first] = nearest;
    for (const double other : {nearest - 2 * pi, nearest + 2 * pi})
      if (!keeps(joint.limits, q[first], q.size()) && keeps(joint.limits, other, q.size())) q[first] = other;
  });
  return q;
}

}  // namespace denoc
