// denoc ik: the joints that bring a body to a pose.
#include <cmath>

#include "commands/kinematics.hpp"
#include "commands/list.hpp"
#include "denoc/io/pose_file.hpp"
#include "denoc/mechanism/inverse_kinematics.hpp"
#include "output/table.hpp"

namespace denoc::app {
namespace {

struct IkOptions : StateOptions {
  BodyOptions at = {};
  std::string pose = {};
  bool position = false;
};

PoseFile load_pose(const IkOptions& options) {
  PoseFile file;
  try {
    file = read_pose(options.pose);
  } catch (const RobotError& error) {
    refuse_file(error);
  }
  if (!file.body.empty() && file.body != options.at.body)
    throw Failure(Status::file,
                  fmt::format("{}: it is the pose of body {}, and --body names {}", io::shown_file(options.pose),
                              io::in_quotes(file.body), io::in_quotes(options.at.body)));
  if (!file.body.empty() && norm(file.point - options.at.point) > 0)
    throw Failure(Status::file,
                  fmt::format("{}: it is the pose of the point {}, {}, {} of the body, and --point says {}, {}, {}",
                              io::shown_file(options.pose), file.point.x, file.point.y, file.point.z,
                              options.at.point.x, options.at.point.y, options.at.point.z));
  if (!file.has_attitude && !options.position)
    throw Failure(Status::file, fmt::format("{}: pose: it has no attitude, quat or rpy", io::shown_file(options.pose)),
                  {"--position leaves the attitude free."});
  return file;
}

std::string json_solution(const Solution& s) {
  std::vector<json::Member> members = {
      {"q", json::numbers(s.q)}, {"gap", json::number(s.gap)}, {"within_limits", json::boolean(s.is_within_limits)}};
  if (!s.branch.empty()) members.emplace_back("branch", json::text(s.branch));
  return json::object(members);
}

// A column for each way.
std::string solution_table(const Model& model, const std::vector<Solution>& all) {
  std::vector<std::string> headings = {"coordinate"};
  for (std::size_t i = 0; i < all.size(); ++i) headings.push_back(fmt::format(">way {}", i + 1));
  Table table(headings);
  const std::vector<Coordinate> coordinates = coordinates_of(model);
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    std::vector<std::string> row = {coordinates[k].name};
    for (const Solution& s : all) row.push_back(shown(s.q[k], 1, model.nv()));
    table.row(row);
  }
  std::vector<std::string> limits = {"within limits"}, branches = {"branch"};
  for (const Solution& s : all) {
    limits.emplace_back(s.is_within_limits ? "yes" : "no");
    branches.push_back(s.branch);
  }
  table.row(limits);
  if (!all.front().branch.empty()) table.row(branches);
  return table.text();
}

Status ik(const IkOptions& options, Session& session) {
  const auto [robot, file] = load_problem(options, session);
  if (file.states.size() != 1)
    throw Failure(Status::file, fmt::format("{}: a search starts from one state, here are {}",
                                            io::shown_file(options.states), file.states.size()));
  const Target target{body_named(options.at, robot), options.at.point, !options.position};
  if (target.body == 0)
    throw Failure(Status::usage, fmt::format("denoc ik: --body: {} is the world, which does not move",
                                             io::in_quotes(options.at.body)));
  const PoseFile pose = load_pose(options);
  add_warnings(pose.warnings, session);
  if (!std::isfinite(norm(pose.pose.r)))  // of numbers that are finite
    throw Failure(Status::numbers,
                  fmt::format("denoc ik: body {}: the position is out of reach: it is too far away for "
                              "a number to say how far",
                              io::in_quotes(options.at.body)));

  std::vector<Solution> all;
  try {
    all = inverse_kinematics(robot, target, pose.pose, file.states[0].q);
  } catch (const Unreachable& error) {
    throw Failure(Status::numbers, fmt::format("denoc ik: {}", error.what()));
  } catch (const ArgumentError& error) {
    throw Failure(Status::usage, fmt::format("denoc ik: {}", error.what()));
  }
  if (options.json) {
    session.out = json::object({{"solutions", json::lines(json::each(all, json_solution))}}) + "\n";
    return Status::done;
  }
  session.out = fmt::format(
      "{}: postures that bring body '{}' to the pose, the nearest to the start first\n{}", printable(robot.name()),
      printable(robot.robot().bodies[static_cast<std::size_t>(target.body)].name), solution_table(robot.tree(), all));
  return Status::done;
}

}  // namespace

Command commands::ik() {
  return command<IkOptions>(
      "ik", "joints that bring a body to a pose (inverse kinematics)",
      R"(A pose, as JSON or YAML ("-": from standard input), in the world:
  {"xyz": [0.5, 0.1, 0.6], "quat": [w, x, y, z]}, or "rpy": [roll, pitch, yaw] instead of the quaternion;
  what `denoc fk MODEL --body B --json` prints of the same body and point will do.
Of a 6R arm with a spherical wrist every posture is found, of other robots the nearest to the start. Loops stay closed.)",
      {{"denoc ik puma560 --body link6 --pose pose.json", "every posture that brings its hand there"},
       {"denoc ik puma560 --body link6 --pose pose.json --position", "one, whatever the attitude"},
       {"denoc ik puma560 --body link6 --pose pose.json --json > ways.json", "states for other commands"}},
      [](Arguments& arguments, IkOptions& options) {
        state_arguments(arguments, options, "where to start from; the posture of the file by default");
        body_arguments(arguments, options.at, "the body").required();
        arguments.option("--pose", "FILE", options.pose, "where it is to be").required();
        arguments.flag("--position", options.position, "the attitude does not matter");
      },
      app::ik);
}

}  // namespace denoc::app
