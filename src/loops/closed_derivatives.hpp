// First derivatives of the accelerations and multipliers of a closed chain. The equations
//   I a + bias - J^T f = tau,   J a + J'v = 0
// are differentiated at the accelerations a and multipliers f that solve them:
//   I da - J^T df = dtau - d(bias + I a - J^T f),   J da = -d(J a + J'v)      (a, f held on the right)
// What is on the right is the tree's (derivatives of inverse dynamics) and the loops' (by Dual). Where loops are
// redundant the derivatives hold for changes that keep them closed: along others the rows ask for different things,
// and da is the nearest to all of them; df is then the shortest, and no derivative of anything.
#pragma once
#include <Eigen/Dense>

#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/loops/closure.hpp"

namespace denoc {

class ClosedDerivatives {
 public:
  explicit ClosedDerivatives(const Model& model);
  // Where the derivatives of a and of f stand: n x n and rows x n numbers, by rows.
  struct Matrices {
    std::span<double> dq, dv, dtau;
  };
  int rows() const { return static_cast<int>(rows_.size()); }
  // dtau/dq and dtau/dv of the tree at q (in `at`), v, a, which stand in `of_a`, become da/dq and da/dv, with da/dtau; and
  // the same of the multipliers. `factor` is that of the tree's inertia matrix at q.
  void close(const Configuration<double>& at, const Factor<double>& factor, std::span<const double> q,
             std::span<const double> v, std::span<const double> a, std::span<const double> multipliers,
             const Matrices& of_a, const Matrices& of_multipliers);

 private:
  using D = Dual<double>;
  void evaluate_loops(std::span<const double> a, std::span<const double> multipliers);

  const Model* model_;
  std::vector<ClosureRow> rows_;
  std::vector<LoopPath> paths_;  // by loop
  Configuration<D> at_;
  LoopKinematics<D> kin_;
  std::vector<LoopFrames<D>> frames_;
  std::vector<D> q_, moved_, v_, step_, gradient_;
  std::vector<D> load_, acceleration_;  // J^T f, J a + J'v
  SolveScratch<double> solve_;
};

}  // namespace denoc
