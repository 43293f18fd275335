// denoc fk: where the bodies of a robot are.
#include "commands/kinematics.hpp"
#include "commands/list.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct FkOptions : StateOptions {
  BodyOptions at = {};
};

struct Placed {
  std::string body;
  Pose<double> pose;
};

std::string json_poses(const std::vector<Placed>& all, const BodyOptions& at) {
  std::vector<json::Member> poses;
  for (const auto& [body, pose] : all) poses.emplace_back(body, json_pose(pose));
  std::vector<json::Member> members = {{"poses", json::object(poses)}};
  if (at.has_point()) members.emplace_back("point", json::numbers(std::vector{at.point.x, at.point.y, at.point.z}));
  return json::object(members);
}

std::string pose_table(const std::vector<Placed>& all, int joints) {
  Table table({"body", ">x [m]", ">y", ">z", ">qw", ">qx", ">qy", ">qz"});
  double size = 0;
  for (const Placed& each : all) size = std::max(size, norm(each.pose.r));
  for (const auto& [body, pose] : all) {
    const auto [w, x, y, z] = quaternion_of(pose.R);
    table.row({body, shown(pose.r.x, size, joints), shown(pose.r.y, size, joints), shown(pose.r.z, size, joints),
               shown(w, 1, joints), shown(x, 1, joints), shown(y, 1, joints), shown(z, 1, joints)});
  }
  return table.empty() ? "  no bodies\n" : table.text();
}

Status fk(const FkOptions& options, Session& session) {
  const auto [robot, file] = load_problem(options, session);
  std::vector<int> bodies;
  if (options.at.body.empty()) {
    for (int b = 1; b < static_cast<int>(robot.robot().bodies.size()); ++b) bodies.push_back(b);
  } else {
    bodies.push_back(body_named(options.at, robot));
  }
  Dynamics dynamics(robot, Forces::none, Loops::open);
  std::vector<std::vector<Placed>> results;
  for_each_state(file, [&, &robot = robot](const State& state) {
    remark_open_loops(robot, state.q, session);
    std::vector<Placed>& all = results.emplace_back();
    const std::vector<Pose<double>> poses = dynamics.poses(state.q, options.at.point);
    for (const int b : bodies)
      all.push_back({robot.robot().bodies[static_cast<std::size_t>(b)].name, poses[static_cast<std::size_t>(b)]});
  });
  if (options.json) {
    session.out = json_results(file, json::each(results, [&](const auto& all) { return json_poses(all, options.at); }));
    return Status::done;
  }
  session.out = fmt::format("{}: frames of the bodies in the world, position and quaternion{}\n",
                            printable(robot.name()), options.at.has_point() ? ", at the given point" : "");
  for (std::size_t i = 0; i < results.size(); ++i) {
    session.out += state_line(file, i);
    session.out += pose_table(results[i], std::max(robot.nv(), 1));
  }
  return Status::done;
}

}  // namespace

Command commands::fk() {
  return command<FkOptions>(
      "fk", "where the bodies are: position and attitude in the world (forward kinematics)", state_format,
      {{"denoc fk puma560 --state state.json", "every body"},
       {"denoc fk puma560 --body link6 --point 0,0,0.1 --json", "a point of one of them, for programs"}},
      [](Arguments& arguments, FkOptions& options) {
        state_arguments(arguments, options, "state or states to compute for");
        body_arguments(arguments, options.at, "of this body only");
      },
      app::fk);
}

}  // namespace denoc::app
