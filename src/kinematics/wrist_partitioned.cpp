#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "checks.hpp"
#include "denoc/error.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/model/quaternions.hpp"
#include "pose_search.hpp"
#include "three_axes.hpp"

namespace denoc {
namespace {

using kinematics::angles_to;
using kinematics::Line;
using kinematics::turn_about;
using ThreeAngles = std::array<double, 3>;

// Of axes of a wrist that miss each other by this part of the whole we say they meet (files have right angles of five
// digits): the last steps, Newton's on the true arm, make up for it.
constexpr double nearly_met = 1e-4;
// Postures nearer than a few of this are one: so far does rounding move a double root.
const double small = std::sqrt(std::numeric_limits<double>::epsilon());

// The arm as the closed form sees it, at q = 0 in the world. What else the robot has does not move it.
struct Arm {
  std::array<Line, 6> axes;
  std::array<int, 6> q;  // where their angles stand
  Pose<double> body;
  Vec3<double> wrist;
  double size;

  std::array<Line, 3> arm_axes() const { return {axes[0], axes[1], axes[2]}; }
  std::array<Vec3<double>, 3> wrist_axes() const { return {axes[3].direction, axes[4].direction, axes[5].direction}; }
};

bool parallel(const Line& a, const Line& b) { return norm(cross(a.direction, b.direction)) < small; }

// The six axes, or what speaks against.
std::string axes_of(const Model& model, int body, Arm& arm) {
  std::vector<int> chain;
  for (int i = model.bodies()[body].link; i > 0; i = model.links()[i].parent) chain.insert(chain.begin(), i);
  if (chain.size() != 6) return fmt::format("it moves by {} joints, not by six", chain.size());
  std::vector<double> zero = neutral_posture(model.robot());  // of the joints that move it; the others do not matter
  for (size_t k = 0; k < 6; ++k) {
    const auto& link = model.links()[chain[k]];
    if (link.joint != Elementary::revolute) return fmt::format("its joint {} is not revolute", k + 1);
    arm.q[k] = link.q;
    zero[link.q] = 0;
  }
  Configuration<double> at(model);
  Kinematics<double> kin(model);
  place<double>(model, zero, at);
  positions<double>(model, at, kin);
  const Pose<double> to_world = inverse(model.bodies()[0].in_link);
  arm.size = norm(model.bodies()[body].in_link.r);
  for (size_t k = 0; k < 6; ++k) {
    const Pose<double> pose = to_world * kin.in_ground[chain[k]];
    arm.axes[k] = {pose.r, column_z(pose.R)};
    arm.size += norm(kin.in_parent[chain[k]].r);
  }
  arm.body = pose_in_world<double>(model, kin, body);
  return "";
}
// The point where the last three axes meet, or what speaks against.
std::string wrist_of(Arm& arm) {
  const auto& axes = arm.axes;
  if (parallel(axes[3], axes[4]) || parallel(axes[4], axes[5]))
    return "its axes 4, 5, 6 make no wrist: two are parallel";
  const kinematics::CommonNormal normal = kinematics::common_normal(axes[3], axes[4]);
  arm.wrist = normal.first;
  const double beside = norm(cross(axes[5].direction, arm.wrist - axes[5].point));
  if (!(normal.length < nearly_met * arm.size && beside < nearly_met * arm.size))
    return fmt::format("its axes 4, 5, 6 do not meet: they miss each other by {:.3g} m",
                       std::max(normal.length, beside));
  if (parallel(axes[0], axes[1]) && kinematics::common_normal(axes[0], axes[1]).length < small * arm.size)
    return "its axes 1 and 2 are one";
  return "";
}
std::string recognise(const Model& model, int body, Arm& arm) {
  const std::string broken = axes_of(model, kinematics::body_of(model, body), arm);
  return broken.empty() ? wrist_of(arm) : broken;
}

double wrapped(double angle) {
  const double x = std::remainder(angle, 2 * std::numbers::pi);
  return x <= -std::numbers::pi ? std::numbers::pi : x;
}
template <class Angles> bool same(const Angles& a, const Angles& b) {
  for (size_t k = 0; k < a.size(); ++k)
    if (std::abs(wrapped(a[k] - b[k])) > 16 * small) return false;
  return true;
}
template <class Angles> void drop_repeated(std::vector<Angles>& all) {
  std::vector<Angles> kept;
  for (const Angles& one : all)
    if (std::none_of(kept.begin(), kept.end(), [&](const Angles& other) { return same(one, other); }))
      kept.push_back(one);
  all = std::move(kept);
}

// left|right above|below: see the header.
std::string side_and_elbow(const Arm& arm, const ThreeAngles& angles) {
  const Pose<double> first = turn_about(arm.axes[0], angles[0]), second = first * turn_about(arm.axes[1], angles[1]),
                     third = second * turn_about(arm.axes[2], angles[2]);
  const Vec3<double> u1 = arm.axes[0].direction, u2 = first.R * arm.axes[1].direction;
  const Vec3<double> shoulder = first.r + first.R * arm.axes[1].point, elbow = second.r + second.R * arm.axes[2].point,
                     wrist = third.r + third.R * arm.wrist;
  const Vec3<double> from_first = wrist - kinematics::common_normal(arm.axes[0], arm.axes[1]).first;
  const bool ahead = dot(cross(u1, u2), from_first) > 0, against = dot(u2, from_first) < -small * arm.size;
  const bool bent = dot(u2, cross(elbow - shoulder, wrist - shoulder)) < 0;
  return fmt::format("{} {}", ahead != against ? "right" : "left", bent == ahead ? "above" : "below");
}
std::string flip(const Arm& arm, const ThreeAngles& angles) {
  const auto [u4, u5, u6] = arm.wrist_axes();
  return dot(u4, cross(u5, turn_about({zero3<double>, u5}, angles[1]).R * u6)) < 0 ? "noflip" : "flip";
}

}  // namespace

bool is_wrist_partitioned(const Model& model, int body) {
  Arm arm;
  return recognise(model, body, arm).empty();
}

std::vector<ArmPosture> wrist_partitioned_postures(const Model& model, int body, const Pose<double>& pose,
                                                   const std::vector<double>& elsewhere) {
  Arm arm;
  if (const std::string broken = recognise(model, body, arm); !broken.empty())
    throw ArgumentError(fmt::format("body '{}' is not at the end of a 6R arm with a spherical wrist: {}",
                                    model.robot().bodies[body].name, broken));
  const std::vector<double> start =
      elsewhere.empty() ? neutral_posture(model.robot()) : kinematics::coordinates_of(model, elsewhere, "elsewhere");
  const Pose<double> goal = kinematics::rigid(pose), moved = goal * inverse(arm.body);

  auto arms = angles_to(arm.arm_axes(), arm.wrist, moved.r + moved.R * arm.wrist, arm.size + norm(goal.r));
  for (ThreeAngles& angles : arms)
    for (double& angle : angles) angle = wrapped(angle);
  drop_repeated(arms);
  std::sort(arms.begin(), arms.end(), [](const ThreeAngles& a, const ThreeAngles& b) { return a[2] < b[2]; });

  std::vector<ArmPosture> postures;
  kinematics::PoseSearch search(model, body, goal);
  for (size_t i = 0; i < arms.size(); ++i) {
    Mat3<double> left = moved.R;
    for (size_t k = 0; k < 3; ++k) left = transposed(turn_about(arm.axes[k], arms[i][k]).R) * left;
    const std::string name =
        parallel(arm.axes[1], arm.axes[2]) ? side_and_elbow(arm, arms[i]) : fmt::format("arm{}", i + 1);
    for (const ThreeAngles& wrist : angles_to(arm.wrist_axes(), left)) {
      std::vector<double> q = start, found = start;
      for (size_t k = 0; k < 3; ++k) {
        q[arm.q[k]] = arms[i][k];
        q[arm.q[k + 3]] = wrist[k];
      }
      if (!search.newton(q, 8)) continue;
      for (const int k : arm.q) found[k] = wrapped(q[k]);
      const auto known = [&](const ArmPosture& other) { return same(found, other.q); };
      if (std::any_of(postures.begin(), postures.end(), known)) continue;
      postures.push_back({fmt::format("{} {}", name, flip(arm, wrist)), found});
    }
  }
  std::sort(postures.begin(), postures.end(),
            [](const ArmPosture& a, const ArmPosture& b) { return std::tie(a.branch, a.q) < std::tie(b.branch, b.q); });
  return postures;
}

}  // namespace denoc
