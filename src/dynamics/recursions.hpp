// The passes of the recursions for one state in double, as a translation unit compiled for one instruction set offers
// them: DENOC_RECURSIONS(avx2). Every function here carries Isa in its type, so that no code is shared with files
// compiled for another (scripts/isa_symbols checks it).
#pragma once
#include "denoc/dynamics/forward/denoc.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/scalar/pack.hpp"
#include "scalar/instruction_sets.hpp"

namespace denoc {

struct Recursions {
  decltype(&denoc::place<double>) place;
  decltype(&denoc::body_wrenches<double, AnyIsa, std::span<const double>, std::span<const double>>) body_wrenches;
  decltype(&denoc::body_wrenches<double, AnyIsa, std::span<const double>, Zero>) bias_wrenches;
  decltype(&denoc::project_to_joints<double>) project_to_joints;
  decltype(&denoc::eliminate_joints<double>) eliminate_joints;
  decltype(&denoc::eliminate_loaded_joints<double>) eliminate_loaded_joints;
  decltype(&denoc::solve_upper<double>) solve_upper;
  decltype(&denoc::solve_lower<double>) solve_lower;
  decltype(&denoc::inertia_matrix<double>) inertia_matrix;
  decltype(&denoc::inertia_inverse<double>) inertia_inverse;
};

template <class Isa> constexpr Recursions recursions_of() {
  return {place<double, Isa>,
          body_wrenches<double, Isa, std::span<const double>, std::span<const double>>,
          body_wrenches<double, Isa, std::span<const double>, Zero>,
          project_to_joints<double, Isa>,
          eliminate_joints<double, Isa>,
          eliminate_loaded_joints<double, Isa>,
          solve_upper<double, Isa>,
          solve_lower<double, Isa>,
          inertia_matrix<double, Isa>,
          inertia_inverse<double, Isa>};
}

#define DENOC_DECLARE(isa, ...) const Recursions& isa##_recursions();
DENOC_FOR_INSTRUCTION_SETS(DENOC_DECLARE)
#undef DENOC_DECLARE
// Those of one of instruction_sets().
const Recursions& recursions_of(std::size_t instruction_set);

#define DENOC_RECURSIONS(isa)                                      \
  namespace denoc {                                                \
  namespace {                                                      \
  struct isa {};                                                   \
  }                                                                \
  const Recursions& isa##_recursions() {                           \
    static constexpr Recursions recursions = recursions_of<isa>(); \
    return recursions;                                             \
  }                                                                \
  }

}  // namespace denoc
