// Second derivatives of inverse dynamics: first ones over Dual, along one coordinate of q and of v after the other.
//   of lambda . tau   its gradient, O(n), along all of them: O(n^2)
//   of tau            the matrices dtau/dq, dtau/dv, dtau/da along all of them: O(n^2 d)
// By q they are those of tau(q + d) by d at d = 0: with E_k the derivative along column k, (E_j E_k + E_k E_j)/2. tau is
// linear in a, and what a gives does not depend on v: nothing is left of d2tau/da2 and d2tau/dv da.
#pragma once
#include "denoc/dynamics/derivatives/inverse.hpp"
#include "denoc/dynamics/derivatives/products.hpp"
#include "force_derivatives.hpp"
#include "varied_state.hpp"
#include "world_wrenches.hpp"

namespace denoc {

class SecondDerivatives {
 public:
  SecondDerivatives(const Model& tree, bool with_forces);

  // Of lambda . tau: qq, qv, qa, vv become n x n.
  void contract(const DifferentiatedMotion& m, std::span<const double> lambda);
  // Of tau: they become n x n x n, that of the first joint first.
  void expand(const DifferentiatedMotion& m);

  std::vector<double> qq = {}, qv = {}, qa = {}, vv = {};

 private:
  using D = Dual<double>;
  // rows: of what is differentiated; first() sets dq_, dv_, da_ (rows x n) where `varied_` is.
  template <class First> void differentiate(const DifferentiatedMotion& m, std::size_t rows, First&& first);
  // What forces of the file and wrenches of the world add to dtau/dq and dtau/dv.
  void add_forces(std::span<D> dq, std::span<D> dv);

  const Model* tree_;
  std::size_t n_;
  VariedState varied_;
  GradientScratch<D> gradient_;
  InverseDerivativesScratch<D> inverse_;
  WorldWrenches<D> turning_;
  std::optional<ForceDerivatives<D>> forces_ = {};
  std::vector<D> dq_, dv_, da_, forces_q_, forces_v_, lambda_;
};

}  // namespace denoc
