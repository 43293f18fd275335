#include <fmt/format.h>

#include <cmath>

#include "denoc/error.hpp"
#include "run.hpp"

namespace denoc {
namespace {

void require_sense(const Model& model, const SimulationSetup& setup) {
  require_size(std::span(setup.q), model.nq(), "q");
  require_size(std::span(setup.v), model.nv(), "v");
  const auto require_positive = [](double x, const char* name) {
    if (!(x > 0)) throw ArgumentError(fmt::format("{} = {} is not positive", name, x));
  };
  const IntegratorOptions& options = setup.integrator;
  for (const auto& [x, name] : {std::pair{setup.duration, "duration"},
                                {setup.every, "every"},
                                {options.step, "step"},
                                {options.rtol, "rtol"},
                                {options.atol, "atol"},
                                {options.max_step, "max_step"}}) {
    require_positive(x, name);
  }
  if (!std::isfinite(setup.duration)) throw ArgumentError("duration is not finite");
  if (options.method == IntegrationMethod::ida && !setup.method.empty())
    throw ArgumentError(
        fmt::format("ida solves the equations of motion by itself: leave method '{}' out", setup.method));
  if (setup.control_rate < 0) throw ArgumentError("control_rate is negative");
  for (const ExternalWrench& wrench : setup.wrenches) {
    model.body(wrench.body);
    if (!wrench.at) throw ArgumentError("an external wrench has no function of time");
  }
  if (!setup.ground) return;
  require_positive(setup.ground->slip_speed, "slip_speed");
  for (const GroundContact::Touch& touch : setup.ground->points) model.body(touch.body);
}

}  // namespace

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

std::string_view name_of(FrictionEvent::Kind kind) {
  switch (kind) {
    case FrictionEvent::Kind::stick:
      return "stick";
    case FrictionEvent::Kind::slip:
      return "slip";
    case FrictionEvent::Kind::turn:
      return "turn";
  }
  return "";
}

bool has_tolerances(IntegrationMethod method) { return !integrator(method).has_fixed_step; }

namespace simulation {
namespace {

// Until the library denoc_arkode is asked for.
void without_arkode(const Model&, Run& run) {
  run.fail("method sdirk4 is that of SUNDIALS' ARKODE: link with denoc_arkode and call use_arkode() of arkode.hpp");
}
RunBy run_by(IntegrationMethod method) {
  switch (integrator(method).library) {
    case Integrator::Library::none:
      return run_one_step;
    case Integrator::Library::cvode:
      return run_multistep;
    case Integrator::Library::ida:
      return run_ida;
    case Integrator::Library::arkode:
      break;
  }
  return run_arkode != nullptr ? run_arkode : without_arkode;
}

}  // namespace

RunBy run_arkode = nullptr;

}  // namespace simulation

Statistics simulate(const Model& model, const SimulationSetup& setup, const Observer& observer) {
  require_sense(model, setup);
  simulation::Run run(model, setup, observer);
  try {
    run.begin();
    simulation::run_by(setup.integrator.method)(model, run);
  } catch (const simulation::NoAcceleration& error) {
    run.fail(error.what());
  }
  run.statistics().evaluations += run.system().evaluations();
  return run.statistics();
}

}  // namespace denoc
