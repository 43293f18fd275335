// Passes for one state in double run as the best instruction set of the processor has them.
#include "instantiate.hpp"
#include "recursions.hpp"

DENOC_INSTANTIATE_REST(double)

namespace denoc {

const Recursions& recursions_of(std::size_t instruction_set) {
#define DENOC_ROW(isa, ...) isa##_recursions,
  static constexpr const Recursions& (*all[])() = {DENOC_FOR_INSTRUCTION_SETS(DENOC_ROW)};
#undef DENOC_ROW
  return all[instruction_set]();
}

namespace {

using At = Configuration<double>;
using Numbers = std::span<const double>;
using Results = std::span<double>;

const Recursions& best() {
  static const Recursions& picked = recursions_of(instruction_set_in_use());
  return picked;
}

}  // namespace

template <> void place<double>(const Model& model, Numbers q, At& at) { best().place(model, q, at); }
template <>
void body_wrenches<double>(const Model& model, const At& at, const Numbers& v, const Numbers& a,
                           InverseScratch<double>& s) {
  best().body_wrenches(model, at, v, a, s);
}
template <>
void body_wrenches<double>(const Model& model, const At& at, const Numbers& v, const Zero& a,
                           InverseScratch<double>& s) {
  best().bias_wrenches(model, at, v, a, s);
}
template <> void project_to_joints<double>(const Model& model, const At& at, InverseScratch<double>& s, Results tau) {
  best().project_to_joints(model, at, s, tau);
}
template <> void eliminate_joints<double>(const Model& model, const At& at, Factor<double>& f) {
  best().eliminate_joints(model, at, f);
}
template <>
void eliminate_loaded_joints<double>(const Model& model, const At& at, Numbers tau, ForwardScratch<double>& s) {
  best().eliminate_loaded_joints(model, at, tau, s);
}
template <>
void solve_upper<double>(const Model& model, const At& at, const Factor<double>& f, Numbers phi,
                         SolveScratch<double>& s, Results phi_hat) {
  best().solve_upper(model, at, f, phi, s, phi_hat);
}
template <>
void solve_lower<double>(const Model& model, const At& at, const Factor<double>& f, Numbers phi_hat,
                         SolveScratch<double>& s, Results x) {
  best().solve_lower(model, at, f, phi_hat, s, x);
}
template <>
void inertia_matrix<double>(const Model& model, const At& at, CompositeScratch<double>& s, Results inertia) {
  best().inertia_matrix(model, at, s, inertia);
}
template <>
void inertia_inverse<double>(const Model& model, const At& at, const Factor<double>& f,
                             InertiaInverseScratch<double>& s, Results inverse) {
  best().inertia_inverse(model, at, f, s, inverse);
}

}  // namespace denoc
