#include "denoc/model/postures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "denoc/model/lengths.hpp"

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
// Whether a coordinate is the same after a whole turn.
bool turns(JointType type, int coordinate) {
  return type == JointType::revolute || type == JointType::continuous || type == JointType::universal ||
         (type == JointType::cylindrical && coordinate == 0) || (type == JointType::planar && coordinate == 2);
}

// Of every joint whose coordinates are no quaternion, each with the limits of the joint:
// f(joint, which of its coordinates, where that stands in q)
template <class F> void for_plain_coordinates(const Robot& robot, F&& f) {
  std::size_t first = 0;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Joint& joint = robot.bodies[b].joint;
    const int size = coordinates(joint.type);
    for (int i = 0; i < size && has_plain_coordinates(joint.type); ++i)
      f(joint, i, first + static_cast<std::size_t>(i));
    first += static_cast<std::size_t>(size);
  }
}

// How far a coordinate that is no quaternion goes without limits.
double reach(JointType type, int coordinate, double length) {
  return turns(type, coordinate) || type == JointType::helical ? pi : length;
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
  const double length = length_of(robot);
  std::vector<double> q;
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const Joint& joint = robot.bodies[b].joint;
    const bool has_limits = has_plain_coordinates(joint.type);
    const int plain = coordinates(joint.type) - (has_limits ? 0 : 4);
    for (int i = 0; i < plain; ++i)
      q.push_back(draw_within(has_limits ? joint.limits : Limits{}, reach(joint.type, i, length), chance));
    if (!has_limits) draw_quaternion(chance, q);
  }
  return q;
}

bool is_within_limits(const Robot& robot, const std::vector<double>& q) {
  bool all = true;
  for_plain_coordinates(robot, [&](const Joint& joint, int, std::size_t at) {
    if (!keeps(joint.limits, q[at], q.size())) all = false;
  });
  return all;
}

std::vector<double> turned_near(const Robot& robot, std::vector<double> q, const std::vector<double>& start) {
  for_plain_coordinates(robot, [&](const Joint& joint, int coordinate, std::size_t at) {
    if (!turns(joint.type, coordinate)) return;
    const double turn = 2 * pi, nearest = q[at] + turn * std::round((start[at] - q[at]) / turn);
    // Else the first beyond the lower limit, or the last before the upper one.
    const double other = nearest < joint.limits.lower
                             ? nearest + turn * std::ceil((joint.limits.lower - nearest) / turn)
                             : nearest + turn * std::floor((joint.limits.upper - nearest) / turn);
    const auto is_kept = [&](double angle) { return keeps(joint.limits, angle, q.size()); };
    q[at] = !is_kept(nearest) && is_kept(other) ? other : nearest;
  });
  return q;
}

}  // namespace denoc
