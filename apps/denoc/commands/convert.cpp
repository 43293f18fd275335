// denoc convert: a robot file in another format.
#include <fmt/format.h>

#include "commands/problem.hpp"
#include "denoc/io/save.hpp"

namespace denoc::app {
namespace {

// The inertia of a URDF's root, which nobody feels on the ground, is kept where it goes to a URDF again.
Robot load_whole(const ConvertOptions& options, Session& session) {
  const bool keeps_root =
      options.load.base == Base::fixed && options.model.ends_with(".urdf") && options.target.ends_with(".urdf");
  if (!keeps_root) return load_robot(options, session);
  RobotOptions free = options;
  free.load.base = Base::free;
  Robot robot = load_robot(free, session);
  robot.bodies[1].joint.type = JointType::fixed;
  return robot;
}

}  // namespace

Status convert(const ConvertOptions& options, Session& session) {
  const Robot robot = load_whole(options, session);
  RobotText said;
  try {
    said = robot_text(robot, options.target);
  } catch (const ArgumentError& error) {
    throw Failure(Status::usage, fmt::format("denoc convert: {}", error.what()));
  }
  write_file(options.target, said.text);
  for (const std::string& each : said.unsaid) session.remarks.push_back(fmt::format("{}: {}", options.target, each));
  session.out = fmt::format("{}: robot '{}', {} bodies\n", printable(options.target), printable(robot.name),
                            robot.bodies.size() - 1);
  return Status::done;
}

}  // namespace denoc::app
