// Passes for one state in double run as the best instruction set of the processor has them.
#include "instantiate.hpp"
#include "recursions.hpp"

DENOC_INSTANTIATE_PRODUCTS(double)

namespace denoc {

namespace {

const DerivativeRecursions& best_derivatives() {
#define DENOC_ROW(isa, ...) isa##_derivative_recursions,
  static constexpr const DerivativeRecursions& (*all[])() = {DENOC_FOR_INSTRUCTION_SETS(DENOC_ROW)};
#undef DENOC_ROW
  static const DerivativeRecursions& picked = all[instruction_set_in_use()]();
  return picked;
}

}  // namespace

template <>
void vary_outward<double>(const Model& model, const Configuration<double>& at, std::span<const double> v,
                          std::span<const double> a, VariationScratch<double>& s, std::vector<Wrench<double>>& w) {
  best_derivatives().vary_outward(model, at, v, a, s, w);
}
template <>
void differentiate_inward<double>(const Model& model, const Configuration<double>& at,
                                  InverseDerivativesScratch<double>& s) {
  best_derivatives().differentiate_inward(model, at, s);
}
template <> void unfold_triangles<double>(InverseDerivativesScratch<double>& s, double* dq, double* dv, double* da) {
  best_derivatives().unfold_triangles(s, dq, dv, da);
}
template <> void set_system<double>(InverseDerivativesScratch<double>& inverse, BranchSystem<double>& system) {
  best_derivatives().set_system(inverse, system);
}
template <> void solve_branches<double>(const Branches& on, BranchSystem<double>& system) {
  best_derivatives().solve_branches(on, system);
}
template <>
void unfold_system<double>(const Branches& on, BranchSystem<double>& system, double* dq, double* dv, double* dtau) {
  best_derivatives().unfold_system(on, system, dq, dv, dtau);
}

}  // namespace denoc
