#include "denoc/dynamics/operation_counts.hpp"

#include <functional>

#include "denoc/dynamics/symbolic.hpp"

namespace denoc {

namespace {

using Symbols = std::vector<Symbol>;

// One state to count at: v, and accelerations or forces x.
struct State {
  Symbols v, x;
  Configuration<Symbol> at;
  InverseScratch<Symbol> inverse;
  Factor<Symbol> factor;
  SolveScratch<Symbol> solve;
  State(const Model& model, Symbols rates, Symbols given)
      : v(std::move(rates)), x(std::move(given)), at(model), inverse(model), factor(model), solve(model) {}
};

using Solve = std::function<Symbols(State&)>;
struct Problem {
  std::string_view name, method;
  std::function<Solve()> begin;                      // takes the memory of the method
  Solve prepare = [](State&) { return Symbols{}; };  // what is given: not counted
};

void append(Symbols& to, const Vec3<Symbol>& v) { to.insert(to.end(), {v.x, v.y, v.z}); }
Symbols entries(const Configuration<Symbol>& at) {
  Symbols all;
  for (const auto& z : at.z) all.insert(all.end(), {z.theta.c, z.theta.s, z.d});
  for (const auto& pose : at.poses) {
    append(all, column_x(pose.R)), append(all, column_y(pose.R)), append(all, column_z(pose.R));
    append(all, pose.r);
  }
  return all;
}
Symbols entries(const Factor<Symbol>& f) {
  Symbols all = f.d_inv;
  for (const Wrench<Symbol>& psi : f.psi) append(all, psi.n), append(all, psi.f);
  return all;
}

std::vector<Problem> problems(const Model& model) {
  const size_t n = size_t(model.nv());
  std::vector<Problem> all;
  for (const auto& method : inverse_formulations<Symbol>())
    if (is_affordable(method, model.nv()))
      all.push_back({"inverse", method.name, [&model, &method, n] {
                       return [run = method.prepare(model), n](State& s) {
                         Symbols tau(n);
                         run(s.at, s.v, s.x, tau, {});
                         return tau;
                       };
                     }});
  const Solve bias = [&model, n](State& s) {
    Symbols tau(n);
    bias_forces<Symbol>(model, s.at, s.v, s.inverse, tau);
    return tau;
  };
  all.push_back({"bias", "denoc", [bias] { return Solve(bias); }});
  for (const auto& method : inertia_formulations<Symbol>())
    if (is_affordable(method, model.nv()))
      all.push_back({"inertia", method.name, [&model, &method, n] {
                       return [run = method.prepare(model), n](State& s) {
                         Symbols inertia(n * n);
                         run(s.at, inertia);
                         return inertia;
                       };
                     }});
  const Solve factor = [&model](State& s) {
    factorize<Symbol>(model, s.at, s.factor);
    return entries(s.factor);
  };
  all.push_back({"factorize", "denoc", [factor] { return Solve(factor); }});
  const Solve solved = [&model, n](State& s) {
    Symbols a(n);
    solve<Symbol>(model, s.at, s.factor, s.x, s.solve, a);
    return a;
  };
  all.push_back({"solve", "denoc", [solved] { return Solve(solved); }, factor});
  for (const auto& method : forward_formulations<Symbol>())
    if (is_affordable(method, model.nv()))
      all.push_back({"forward", method.name, [&model, &method, n] {
                       return [run = method.prepare(model), n](State& s) {
                         Symbols a(n);
                         run(s.at, s.v, s.x, a, {});
                         return a;
                       };
                     }});
  return all;
}

template <class Run> OperationCount counted(Run&& run) {
  const OperationCount before = Symbol::count();
  run();
  return Symbol::count() - before;
}

// The numbers do not matter, but the posture must not be a singular one: any that is not special.
std::vector<double> some_q(const Model& model) {
  std::vector<double> q(model.nq());
  for (int k = 0; k < model.nq(); ++k) q[k] = 0.4 + 0.7 * k;
  for (const auto& link : model.links().subspan(1)) {
    if (link.joint != Elementary::spherical && link.joint != Elementary::free) continue;
    double* unit = &q[link.q + (link.joint == Elementary::free ? 3 : 0)];
    unit[0] = unit[1] = unit[2] = 0.5, unit[3] = -0.5;
  }
  return q;
}

// Symbols have no pivots to read.
void require_inertia(const Model& model) {
  Configuration<double> at(model);
  Factor<double> factor(model);
  place<double>(model, some_q(model), at);
  factorize<double>(model, at, factor);
}

// Of numbers alone nothing is recorded.
OperationCount executed(const Model& model, const Problem& problem) {
  const std::vector<double> q = some_q(model);
  const Symbols rates(model.nv());
  State state(model, rates, rates);
  const OperationCount placing = counted([&] { place<Symbol>(model, Symbols(q.begin(), q.end()), state.at); });
  problem.prepare(state);
  const Solve run = problem.begin();
  OperationCount count = counted([&] { run(state); });
  count.sincos += placing.sincos;
  return count;
}

Symbols inputs(Graph& graph, const std::string& name, int n) {
  Symbols all;
  all.reserve(n);
  for (int k = 0; k < n; ++k) all.push_back(graph.input(name + "[" + std::to_string(k) + "]"));
  return all;
}

OperationCount folded(const Model& model, const Problem& problem) {
  Graph graph;
  const Symbols q = inputs(graph, "q", model.nq());
  State state(model, inputs(graph, "v", model.nv()), inputs(graph, "x", model.nv()));
  place<Symbol>(model, q, state.at);
  Symbols given = problem.prepare(state);
  const Symbols results = problem.begin()(state);
  const long sincos = graph.operations(results, given).sincos;
  const Symbols placed = entries(state.at);
  given.insert(given.end(), placed.begin(), placed.end());
  OperationCount count = graph.operations(results, given);
  count.sincos = sincos;
  return count;
}

ProblemCount placing(const Model& model) {
  Graph graph;
  Configuration<Symbol> at(model);
  const Symbols q = inputs(graph, "q", model.nq());
  const OperationCount executed = counted([&] { place<Symbol>(model, q, at); });
  return {"place", "denoc", executed, graph.operations(entries(at))};
}
}  // namespace

std::vector<ProblemCount> operation_counts(const Model& model) {
  require_inertia(model);
  std::vector<ProblemCount> counts = {placing(model)};
  for (const Problem& problem : problems(model)) {
    ProblemCount count{std::string(problem.name), std::string(problem.method), executed(model, problem), {}};
    if (count.executed.mul + count.executed.add <= 2'000'000) count.folded = folded(model, problem);
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace denoc
