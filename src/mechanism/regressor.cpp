#include "denoc/mechanism/regressor.hpp"

#include <fmt/format.h>

#include <limits>

#include "denoc/dynamics/derivatives/regressor.hpp"
#include "denoc/model/quaternions.hpp"
#include "finite_answers.hpp"

namespace denoc {
namespace {

double direction_of(double u) { return u > 0 ? 1 : u < 0 ? -1 : 0; }

// "joint.1" of several degrees of freedom, "joint" of one.
std::string freedom_name(const Model& tree, int dof) {
  const int body = tree.body_of_dof(dof);
  const int count = degrees_of_freedom(tree.robot().bodies[static_cast<std::size_t>(body)].joint.type);
  const std::string joint = tree.joint_name(body);
  return count == 1 ? joint : fmt::format("{}.{}", joint, dof - tree.bodies()[static_cast<std::size_t>(body)].v + 1);
}

}  // namespace

struct Regressor::Hand {
  std::vector<QuaternionPlace> quaternions;
  std::vector<double> q, v, a;  // of a state: v and a may be given as rows of the last Y
  Configuration<double> at;
  Kinematics<double> kin;
  std::vector<double> inertial;
  explicit Hand(const Model& tree)
      : quaternions(quaternions_of(tree.robot())),
        q(static_cast<std::size_t>(tree.nq())),
        v(static_cast<std::size_t>(tree.nv())),
        a(v),
        at(tree),
        kin(tree),
        inertial(static_cast<std::size_t>(tree.nv()) * inertial_parameters * (tree.bodies().size() - 1)) {}
  void take(std::span<const double> given) {
    std::copy(given.begin(), given.end(), q.begin());
    bring_to_manifold(quaternions, q);
  }
};

Regressor::Regressor(const Mechanism& mechanism, Friction friction, Loops loops)
    : mechanism_(&mechanism), with_friction_(friction == Friction::viscous_and_coulomb) {
  if (mechanism.has_loops() && loops == Loops::closed)
    throw NotCovered(
        "the robot has loops: its regressor is that of the tree with the loops cut open, ask for it with "
        "Loops::open");
  const Model& tree = mechanism.tree();
  const Robot& robot = mechanism.robot();
  const auto add = [&](std::string name, double value) {
    names_.push_back(std::move(name));
    parameters_.push_back(value);
  };
  for (std::size_t b = 1; b < robot.bodies.size(); ++b) {
    const RigidInertia<double>& body = tree.bodies()[b].inertia;
    const Sym3<double> I = angular_inertia(body);
    const double values[] = {body.m, body.h.x, body.h.y, body.h.z, I.xx, I.yy, I.zz, I.xy, I.yz, I.xz};
    for (std::size_t c = 0; c < inertial_parameters; ++c)
      add(fmt::format("{}.{}", robot.bodies[b].name, inertial_parameter_names[c]), values[c]);
  }
  std::vector<double> rotors(static_cast<std::size_t>(tree.nv()), 0.0);
  for (const auto& [dof, inertia] : tree.rotors()) rotors[static_cast<std::size_t>(dof)] = inertia;
  for (int k = 0; k < tree.nv(); ++k) {
    const std::string name = freedom_name(tree, k);
    add(name + ".rotor", rotors[static_cast<std::size_t>(k)]);
    if (!with_friction_) continue;
    const denoc::Friction& law = robot.bodies[static_cast<std::size_t>(tree.body_of_dof(k))].joint.friction;
    add(name + ".viscous", law.viscous);
    add(name + ".coulomb", law.coulomb);
  }
  hands_.emplace_back(tree);
  regressor_.resize(static_cast<std::size_t>(tree.nv()) * names_.size());
}
Regressor::~Regressor() = default;
Regressor::Regressor(Regressor&&) noexcept = default;

void Regressor::evaluate(Hand& hand, std::span<const double> q, std::span<const double> given_v,
                         std::span<const double> given_a, std::span<double> regressor) const {
  const Model& tree = mechanism_->tree();
  hand.take(q);
  std::copy(given_v.begin(), given_v.end(), hand.v.begin());
  std::copy(given_a.begin(), given_a.end(), hand.a.begin());
  const std::vector<double>&v = hand.v, &a = hand.a;
  place<double>(tree, hand.q, hand.at);
  positions<double>(tree, hand.at, hand.kin);
  velocities<double>(tree, v, hand.kin);
  accelerations<double>(tree, v, a, hand.kin);
  inertial_regressor<double>(tree, hand.kin, hand.inertial);
  const std::size_t n = v.size(), columns = names_.size(), inertial = n == 0 ? 0 : hand.inertial.size() / n,
                    each = with_friction_ ? 3 : 1;
  for (std::size_t k = 0; k < n; ++k) {
    const auto row = regressor.subspan(k * columns, columns);
    std::copy_n(hand.inertial.begin() + static_cast<std::ptrdiff_t>(k * inertial), inertial, row.begin());
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(inertial), row.end(), 0.0);
    const auto own = row.subspan(inertial + each * k, each);
    own[0] = a[k];
    if (!with_friction_) continue;
    const auto body = static_cast<std::size_t>(tree.body_of_dof(static_cast<int>(k)));
    own[1] = v[k] - mechanism_->robot().bodies[body].joint.friction.surface_speed;
    own[2] = direction_of(own[1]);
  }
}

MatrixView Regressor::at(std::span<const double> q, std::span<const double> v, std::span<const double> a) {
  require_size(q, mechanism_->nq(), "q");
  require_numbers(v, mechanism_->nv(), "v");
  require_numbers(a, mechanism_->nv(), "a");
  evaluate(hands_.front(), q, v, a, regressor_);
  require_all_finite(regressor_, "the regressor");
  return {regressor_, mechanism_->nv(), columns()};
}

void Regressor::at(std::span<const double> q, std::span<const double> v, std::span<const double> a,
                   std::span<double> regressor, Executor& executor) {
  const auto nq = static_cast<std::size_t>(mechanism_->nq()), nv = static_cast<std::size_t>(mechanism_->nv());
  const std::size_t count = nq == 0 ? 0 : q.size() / nq, numbers = nv * names_.size();
  const auto require = [&](auto all, std::size_t each, const char* name) {
    if (all.size() != count * each) throw_wrong_size(name, all.size(), count * each);
  };
  require(q, nq, "q");
  require(v, nv, "v");
  require(a, nv, "a");
  require(regressor, numbers, "regressor");
  require_numbers(v, "v");
  require_numbers(a, "a");
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw ArgumentError(
        fmt::format("a regressor of {} states: at most {} at once", count, std::numeric_limits<int>::max()));
  while (hands_.size() < static_cast<std::size_t>(executor.threads())) hands_.emplace_back(mechanism_->tree());
  for (std::size_t i = 0; i < count; ++i) hands_.front().take(q.subspan(i * nq, nq));  // what threads do must not throw
  executor.run(static_cast<int>(count), [&](int thread, int state) {
    const auto i = static_cast<std::size_t>(state);
    evaluate(hands_[static_cast<std::size_t>(thread)], q.subspan(i * nq, nq), v.subspan(i * nv, nv),
             a.subspan(i * nv, nv), regressor.subspan(i * numbers, numbers));
  });
  require_all_finite(regressor, "the regressor");
}

}  // namespace denoc
