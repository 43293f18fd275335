#include "box_complementarity.hpp"

#include <cmath>
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

// f for the sides taken: +-limit, and inside what cancels the rest, by the first columns that can:
//   R_in^T R (f - held) + left_in = 0
VectorXd forces(const MatrixXd& R, const VectorXd& held, const VectorXd& limit, const VectorXd& left,
                const Eigen::VectorXi& side) {
  VectorXd f = side.cast<double>().cwiseProduct(limit);
  std::vector<Index> inside;
  Span span;
  for (Index i = 0; i < held.size(); ++i) {
    if (side[i] == 0 && span.take(R.col(i))) inside.push_back(i);
  }
  if (inside.empty()) return f;
  const MatrixXd R_in = R(Eigen::all, inside);
  const VectorXd share =
      R_in.colPivHouseholderQr().solve(R * (held - f)) - (R_in.transpose() * R_in).ldlt().solve(VectorXd(left(inside)));
  for (std::size_t j = 0; j < inside.size(); ++j) f[inside[j]] = share[static_cast<Index>(j)];
  return f;
}

// Whether those inside decide how i accelerates, whatever its own force is.
bool is_led(const MatrixXd& R, const Eigen::VectorXi& side, Index i) {
  Span span;
  for (Index j = 0; j < side.size(); ++j)
    if (j != i && side[j] == 0) span.take(R.col(j));
  return span.holds(R.col(i));
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
BoxedForces box_complementarity(const MatrixXd& R, const VectorXd& held, const VectorXd& limit, const VectorXd& left) {
  Eigen::VectorXi side = Eigen::VectorXi::Zero(held.size());
  VectorXd f = forces(R, held, limit, left, side);
  // A rounding error may make it turn in a circle between sides that are equally good.
  for (int pivots = 0; pivots < 64 * held.size(); ++pivots) {
    const VectorXd pull = R * (f - held);
    const VectorXd all = no_motion * (f - held).cwiseAbs() + no_force * (f.cwiseAbs() + held.cwiseAbs());
    const double none = R.cwiseAbs().colwise().sum().dot(all);
    Index i = 0;
    for (; i < f.size(); ++i) {
      const double a = R.col(i).dot(pull) + left[i], least = R.col(i).norm() * none + no_motion * std::abs(left[i]);
      const int against = a > 0 ? -1 : 1;
      // Of those that are led friction opposes what they are led to; the others hold as soon as they can.
      const int wanted = side[i] != 0                                ? (a * side[i] <= least ? side[i]
                                                                        : is_led(R, side, i) ? against
                                                                                             : 0)
                         : std::abs(f[i]) > limit[i]                 ? (f[i] > 0 ? 1 : -1)
                         : std::abs(a) > least && is_led(R, side, i) ? against
                                                                     : 0;
      if (wanted == side[i]) continue;
      side[i] = wanted;
      break;
    }
    if (i == f.size()) break;
    f = forces(R, held, limit, left, side);
  }
  return {side, f};
}

}  // namespace denoc::simulation
