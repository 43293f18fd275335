#include <fmt/format.h>

#include <cmath>

#include "denoc/dynamics/formulation.hpp"
#include "parts.hpp"

namespace denoc::io {
namespace {

Words words_of(const Integrator& row) {
  Words all = {row.name};
  for (const std::string_view word : row.also)
    if (!word.empty()) all.push_back(word);
  return all;
}

IntegrationMethod method_of(std::string_view word) {
  for (const Integrator& row : integrators())
    for (const std::string_view one : words_of(row))
      if (one == word) return row.method;
  return IntegratorOptions{}.method;
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Integrator& row : integrators())
    for (const std::string_view word : words_of(row))
      all.push_back({word, row.has_fixed_step ? Words{"step", "max_evaluations"}
                                              : Words{"rtol", "atol", "max_step", "max_evaluations"}});
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

IntegratorOptions read_integrator(const Fields& file, double duration) {
  IntegratorOptions options;
  if (!file.has("integrator")) return options;
  const auto chosen = variant(file, "integrator", "method", variants(), name_of(options.method));
  if (!chosen) return options;
  const Fields& fields = chosen->fields;
  options.method = method_of(chosen->word);
  if (integrator(options.method).has_fixed_step) {
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
  setup.integrator = read_integrator(file, setup.duration);
  Words names;
  for (const auto& method : forward_formulations<double>()) names.push_back(method.name);
  setup.method = file.word("method", names, "");
  if (setup.integrator.method == IntegrationMethod::ida && file.has("method"))
    file.refuse("method", "ida solves the equations of motion by itself: leave it out");
}

}  // namespace denoc::io
