#include <fmt/format.h>

#include <Eigen/Dense>
#include <numeric>
#include <random>

#include "denoc/dynamics/derivatives/regressor.hpp"
#include "denoc/mechanism/regressor.hpp"
#include "denoc/model/lengths.hpp"
#include "denoc/model/manifold.hpp"

namespace denoc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A column counts as a sum of others where less than this part of it is left. Random states leave some parts in a
// thousand of one that is none, rounding (condition of the others included) some in 1e12.
constexpr double dependent_part = 1e-8;
// What is left of columns that ought to be zero, in parts of the whole matrix.
constexpr double rounded_part = 1e-13;
// A coefficient that is rounding: of its column, so much is along the other.
constexpr double no_part = 1e-9;

// What a robot moves in, its length and how fast it falls by that, so that rows and columns compare with each other in
// whatever units it is given. All are powers of two, which round nothing.
struct Measures {
  double length, rate = 1;  // m, 1/s
  VectorXd of_freedoms;     // rad or m

  explicit Measures(const Model& tree) : length(length_of(tree.robot())), of_freedoms(tree.nv()) {
    const double fall = norm(tree.robot().gravity) / length;
    if (fall > 0) rate = std::exp2(std::round(std::log2(fall) / 2));
    std::ranges::copy(units_of(tree), of_freedoms.begin());
  }
  // Of the columns, when forces are taken times the unit of their degree of freedom.
  VectorXd of_columns(const Regressor& regressor) const {
    VectorXd units(regressor.columns());
    const Index each = regressor.has_friction() ? 3 : 1, inertial = units.size() - each * of_freedoms.size();
    for (Index k = 0; k < inertial; ++k) {
      const Index parameter = k % inertial_parameters;  // m, m c, I
      units[k] = rate * rate * (parameter > 3 ? 1 : parameter > 0 ? length : length * length);
    }
    for (Index k = 0; k < of_freedoms.size(); ++k) {
      const double unit = of_freedoms[k], of_own[] = {unit * unit * rate * rate, unit * unit * rate, unit};
      for (Index c = 0; c < each; ++c) units[inertial + each * k + c] = of_own[c];  // rotor, viscous, Coulomb
    }
    return units;
  }
};

// Y, measured in units, at so many random states that it has twice as many rows as columns.
MatrixXd at_random_states(Regressor& regressor, const Measures& in, const VectorXd& units) {
  const Mechanism& mechanism = regressor.mechanism();
  const Index n = mechanism.nv(), columns = regressor.columns();
  const Index states = n == 0 ? 0 : (2 * columns + n - 1) / n;
  std::mt19937 engine(1);
  std::uniform_real_distribution<> uniform(-1, 1);
  const auto random = [&](double times) {
    std::vector<double> x;
    for (const double unit : in.of_freedoms) x.push_back(times * unit * uniform(engine));
    return x;
  };
  // Dry friction turns round where the joint moves as its surface does: rates are tried about that, and about rest.
  const auto surface_speed = [&](int dof) {
    const int b = mechanism.tree().body_of_dof(dof);
    return mechanism.robot().bodies[static_cast<std::size_t>(b)].joint.friction.surface_speed;
  };
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  MatrixXd Y(states * n, columns);
  for (Index s = 0; s < states; ++s) {
    std::vector<double> q(static_cast<std::size_t>(mechanism.nq()));
    integrate<double>(mechanism.tree(), mechanism.neutral(), random(3), q);
    std::vector<double> v = random(in.rate);
    for (int k = 0; s % 2 == 1 && k < mechanism.nv(); ++k) v[static_cast<std::size_t>(k)] += surface_speed(k);
    const std::vector<double> a = random(in.rate * in.rate);
    const MatrixView here = regressor.at(q, v, a);
    Y.middleRows(s * n, n) = in.of_freedoms.asDiagonal() * Eigen::Map<const ByRows>(here.entries().data(), n, columns) *
                             units.cwiseInverse().asDiagonal();
  }
  return Y;
}

