// Steps of a closed chain, differentiated: its accelerations in the stages of a step, where the loops are open by what the
// step leaves, and how the state follows when they are closed again at its end.
#pragma once
#include <Eigen/Dense>
#include <optional>

#include "denoc/forces/forces.hpp"
#include "denoc/loops/closed_chain.hpp"
#include "denoc/mechanism/dynamics.hpp"
#include "loops/closure_system.hpp"
#include "mechanism/differentiation.hpp"

namespace denoc {

class ClosedSteps {
 public:
  ClosedSteps(const Mechanism& mechanism, Forces forces);

  // The accelerations that tau gives, closed or not, and in `derivatives` da/dq, da/dv, da/dtau there.
  std::vector<double> accelerate(std::span<const double> q, std::span<const double> v, std::span<const double> tau);
  Differentiation derivatives;

  // Dynamics::step closes the loops at its end by Newton's steps of the shortest d, in units of rows and degrees of
  // freedom, then the rates:
  //   q <- q + d,  d = -J^+ phi,      v <- v - J^+ J v
  // How q and v then follow those before (2n x 2n, each q on its own tangent space). Throws NotCovered where rows depend on
  // each other.
  Eigen::MatrixXd close(const std::vector<double>& q, const std::vector<double>& v);

 private:
  ClosedSteps(const Mechanism& mechanism, Forces forces, const std::shared_ptr<const ClosureRows>& rows);
  using D = Dual<double>;
  // A vector and how it changes.
  struct Changing {
    Eigen::VectorXd x, d;
  };
  void evaluate();
  Changing shortest(const Changing& right) const;
  void move(const Changing& d);

  const Mechanism* mechanism_;
  ClosedChain chain_;
  Configuration<double> at_;
  std::optional<ForcesOf<double>> forces_ = {};
  // Over Dual: the posture; phi and J^T there, and how they change, in units.
  ClosureSystem rows_;
  Configuration<D> at_d_;
  LoopKinematics<D> kin_;
  std::vector<D> q_ = {}, rest_ = {}, gradient_ = {}, step_ = {};
  Changing phi_ = {};
  Eigen::MatrixXd G_ = {}, dG_ = {};
};

}  // namespace denoc
