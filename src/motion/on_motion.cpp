#include "on_motion.hpp"

#include <algorithm>

#include "denoc/model/dofs.hpp"
#include "free_motion.hpp"

namespace denoc::motion {
namespace {

// The loops lead all but a base that floats.
std::vector<int> undriven_in(const Mechanism& mechanism, const std::vector<int>& driven) {
  return mechanism.has_loops() ? floating(mechanism.tree(), driven) : others(mechanism.tree(), driven);
}

std::vector<bool> marked(const std::vector<int>& dofs, size_t among) {
  std::vector<bool> marks(among);
  for (const int k : dofs) marks[size_t(k)] = true;
  return marks;
}

// The coordinates of these degrees of freedom: one each; of a quaternion all four with the last.
std::vector<int> coordinates_of_dofs(const Model& model, const std::vector<int>& dofs) {
  const std::vector<bool> is_among = marked(dofs, size_t(model.nv()));
  std::vector<int> all;
  for (size_t b = 1; b < model.bodies().size(); ++b) {
    const JointType type = model.robot().bodies[b].joint.type;
    for (int i = 0; i < coordinates(type); ++i) {
      const int k = model.bodies()[b].v + std::min(i, degrees_of_freedom(type) - 1);
      if (is_among[size_t(k)]) all.push_back(model.bodies()[b].q + i);
    }
  }
  return all;
}

}  // namespace

OnMotion::OnMotion(const Mechanism& mechanism, const Trajectory& motion, const AlongOptions& options)
    : model_(mechanism.tree()),
      motion_(motion),
      dynamics_(mechanism, options.forces),
      undriven_(undriven_in(mechanism, options.driven)),
      led_v_(others(model_, undriven_)),
      led_q_(coordinates_of_dofs(model_, led_v_)),
      is_undriven_(marked(undriven_, size_t(model_.nv()))),
      frictions_(model_, options.forces == Forces::all ? undriven_ : std::vector<int>{}),
      given_q_(size_t(model_.nq())),
      given_v_(size_t(model_.nv())),
      answer_{given_v_, given_v_, {}, {}} {
  if (!mechanism.has_loops()) return;
  // What the drives share does not depend on the own forces of a base that floats: as if it were driven.
  std::vector<int> driven = options.driven;
  driven.insert(driven.end(), undriven_.begin(), undriven_.end());
  dynamics_.drive(joint_names(model_, driven));
}

void OnMotion::start(std::span<double> q, std::span<double> v) {
  motion_.at(0, q, v, answer_.a);
  frictions_.start(v);
  settle(0, q, v);
}

const OnMotion::Answer& OnMotion::at(double t, std::span<double> q, std::span<double> v) {
  lead(t, q, v);
  return solve(q, v);
}

void OnMotion::lead(double t, std::span<double> q, std::span<double> v) {
  motion_.at(t, given_q_, given_v_, answer_.a);
  for (const int i : led_q_) q[size_t(i)] = given_q_[size_t(i)];
  for (const int k : led_v_) v[size_t(k)] = given_v_[size_t(k)];
}

void OnMotion::settle(double t, std::span<double> q, std::span<double> v) {
  lead(t, q, v);
  frictions_.stop(v);
  for (size_t turn = 0; turn < frictions_.size(); ++turn) {
    solve(q, v);
    if (!frictions_.let_go_one()) return;
  }
}

// With u the undriven that move: tau_u = 0, and a_u by what inverse dynamics says for a_u = 0 (free_motion.hpp).
const OnMotion::Answer& OnMotion::solve(std::span<const double> q, std::span<const double> v) {
  auto& [a, tau, strains, margins] = answer_;
  for (const int k : undriven_) a[size_t(k)] = 0;
  const auto all = dynamics_.inverse(q, v, a);
  std::copy(all.begin(), all.end(), tau.begin());
  if (undriven_.empty()) return answer_;
  frictions_.slide(v, tau);
  const std::vector<int> moving = frictions_.moving_among(undriven_);
  if (!moving.empty()) release(model_, dynamics_.inertia(q, Loops::open).entries(), moving, tau, a);
  frictions_.hold(tau);
  if (has_loops()) {  // the drives share it as the loops hand it on
    const auto shared = dynamics_.inverse(q, v, a);
    for (size_t k = 0; k < tau.size(); ++k) tau[k] = is_undriven_[k] ? 0 : shared[k];
  }
  strains = frictions_.strains();
  margins = frictions_.margins(v);
  return answer_;
}

}  // namespace denoc::motion
