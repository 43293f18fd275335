// denoc count: the operations that the shipped code executes, every one of them, zeros too.
#include <charconv>
#include <random>

#include "denoc/dynamics/formulations.hpp"
#include "denoc/model/serial_chain.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

using T = Counted<double>;
using Vector = std::vector<T>;

constexpr int longest_chain = 10000;

struct Row {
  std::string_view problem, method;
  OperationCount executed;
};

// serial:N or serial-rods:N, if the name is one.
std::optional<Robot> chain_named(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string_view kind = std::string_view(name).substr(0, colon);
  if (colon == std::string::npos || (kind != "serial" && kind != "serial-rods")) return std::nullopt;
  int n = 0;
  const char *first = name.data() + colon + 1, *last = name.data() + name.size();
  const auto [end, error] = std::from_chars(first, last, n);
  if (error != std::errc() || end != last || n < 1 || n > longest_chain) {
    throw Failure(Status::usage,
                  fmt::format("denoc: {}: {}:N is a chain of N joints, N from 1 to {}", name, kind, longest_chain));
  }
  return serial_chain(n, kind == "serial" ? ChainLinks::general : ChainLinks::rods);
}

// Any state will do: no algorithm branches on a number.
class Numbers {
 public:
  Vector vector(int size) {
    Vector x(static_cast<std::size_t>(size));
    for (T& e : x) e = std::uniform_real_distribution<>(-1, 1)(engine_);
    return x;
  }
  Vector coordinates(const Model& model) {
    Vector q = vector(model.nq());
    for (const auto& link : model.links().subspan(1)) {
      if (link.joint != Elementary::spherical && link.joint != Elementary::free) continue;
      const std::size_t w = static_cast<std::size_t>(link.q) + (link.joint == Elementary::free ? 3 : 0);
      for (std::size_t i = 0; i < 4; ++i) q[w + i] = 0.5;
    }
    return q;
  }

 private:
  std::mt19937 engine_{1};
};

template <class F> OperationCount executed(F&& f) {
  const OperationCount before = T::count();
  f();
  return T::count() - before;
}

std::vector<Row> count_all(const Model& model) {
  Numbers numbers;
  Workspace<T> work(model);
  const Vector q = numbers.coordinates(model), v = numbers.vector(model.nv()), x = numbers.vector(model.nv());
  Vector out(x.size()), matrix(x.size() * x.size());

  std::vector<Row> rows = {{"place", "denoc", executed([&] { place<T>(model, q, work.at); })}};
  const long sincos = rows[0].executed.sincos;
  // Sines and cosines are those of placing the joints, once for every problem; the other operations are the problem's.
  const auto add = [&](std::string_view problem, std::string_view method, const auto& f) {
    rows.push_back({problem, method, executed(f)});
    rows.back().executed.sincos += sincos;
  };
  for (const auto& method : inverse_formulations<T>)
    add("inverse", method.name, [&] { method.run(model, work, v, x, out, {}); });
  add("bias", "denoc", [&] { bias_forces<T>(model, work.at, v, work.inverse, out); });
  for (const auto& method : inertia_formulations<T>)
    add("inertia", method.name, [&] { method.run(model, work, matrix); });
  add("factorize", "denoc", [&] { factorize<T>(model, work.at, work.factor); });
  add("solve", "denoc", [&] { solve<T>(model, work.at, work.factor, x, work.dense.solve, out); });
  for (const auto& method : forward_formulations<T>)
    add("forward", method.name, [&] { method.run(model, work, v, x, out, {}); });
  return rows;
}

std::string json_row(const Row& row) {
  const OperationCount& c = row.executed;
  return json::object({{"problem", json::text(row.problem)},
                       {"method", json::text(row.method)},
                       {"executed", json::object({{"mul", json::number(c.mul)},
                                                  {"add", json::number(c.add)},
                                                  {"div", json::number(c.div)},
                                                  {"sqrt", json::number(c.sqrt)},
                                                  {"sincos", json::number(c.sincos)}})}});
}

}  // namespace

Status count(const RobotOptions& options, Session& session) {
  std::optional<Robot> chain = chain_named(options.model);
  if (chain && options.load.gravity) chain->gravity = *options.load.gravity;
  const Model model(chain ? std::move(*chain) : load_robot(options, session));
  std::vector<Row> rows;
  try {
    rows = count_all(model);
  } catch (const SingularInertia& error) {
    throw Failure(Status::numbers, fmt::format("denoc: {}", error.what()));
  }

  if (options.json) {
    std::vector<std::string> counts;
    for (const Row& row : rows) counts.push_back(json_row(row));
    session.out = json::object({{"n", json::number(model.nv())}, {"counts", json::lines(counts)}}) + "\n";
    return Status::done;
  }
  Table table({"problem", "method", ">mul", ">add", ">div", ">sqrt", ">sincos"});
  for (const auto& [problem, method, c] : rows) {
    table.row({std::string(problem), std::string(method), std::to_string(c.mul), std::to_string(c.add),
               std::to_string(c.div), std::to_string(c.sqrt), std::to_string(c.sincos)});
  }
  session.out = fmt::format("{}: operations executed, n = {} (zeros too; a subtraction is an addition)\n{}",
                            printable(model.robot().name), model.nv(), table.text());
  session.out +=
      "place evaluates q once for all problems: the other rows are without it, but for its sines and cosines.\n";
  return Status::done;
}

}  // namespace denoc::app