// Columns that are no sums of those before them, and what sums of them all columns are: Y = Y_independent sums.
struct Independent {
  std::vector<int> columns = {};
  MatrixXd sums = {};
};
// From left to right: what is left of a column when its part along the independent ones before it has been taken away
// (twice: the second time takes what rounding has left) is a new direction, or rounding.
Independent independent_columns(const MatrixXd& Y, double noise) {
  Independent found;
  MatrixXd basis(Y.rows(), std::min(Y.rows(), Y.cols())), upper = MatrixXd::Zero(basis.cols(), Y.cols());
  Index rank = 0;
  for (Index k = 0; k < Y.cols(); ++k) {
    VectorXd left = Y.col(k);
    const double size = left.norm();
    for (int twice = 0; twice < 2; ++twice) {
      const VectorXd part = basis.leftCols(rank).transpose() * left;
      left -= basis.leftCols(rank) * part;
      upper.col(k).head(rank) += part;
    }
    if (left.norm() <= std::max(dependent_part * size, noise) || rank == basis.cols()) continue;
    upper(rank, k) = left.norm();
    basis.col(rank++) = left / left.norm();
    found.columns.push_back(static_cast<int>(k));
  }
  // column k = Y_independent x:  R_independent x = R_k
  MatrixXd R(rank, rank);
  for (Index i = 0; i < rank; ++i) R.col(i) = upper.col(found.columns[static_cast<std::size_t>(i)]).head(rank);
  found.sums = R.triangularView<Eigen::Upper>().solve(upper.topRows(rank));
  return found;
}

// The coefficients of an independent column in all others that are none, in the robot's own units; 1 at its own.
std::vector<double> relation(const Independent& independent, std::size_t i, const MatrixXd& Y, const VectorXd& units,
                             double noise) {
  const std::vector<int>& others = independent.columns;
  const Index own = others[i];
  std::vector<double> row(static_cast<std::size_t>(Y.cols()), 0.0);
  for (Index k = 0; k < Y.cols(); ++k) {
    const double sum = independent.sums(static_cast<Index>(i), k), least = std::max(no_part * Y.col(k).norm(), noise);
    const bool is_rounding = std::abs(sum) * Y.col(own).norm() <= least;
    if (!is_rounding && std::find(others.begin(), others.end(), k) == others.end())
      row[static_cast<std::size_t>(k)] = sum * units[k] / units[own];
  }
  row[static_cast<std::size_t>(own)] = 1;
  return row;
}

}  // namespace

std::vector<double> BaseParameters::grouped(std::span<const double> parameters) const {
  std::vector<double> beta;
  for (const std::vector<double>& row : relations) {
    require_size(parameters, static_cast<int>(row.size()), "parameters");
    beta.push_back(std::inner_product(row.begin(), row.end(), parameters.begin(), 0.0));
  }
  return beta;
}

BaseParameters base_parameters(Regressor& regressor) {
  const Measures in(regressor.mechanism().tree());
  const VectorXd units = in.of_columns(regressor);
  const MatrixXd Y = at_random_states(regressor, in, units);
  const double noise = rounded_part * Y.norm();
  const Independent independent = independent_columns(Y, noise);
  BaseParameters found{independent.columns, {}, {}};
  for (std::size_t i = 0; i < found.independent.size(); ++i) {
    const auto own = static_cast<std::size_t>(found.independent[i]);
    std::vector<double> row = relation(independent, i, Y, units, noise);
    std::string name = regressor.names()[own];
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double x = row[k];
      if (k == own || x == 0) continue;
      const std::string factor = std::abs(std::abs(x) - 1) <= no_part ? "" : fmt::format(" * {:.9g}", std::abs(x));
      name += fmt::format(" {} {}{}", x < 0 ? "-" : "+", regressor.names()[k], factor);
    }
    found.relations.push_back(std::move(row));
    found.names.push_back(std::move(name));
  }
  return found;
}

}  // namespace denoc
