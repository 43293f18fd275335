#include <fmt/format.h>

#include <limits>

#include "checks.hpp"
#include "run.hpp"

namespace denoc {

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

std::vector<std::string> warnings_of(const Statistics& run, const IntegratorOptions& options) {
  std::vector<std::string> all;
  if (run.stiff)
    all.push_back(
        fmt::format("stability, not accuracy, held the steps of {} small: the robot is stiff, and bdf may be faster",
                    name_of(options.method)));
  // A hundredth of the largest kinetic energy is more than errors of steps add up to; where hardly anything moves, so
  // is a hundred times what the tolerances allow in one step.
  constexpr double much = 0.01, many = 100;
  const bool is_controlled = has_tolerances(options.method);
  const double atol = is_controlled ? options.atol : 0,
               rtol = is_controlled ? options.rtol : std::numeric_limits<double>::epsilon();
  const double allowed = much * run.largest_kinetic + many * (atol + rtol * run.largest_energy);
  if (!(run.balance_defect <= allowed))
    all.push_back(fmt::format(
        "{:.3g} J are unaccounted for, where the kinetic energy is {:.3g} J at most: {}", run.balance_defect,
        run.largest_kinetic,
        is_controlled
            ? "something was passed over by a step, and the motion is wrong; a smaller max_step may help"
            : fmt::format(
                  "the motion is only roughly right; a step shorter than {:g} s, or dopri5, which finds its own, "
                  "may help",
                  options.step)));
  if (!run.beyond_limits.empty()) {
    const auto& [joint, t] = run.beyond_limits.front();
    const std::size_t others = run.beyond_limits.size() - 1;
    all.push_back(
        fmt::format("joint '{}'{} goes beyond its limits at t = {:.3g} s: limits stop no joint unless they have "
                    "a stiffness",
                    joint, others > 0 ? fmt::format(" (and {} more)", others) : "", t));
  }
  return all;
}

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
  simulation::require_sense(model, setup);
  simulation::Run run(model, setup, observer);
  try {
    run.begin();
    simulation::run_by(setup.integrator.method)(model, run);
  } catch (const simulation::NoAcceleration& error) {
    run.give_up(error.what());
  }
  run.statistics().evaluations += run.system().evaluations();
  return run.statistics();
}

}  // namespace denoc
