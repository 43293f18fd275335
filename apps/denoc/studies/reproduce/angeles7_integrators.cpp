// Angeles7 7.6.3: explicit and implicit methods of integration, on a motion that is smooth and on a stiff one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/reproduce/angeles7_parts.hpp"
#include "studies/reproduce/runs.hpp"

namespace denoc::app {
namespace {

// An arm that falls from rest; with stiff springs and dampers in its joints it is a stiff problem.
Robot falling_arm(double stiffness, double damping) {
  Robot robot = shipped("planar3r");
  for (std::size_t b = 1; b <= 3; ++b) {
    robot.bodies[b].joint.spring = {stiffness, 0};
    robot.bodies[b].joint.friction.viscous = damping;
  }
  return robot;
}
SimulationSetup let_go(const IntegratorOptions& integrator) {
  SimulationSetup setup;
  setup.q = {0.4, -0.7, 1.1};
  setup.v = {0, 0, 0};
  setup.duration = setup.every = 1;
  setup.integrator = integrator;
  return setup;
}

struct Outcome {
  double error;  // of the angles at the end
  Statistics statistics;
};
Outcome outcome(const Model& model, const IntegratorOptions& options, const Numbers& exact) {
  const Run found = run(model, let_go(options));
  return {largest_difference(found.record.q.back(), exact), found.statistics};
}

std::string words_for(const Integrator& row) {
  std::string also;
  for (const std::string_view word : row.also)
    if (!word.empty()) also += fmt::format("{}`{}`", also.empty() ? "" : ", ", word);
  return also;
}

}  // namespace

void integrators(Page& page) {
  page.section("integrators", "7.6.3: simulation, explicit and implicit methods");
  page.say(
      "The book names explicit methods (Runge-Kutta of two and three stages, `ode23`, and of four and five, `ode45`) "
      "and implicit ones (backward Euler (7.121), Adams's, Gear's, implicit Runge-Kutta), and has no example. (7.121) "
      "is backward Euler; the trapezoidal rule, of which it speaks, would take the mean of both slopes. Here are all "
      "methods that denoc has on `planar3r` let go at (0.4, -0.7, 1.1), 1 s; and the same with springs of 1e4 N m/rad "
      "and dampers of 1e4 N m s/rad in its joints: eigenvalues of about -1 and down to -1e6 /s, a stiff problem.");
  const Model loose(falling_arm(0, 0)), stiff(falling_arm(1e4, 1e4));
  IntegratorOptions tight{.method = IntegrationMethod::dopri5, .rtol = 1e-13, .atol = 1e-13};
  const Numbers of_loose = run(loose, let_go(tight)).record.q.back();
  tight.method = is_available(IntegrationMethod::sdirk4) ? IntegrationMethod::sdirk4 : IntegrationMethod::bdf;
  tight.rtol = tight.atol = 1e-11;
  const Numbers of_stiff = run(stiff, let_go(tight)).record.q.back();
  std::vector<Page::Row> rows;
  for (const Integrator& row : denoc::integrators()) {
    Page::Row cells = {fmt::format("`{}`", row.name), words_for(row), std::string(row.what),
                       row.has_fixed_step ? "steps of 1 ms" : "tolerance 1e-6"};
    if (!is_available(row.method)) {
      cells.insert(cells.end(), {"SUNDIALS is not there", "", "", ""});
      rows.push_back(cells);
      continue;
    }
    const IntegratorOptions options{
        .method = row.method, .step = 1e-3, .rtol = 1e-6, .atol = 1e-6, .max_evaluations = 20'000'000};
    for (const auto& [model, exact] : {std::pair{&loose, &of_loose}, {&stiff, &of_stiff}}) {
      try {
        const Outcome found = outcome(*model, options, *exact);
        cells.insert(cells.end(), {fmt::to_string(found.statistics.evaluations), fmt::format("{:.1e}", found.error)});
      } catch (const SimulationFailure&) {
        cells.insert(cells.end(), {"", "fails"});
      }
    }
    rows.push_back(cells);
  }
  page.table(
      {"method", "also called", "", "", ">evaluations", ">error at 1 s [rad]", ">evaluations, stiff", ">error, stiff"},
      rows);
  page.say(
      "Explicit methods with a fixed step of 1 ms fail on the stiff arm, and pairs with error control need steps of "
      "microseconds; implicit ones take steps as long as the motion allows. \"In Runge-Kutta methods, the order of the "
      "method is identical to its number of stages\" holds up to four: `dopri5` has seven for its five.");
}

}  // namespace denoc::app
