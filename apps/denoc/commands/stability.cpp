// denoc stability: what single and double precision make of every method at a state, and which to trust.
#include "commands/stability.hpp"
#include "commands/list.hpp"

#include <algorithm>
#include <cmath>

#include "denoc/dynamics/formulation.hpp"
#include "denoc/dynamics/inertia/composite.hpp"
#include "denoc/dynamics/inertia/inverse.hpp"
#include "denoc/model/manifold.hpp"
#include "output/json.hpp"
#include "output/table.hpp"
#include "studies/chain.hpp"
#include "studies/condition.hpp"
#include "studies/trials.hpp"

namespace denoc::app {
namespace {

constexpr int float_digits = 7, double_digits = 16;

// The worst at the state and close to it: at a single one a method may be right by luck.
constexpr int neighbours = 15;
constexpr double neighbourhood = 1e-3;  // rad, m

std::vector<MethodError> errors_near(const Model& model, const State& state, Precisions& precisions) {
  std::vector<MethodError> worst = precisions.errors(state);
  Chance chance;
  State near = state;
  std::vector<double> step(static_cast<std::size_t>(model.nv()));
  for (int i = 0; i < neighbours; ++i) {
    for (double& x : step) x = chance.between(-neighbourhood, neighbourhood);
    integrate<double>(model, state.q, step, near.q);
    const std::vector<MethodError> here = precisions.errors(near);
    for (std::size_t m = 0; m < here.size(); ++m) {
      worst[m].in_float = std::max(worst[m].in_float, here[m].in_float);
      worst[m].in_double = std::max(worst[m].in_double, here[m].in_double);
    }
  }
  return worst;
}

// Significant decimals that an error leaves of a number of that size.
double digits_kept(double error, double size, int most) {
  if (error == 0) return most;
  return std::clamp(std::log10(size / error), 0.0, static_cast<double>(most));
}

double digits_in_float(const MethodError& e) { return digits_kept(e.in_float, e.size, float_digits); }
double digits_in_double(const MethodError& e) { return digits_kept(e.in_double, e.size, double_digits); }

std::string listed(const std::vector<std::string_view>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string verdict(const std::vector<MethodError>& errors) {
  double in_double = double_digits;
  for (const MethodError& e : errors) in_double = std::min(in_double, digits_in_double(e));
  return fmt::format("To be trusted here in single precision: {}; {}; {}; in double every method keeps {:.1f} digits.",
                     trusted(inverse_dynamics_name, errors), trusted(inertia_matrix_name, errors),
                     trusted(forward_dynamics_name, errors), in_double);
}

std::string json_error(double error, double digits) {
  if (!std::isfinite(error)) return std::string(json::nothing);
  return json::object({{"error", json::number(error)}, {"digits", json::number(digits)}});
}
std::string json_row(const MethodError& e) {
  return json::object({{"problem", json::text(e.problem)},
                       {"method", json::text(e.method)},
                       {"size", json::number(e.size)},
                       {"float", json_error(e.in_float, digits_in_float(e))},
                       {"double", json_error(e.in_double, digits_in_double(e))}});
}
std::string json_state(const Model& model, const Hardness& h, const std::vector<Dof>& dofs,
                       const std::vector<MethodError>& errors) {
  std::vector<json::Member> members;
  append_of_tree(model, members);
  if (h.of_matrix) members.emplace_back("condition", json::number(h.of_matrix->condition));
  members.emplace_back("D", json::numbers(h.pivots));
  members.emplace_back("least_pivot", json::text(dofs[h.least_pivot].name()));
  if (h.of_matrix) members.emplace_back("cancellation", json::number(h.of_matrix->cancellation));
  members.emplace_back("methods", json::lines(json::each(errors, json_row)));
  members.emplace_back("verdict", json::text(verdict(errors)));
  return json::object(members);
}

std::vector<std::string> error_cells(double error, double digits) {
  if (!std::isfinite(error)) return {"no result", "none"};
  return {fmt::format("{:.2g}", error), fmt::format("{:.1f}", digits)};
}
std::string state_text(const Hardness& h, const std::vector<Dof>& dofs, const std::vector<MethodError>& errors) {
  Table table({"problem", "method", ">size", ">float: error", ">digits", ">double: error", ">digits"});
  std::string_view before;
  for (const MethodError& e : errors) {
    const bool is_first = e.problem != before;
    before = e.problem;
    std::vector<std::string> cells = {is_first ? std::string(e.problem) : "", std::string(e.method),
                                      is_first ? fmt::format("{:.3g}", e.size) : ""};
    for (auto& cell : error_cells(e.in_float, digits_in_float(e))) cells.push_back(std::move(cell));
    for (auto& cell : error_cells(e.in_double, digits_in_double(e))) cells.push_back(std::move(cell));
    table.row(cells);
  }
  const std::string condition = !h.of_matrix ? "" : fmt::format("condition number {:.4g}; ", h.of_matrix->condition);
  const std::string cancelled = !h.of_matrix
                                    ? ""
                                    : fmt::format("; elimination cancels {:.3g} to 1 at {}", h.of_matrix->cancellation,
                                                  printable(dofs[h.of_matrix->most_cancelled].name()));
  return fmt::format("{}{}least pivot D {:.4g} at {}{}\n{}\n", table.text(), condition, h.pivots[h.least_pivot],
                     printable(dofs[h.least_pivot].name()), cancelled, verdict(errors));
}

}  // namespace

std::string trusted(std::string_view problem, const std::vector<MethodError>& errors) {
  double best = 0, least_trusted = float_digits, least = float_digits;
  std::vector<std::string_view> good, bad;
  for (const MethodError& e : errors)
    if (e.problem == problem) best = std::max(best, digits_in_float(e));
  for (const MethodError& e : errors) {
    if (e.problem != problem) continue;
    const double digits = digits_in_float(e);
    const bool is_good = digits > best - 1;
    (is_good ? good : bad).push_back(e.method);
    if (is_good) least_trusted = std::min(least_trusted, digits);
    least = std::min(least, digits);
  }
  if (good.empty()) return fmt::format("{} not tried", problem);
  if (best < 1) return fmt::format("{} by no method", problem);
  if (bad.empty()) return fmt::format("{} by any method ({:.1f} digits or more)", problem, least_trusted);
  return fmt::format("{} by {} ({:.1f} digits or more) rather than by {} (down to {:.1f})", problem, listed(good),
                     least_trusted, listed(bad), least);
}
Hardness hardness(const Model& model, std::span<const double> q) {
  const auto n = static_cast<std::size_t>(model.nv());
  Configuration<double> at(model);
  Factor<double> factor(model);
  Hardness h{std::vector<double>(n), 0, {}};
  place<double>(model, q, at);
  factorize<double>(model, at, factor);
  pivots<double>(factor, h.pivots);
  h.least_pivot = static_cast<std::size_t>(std::min_element(h.pivots.begin(), h.pivots.end()) - h.pivots.begin());
  if (model.nv() > most_for_cubes) return h;
  std::vector<double> inertia(n * n), inverse(n * n);
  CompositeScratch<double> composite(model);
  InertiaInverseScratch<double> inverting(model);
  inertia_matrix<double>(model, at, composite, inertia);
  inertia_inverse<double>(model, at, factor, inverting, inverse);
  Hardness::OfMatrix m{condition(inertia, inverse, model.nv()), 0, 0};
  for (std::size_t k = 0; k < n; ++k) {
    const double cancelled = inertia[k * n + k] / h.pivots[k];
    if (cancelled > m.cancellation) m.cancellation = cancelled, m.most_cancelled = k;
  }
  h.of_matrix = m;
  return h;
}

namespace {

Status stability(const StabilityOptions& options, Session& session) {
  const Model model(load_robot_or_chain(options, session));
  require_tryable(model, "stability");
  if (options.is_along()) return stability_along(options, model, session);
  StateFile file = trial_states(options, 1, model, session);
  if (!options.has_states()) file.is_array = false;
  const std::vector<Dof> dofs = dofs_of(model);
  Precisions precisions(model.robot());

  struct Tried {
    Hardness hardness;
    std::vector<MethodError> errors;
  };
  std::vector<Tried> results;
  for_each_state(file, [&](const State& state) {
    const Hardness h = hardness(model, state.q);
    if (h.of_matrix) require_finite(h.of_matrix->condition, "the condition number of I");
    const std::vector<MethodError> errors = errors_near(model, state, precisions);
    for (const MethodError& e : errors) require_finite(e.size, fmt::format("{} in single precision", e.problem));
    results.push_back({h, errors});
  });
  if (options.json) {
    session.out = json_results(file, json::each(results, [&](const Tried& tried) {
                                 return json_state(model, tried.hardness, dofs, tried.errors);
                               }));
    return Status::done;
  }
  session.out = fmt::format("{}: errors of every method, against long double, at {}{}\n", printable(model.robot().name),
                            !options.has_states() ? "a random state" : "the given states", of_tree(model));
  for (std::size_t i = 0; i < results.size(); ++i)
    session.out += state_line(file, i) + state_text(results[i].hardness, dofs, results[i].errors);
  session.out += left_out(model);
  session.out += fmt::format(
      "error: the largest entry of the result's, the worst of the state and {} others within {} rad or m of it.\n",
      neighbours, neighbourhood);
  return Status::done;
}

}  // namespace

Command commands::stability() {
  return command<StabilityOptions>(
      "stability", "float and double against long double: which method to trust", trial_format,
      {{"denoc stability two_body_mata02 --sweep", "which of them single precision spoils"},
       {"denoc stability serial-rods:6 --path --plot errors.svg", "along another motion, with a figure"}},
      [](Arguments& arguments, StabilityOptions& options) {
        trial_arguments(arguments, options);
        arguments.flag("--sweep", options.sweep, "forward dynamics while the last joint turns once [Mata02 5.1]");
        arguments.flag("--path", options.path, "forward dynamics while all joints go from 0 to pi [Mohan07 (38)]")
            .without({"--sweep"});
        arguments.option("--plot", "FILE", options.plot, "with these: the figure (SVG)")
            .names_a(Argument::File::written);
        arguments.rule([&] {
          if (!options.is_along() && !options.plot.empty())
            throw Failure(Status::usage, "denoc stability: --plot needs --sweep or --path");
        });
      },
      app::stability);
}

}  // namespace denoc::app
