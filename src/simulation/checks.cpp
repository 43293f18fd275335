#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "denoc/error.hpp"
#include "denoc/model/quaternions.hpp"
#include "kinematics/checks.hpp"
#include "least_step.hpp"

namespace denoc::simulation {
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

}  // namespace

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
  if (const std::string words = samples_too_close(setup.control_rate, setup.duration); !words.empty())
    throw ArgumentError(fmt::format("control_rate = {}: {}", setup.control_rate, words));
  if (options.method == IntegrationMethod::ida && !setup.method.empty())
    throw ArgumentError(
        fmt::format("ida solves the equations of motion by itself: leave method '{}' out", setup.method));
  for (const ExternalWrench& wrench : setup.wrenches) require_sense(wrench, model);
  if (setup.ground) require_sense(*setup.ground, model);
}

}  // namespace denoc::simulation
