// The passes of derivatives for one state in double, as a translation unit compiled for one instruction set offers
// them: DENOC_DERIVATIVE_RECURSIONS(avx2), as those of dynamics/recursions.hpp.
#pragma once
#include "denoc/dynamics/derivatives/forward.hpp"
#include "denoc/scalar/pack.hpp"
#include "scalar/instruction_sets.hpp"

namespace denoc {

struct DerivativeRecursions {
  decltype(&denoc::vary_outward<double>) vary_outward;
  decltype(&denoc::differentiate_inward<double>) differentiate_inward;
  decltype(&denoc::unfold_triangles<double>) unfold_triangles;
  decltype(&denoc::set_system<double>) set_system;
  decltype(&denoc::solve_branches<double>) solve_branches;
  decltype(&denoc::unfold_system<double>) unfold_system;
};
template <class Isa> constexpr DerivativeRecursions derivative_recursions_of() {
  return {vary_outward<double, Isa>, differentiate_inward<double, Isa>, unfold_triangles<double, Isa>,
          set_system<double, Isa>,   solve_branches<double, Isa>,       unfold_system<double, Isa>};
}

#define DENOC_DECLARE(isa, ...) const DerivativeRecursions& isa##_derivative_recursions();
DENOC_FOR_INSTRUCTION_SETS(DENOC_DECLARE)
#undef DENOC_DECLARE

#define DENOC_DERIVATIVE_RECURSIONS(isa)                                                \
  namespace denoc {                                                                     \
  namespace {                                                                           \
  struct isa {};                                                                        \
  }                                                                                     \
  const DerivativeRecursions& isa##_derivative_recursions() {                           \
    static constexpr DerivativeRecursions recursions = derivative_recursions_of<isa>(); \
    return recursions;                                                                  \
  }                                                                                     \
  }

}  // namespace denoc
