// denoc count: what each problem costs for a robot.
#include <charconv>

#include "denoc/dynamics/inertia/udut.hpp"
#include "denoc/dynamics/operation_counts.hpp"
#include "denoc/model/serial_chain.hpp"
#include "json.hpp"
#include "problem.hpp"
#include "table.hpp"

namespace denoc::app {
namespace {

constexpr int longest_chain = 10000;

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

std::string json_count(const OperationCount& c) {
  return json::object({{"mul", json::number(c.mul)},
                       {"add", json::number(c.add)},
                       {"div", json::number(c.div)},
                       {"sqrt", json::number(c.sqrt)},
                       {"sincos", json::number(c.sincos)}});
}

std::string json_row(const ProblemCount& row) {
  std::vector<json::Member> members = {
      {"problem", json::text(row.problem)}, {"method", json::text(row.method)}, {"executed", json_count(row.executed)}};
  if (row.folded) members.emplace_back("folded", json_count(*row.folded));
  return json::object(members);
}

void add_counts(std::vector<std::string>& cells, const std::optional<OperationCount>& c) {
  if (!c) return;
  for (const long x : {c->mul, c->add, c->div, c->sqrt, c->sincos}) cells.push_back(std::to_string(x));
}

}  // namespace

Status count(const RobotOptions& options, Session& session) {
  std::optional<Robot> chain = chain_named(options.model);
  if (chain && options.load.gravity) chain->gravity = *options.load.gravity;
  const Model model(chain ? std::move(*chain) : load_robot(options, session));
  std::vector<ProblemCount> rows;
  try {
    rows = operation_counts(model);
  } catch (const SingularInertia& error) {
    throw Failure(Status::numbers, fmt::format("denoc: {}", error.what()));
  }

  if (options.json) {
    session.out =
        json::object({{"n", json::number(model.nv())}, {"counts", json::lines(json::each(rows, json_row))}}) + "\n";
    return Status::done;
  }
  Table table({"problem", "method", ">mul", ">add", ">div", ">sqrt", ">sincos", ">folded: mul", ">add", ">div", ">sqrt",
               ">sincos"});
  for (const ProblemCount& row : rows) {
    std::vector<std::string> cells = {row.problem, row.method};
    add_counts(cells, row.executed);
    add_counts(cells, row.folded);
    table.row(cells);
  }
  session.out = fmt::format("{}: operations executed, n = {} (zeros too; a subtraction is an addition)\n{}",
                            printable(model.robot().name), model.nv(), table.text());
  session.out +=
      "folded: without zeros, ones, constants known off-line and what no result needs, as the papers count.\n"
      "place evaluates q once for all problems: the other rows are without it, but for its sines and cosines.\n";
  const auto n = static_cast<std::size_t>(model.nv());
  if (n > most_for_cubes)
    session.out += fmt::format("Methods of order n^3 are counted up to n = {}, of order n^2 up to n = {}.\n",
                               most_for_cubes, most_for_squares);
  return Status::done;
}

}  // namespace denoc::app
