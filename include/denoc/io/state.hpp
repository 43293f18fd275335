// States of a robot from JSON (or YAML): what the commands are asked about.
#pragma once
#include <filesystem>
#include <vector>

#include "denoc/model/robot.hpp"

namespace denoc {

// Acting on a body, in its own frame, about its origin.
struct StateWrench {
  int body;  // index into Robot::bodies
  Vec3<double> moment, force;
};
// Empty where the file says nothing. Quaternions in q are of unit length.
struct State {
  std::vector<double> q, v, a, tau;
  std::vector<StateWrench> wrenches;
};
// One state, or an array of them.
struct StateFile {
  bool is_array = false;
  std::vector<State> states;
};
struct Needs {
  bool q = true, v = false, a = false, tau = false;
};

// The states of a file ("-": of standard input), of the robot's sizes, with all that is needed. Throws RobotError with
// everything that is wrong.
StateFile read_states(const std::filesystem::path& file, const Robot& robot, const Needs& needs);

}  // namespace denoc
