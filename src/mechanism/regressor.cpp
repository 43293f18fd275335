#include "denoc/mechanism/regressor.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <limits>
#include <numeric>
#include <random>

#include "denoc/dynamics/derivatives/regressor.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"
#include "denoc/model/quaternions.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// A column counts as a sum of others where less than this part of it is left. Random states leave some parts in a
// thousand of one that is none, rounding (condition of the others included) some in 1e12.
constexpr double dependent_part = 1e-8;
// What is left of columns that ought to be zero, in parts of the whole matrix.
constexpr double rounded_part = 1e-13;
// A coefficient that is rounding: of its column, so much is along the other.
constexpr double no_part = 1e-9;

// The columns of a mass and of its moments have the units of lengths: in the robot's own they compare with the others.
double unit_of_column(double length, Index column, Index inertial) {
  const Index parameter = column % inertial_parameters;
  return column >= inertial || parameter > 3 ? 1 : parameter > 0 ? length : length * length;
}

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
  std::vector<double> q;
  Configuration<double> at;
  Kinematics<double> kin;
  std::vector<double> inertial;
  explicit Hand(const Model& tree)
      : quaternions(quaternions_of(tree.robot())),
        q(static_cast<std::size_t>(tree.nq())),
        at(tree),
        kin(tree),
        inertial(static_cast<std::size_t>(tree.nv()) * inertial_parameters * (tree.bodies().size() - 1)) {}
  void take(std::span<const double> given) {
    std::copy(given.begin(), given.end(), q.begin());
    for (const QuaternionPlace& each : quaternions)
      if (const std::string broken = normalise(each, q); !broken.empty()) throw ArgumentError("q: " + broken);
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

void Regressor::evaluate(Hand& hand, std::span<const double> q, std::span<const double> v, std::span<const double> a,
                         std::span<double> regressor) const {
  const Model& tree = mechanism_->tree();
  hand.take(q);
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
  require_size(v, mechanism_->nv(), "v");
  require_size(a, mechanism_->nv(), "a");
  evaluate(hands_.front(), q, v, a, regressor_);
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
}

std::vector<double> BaseParameters::grouped(std::span<const double> parameters) const {
  std::vector<double> beta;
  for (const std::vector<double>& row : relations) {
    require_size(parameters, static_cast<int>(row.size()), "parameters");
    beta.push_back(std::inner_product(row.begin(), row.end(), parameters.begin(), 0.0));
  }
  return beta;
}

// The columns of Y at so many random states that it has twice as many rows, from left to right: what is left of one
// when its part along the independent ones before it has been taken away (twice: the second time takes what rounding
// has left) is a new direction, or rounding.
BaseParameters base_parameters(Regressor& regressor) {
  const Mechanism& mechanism = regressor.mechanism();
  const Index n = mechanism.nv(), columns = regressor.columns();
  const Index states = n == 0 ? 0 : (2 * columns + n - 1) / n;
  std::mt19937 engine(1);
  std::uniform_real_distribution<> uniform(-1, 1);
  const auto random_rates = [&] {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& each : x) each = uniform(engine);
    return x;
  };
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  MatrixXd Y(states * n, columns);
  for (Index s = 0; s < states; ++s) {
    std::vector<double> q(static_cast<std::size_t>(mechanism.nq()));
    std::vector<double> step = random_rates();
    for (double& each : step) each *= 3;
    integrate<double>(mechanism.tree(), mechanism.neutral(), step, q);
    const MatrixView here = regressor.at(q, random_rates(), random_rates());
    Y.middleRows(s * n, n) = Eigen::Map<const ByRows>(here.entries().data(), n, columns);
  }
  const double length = length_of(mechanism.robot());
  const auto inertial = static_cast<Index>(inertial_parameters * (mechanism.robot().bodies.size() - 1));
  for (Index k = 0; k < columns; ++k) Y.col(k) /= unit_of_column(length, k, inertial);
  const double noise = rounded_part * Y.norm();
  BaseParameters found;
  MatrixXd basis(Y.rows(), std::min(Y.rows(), columns)), upper = MatrixXd::Zero(basis.cols(), columns);
  Index rank = 0;
  for (Index k = 0; k < columns; ++k) {
    Eigen::VectorXd left = Y.col(k);
    const double size = left.norm();
    for (int twice = 0; twice < 2; ++twice) {
      const Eigen::VectorXd part = basis.leftCols(rank).transpose() * left;
      left -= basis.leftCols(rank) * part;
      upper.col(k).head(rank) += part;
    }
    if (left.norm() <= std::max(dependent_part * size, noise) || rank == basis.cols()) continue;
    upper(rank, k) = left.norm();
    basis.col(rank++) = left / left.norm();
    found.independent.push_back(static_cast<int>(k));
  }
  // column k = Y_independent x:  R_independent x = R_k
  MatrixXd R(rank, rank);
  for (Index i = 0; i < rank; ++i) R.col(i) = upper.col(found.independent[static_cast<std::size_t>(i)]).head(rank);
  const MatrixXd relations = R.triangularView<Eigen::Upper>().solve(upper.topRows(rank));
  for (Index i = 0; i < rank; ++i) {
    const int own = found.independent[static_cast<std::size_t>(i)];
    std::vector<double> row(static_cast<std::size_t>(columns), 0.0);
    std::string name = regressor.names()[static_cast<std::size_t>(own)];
    for (Index k = 0; k < columns; ++k) {
      if (k == own) row[static_cast<std::size_t>(k)] = 1;
      if (k == own || std::abs(relations(i, k)) * Y.col(own).norm() <= no_part * Y.col(k).norm()) continue;
      const double x = relations(i, k) * unit_of_column(length, k, inertial) / unit_of_column(length, own, inertial);
      if (std::find(found.independent.begin(), found.independent.end(), k) != found.independent.end()) continue;
      row[static_cast<std::size_t>(k)] = x;
      const std::string& other = regressor.names()[static_cast<std::size_t>(k)];
      const std::string factor = std::abs(std::abs(x) - 1) <= no_part ? "" : fmt::format(" * {:.9g}", std::abs(x));
      name += fmt::format(" {} {}{}", x < 0 ? "-" : "+", other, factor);
    }
    found.relations.push_back(std::move(row));
    found.names.push_back(std::move(name));
  }
  return found;
}

}  // namespace denoc
