// denoc state: a state file for a robot, at rest or at random.
#include <charconv>

#include "commands/closed.hpp"
#include "commands/list.hpp"
#include "denoc/io/joint_vectors.hpp"
#include "denoc/mechanism/random_posture.hpp"

namespace denoc::app {
namespace {

struct StateCommandOptions : RobotOptions {
  std::optional<std::string> posture = {};
  std::optional<std::string> seed = {};
  bool by_joint = false;
};

// Loops stay closed: the rates are the nearest that keep them so, the accelerations those that tau gives.
State random_state(const Mechanism& robot, std::uint64_t seed) {
  Chance chance(seed);
  const auto lively = [&] {
    std::vector<double> x(static_cast<std::size_t>(robot.nv()));
    for (double& e : x) e = chance.between(-1, 1);
    return x;
  };
  State state{random_posture(robot, chance), lively(), lively(), lively()};
  if (!robot.has_loops()) return state;
  Dynamics dynamics(robot);
  state.v = ClosedChain(robot.tree()).closed_rates(state.q, state.v);
  const auto a = dynamics.forward(state.q, state.v, state.tau);
  state.a.assign(a.begin(), a.end());
  return state;
}

std::string json_by_joint(std::span<const double> values, const io::Layout& layout) {
  std::vector<json::Member> members;
  for (const io::Layout::Joint& joint : layout.joints()) {
    const auto entries = values.subspan(static_cast<std::size_t>(joint.first), static_cast<std::size_t>(joint.size));
    members.emplace_back(joint.name, joint.size == 1 ? json::number(entries.front()) : json::numbers(entries));
  }
  return json::object(members);
}

std::string json_state(const State& state, const Robot& robot, bool by_joint) {
  const auto shown = [&](const std::vector<double>& values, const io::Layout& layout) {
    return by_joint ? json_by_joint(values, layout) : json::numbers(values);
  };
  const io::Layout q = io::Layout::of_coordinates(robot), v = io::Layout::of_rates(robot);
  return fmt::format("{{\"q\": {},\n \"v\": {},\n \"a\": {},\n \"tau\": {}}}\n", shown(state.q, q), shown(state.v, v),
                     shown(state.a, v), shown(state.tau, v));
}

Status state(const StateCommandOptions& options, Session& session) {
  const Mechanism robot(load_robot(options, session));
  if (!options.seed) {
    const StateOptions at_rest{static_cast<const RobotOptions&>(options), "", options.posture};
    session.out =
        json_state(load_states(at_rest, robot.tree(), session).states.front(), robot.robot(), options.by_joint);
    return Status::done;
  }
  std::uint64_t seed = 0;
  const char* const end = options.seed->data() + options.seed->size();
  if (const auto [rest, error] = std::from_chars(options.seed->data(), end, seed); error != std::errc() || rest != end)
    throw Failure(Status::usage,
                  fmt::format("denoc state: --random {}: a seed is a whole number below 2^64", *options.seed));
  try {
    session.out = json_state(random_state(robot, seed), robot.robot(), options.by_joint);
  } catch (const Error& error) {
    throw Failure(Status::numbers, fmt::format("denoc: {}", error.what()));
  }
  return Status::done;
}

}  // namespace

Command commands::state() {
  return command<StateCommandOptions>(
      "state", "a state file for a robot: at rest, or at random", "",
      {{"denoc state puma560 > state.json", "q of the file's posture, v, a and tau zero: to be edited"},
       {"denoc state puma560 --random 7", "at random, within the limits of the joints"},
       {"denoc state fourbar --by-joint", "numbers by joint instead of lists"}},
      [](Arguments& arguments, StateCommandOptions& options) {
        robot_arguments(arguments, options);
        arguments.option("--posture", "NAME", options.posture, "q: a posture that the robot's file names");
        arguments.option("--random", "SEED", options.seed, "at random, loops closed; the same for the same seed")
            .without({"--posture"});
        arguments.flag("--by-joint", options.by_joint, "maps by joint instead of lists");
      },
      app::state);
}

}  // namespace denoc::app
