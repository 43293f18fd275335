#include "box_complementarity.hpp"

namespace denoc::simulation {
namespace {

// f for the sides taken: A (f - held) = 0 in the rows that are inside, f = +-limit in the others.
Eigen::VectorXd forces(const Eigen::MatrixXd& A, const Eigen::VectorXd& held, const Eigen::VectorXd& limit,
                       const Eigen::VectorXi& side) {
  Eigen::MatrixXd rows = A;
  Eigen::VectorXd right = A * held;
  for (Eigen::Index i = 0; i < held.size(); ++i) {
    if (side[i] == 0) continue;
    rows.row(i).setZero();
    rows(i, i) = 1;
    right[i] = side[i] * limit[i];
  }
  return rows.partialPivLu().solve(right);
}

}  // namespace

// Principal pivoting by the least index: ends for every positive definite matrix.                    [Murty 1974]
Eigen::VectorXi box_complementarity(const Eigen::MatrixXd& A, const Eigen::VectorXd& held,
                                    const Eigen::VectorXd& limit) {
  Eigen::VectorXi side = Eigen::VectorXi::Zero(held.size());
  // A rounding error may make it turn in a circle between sides that are equally good.
  for (int pivots = 0; pivots < 64 * held.size(); ++pivots) {
    const Eigen::VectorXd f = forces(A, held, limit, side);
    const Eigen::VectorXd a = A * (f - held);
    Eigen::Index i = 0;
    for (; i < f.size(); ++i) {
      const int wanted = side[i] != 0       ? (a[i] * side[i] > 0 ? 0 : side[i])
                         : f[i] > limit[i]  ? 1
                         : f[i] < -limit[i] ? -1
                                            : 0;
      if (wanted == side[i]) continue;
      side[i] = wanted;
      break;
    }
    if (i == f.size()) break;
  }
  return side;
}

}  // namespace denoc::simulation
