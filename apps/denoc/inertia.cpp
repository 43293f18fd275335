// denoc inertia: the inertia matrix, I = U D U^T, and its condition number.
#include "condition.hpp"
#include "denoc/dynamics/formulations.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

struct Decomposition {
  std::vector<double> inertia, upper, pivots;  // matrices by rows
  double condition;
};

void require_finite_matrix(std::span<const double> matrix, const std::vector<Dof>& dofs, std::string_view what) {
  const std::size_t n = dofs.size();
  for (std::size_t i = 0; i < n; ++i) require_finite(matrix.subspan(i * n, n), dofs, what);
}

std::string json_decomposition(const Decomposition& d) {
  const int n = static_cast<int>(d.pivots.size());
  return json::object({{"I", json::matrix(d.inertia, n)},
                       {"U", json::matrix(d.upper, n)},
                       {"D", json::numbers(d.pivots)},
                       {"condition", json::number(d.condition)}});
}

std::string matrix_table(std::span<const double> matrix, const std::vector<Dof>& dofs) {
  std::vector<std::string> headings = {""};
  for (const Dof& dof : dofs) headings.push_back(fmt::format(">{}", dof.name()));
  Table table(headings);
  const double size = largest(matrix);
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    std::vector<std::string> row = {dofs[i].name()};
    for (const double x : matrix.subspan(i * dofs.size(), dofs.size())) row.push_back(shown(x, size));
    table.row(row);
  }
  return table.text();
}

}  // namespace

Status inertia(const StateOptions& options, Session& session) {
  const auto& method = method_named(inertia_formulations<double>, options.method);
  const auto [model, file] = load_problem(options, {.q = true}, session);
  const std::vector<Dof> dofs = dofs_of(model);
  const std::size_t n = dofs.size();
  Workspace<double> work(model);

  std::vector<Decomposition> results;
  for_each_state(file, [&, &model = model](const State& state) {
    Decomposition d{std::vector<double>(n * n), std::vector<double>(n * n), std::vector<double>(n), 1};
    std::vector<double> inverse(n * n);
    place<double>(model, state.q, work.at);
    method.run(model, work, d.inertia);
    require_finite_matrix(d.inertia, dofs, "I");
    factorize<double>(model, work.at, work.factor);
    unit_upper<double>(model, work.at, work.factor, work.dense, d.upper);
    pivots<double>(work.factor, d.pivots);
    inertia_inverse<double>(model, work.at, work.factor, scratch(work.inertia_inverse, model), inverse);
    require_finite_matrix(d.upper, dofs, "U");
    require_finite_matrix(inverse, dofs, "the inverse of I");
    d.condition = condition(d.inertia, inverse, model.nv());
    require_finite(d.condition, "the condition number of I");
    results.push_back(std::move(d));
  });

  if (options.json) {
    session.out = json_results(file, json::each(results, json_decomposition));
    return Status::done;
  }
  session.out = fmt::format("{}: inertia matrix I (method {}) and its factors, I = U D U^T (kg m^2, kg m, kg)\n",
                            printable(model.robot().name), method.name);
  if (n == 0) {
    session.out += "  no joint moves: I has no entries\n";
    return Status::done;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Decomposition& d = results[i];
    if (file.is_array) session.out += fmt::format("\nstate {}\n", i);
    Table diagonal({"", ">D"});
    for (std::size_t k = 0; k < n; ++k) diagonal.row({dofs[k].name(), shown(d.pivots[k])});
    session.out += fmt::format("I\n{}U\n{}D\n{}condition number {}\n", matrix_table(d.inertia, dofs),
                               matrix_table(d.upper, dofs), diagonal.text(), shown(d.condition));
  }
  return Status::done;
}

}  // namespace denoc::app
