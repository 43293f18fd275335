// denoc id --motion: joint forces along a motion.
#pragma once
#include "commands/problem.hpp"

namespace denoc::app {

struct AlongMotion {
  std::string file;                        // of the motion
  bool forces = false;                     // those of the robot's file act, too
  std::optional<std::string> driven = {};  // joints with a drive, "j1,j2"; all but free ones and those that follow another
  bool plot = false;                       // figures beside the output
};
// t, q, v, a and tau to session.output_file (CSV or NPZ); without one, what the drives give at most.
Status id_along(const RobotOptions& robot, const AlongMotion& options, Session& session);

}  // namespace denoc::app
