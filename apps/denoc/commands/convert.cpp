// denoc convert: a robot file in another format.
#include "commands/list.hpp"
#include "commands/options.hpp"
#include "commands/problem.hpp"
#include "denoc/io/save.hpp"
#include "output/json.hpp"
#include "output/number_of.hpp"

namespace denoc::app {
namespace {

struct ConvertOptions : RobotOptions {
  std::string target;
};
void convert_arguments(Arguments& arguments, ConvertOptions& options) {
  robot_arguments(arguments, options);
  arguments.place("OUT", options.target, "the file to write: .yaml, .urdf, or .xml (MJCF)")
      .names_a(Argument::File::written_back);
}

// The inertia of a URDF's root, which nobody feels on the ground, is kept where it goes to a URDF again.
Robot load_whole(const ConvertOptions& options, Session& session) {
  const auto is_urdf = [](const std::string& file) { return file.ends_with(".urdf"); };
  const bool keeps_root = options.load.base == Base::fixed && is_urdf(options.model) && is_urdf(options.target);
  if (!keeps_root) return load_robot(options, session);
  RobotOptions free = options;
  free.load.base = Base::free;
  Robot robot = load_robot(free, session);
  Joint& root = robot.bodies[1].joint;
  for (Posture& posture : robot.postures)
    posture.q.erase(posture.q.begin(), posture.q.begin() + coordinates(root.type));
  root.type = JointType::fixed;
  return robot;
}

Status convert(const ConvertOptions& options, Session& session) {
  const Robot robot = load_whole(options, session);
  RobotText said;
  try {
    said = robot_text(robot, options.target);
  } catch (const ArgumentError& error) {
    throw Failure(Status::usage, fmt::format("denoc convert: {}", error.what()));
  }
  write_file(options.target, said.text);
  if (options.json) {
    session.out = json::object({{"file", json::text(options.target)},
                                {"robot", json::text(robot.name)},
                                {"unsaid", json::lines(json::each(said.unsaid, json::text))}}) +
                  "\n";
    return Status::done;
  }
  for (const std::string& each : said.unsaid) session.remarks.push_back(fmt::format("{}: {}", options.target, each));
  session.out = fmt::format("{}: robot '{}' with {}\n", printable(options.target), printable(robot.name),
                            number_of(robot.bodies.size() - 1, "body", "bodies"));
  return Status::done;
}

}  // namespace

Command commands::convert() {
  return command<ConvertOptions>(
      "convert", "a robot file in another format",
      "Numbers keep all their digits. What the format cannot say, or only in elements that are\n"
      "denoc's own, is listed. With --repair the repaired robot is written.",
      {{"denoc convert robot.urdf robot.yaml", "a URDF as YAML"},
       {"denoc convert robot.urdf robot.xml", "for MuJoCo"},
       {"denoc convert robot.urdf sound.urdf --repair", "a file whose inertias bodies can have"}},
      convert_arguments, app::convert);
}

}  // namespace denoc::app
