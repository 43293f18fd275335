// denoc methods: every formulation by name.
#include <fmt/format.h>

#include "commands/list.hpp"
#include "denoc/dynamics/formulation.hpp"
#include "output/json.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

template <class Rows> std::string json_methods(const Rows& rows) {
  return json::array(json::each(rows, [](const auto& m) {
    return json::object(
        {{"name", json::text(m.name)}, {"order", json::text(m.order)}, {"covers", json::text(m.covers)}});
  }));
}

template <class Rows> void add_rows(Table& table, std::string problem, std::string command, const Rows& rows) {
  for (const auto& m : rows) {
    table.row({problem, command, std::string(m.name), fmt::format("O({})", m.order), std::string(m.covers)});
    problem.clear();
    command.clear();
  }
}

struct MethodsOptions {
  bool json = false;
};

Status methods(const MethodsOptions& options, Session& session) {
  const auto inverse = inverse_formulations<double>();
  const auto inertia = inertia_formulations<double>();
  const auto forward = forward_formulations<double>();
  if (options.json) {
    session.out = json::object({{"inverse", json_methods(inverse)},
                                {"inertia", json_methods(inertia)},
                                {"forward", json_methods(forward)}}) +
                  "\n";
    return Status::done;
  }
  Table table({"problem", "command", "--method", "cost", "covers"});
  add_rows(table, "inverse", "id", inverse);
  add_rows(table, "inertia", "inertia", inertia);
  add_rows(table, "forward", "fd", forward);
  session.out = fmt::format("Methods; the first of each problem is used when none is named\n{}", table.text());
  return Status::done;
}

}  // namespace

Command commands::methods() {
  return command<MethodsOptions>(
      "methods", "the methods that --method knows", "", {{"denoc methods", "their names, costs and what they cover"}},
      [](Arguments& arguments, MethodsOptions& options) {
        arguments.flag("--json", options.json, "JSON instead of a table");
      },
      app::methods);
}

}  // namespace denoc::app
