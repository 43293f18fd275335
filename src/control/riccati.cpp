#include "riccati.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace denoc::control {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Eigenvalues of a double root are good to the square root of rounding.
constexpr double of_double_root = 1e-6;

// How much of a matrix a step of Newton's method changes at its end, which is quadratic: behind a step that changes the
// root of rounding there is nothing but rounding, which no longer halves from step to step; the last digits may not change
// at all.
constexpr double nearly_there = 1e-8, there = 1e-15;

// Z becomes its sign by Newton's method, Z <- (c Z + (c Z)^-1) / 2, with |det(c Z)| = 1; follow(c, Z^-1) takes each step,
// too. Returns whether it gets there.                                                                  [Byers 1987]
template <class Follow> bool sign_iteration(MatrixXd& Z, const Follow& follow) {
  constexpr int most_steps = 100;
  const auto n = static_cast<double>(Z.rows());
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::PartialPivLU<MatrixXd> lu(Z);
    const double c = std::exp(-lu.matrixLU().diagonal().cwiseAbs().array().log().sum() / n);
    const MatrixXd inverse = lu.inverse(), next = (c * Z + inverse / c) / 2;
    follow(c, inverse);
    const double change = (next - Z).norm() / next.norm();
    Z = next;
    if (!std::isfinite(change)) return false;
    if (change < there || (change < nearly_there && change >= last / 2)) return true;
    last = change;
  }
  return false;
}

// The units of x, powers of two, in which each row of A is about as large as its column: motions at rates that are far
// apart (stiff springs, small pendulums) then compare, and so do lengths with angles.           [Parlett & Reinsch 1969]
VectorXd balancing_units(MatrixXd A) {
  constexpr int most_sweeps = 100;
  VectorXd units = VectorXd::Ones(A.rows());
  A.diagonal().setZero();
  bool changed = true;
  for (int sweep = 0; sweep < most_sweeps && changed; ++sweep) {
    changed = false;
    for (Index i = 0; i < A.rows(); ++i) {
      const double half = std::round(std::log2(A.row(i).norm() / A.col(i).norm()) / 2);
      if (!std::isfinite(half) || half == 0) continue;  // what has no row or no column may have any unit
      const double unit = std::exp2(half);
      units[i] *= unit;
      A.row(i) /= unit;
      A.col(i) *= unit;
      changed = true;
    }
  }
  return units;
}

// X of A^T X + X A + C = 0, A stable: the sign of A is -1, and C follows it to 2 X.                    [Roberts 1980]
MatrixXd lyapunov(MatrixXd A, MatrixXd C) {
  sign_iteration(
      A, [&](double c, const MatrixXd& inverse) { C = ((c * C + inverse.transpose() * C * inverse / c) / 2).eval(); });
  return C / 2;
}

// P where x is measured in these units, if it is found.
std::optional<MatrixXd> riccati_in(const VectorXd& units, const MatrixXd& given_A, const MatrixXd& given_B,
                                   const MatrixXd& given_Q, const VectorXd& R) {
  const Index n = given_A.rows();
  const MatrixXd D = units.asDiagonal(), D_inverse = units.cwiseInverse().asDiagonal();
  const MatrixXd A = D_inverse * given_A * D, B = D_inverse * given_B, Q = D * given_Q * D;
  const MatrixXd G = B * R.cwiseInverse().asDiagonal() * B.transpose(), one = MatrixXd::Identity(n, n);
  // P in a unit in which the two are alike, whatever the unit of the weights.
  const double ratio = std::log2(Q.norm() / G.norm());
  const double unit = std::isfinite(ratio) ? std::exp2(std::round(ratio / 2)) : 1;
  MatrixXd S(2 * n, 2 * n);
  S << A, -unit * G, -Q / unit, -A.transpose();
  if (!sign_iteration(S, [](double, const MatrixXd&) {})) return std::nullopt;
  // The stable half of the sign: S (1, P) = -(1, P)
  MatrixXd left(2 * n, n), right(2 * n, n);
  left << S.topRightCorner(n, n), S.bottomRightCorner(n, n) + one;
  right << S.topLeftCorner(n, n) + one, S.bottomLeftCorner(n, n);
  MatrixXd P = left.colPivHouseholderQr().solve(-right);
  P = unit / 2 * (P + P.transpose().eval());
  // What the sign's rounding leaves, Newton's steps take away, each from a law that is stable.         [Kleinman 1968]
  for (int step = 0; step < 5; ++step) {
    const double residual = (A.transpose() * P + P * A - P * G * P + Q).norm(),
                 terms = 2 * (P * A).norm() + (P * G * P).norm() + Q.norm();
    if (!((A - G * P).eigenvalues().real().maxCoeff() < 0)) return std::nullopt;
    if (residual <= 1e-9 * terms) return D_inverse * P * D_inverse;
    P = lyapunov(A - G * P, Q + P * G * P);
    P = (P + P.transpose().eval()) / 2;
    if (!P.allFinite()) return std::nullopt;
  }
  return std::nullopt;
}

// As out_of_reach, where x is measured in these units.
std::optional<VectorXd> out_of_reach_in(const VectorXd& units, const MatrixXd& given_A, const MatrixXd& given_B) {
  const Index n = given_A.rows();
  const MatrixXd A = units.cwiseInverse().asDiagonal() * given_A * units.asDiagonal(),
                 B = units.cwiseInverse().asDiagonal() * given_B;
  const double size = A.norm();
  // Each column as large as A: what it reaches does not depend on the unit of its force, or on how much it weighs.
  MatrixXd S = B;
  for (Index j = 0; j < S.cols(); ++j)
    if (const double length = S.col(j).norm(); length > 0) S.col(j) *= size / length;
  const Eigen::VectorXcd eigenvalues = A.eigenvalues();
  for (Index i = 0; i < n; ++i) {
    const double re = eigenvalues[i].real(), im = eigenvalues[i].imag();
    if (re < -of_double_root * size) continue;
    // u^* (A - lambda) = 0, u^* S = 0 of the complex u = x + i y, in real numbers: (x, y) in the kernel of N N^T,
    // N = [A - re, im, S, 0; -im, A - re, 0, S]
    const MatrixXd shifted = A - re * MatrixXd::Identity(n, n), turned = im * MatrixXd::Identity(n, n),
                   none = MatrixXd::Zero(n, S.cols());
    MatrixXd N(2 * n, 2 * (n + S.cols()));
    N << shifted, turned, S, none, -turned, shifted, none, S;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> squares(N * N.transpose());
    if (std::sqrt(std::max(squares.eigenvalues()[0], 0.0)) > of_double_root * size) continue;
    const VectorXd u = squares.eigenvectors().col(0);
    return (u.head(n).array().square() + u.tail(n).array().square()).sqrt();
  }
  return std::nullopt;
}

}  // namespace

// What is out of reach is so in any units; what is reached may hardly be seen to be in those that a weak tie has chosen.
std::optional<VectorXd> out_of_reach(const MatrixXd& A, const MatrixXd& B) {
  const auto lost = out_of_reach_in(balancing_units(A), A, B);
  return lost && out_of_reach_in(VectorXd::Ones(A.rows()), A, B) ? lost : std::nullopt;
}

std::optional<MatrixXd> riccati(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const VectorXd& R) {
  // Those of its motions; where these are far slower than what drives and weights make of them (dampers that damp
  // nothing), those it has.
  for (const VectorXd& units : {balancing_units(A), VectorXd(VectorXd::Ones(A.rows()))})
    if (auto P = riccati_in(units, A, B, Q, R)) return P;
  return std::nullopt;
}

}  // namespace denoc::control
