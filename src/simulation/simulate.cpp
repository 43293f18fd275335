#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/error.hpp"
#include "denoc/model/quaternions.hpp"
#include "kinematics/checks.hpp"
#include "run.hpp"

namespace denoc {
namespace {

// Written so that NaN is refused: what is required must be true.
void require_finite(double x, const char* name) {
  if (!std::isfinite(x)) throw ArgumentError(fmt::format("{} = {} is not finite", name, x));
}
void require_finite(std::span<const double> all, const char* name) {
  for (const double x : all) require_finite(x, name);
}
void require_finite(const Vec3<double>& p, const char* name) {
  for (const double x : {p.x, p.y, p.z}) require_finite(x, name);
}
void require_not_negative(double x, const char* name) {
  require_finite(x, name);
  if (!(x >= 0)) throw ArgumentError(fmt::format("{} = {} is negative", name, x));
}
void require_positive(double x, const char* name) {
  if (!(x > 0)) throw ArgumentError(fmt::format("{} = {} is not positive", name, x));
}
void require_finite_and_positive(double x, const char* name) {
  require_positive(x, name);
  require_finite(x, name);
}

void require_sense(const ExternalWrench& wrench, const Model& model) {
  model.body(wrench.body);
  if (!wrench.at) throw ArgumentError("an external wrench has no function of time");
  require_finite(wrench.point, "the point of an external wrench");
  require_finite(wrench.breaks, "a break of an external wrench");
  if (!std::is_sorted(wrench.breaks.begin(), wrench.breaks.end()))
    throw ArgumentError("the breaks of an external wrench are not in order");
}
void require_sense(const GroundContact& ground, const Model& model) {
  require_finite(ground.point, "the point of the ground");
  require_finite(ground.normal, "the normal of the ground");
  if (const double length = norm(ground.normal); std::abs(length - 1) > unit_length_error)
    throw ArgumentError(fmt::format("the normal of the ground has the length {}, not 1", length));
  require_not_negative(ground.stiffness, "the stiffness of the ground");
  require_not_negative(ground.damping, "the damping of the ground");
  require_not_negative(ground.friction, "the friction of the ground");
  require_finite_and_positive(ground.slip_speed, "slip_speed");
  for (const GroundContact::Touch& touch : ground.points) {
    model.body(touch.body);
    require_finite(touch.point, "a point that touches the ground");
  }
}
void require_sense(const Model& model, const SimulationSetup& setup) {
  require_size(std::span(setup.q), model.nq(), "q");
  require_size(std::span(setup.v), model.nv(), "v");
  require_finite(setup.q, "an entry of q");
  require_finite(setup.v, "an entry of v");
  static_cast<void>(kinematics::coordinates_of(model, setup.q, "q"));
  const IntegratorOptions& options = setup.integrator;
  require_finite_and_positive(setup.duration, "duration");
  require_finite_and_positive(setup.every, "every");
  require_finite_and_positive(options.step, "step");
  require_finite_and_positive(options.rtol, "rtol");
  require_finite_and_positive(options.atol, "atol");
  require_positive(options.max_step, "max_step");
  require_not_negative(setup.stabilisation, "stabilisation");
  require_not_negative(setup.control_rate, "control_rate");
  if (setup.control && setup.control->wants_rate() && setup.control_rate == 0)
    throw ArgumentError("the control law sums from sample to sample: give it a control_rate, 1000 Hz for example");
  if (const std::string words = simulation::samples_too_close(setup.control_rate, setup.duration); !words.empty())
    throw ArgumentError(fmt::format("control_rate = {}: {}", setup.control_rate, words));
  if (options.method == IntegrationMethod::ida && !setup.method.empty())
    throw ArgumentError(
        fmt::format("ida solves the equations of motion by itself: leave method '{}' out", setup.method));
  for (const ExternalWrench& wrench : setup.wrenches) require_sense(wrench, model);
  if (setup.ground) require_sense(*setup.ground, model);
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

std::vector<std::string> warnings_of(const Statistics& run, const IntegratorOptions& options) {
  std::vector<std::string> all;
  if (run.stiff)
    all.push_back(
        fmt::format("stability, not accuracy, held the steps of {} small: the robot is stiff, and bdf may be faster",
                    name_of(options.method)));
  // A hundredth of the largest kinetic energy is more than errors of steps add up to; where hardly anything moves, so
  // is a hundred times what the tolerances allow in one step.
  constexpr double much = 0.01, many = 100;
  const double allowed = much * run.largest_kinetic + many * (options.atol + options.rtol * run.largest_energy);
  if (has_tolerances(options.method) && !(run.balance_defect <= allowed))
    all.push_back(
        fmt::format("{:.3g} J are unaccounted for, where the kinetic energy is {:.3g} J at most: something was passed "
                    "over by a step, and the motion is wrong; a smaller max_step may help",
                    run.balance_defect, run.largest_kinetic));
  return all;
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
