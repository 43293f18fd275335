// First derivatives of the accelerations and multipliers of a closed chain. The equations
//   I a + bias - J^T f = tau,   J a + J'v = 0
// are differentiated at the accelerations a and multipliers f that solve them:
//   I da - J^T df = dtau - d(bias + I a - J^T f),   J da = -d(J a + J'v)      (a, f held on the right)
// What is on the right is the tree's (derivatives of inverse dynamics) and the loops' (by Dual). Where loops are
// redundant the derivatives hold for changes that keep them closed: along others the rows ask for different things,
// and da is the nearest to all of them. f is the shortest there and stays so:
//   df = (the shortest that solves the above) + (1 - J^T+ J^T) dJ u,   J u = f            [Golub & Pereyra 1973]
#pragma once
#include <Eigen/Dense>

#include "closure_system.hpp"
#include "denoc/dynamics/inertia/udut.hpp"

namespace denoc {

class ClosedDerivatives {
 public:
  ClosedDerivatives(const Model& model, std::shared_ptr<const ClosureRows> rows);
  // A state, the factor of its tree's inertia matrix, and the accelerations and multipliers there.
  struct State {
    const Configuration<double>& at;
    const Factor<double>& factor;
    std::span<const double> q, v, a, multipliers;
  };
  // dq, dv (n x n by rows): dtau/dq and dtau/dv of the tree become da/dq and da/dv; dtau becomes da/dtau.
  void close(const State& s, std::span<double> dq, std::span<double> dv, std::span<double> dtau);
  // The same of a chain whose tree has no inertia somewhere (s.factor is not looked at), but for its loops; false where
  // these do not help.
  bool close_stiffened(const State& s, std::span<double> dq, std::span<double> dv, std::span<double> dtau);
  // df/dq, df/dv, df/dtau of the state last closed, rows x n by rows; empty before there was one.
  struct OfMultipliers {
    std::vector<double> dq = {}, dv = {}, dtau = {};
  };
  OfMultipliers of_multipliers = {};

 private:
  using D = Dual<double>;
  void move_to(const State& s);  // and the gradients of closure_ there
  // halves: L^-1 and L^-T of the inertia matrix L L^T; free(load, c): the accelerations before loops are closed.
  template <class Halves, class Free>
  void close_in(Halves& halves, const Free& free, const State& s, std::span<double> dq, std::span<double> dv,
                std::span<double> dtau);
  void evaluate_loops(std::span<const double> a, const Eigen::VectorXd& multipliers, const Eigen::VectorXd& u);
  Eigen::MatrixXd gradients();

  const Model* model_;
  ClosureSystem closure_;           // the rows, what is left out of them, and what they are measured in
  bool has_still_carriers_ = true;  // as closure_ says
  Configuration<D> at_;
  LoopKinematics<D> kin_;
  std::vector<D> q_, moved_, v_, step_, gradient_;
  std::vector<D> load_, acceleration_, weighed_;  // J^T f, J a + J'v, J u
  SolveScratch<double> solve_;
};

}  // namespace denoc
