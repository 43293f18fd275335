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

std::string_view name_of(IntegrationMethod method) {
  switch (method) {
    case IntegrationMethod::euler:
      return "euler";
    case IntegrationMethod::symplectic_euler:
      return "symplectic_euler";
    case IntegrationMethod::rk4:
      return "rk4";
    case IntegrationMethod::dopri5:
      return "dopri5";
    case IntegrationMethod::adams:
      return "adams";
    case IntegrationMethod::bdf:
      return "bdf";
    case IntegrationMethod::ida:
      return "ida";
  }
  return "";
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

bool has_tolerances(IntegrationMethod method) { return method == IntegrationMethod::dopri5 || is_multistep(method); }

bool is_multistep(IntegrationMethod method) {
  return method == IntegrationMethod::adams || method == IntegrationMethod::bdf || method == IntegrationMethod::ida;
}

Statistics simulate(const Model& model, const SimulationSetup& setup, const Observer& observer) {
  require_sense(model, setup);
  simulation::Run run(model, setup, observer);
  try {
    run.begin();
    if (setup.integrator.method == IntegrationMethod::ida) {
      simulation::run_ida(model, run);
    } else if (is_multistep(setup.integrator.method)) {
      simulation::run_multistep(model, run);
    } else {
      simulation::run_one_step(model, run);
    }
  } catch (const simulation::NoAcceleration& error) {
    run.fail(error.what());
  }
  run.statistics().evaluations += run.system().evaluations();
  return run.statistics();
}

}  // namespace denoc
