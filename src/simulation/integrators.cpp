// The table of integrators, and what it answers.
#include "run.hpp"

namespace denoc {

std::span<const Integrator> integrators() {
  using enum IntegrationMethod;
  using Library = Integrator::Library;
  static constexpr Integrator all[] = {
      {euler, "euler", {}, true, Library::none, "order 1, explicit"},
      {symplectic_euler, "symplectic_euler", {"symplectic-euler"}, true, Library::none, "order 1, energy stays near"},
      {backward_euler, "backward_euler", {"backward-euler"}, true, Library::none, "order 1, implicit"},
      {rk4, "rk4", {}, true, Library::none, "Runge and Kutta's, order 4"},
      {bs23, "bs23", {"bogacki-shampine", "ode23"}, false, Library::none, "Bogacki and Shampine's pair 3(2)"},
      {dopri5, "dopri5", {"dormand-prince", "rk45", "ode45"}, false, Library::none, "Dormand and Prince's pair 5(4)"},
      {sdirk4, "sdirk4", {}, false, Library::arkode, "diagonally implicit Runge-Kutta 4(3), stiffly accurate"},
      {adams, "adams", {}, false, Library::cvode, "multistep"},
      {bdf, "bdf", {"gear"}, false, Library::cvode, "multistep, implicit"},
      {ida, "ida", {}, false, Library::ida, "multistep, implicit: the equations as they stand, multipliers included"},
  };
  return all;
}
const Integrator& integrator(IntegrationMethod method) { return integrators()[static_cast<std::size_t>(method)]; }

std::string_view name_of(IntegrationMethod method) { return integrator(method).name; }
bool has_tolerances(IntegrationMethod method) { return !integrator(method).has_fixed_step; }
bool is_multistep(IntegrationMethod method) {
  const Integrator::Library library = integrator(method).library;
  return library == Integrator::Library::cvode || library == Integrator::Library::ida;
}
bool is_available(IntegrationMethod method) {
  switch (integrator(method).library) {
    case Integrator::Library::none:
      return true;
    case Integrator::Library::arkode:
      return simulation::run_arkode != nullptr;
    default:
      return has_multistep();
  }
}

}  // namespace denoc
