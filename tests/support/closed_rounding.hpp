// What rounding may make of answers about closed chains.
#pragma once
#include <Eigen/Dense>

#include "denoc/loops/closed_chain.hpp"
#include "support/dense.hpp"
#include "support/expect.hpp"

namespace denoc::test {

// J^T f
inline std::vector<double> joint_forces(ClosedChain& chain, const std::vector<double>& q,
                                        const std::vector<double>& f) {
  const std::vector<double> J = chain.jacobian(q);
  const std::size_t n = J.size() / f.size();
  std::vector<double> tau(n);
  for (std::size_t i = 0; i < J.size(); ++i) tau[i % n] += J[i] * f[i / n];
  return tau;
}
// The condition of a matrix, without what it maps to nothing: rows may depend on each other.
inline double spread(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd values = singular_values(matrix);
  double least = values[0];
  for (const double value : values)
    if (value > 1e-8 * values[0]) least = value;
  return values[0] / least;
}
// From the terms that meet and the conditions of the matrices in between.
struct ClosedRounding {
  int n;
  double forces;         // of I a + bias = tau + J^T f: its terms, f found through J I^-1 J^T = B^T B
  double accelerations;  // I^-1 of that
  double closing;        // of J v and J a + J'v, for rates and accelerations of size 1, found through J J^T
  double sharing;        // of forces that are projected by J J^T

  ClosedRounding(const Model& model, ClosedChain& chain, const std::vector<double>& q, const std::vector<double>& v,
                 const std::vector<double>& tau, const ClosedChain::Forward& forward)
      : n(model.nv()) {
    Machine<double> machine(model, q, v);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const std::vector<double> entries = chain.jacobian(q), inertia = machine.inertia();
    const Rows J = Eigen::Map<const Rows>(entries.data(), chain.rows(), n),
               I = Eigen::Map<const Rows>(inertia.data(), n, n);
    const Rows B = Eigen::LLT<Rows>(I).matrixL().solve(Rows(J.transpose()));
    const double through_loops = spread(B), through_J = spread(J);
    const double terms = terms_of(machine, forward.a, tau) + largest(joint_forces(chain, q, forward.multipliers));
    forces = rounding<double>(n, terms) * through_loops;
    sharing = rounding<double>(n, terms) * through_J;
    accelerations = (forces + sharing) * inverse_of(I).cwiseAbs().rowwise().sum().maxCoeff() * through_loops;
    closing = rounding<double>(n, J.cwiseAbs().rowwise().sum().maxCoeff()) * through_J;
  }
};

}  // namespace denoc::test
