#include "box_complementarity.hpp"

#include <limits>

namespace denoc::simulation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double dependent = 1e-6;  // what is left of a column beside others, against the column
constexpr double no_motion = 1e-9;  // of the terms of an acceleration: what an ill-conditioned solution leaves
// of the forces that cancel in these terms, as limits and what they hold may to the last digits: what rounding leaves
constexpr double no_force = 64 * std::numeric_limits<double>::epsilon();

// f for the sides taken: +-limit, and inside what cancels the rest: R (f - held) = 0, by the first columns that can.
VectorXd forces(const MatrixXd& R, const VectorXd& held, const VectorXd& limit, const Eigen::VectorXi& side) {
  VectorXd f = side.cast<double>().cwiseProduct(limit);
  std::vector<Index> inside;
  Span span;
  for (Index i = 0; i < held.size(); ++i) {
    if (side[i] == 0 && span.take(R.col(i))) inside.push_back(i);
  }
  if (inside.empty()) return f;
  const VectorXd share = R(Eigen::all, inside).colPivHouseholderQr().solve(R * (held - f));
  for (std::size_t j = 0; j < inside.size(); ++j) f[inside[j]] = share[static_cast<Index>(j)];
  return f;
}

}  // namespace

VectorXd Span::beside(VectorXd x) const {
  for (int twice = 0; twice < 2; ++twice)
    for (const VectorXd& d : directions_) x -= d * d.dot(x);
  return x;
}
bool Span::holds(const VectorXd& x) const { return beside(x).norm() <= dependent * x.norm(); }
bool Span::take(const VectorXd& x) {
  if (holds(x)) return false;
  directions_.push_back(beside(x).normalized());
  return true;
}

// Principal pivoting by the least index: ends for every positive definite matrix.                    [Murty 1974]
BoxedForces box_complementarity(const MatrixXd& R, const VectorXd& held, const VectorXd& limit) {
  Eigen::VectorXi side = Eigen::VectorXi::Zero(held.size());
  VectorXd f = forces(R, held, limit, side);
  // A rounding error may make it turn in a circle between sides that are equally good.
  for (int pivots = 0; pivots < 64 * held.size(); ++pivots) {
    const VectorXd pull = R * (f - held);
    const VectorXd all = no_motion * (f - held).cwiseAbs() + no_force * (f.cwiseAbs() + held.cwiseAbs());
    const double none = R.cwiseAbs().colwise().sum().dot(all);
    Index i = 0;
    for (; i < f.size(); ++i) {
      const double a = R.col(i).dot(pull);
      const int wanted = side[i] != 0       ? (a * side[i] > R.col(i).norm() * none ? 0 : side[i])
                         : f[i] > limit[i]  ? 1
                         : f[i] < -limit[i] ? -1
                                            : 0;
      if (wanted == side[i]) continue;
      side[i] = wanted;
      break;
    }
    if (i == f.size()) break;
    f = forces(R, held, limit, side);
  }
  return {side, f};
}

}  // namespace denoc::simulation
