#include "denoc/dynamics/operation_counts.hpp"

#include <functional>

#include "denoc/dynamics/symbolic.hpp"

namespace denoc {

namespace {

template <class T> using Results = std::vector<T>;

// One state to count at: v, and accelerations or forces x.
template <Scalar T> struct State {
  std::vector<T> v, x;
  Configuration<T> at;
  InverseScratch<T> inverse;
  Factor<T> factor;
  SolveScratch<T> solve;
  State(const Model& model, std::vector<T> rates, std::vector<T> given)
      : v(std::move(rates)), x(std::move(given)), at(model), inverse(model), factor(model), solve(model) {}
};

template <Scalar T> using Solve = std::function<Results<T>(State<T>&)>;
template <Scalar T> struct Problem {
  std::string_view name, method;
  std::function<Solve<T>()> begin;                            // takes the memory of the method
  Solve<T> prepare = [](State<T>&) { return Results<T>{}; };  // what is given: not counted
};

template <class T> void append(Results<T>& to, const Vec3<T>& v) { to.insert(to.end(), {v.x, v.y, v.z}); }
template <class T> Results<T> entries(const Configuration<T>& at) {
  Results<T> all;
  for (const auto& z : at.z) all.insert(all.end(), {z.theta.c, z.theta.s, z.d});
  for (const auto& pose : at.poses) {
    append(all, column_x(pose.R)), append(all, column_y(pose.R)), append(all, column_z(pose.R));
    append(all, pose.r);
  }
  return all;
}
template <class T> Results<T> entries(const Factor<T>& f) {
  Results<T> all = f.d_inv;
  for (const Wrench<T>& psi : f.psi) append(all, psi.n), append(all, psi.f);
  return all;
}

template <Scalar T> std::vector<Problem<T>> problems(const Model& model) {
  const size_t n = size_t(model.nv());
  std::vector<Problem<T>> all;
  for (const auto& method : inverse_formulations<T>())
    if (is_affordable(method, model.nv()))
      all.push_back({"inverse", method.name, [&model, &method, n] {
                       return [run = method.prepare(model), n](State<T>& s) {
                         Results<T> tau(n);
                         run(s.at, s.v, s.x, tau, {});
                         return tau;
                       };
                     }});
  const Solve<T> bias = [&model, n](State<T>& s) {
    Results<T> tau(n);
    bias_forces<T>(model, s.at, s.v, s.inverse, tau);
    return tau;
  };
  all.push_back({"bias", "denoc", [bias] { return Solve<T>(bias); }});
  for (const auto& method : inertia_formulations<T>())
    if (is_affordable(method, model.nv()))
      all.push_back({"inertia", method.name, [&model, &method, n] {
                       return [run = method.prepare(model), n](State<T>& s) {
                         Results<T> inertia(n * n);
                         run(s.at, inertia);
                         return inertia;
                       };
                     }});
  const Solve<T> factor = [&model](State<T>& s) {
    factorize<T>(model, s.at, s.factor);
    return entries(s.factor);
  };
  all.push_back({"factorize", "denoc", [factor] { return Solve<T>(factor); }});
  const Solve<T> solved = [&model, n](State<T>& s) {
    Results<T> a(n);
    solve<T>(model, s.at, s.factor, s.x, s.solve, a);
    return a;
  };
  all.push_back({"solve", "denoc", [solved] { return Solve<T>(solved); }, factor});
  for (const auto& method : forward_formulations<T>())
    if (is_affordable(method, model.nv()))
      all.push_back({"forward", method.name, [&model, &method, n] {
                       return [run = method.prepare(model), n](State<T>& s) {
                         Results<T> a(n);
                         run(s.at, s.v, s.x, a, {});
                         return a;
                       };
                     }});
  return all;
}

using Count = Counted<double>;

template <class Run> OperationCount counted(Run&& run) {
  const OperationCount before = Count::count();
  run();
  return Count::count() - before;
}

// The numbers do not matter, but the posture must not be a singular one: any that is not special.
std::vector<Count> some_q(const Model& model) {
  std::vector<Count> q(model.nq());
  for (int k = 0; k < model.nq(); ++k) q[k] = 0.4 + 0.7 * k;
  for (const auto& link : model.links().subspan(1)) {
    if (link.joint != Elementary::spherical && link.joint != Elementary::free) continue;
    Count* unit = &q[link.q + (link.joint == Elementary::free ? 3 : 0)];
    unit[0] = unit[1] = unit[2] = 0.5, unit[3] = -0.5;
  }
  return q;
}

OperationCount executed(const Model& model, const Problem<Count>& problem) {
  const std::vector<Count> q = some_q(model), rates(model.nv());
  State<Count> state(model, rates, rates);
  const OperationCount placing = counted([&] { place<Count>(model, q, state.at); });
  problem.prepare(state);
  const Solve<Count> run = problem.begin();
  OperationCount count = counted([&] { run(state); });
  count.sincos += placing.sincos;
  return count;
}

std::vector<Symbol> inputs(Graph& graph, const std::string& name, int n) {
  std::vector<Symbol> all;
  all.reserve(n);
  for (int k = 0; k < n; ++k) all.push_back(graph.input(name + "[" + std::to_string(k) + "]"));
  return all;
}

OperationCount folded(const Model& model, const Problem<Symbol>& problem) {
  Graph graph;
  const std::vector<Symbol> q = inputs(graph, "q", model.nq());
  State<Symbol> state(model, inputs(graph, "v", model.nv()), inputs(graph, "x", model.nv()));
  place<Symbol>(model, q, state.at);
  Results<Symbol> given = problem.prepare(state);
  const Results<Symbol> results = problem.begin()(state);
  const long sincos = graph.operations(results, given).sincos;
  const Results<Symbol> placed = entries(state.at);
  given.insert(given.end(), placed.begin(), placed.end());
  OperationCount count = graph.operations(results, given);
  count.sincos = sincos;
  return count;
}

ProblemCount placing(const Model& model) {
  Graph graph;
  Configuration<Count> at(model);
  Configuration<Symbol> symbols(model);
  const std::vector<Count> q = some_q(model);
  place<Symbol>(model, inputs(graph, "q", model.nq()), symbols);
  return {"place", "denoc", counted([&] { place<Count>(model, q, at); }), graph.operations(entries(symbols))};
}
}  // namespace

std::vector<ProblemCount> operation_counts(const Model& model) {
  const auto to_run = problems<Count>(model);
  const auto to_record = problems<Symbol>(model);
  std::vector<ProblemCount> counts = {placing(model)};
  for (size_t i = 0; i < to_run.size(); ++i) {
    const auto& [name, method, begin, prepare] = to_run[i];
    ProblemCount count{std::string(name), std::string(method), executed(model, to_run[i]), {}};
    if (count.executed.mul + count.executed.add <= 2'000'000) count.folded = folded(model, to_record[i]);
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace denoc
