// denoc mintime: the shortest duration of a motion under limits of the joint forces.             [Angeles7 Example 7.5.1]
#include <algorithm>
#include <cmath>

#include "commands/closed.hpp"
#include "commands/list.hpp"
#include "denoc/control/drive_limits.hpp"
#include "denoc/forces/forces.hpp"
#include "denoc/io/number.hpp"
#include "denoc/kinematics/inverse_kinematics.hpp"
#include "denoc/motion/minimum_time.hpp"
#include "denoc/scenario/motion_file.hpp"
#include "output/one_file.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct MintimeOptions : RobotOptions {
  std::string motion = {};
  std::optional<std::string> limits = {};  // "90,35,8"
};

// One for each degree of freedom: those of the option, or what the robot's file says of its joints.
std::vector<double> limits_of(const MintimeOptions& options, const Model& model, const std::vector<Dof>& dofs) {
  if (!options.limits) {
    std::vector<double> limits = drive_limits(model, true);
    const auto& bodies = model.robot().bodies;
    const bool floats =  // which minimum_time refuses, whatever the limits
        std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.joint.type == JointType::free; });
    for (std::size_t k = 0; k < limits.size(); ++k)
      if (!std::isfinite(limits[k]) && !floats)
        throw Failure(
            Status::numbers,
            fmt::format("denoc mintime: joint '{}' has no limit of its force: a motion may be as fast as one likes",
                        printable(dofs[k].name())),
            {"Give limits for all degrees of freedom with --limits, or `limits: {effort: ..}` in the robot's file."});
    return limits;
  }
  std::vector<double> limits;
  for (const std::string& word : split(*options.limits)) {
    const io::Number number = io::expression(word);
    if (!number)
      throw Failure(Status::usage, fmt::format("denoc mintime: --limits {}: {}", *options.limits, number.rule));
    if (!(number.value > 0))
      throw Failure(Status::usage, fmt::format("denoc mintime: --limits {}: the limit of a force is positive, not {}",
                                               *options.limits, number.value));
    limits.push_back(number.value);
  }
  if (limits.size() != dofs.size())
    throw Failure(Status::usage, fmt::format("denoc mintime: --limits has {} numbers for {} degrees of freedom",
                                             limits.size(), dofs.size()));
  return limits;
}

std::string json_least(const MinimumTime& least, const std::vector<Dof>& dofs, const std::vector<double>& limits) {
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < dofs.size(); ++k)
    rows.push_back(json::object({{"joint", json::text(dofs[k].name())},
                                 {"limit", json::number(limits[k])},
                                 {"duration", json::number(least.per_dof[k].duration)},
                                 {"at", json::number(least.per_dof[k].x)}}));
  return json::object({{"duration", json::number(least.duration)},
                       {"joint", json::text(dofs[static_cast<std::size_t>(least.dof)].name())},
                       {"per_joint", json::lines(rows)}}) +
         "\n";
}

Status mintime(const MintimeOptions& options, Session& session) {
  const auto model = std::make_shared<const Model>(load_robot(options, session));
  refuse_loops(model->robot(), "mintime");
  const std::vector<Dof> dofs = dofs_of(*model);
  if (const std::string names = names_of_forces(*model); !names.empty())
    session.remarks.push_back(fmt::format("denoc: left out: {}", names));
  const std::vector<double> limits = limits_of(options, *model, dofs);
  const MotionFile file = load_motion_file(options.motion, model, session);
  if (!session.output_file.empty()) refuse_replacing(file.also_read, session.output_file);
  MinimumTime least;
  try {
    least = minimum_time(*model, *file.motion, limits);
  } catch (const Error& error) {
    throw Failure(Status::numbers, fmt::format("{}: {}", options.motion, error.what()));
  }
  if (options.json) {
    session.out = json_least(least, dofs, limits);
    return Status::done;
  }
  Table table({"joint", "", ">limit", "unit", ">alone [s]", ">most at x ="});
  for (std::size_t k = 0; k < dofs.size(); ++k)
    table.row({dofs[k].joint, dofs[k].component, shown(limits[k]), std::string(dofs[k].force_unit()),
               fmt::format("{:.9g}", least.per_dof[k].duration), fmt::format("{:.4f}", least.per_dof[k].x)});
  session.out = fmt::format(
      "{}: the motion takes {:.12g} s at the least, as '{}' allows\n{}"
      "x: how far along the motion, 0 to 1; alone: if no other drive had a limit.\n",
      printable(model->robot().name), least.duration, printable(dofs[static_cast<std::size_t>(least.dof)].name()),
      table.text());
  return Status::done;
}

const char* const mintime_notes =
    R"(A motion from rest to rest, as YAML: motion: {type: point_to_point, from: [..], to: [..], duration: 1, profile: poly345};
docs/scenario-files.md has all types. Its own duration plays no part: only the way and its shape count. A scenario whose
motion is of type `fastest` runs it.)";

}  // namespace

Command commands::mintime() {
  return command<MintimeOptions>(
      "mintime", "the shortest time of a motion under limits of the drives", mintime_notes,
      {{"denoc mintime planar3r --motion reach.yaml --limits 90,35,8", "which drive decides, and when"}},
      [](Arguments& arguments, MintimeOptions& options) {
        robot_arguments(arguments, options);
        arguments.option("--motion", "FILE", options.motion, "the way and its shape; see below").required();
        arguments.option("--limits", "X,..", options.limits,
                         "what each drive gives at most (N m, N); by default what the robot's file says");
      },
      app::mintime);
}

}  // namespace denoc::app
