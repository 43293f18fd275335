#include "commands/kinematics.hpp"

namespace denoc::app {

Argument& body_arguments(Arguments& arguments, BodyOptions& options, std::string what) {
  arguments.vec3(
      "--point",
      [&](auto p) {
        options.point = {p[0], p[1], p[2]};
      },
      "a point of the body, in its own frame, instead of its origin");
  return arguments.option("--body", "NAME", options.body, std::move(what));
}

int body_named(const BodyOptions& options, const Mechanism& robot) {
  try {
    return robot.body(options.body);
  } catch (const ArgumentError& error) {
    throw Failure(Status::usage, fmt::format("denoc: --body: {}", error.what()));
  }
}

std::string json_pose(const Pose<double>& pose) {
  const auto [w, x, y, z] = quaternion_of(pose.R);
  return json::object({{"xyz", json::numbers(pose.r)}, {"quat", json::numbers(std::vector<double>{w, x, y, z})}});
}

void remark_tree(const Mechanism& robot, std::string_view what, Session& session) {
  if (robot.has_loops())
    session.remarks.push_back(
        fmt::format("denoc: the {} is that of the tree: the loops are cut open (\"loops\": \"open\")", what));
}

void remark_open_loops(const Mechanism& robot, const std::vector<double>& q, Session& session) {
  if (!robot.has_loops()) return;
  const ClosedChain::Gap gap = ClosedChain(robot.tree()).gap(q);
  if (gap.is_open())
    session.remarks.push_back(fmt::format("warning: {}: q leaves it open by {:.3g} m (or rad)", gap.loop, gap.size));
}

}  // namespace denoc::app
