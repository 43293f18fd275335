#include "denoc/kinematics/inverse_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "checks.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/postures.hpp"
#include "least_squares.hpp"
#include "pose_search.hpp"

namespace denoc {
namespace {

using kinematics::PoseSearch;

Eigen::VectorXd tangent(const Model& model, const std::vector<double>& from, const std::vector<double>& to) {
  Eigen::VectorXd d(model.nv());
  difference<double>(model, from, to, std::span(d.data(), size_t(d.size())));
  return d;
}

PoseSearch search_for(const Model& model, const Target& target, const Pose<double>& pose) {
  return {model, kinematics::Aim{target.body, target.point, target.with_attitude}, pose};
}

// Joints that are free to move at the pose move towards the start until they are as near as they come: along what the
// rows of J leave free of the way to it, d - J^+ J d, and back to the pose.
void approach(PoseSearch& search, const Model& model, const std::vector<double>& start, std::vector<double>& q) {
  constexpr int most_moves = 200;
  constexpr double settled = 1e-9;
  for (int move = 0; move < most_moves; ++move) {
    if (!search.newton(q, 1)) return;
    const Eigen::VectorXd d = tangent(model, q, start);
    const Eigen::MatrixXd J = search.jacobian();
    const Eigen::VectorXd along = d - kinematics::least_squares(J, J * d);
    if (along.norm() <= settled * (1 + d.norm())) return;
    bool is_nearer = false;
    for (double part = 1; part > 1e-4 && !is_nearer; part /= 2) {
      const Eigen::VectorXd step = part * along;
      std::vector<double> trial(q.size());
      integrate<double>(model, q, std::span(step.data(), size_t(step.size())), trial);
      is_nearer = search.newton(trial, 10) && tangent(model, trial, start).norm() < d.norm();
      if (is_nearer) q = trial;
    }
    if (!is_nearer) return;
  }
}

std::optional<std::vector<double>> found_from(const Model& model, const Target& target, const Pose<double>& pose,
                                              const std::vector<double>& start, std::vector<double> q, int steps) {
  PoseSearch search = search_for(model, target, pose);
  if (!search.damped(q, steps)) return std::nullopt;
  approach(search, model, start, q);
  return turned_near(model.robot(), q, start);
}

// The nearest to the start of those found from it and from others.
std::vector<double> nearest(const Model& model, const Target& target, const Pose<double>& pose,
                            const std::vector<double>& start) {
  constexpr int steps = 500, others = 24, steps_of_others = 100;
  std::optional<std::vector<double>> best = found_from(model, target, pose, start, start, steps);
  Chance chance;
  for (int i = 0; i < others; ++i) {
    std::vector<double> seed = start;
    const std::vector<double> drawn = drawn_posture(model.robot(), chance);
    // Only the joints that move the body are elsewhere.
    for (int b = target.body; b != 0; b = model.robot().bodies[size_t(b)].parent) {
      const auto first = model.bodies()[size_t(b)].q;
      std::copy_n(drawn.begin() + first, coordinates(model.robot().bodies[size_t(b)].joint.type), seed.begin() + first);
    }
    const auto found = found_from(model, target, pose, start, std::move(seed), steps_of_others);
    if (found && (!best || tangent(model, start, *found).norm() < tangent(model, start, *best).norm())) best = found;
  }
  if (best) return *best;

  // Which of them cannot be had, the position or the attitude?
  const std::string body = model.robot().bodies[size_t(target.body)].name;
  PoseSearch whole = search_for(model, target, pose);
  std::vector<double> q = start;
  whole.damped(q, steps);
  const std::string away =
      fmt::format("the nearest found is {:.3g} m and {:.3g} rad away", whole.metres(), whole.radians());
  if (!target.with_attitude)
    throw Unreachable(fmt::format("body '{}': the position is out of reach; the nearest found is {:.3g} m away", body,
                                  whole.metres()));
  Target place = target;
  place.with_attitude = false;
  try {
    nearest(model, place, pose, start);
  } catch (const Unreachable&) {
    throw Unreachable(fmt::format("body '{}': the position is out of reach, whatever the attitude; {}", body, away));
  }
  throw Unreachable(fmt::format("body '{}': the position can be had, but not with this attitude; {}", body, away));
}

}  // namespace

double gap(const Model& model, const Target& target, const Pose<double>& pose, const std::vector<double>& q) {
  PoseSearch search = search_for(model, target, pose);
  std::vector<double> there = q;
  search.newton(there, 0);
  return std::max(search.metres(), search.radians());
}

std::vector<Solution> inverse_kinematics(const Model& model, const Target& target, const Pose<double>& pose,
                                         const std::vector<double>& start) {
  const std::vector<double> from = kinematics::coordinates_of(model, start, "start");
  const Pose<double> goal = kinematics::rigid(pose);
  kinematics::body_of(model, target.body);
  std::vector<Solution> all;
  const auto add = [&](std::vector<double> q, std::string branch) {
    q = turned_near(model.robot(), std::move(q), from);
    const double miss = gap(model, target, goal, q), distance = tangent(model, from, q).norm();
    const bool keeps_limits = is_within_limits(model.robot(), q);
    all.push_back({std::move(q), miss, distance, keeps_limits, std::move(branch)});
  };
  if (target.with_attitude && is_wrist_partitioned(model, target.body)) {
    // The body's origin where its point comes to the pose.
    const Pose<double> origin{goal.R, goal.r - goal.R * target.point};
    for (const ArmPosture& posture : wrist_partitioned_postures(model, target.body, origin))
      add(posture.q, posture.branch);
  }
  if (all.empty()) add(nearest(model, target, goal, from), "");
  std::stable_sort(all.begin(), all.end(),
                   [](const Solution& a, const Solution& b) { return a.distance < b.distance; });
  return all;
}

}  // namespace denoc
