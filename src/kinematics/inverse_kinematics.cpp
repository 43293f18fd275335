#include "denoc/kinematics/inverse_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "checks.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/postures.hpp"
#include "least_squares.hpp"
#include "solutions.hpp"

namespace denoc {
namespace {

using kinematics::Conditions;
using kinematics::PoseSearch;

// From one posture to another, in units of the degrees of freedom.
Eigen::VectorXd way(const PoseSearch& search, const Model& model, const std::vector<double>& from,
                    const std::vector<double>& to) {
  Eigen::VectorXd d(model.nv());
  difference<double>(model, from, to, std::span(d.data(), size_t(d.size())));
  return d.cwiseQuotient(search.units());
}

// What is looked for.
struct Question {
  const Model& model;
  Target target;
  Pose<double> pose;
  std::shared_ptr<Conditions> beside = {};

  PoseSearch search() const {
    return {model, kinematics::Aim{target.body, target.point, target.with_attitude, {}, beside}, pose};
  }
  // Only the joints that move the body are elsewhere; of a robot under conditions all.
  std::vector<double> elsewhere(const std::vector<double>& start, Chance& chance) const {
    const std::vector<double> drawn = drawn_posture(model.robot(), chance);
    if (beside) return beside->met_near(drawn);
    std::vector<double> q = start;
    for (int b = target.body; b != 0; b = model.robot().bodies[size_t(b)].parent) {
      const auto first = model.bodies()[size_t(b)].q;
      std::copy_n(drawn.begin() + first, coordinates(model.robot().bodies[size_t(b)].joint.type), q.begin() + first);
    }
    return q;
  }
};

// Joints that are free to move at the pose move towards the start until they are as near as they come: along what the
// rows of J leave free of the way to it, d - J^+ J d, and back to the pose. |d|^2 falls by the square of that: where it
// is no digit of |d|^2 any more, they are there.
void approach(PoseSearch& search, const Model& model, const std::vector<double>& start, std::vector<double>& q) {
  constexpr int most_moves = 200;
  for (int move = 0; move < most_moves; ++move) {
    if (!search.newton(q, 1)) return;
    const Eigen::VectorXd d = way(search, model, q, start);
    const Eigen::MatrixXd J = search.jacobian() * search.units().asDiagonal();
    const Eigen::VectorXd along = d - kinematics::least_squares(J, J * d);
    if (along.squaredNorm() <= std::numeric_limits<double>::epsilon() * d.squaredNorm()) return;
    bool is_nearer = false;
    for (double part = 1; part > 1e-4 && !is_nearer; part /= 2) {
      const Eigen::VectorXd step = part * along.cwiseProduct(search.units());
      std::vector<double> trial(q.size());
      integrate<double>(model, q, std::span(step.data(), size_t(step.size())), trial);
      is_nearer = search.newton(trial, 10) && way(search, model, trial, start).norm() < d.norm();
      if (is_nearer) q = trial;
    }
    if (!is_nearer) return;
  }
}

std::optional<std::vector<double>> found_from(const Question& question, const std::vector<double>& start,
                                              std::vector<double> q, int steps) {
  PoseSearch search = question.search();
  search.damped(q, steps);
  approach(search, question.model, start, q);
  if (!search.newton(q, 0) || (question.beside && !question.beside->are_met())) return std::nullopt;
  return turned_near(question.model.robot(), q, start);
}

// The nearest to the start of those found from it and from others.
std::optional<std::vector<double>> nearest(const Question& question, const std::vector<double>& start) {
  constexpr int steps = 500, others = 24, steps_of_others = 100;
  const PoseSearch search = question.search();
  const auto distance = [&](const std::vector<double>& q) { return way(search, question.model, start, q).norm(); };
  std::optional<std::vector<double>> best = found_from(question, start, start, steps);
  Chance chance;
  for (int i = 0; i < others; ++i) {
    const auto found = found_from(question, start, question.elsewhere(start, chance), steps_of_others);
    if (found && (!best || distance(*found) < distance(*best))) best = found;
  }
  return best;
}

// What is the reason that there is none?
[[noreturn]] void refuse(const Question& question, const std::vector<double>& start) {
  constexpr int steps = 500;
  const std::string body = fmt::format("body '{}'", question.model.robot().bodies[size_t(question.target.body)].name),
                    closed = question.beside ? " with the loops closed" : "";
  PoseSearch whole = question.search();
  std::vector<double> q = start;
  whole.damped(q, steps);
  if (!question.target.with_attitude)
    throw Unreachable(fmt::format("{}: the position is out of reach{}; the nearest found is {:.3g} m away", body,
                                  closed, whole.metres()));
  const std::string away =
      fmt::format("the nearest found is {:.3g} m and {:.3g} rad away", whole.metres(), whole.radians());
  Question place = question;
  place.target.with_attitude = false;
  if (!nearest(place, start))
    throw Unreachable(fmt::format("{}: the position is out of reach{}, whatever the attitude; {}", body, closed, away));
  throw Unreachable(fmt::format("{}: the position can be had{}, but not with this attitude; {}", body, closed, away));
}

}  // namespace

double gap(const Model& model, const Target& target, const Pose<double>& pose, const std::vector<double>& q) {
  PoseSearch search = Question{model, target, pose}.search();
  std::vector<double> there = q;
  search.newton(there, 0);
  return std::max(search.metres(), search.radians());
}

std::vector<Solution> kinematics::solutions(const Model& model, const Target& target, const Pose<double>& pose,
                                            const std::vector<double>& start,
                                            const std::shared_ptr<Conditions>& beside) {
  const std::vector<double> from = coordinates_of(model, start, "start");
  const Pose<double> goal = rigid(pose);
  body_of(model, target.body);
  const Question question{model, target, goal, beside};
  const PoseSearch search = question.search();
  std::vector<Solution> all;
  const auto add = [&](std::vector<double> q, std::string branch) {
    q = turned_near(model.robot(), std::move(q), from);
    const double miss = gap(model, target, goal, q), distance = way(search, model, from, q).norm();
    const bool keeps_limits = is_within_limits(model.robot(), q);
    all.push_back({std::move(q), miss, distance, keeps_limits, std::move(branch)});
  };
  if (!beside && target.with_attitude && is_wrist_partitioned(model, target.body)) {
    // The body's origin where its point comes to the pose.
    const Pose<double> origin{goal.R, goal.r - goal.R * target.point};
    for (const ArmPosture& posture : wrist_partitioned_postures(model, target.body, origin, from))
      add(posture.q, posture.branch);
  }
  if (all.empty()) {
    const auto found = nearest(question, from);
    if (!found) refuse(question, from);
    add(*found, "");
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Solution& a, const Solution& b) { return a.distance < b.distance; });
  return all;
}

std::vector<Solution> inverse_kinematics(const Model& model, const Target& target, const Pose<double>& pose,
                                         const std::vector<double>& start) {
  return kinematics::solutions(model, target, pose, start, nullptr);
}

}  // namespace denoc
