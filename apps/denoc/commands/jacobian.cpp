// denoc jacobian: how a body moves with the joints.
#include "commands/kinematics.hpp"
#include "commands/list.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct JacobianOptions : StateOptions {
  BodyOptions at = {};
  Axes axes = Axes::world;
};

struct PointRates {
  std::vector<double> jacobian;  // 6 x nv by rows
  std::vector<double> bias;
};

constexpr const char* row_names[] = {"wx", "wy", "wz", "vx", "vy", "vz"};

std::string jacobian_table(const PointRates& result, const std::vector<Dof>& dofs) {
  std::vector<std::string> headings = {""};
  for (const Dof& dof : dofs) headings.push_back(fmt::format(">{}", dof.name()));
  headings.emplace_back(">bias");
  Table table(headings);
  const double size = largest(result.jacobian), bias = largest(result.bias);
  const int joints = static_cast<int>(dofs.size());
  for (std::size_t i = 0; i < 6; ++i) {
    std::vector<std::string> row = {row_names[i]};
    for (std::size_t k = 0; k < dofs.size(); ++k)
      row.push_back(shown(result.jacobian[i * dofs.size() + k], size, joints));
    row.push_back(shown(result.bias[i], bias, joints));
    table.row(row);
  }
  return table.text();
}

Status jacobian(const JacobianOptions& options, Session& session) {
  const auto [robot, file] = load_problem(options, session);
  const std::vector<Dof> dofs = dofs_of(robot.tree());
  const int body = body_named(options.at, robot);
  Dynamics dynamics(robot, Forces::none, Loops::open);
  remark_tree(robot, "Jacobian", session);
  std::vector<PointRates> results;
  for_each_state(file, [&](const State& state) {
    const auto J = dynamics.jacobian(state.q, body, options.at.point, options.axes).entries();
    const auto [w, v] = dynamics.jacobian_bias(state.q, state.v, body, options.at.point, options.axes);
    results.push_back({{J.begin(), J.end()}, {w.x, w.y, w.z, v.x, v.y, v.z}});
  });
  if (options.json) {
    session.out = json_results(file, json::each(results, [&, &robot = robot](const PointRates& r) {
                                 std::vector<json::Member> members = {{"J", json::matrix(r.jacobian, 6, robot.nv())},
                                                                      {"bias", json::numbers(r.bias)}};
                                 if (robot.has_loops()) members.emplace_back("loops", json::text("open"));
                                 return json::object(members);
                               }));
    return Status::done;
  }
  session.out = fmt::format(
      "{}: Jacobian of body '{}'{}, {} axes: angular velocity w and velocity v of the point; bias: their rates at a = "
      "0\n",
      printable(robot.name()), printable(robot.robot().bodies[static_cast<std::size_t>(body)].name),
      robot.has_loops() ? " of the tree, loops cut open" : "", options.axes == Axes::world ? "world" : "body");
  for (std::size_t i = 0; i < results.size(); ++i) {
    session.out += state_line(file, i);
    session.out += jacobian_table(results[i], dofs);
  }
  return Status::done;
}

}  // namespace

Command commands::jacobian() {
  return command<JacobianOptions>(
      "jacobian", "how a body moves with the joints: J and its bias, angular rows first", state_format,
      {{"denoc jacobian puma560 --body link6 --state state.json", "of its origin, in world axes"},
       {"denoc jacobian puma560 --body link6 --point 0,0,0.1 --axes body --json", "of a point of it, in its own axes"}},
      [](Arguments& arguments, JacobianOptions& options) {
        state_arguments(arguments, options, "state or states to compute for");
        body_arguments(arguments, options.at, "the body").required();
        arguments.one_of("--axes", {"world", "body"}, "axes of the result: world (the default) or body",
                         [&](std::string_view word) { options.axes = word == "body" ? Axes::body : Axes::world; });
      },
      app::jacobian);
}

}  // namespace denoc::app
