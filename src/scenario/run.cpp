#include <fmt/format.h>

#include <array>
#include <cmath>

#include "denoc/dynamics/formulations.hpp"
#include "parts.hpp"

namespace denoc::io {
namespace {

struct MethodName {
  std::string_view word;
  IntegrationMethod method;
};
constexpr std::array methods = {MethodName{"euler", IntegrationMethod::euler},
                                MethodName{"symplectic_euler", IntegrationMethod::symplectic_euler},
                                MethodName{"symplectic-euler", IntegrationMethod::symplectic_euler},
                                MethodName{"rk4", IntegrationMethod::rk4},
                                MethodName{"dopri5", IntegrationMethod::dopri5},
                                MethodName{"dormand-prince", IntegrationMethod::dopri5},
                                MethodName{"rk45", IntegrationMethod::dopri5},
                                MethodName{"adams", IntegrationMethod::adams},
                                MethodName{"bdf", IntegrationMethod::bdf},
                                MethodName{"gear", IntegrationMethod::bdf},
                                MethodName{"ida", IntegrationMethod::ida}};

bool has_fixed_step(IntegrationMethod method) {
  return method == IntegrationMethod::euler || method == IntegrationMethod::symplectic_euler ||
         method == IntegrationMethod::rk4;
}

IntegrationMethod method_of(std::string_view word) {
  for (const MethodName& m : methods) {
    if (m.word == word) return m.method;
  }
  return IntegratorOptions{}.method;
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  all.reserve(methods.size());
  for (const MethodName& m : methods) {
    all.push_back({m.word, has_fixed_step(m.method) ? Words{"step", "max_evaluations"}
                                                    : Words{"rtol", "atol", "max_step", "max_evaluations"}});
  }
  return all;
}

void tolerances(const Fields& fields, IntegratorOptions& options) {
  options.rtol = fields.number("rtol", options.rtol);
  if (fields.has("rtol") && !(options.rtol > 0 && options.rtol <= 1))
    fields.refuse("rtol", fmt::format("it is above 0 and at most 1, not {}", options.rtol));
  options.atol = positive(fields, "atol", options.rtol / 100);
  options.max_step = positive(fields, "max_step", options.max_step);
}

void fixed_step(const Fields& fields, double duration, IntegratorOptions& options) {
  fields.require("step");
  options.step = positive(fields, "step", options.step);
  if (fields.has("step") && duration > 0 && options.step > duration)
    fields.refuse("step", fmt::format("a step of {} s is longer than the run of {} s", options.step, duration));
}

IntegratorOptions integrator(const Fields& file, double duration) {
  IntegratorOptions options;
  if (!file.has("integrator")) return options;
  const auto chosen = variant(file, "integrator", "method", variants(), name_of(options.method));
  if (!chosen) return options;
  const Fields& fields = chosen->fields;
  options.method = method_of(chosen->word);
  if (has_fixed_step(options.method)) {
    fixed_step(fields, duration, options);
  } else {
    tolerances(fields, options);
  }
  const double evaluations = fields.number("max_evaluations", static_cast<double>(options.max_evaluations));
  if (evaluations >= 1 && evaluations <= 1e15 && evaluations == std::floor(evaluations)) {
    options.max_evaluations = static_cast<long>(evaluations);
  } else {
    fields.refuse("max_evaluations", fmt::format("it is a whole number from 1 to 1e15, not {}", evaluations));
  }
  return options;
}

}  // namespace

void read_run(const Fields& file, Scenario& scenario) {
  SimulationSetup& setup = scenario.setup;
  file.require("duration");
  setup.duration = positive(file, "duration", 0);  // 0: at fault
  setup.integrator = integrator(file, setup.duration);
  Words names;
  for (const auto& method : forward_formulations<double>()) names.push_back(method.name);
  setup.method = file.word("method", names, "");
  if (setup.integrator.method == IntegrationMethod::ida && file.has("method"))
    file.refuse("method", "ida solves the equations of motion by itself: leave it out");
}

}  // namespace denoc::io
