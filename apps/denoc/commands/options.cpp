#include "commands/options.hpp"

namespace denoc::app {

const char* const state_format =
    R"(A state, as JSON or YAML ("-": from standard input), or an array of them:
  {"q": [..], "v": [..], "a": [..], "tau": [..],
   "wrenches": [{"body": "link3", "moment": [..], "force": [..]}]}
Lists are in the order of `denoc info MODEL`; maps by joint will do, too: {"q": {"elbow": 0.5, "hip": [1, 0, 0, 0]}}.
What is not given is zero, q that of the posture that the file draws (loops closed). A wrench acts on the body about
its origin, in its own axes or, with "axes": "world", in those of the world. `denoc state MODEL` prints a state.)";

const char* const batch_format =
    R"(A batch has a row for each state, in the order of `denoc info MODEL`: id q, v, a; fd q, v, tau.
NPY: (rows, columns), float64 or float32. CSV: commas between; a first line q1,..,v1,..,a1,.. may be there.)";

void robot_arguments(Arguments& arguments, RobotOptions& options) {
  arguments.place("MODEL", options.model, "robot file (URDF, MJCF, YAML) or name of a shipped robot")
      .names_a(Argument::File::robot);
  arguments.one_of("--base", {"fixed", "free"}, "how the root of a URDF is carried: fixed or free",
                   [&](std::string_view word) { options.load.base = word == "free" ? Base::free : Base::fixed; });
  arguments.vec3(
      "--gravity",
      [&](auto g) {
        options.load.gravity = Vec3<double>{g[0], g[1], g[2]};
      },
      "instead of the file's, m/s^2");
  arguments.flag("--strict", options.load.strict, "what is doubted in the file is refused");
  arguments.flag("--repair", options.load.repair, "inertias that no body has become the nearest that one can have");
  arguments.flag("--json", options.json, "JSON instead of tables");
}

Argument& state_arguments(Arguments& arguments, StateOptions& options, std::string what) {
  robot_arguments(arguments, options);
  arguments.option("--posture", "NAME", options.posture, "q of the states: a posture that the robot's file names");
  return arguments.option("--state", "FILE", options.states, std::move(what));
}

void dynamics_arguments(Arguments& arguments, DynamicsOptions& options) {
  state_arguments(arguments, options, "state or states to compute for");
  arguments.option("--method", "NAME", options.method, "see `denoc methods`");
  arguments.flag("--forces", options.forces, "springs, friction and end stops of the file act, too");
}

Argument& batch_arguments(Arguments& arguments, BatchOptions& options) {
  arguments.whole_number("--threads", 1, 1024, options.threads, "of a batch; all that the machine has by default")
      .with("--batch");
  arguments.flag("--float", options.in_float, "computes a batch in single precision").with("--batch");
  arguments.flag("--keep-going", options.keep_going, "rows of a batch without a result are nan, and no failure")
      .with("--batch");
  return arguments
      .option("--batch", "FILE", options.file, "states in rows, NPY or CSV; the result is the file of -o, .npy or .csv")
      .names_a(Argument::File::read_back)
      .with("--output")
      .without({"--state", "--posture", "--method", "--json"});
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> names;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return names;
}

void folder_argument(Arguments& arguments, std::string& folder, std::string what) {
  arguments.option("-o,--output,--out", "DIR", folder, std::move(what));
  arguments.rule([&folder] {
    if (folder.empty()) throw Failure(Status::usage, "denoc: --output DIR is required: the folder of the results");
  });
}

}  // namespace denoc::app
