// denoc inertia: the inertia matrix, I = U D U^T, and its condition number.
#include "commands/kinematics.hpp"
#include "commands/list.hpp"
#include "commands/noise.hpp"
#include "denoc/dynamics/singular_inertia.hpp"
#include "output/table.hpp"
#include "studies/condition.hpp"

namespace denoc::app {
namespace {

// upper and pivots are empty where I is singular; `singular` says which joint shows it.
struct Decomposition {
  std::vector<double> inertia, upper, pivots;  // matrices by rows
  double condition = 1;
  std::string singular = {};
  Noise noise = {}, upper_noise = {};  // of I and U, for people
};

void require_finite_matrix(std::span<const double> matrix, const std::vector<Dof>& dofs, std::string_view what) {
  const std::size_t n = dofs.size();
  for (std::size_t i = 0; i < n; ++i) require_finite(matrix.subspan(i * n, n), dofs, what);
}

std::string json_decomposition(const Decomposition& d, int n, bool is_open) {
  const bool is_regular = d.singular.empty();
  std::vector<json::Member> members = {{"I", json::matrix(d.inertia, n, n)},
                                       {"U", is_regular ? json::matrix(d.upper, n, n) : "null"},
                                       {"D", is_regular ? json::numbers(d.pivots) : "null"},
                                       {"condition", is_regular ? json::number(d.condition) : "null"}};
  if (is_open) members.emplace_back("loops", json::text("open"));
  return json::object(members);
}

// U_jk is a sum of terms as large as those of I_jk over the pivot D_k.
void find_noise(const Model& model, const State& state, Decomposition& d) {
  d.noise = d.upper_noise = inertia_noise(model, state);
  const std::size_t n = d.pivots.size();
  for (std::size_t i = 0; i < n * n; ++i) d.upper_noise[i] /= d.pivots[i % n];
}

Status inertia(const DynamicsOptions& options, Session& session) {
  const auto& method = method_named(inertia_formulations<double>(), options.method);
  const auto [robot, file] = load_problem(options, session);
  const std::vector<Dof> dofs = dofs_of(robot.tree());
  const std::size_t n = dofs.size();
  Dynamics dynamics(robot, Forces::none, Loops::open);
  dynamics.use_inertia(method.name);
  remark_tree(robot, "matrix", session);

  std::vector<Decomposition> results;
  for_each_state(file, [&, &robot = robot](const State& state) {
    Decomposition d;
    const auto keep = [](std::span<const double> x) { return std::vector<double>(x.begin(), x.end()); };
    try {
      d.inertia = keep(dynamics.inertia(state.q).entries());
      require_finite_matrix(d.inertia, dofs, "I");
      const auto [upper, pivots] = dynamics.factors(state.q);
      d.upper = keep(upper.entries());
      d.pivots = keep(pivots);
      const std::vector<double> inverse = keep(dynamics.inertia_inverse(state.q).entries());
      require_finite_matrix(d.upper, dofs, "U");
      require_finite_matrix(inverse, dofs, "the inverse of I");
      d.condition = condition(d.inertia, inverse, static_cast<int>(n));
      require_finite(d.condition, "the condition number of I");
    } catch (const SingularInertia& error) {
      if (d.inertia.empty()) throw;  // a method that goes through the factor
      d.singular = error.what();
      session.remarks.push_back(fmt::format("denoc: {}: I has no factors", d.singular));
    }
    if (!options.json) find_noise(robot.tree(), state, d);
    results.push_back(std::move(d));
  });

  if (options.json) {
    session.out = json_results(file, json::each(results, [&, &robot = robot](const Decomposition& d) {
                                 return json_decomposition(d, static_cast<int>(n), robot.has_loops());
                               }));
    return Status::done;
  }
  session.out =
      fmt::format("{}: inertia matrix I{} (method {}) and its factors, I = U D U^T (kg m^2, kg m, kg)\n",
                  printable(robot.name()), robot.has_loops() ? " of the tree, loops cut open" : "", method.name);
  if (n == 0) {
    session.out += "  no joint moves: I has no entries\n";
    return Status::done;
  }
  std::vector<std::string> names;
  for (const Dof& dof : dofs) names.push_back(dof.name());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Decomposition& d = results[i];
    session.out += state_line(file, i);
    if (!d.singular.empty()) {
      session.out += fmt::format("I\n{}no factors: {}\n", matrix_table(d.inertia, names, names, d.noise), d.singular);
      continue;
    }
    Table diagonal({"", ">D"});
    for (std::size_t k = 0; k < n; ++k) diagonal.row({dofs[k].name(), shown(d.pivots[k])});
    session.out += fmt::format("I\n{}U\n{}D\n{}condition number {}\n", matrix_table(d.inertia, names, names, d.noise),
                               matrix_table(d.upper, names, names, d.upper_noise), diagonal.text(), shown(d.condition));
  }
  return Status::done;
}

}  // namespace

Command commands::inertia() {
  return command<DynamicsOptions>("inertia", "inertia matrix I, its factors I = U D U^T, condition number",
                                  state_format,
                                  {{"denoc inertia puma560 --state state.json", "the matrix at q, and its factors"},
                                   {"denoc inertia puma560 --state state.json --json", "for programs"}},
                                  dynamics_arguments, app::inertia);
}

}  // namespace denoc::app
