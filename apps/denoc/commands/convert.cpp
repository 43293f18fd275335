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

Status convert(const ConvertOptions& options, Session& session) {
  if (is_robot_name(session.output_file))
    throw Failure(Status::usage, fmt::format("denoc convert: --output {}: the robot goes to OUT, here {}; --output is "
                                             "for the line that tells of it",
                                             session.output_file, options.target));
  RobotOptions source = options;
  source.load.to_urdf = is_urdf(options.target);
  const Robot robot = load_robot(source, session);
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
