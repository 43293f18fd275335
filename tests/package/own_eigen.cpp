// A program that has an Eigen of its own, compiled for newer processors than the library is for, where memory is aligned
// otherwise: closed chains, which the library solves with Eigen, and the program's matrices do not meet.
#include <Eigen/Dense>
#include <cmath>
#include <denoc/denoc.hpp>
#include <vector>

int main() {
  const denoc::Mechanism linkage("fourbar");
  denoc::Dynamics dynamics(linkage);
  const auto closed = dynamics.assemble(linkage.neutral());
  const std::vector<double> q(closed.begin(), closed.end()), rest(linkage.nv()), tau(linkage.nv(), 1.0);
  double first = 0, most = 0;
  for (int n = 1; n < 40; ++n) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n) + 2 * n * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(n), x = A.colPivHouseholderQr().solve(b);
    most = std::fmax(most, (A * x - b).norm());
    const double a = dynamics.forward(q, rest, tau)[0];
    if (n == 1) first = a;
    if (a != first) return 1;
    A.resize(2 * n, 3);
  }
  return std::isfinite(first) && most < 1e-12 ? 0 : 2;
}
