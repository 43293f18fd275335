// States of a robot from JSON (or YAML): what the commands are asked about.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc {

/// A wrench (N m, N) on a body about its origin, in its own axes or in those of the world.
struct StateWrench {
  int body;  // index into Robot::bodies
  Vec3<double> moment, force;
  bool in_world_axes = false;
};
/// One state. v, a and tau are zero where the file says nothing. Quaternions in q are of unit length.
struct State {
  std::vector<double> q, v, a, tau;
  std::vector<StateWrench> wrenches = {};
  // Degrees of freedom of the joints that `a` does not name where it is a map.
  std::vector<int> unnamed_a = {};
};
/// One state, or an array of them.
struct StateFile {
  bool is_array = false;
  std::vector<State> states;
  std::vector<Fault> warnings = {};
};

/// q of a state that says nothing of it, and of the joints that its map does not name.
struct DefaultPosture {
  std::function<std::vector<double>()> q;  // asked for when it is needed
  std::string name = {};                   // of a named posture: a state that gives all of q beside it is refused
};

/// The states of a file ("-": of standard input), of the robot's sizes. What denoc itself has written is read, too: a
/// result with the states in `solutions` or `final`, and what stands in a state beside them. Throws RobotError with
/// everything that is wrong.
StateFile read_states(const std::filesystem::path& file, const Robot& robot, const DefaultPosture& otherwise);
/// The default is the posture that the robot's file draws.
StateFile read_states(const std::filesystem::path& file, const Robot& robot);

}  // namespace denoc
